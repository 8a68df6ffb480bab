"""What approving a pending skill write would do, worked out without touching the disk."""

from __future__ import annotations

from hermes_tui.pending.skills.preview import SkillPreview, preview_skill, title_of
from hermes_tui.pending.skills.refusal import Verdict
from hermes_tui.pending.skills.roots import SkillIndex, external_dirs, read_index

__all__ = ["SkillIndex", "SkillPreview", "Verdict", "external_dirs", "preview_skill", "read_index", "title_of"]
