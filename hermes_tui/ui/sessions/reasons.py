"""Why a key makes no sense right now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.ui.actions import Action

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

_NEED_A_SESSION = {
    "sessions.open": "open",
    "sessions.resume": "resume",
    "sessions.copy": "copy",
    "sessions.preview": "preview",
    "sessions.unfold": "unfold",
}
"""What cannot be done without a session, as in `There is no session here to copy.`"""
_NEED_A_SEARCH = ("sessions.sort", "sessions.next_hit", "sessions.previous_hit")


def why_not(action: Action, screen: SessionsScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if not screen.ready:
        return None
    if action.id in _NEED_A_SESSION and screen.session_list.brief is None:
        return f"There is no session here to {_NEED_A_SESSION[action.id]}."
    if action.id in _NEED_A_SEARCH and not screen.searching:
        return "Nothing is searched for: / goes to the search box."
    if action.id == "sessions.order" and screen.searching:
        return "Hits come newest first or by relevance: s changes that."
    if action.id == "sessions.unfold":
        brief = screen.session_list.brief
        if screen.searching:
            return "Hits of all parts stand together; esc leaves the search, and then z shows the parts."
        if brief is not None and len(brief.parts) < 2:
            return "This conversation has no other parts: it was never compacted into a new session."
    return None
