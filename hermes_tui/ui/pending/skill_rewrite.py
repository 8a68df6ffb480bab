"""The editor on the text that a skill write proposes; what comes out of it is approved in its place."""

from __future__ import annotations

from hermes_tui.memory.check import TextCheck, is_encodable
from hermes_tui.memory.entries import Usage
from hermes_tui.pending.rewriting import editable_part
from hermes_tui.text import short_path, visible
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.pending.rewrite import Rewrite

MAX_SKILL_CHARS = 100_000
"""The agent takes no longer text into a skill."""


class SkillRewrite(Rewrite):
    """One skill write being rewritten: no store and no scan concern it, only the size of a skill's file."""

    @property
    def proposed(self) -> str:
        """The text as the record proposes it."""
        return str(self._raw.get(editable_part(self._record, self._raw.get("action"))) or "")

    @property
    def title(self) -> str:
        """What is edited."""
        name = visible(str(self._raw.get("name") or ""), multiline=False)
        return f"Edit and approve {self._record.id} ({self._raw.get('action')} of skill {name})"

    @property
    def path(self) -> str:
        """The file it stands in."""
        return short_path(self._record.path)

    def state_changed(self, before: HomeState, state: HomeState) -> None:
        """The stores do not concern it."""

    def check(self, text: str) -> TextCheck:
        """Whether the text fits into a skill; what else approving it would mean is looked at when it is approved."""
        usage = Usage(len(text), MAX_SKILL_CHARS)
        return TextCheck(
            store="memory",
            text=text,
            usage_after=usage,
            over=usage.over,
            findings=(),
            duplicate_of=None,
            would_split=False,
            encodable=is_encodable(text),
        )
