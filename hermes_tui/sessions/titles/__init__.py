"""What to call a conversation that nobody has named, and what to show of how it began."""

from __future__ import annotations

from hermes_tui.sessions.titles.deriving import derive_title
from hermes_tui.sessions.titles.preview import clean_preview

__all__ = ["clean_preview", "derive_title"]
