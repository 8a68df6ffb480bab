"""Why a key makes no sense right now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.ui.actions import Action, key_for, with_keys
from hermes_tui.ui.troubles import read_only_words

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

UNREAD = "The sessions cannot be read now; why is said above the list."
KNOWN = 200
"""So many of what is selected are looked at for what a key would do to them."""
_NEED_A_SESSION = {
    "sessions.open": "open",
    "sessions.resume": "resume",
    "sessions.copy": "copy",
    "sessions.preview": "preview",
    "sessions.unfold": "unfold",
    "sessions.select": "select",
    "sessions.select_all": "select",
    "sessions.rename": "rename",
    "sessions.archive": "put away",
    "sessions.pin": "pin",
    "sessions.delete": "delete",
    "sessions.export": "export",
    "sessions.title": "write a title for",
}
"""What cannot be done without a session, as in `There is no session here to copy.`"""
_COLUMNS = {"sessions.archive": "archived", "sessions.pin": "pinned"}
"""Columns of the table of sessions without which something cannot be done; agents of old do not have them."""
_NEED_A_SEARCH = ("sessions.sort", "sessions.next_hit", "sessions.previous_hit")


def why_not(action: Action, screen: SessionsScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if action.writes and screen.hermes.read_only:
        return read_only_words(action)
    if not screen.ready:
        return None
    if action.writes and (reason := _cannot_write(action, screen)):
        return reason
    if action.id in _NEED_A_SESSION and screen.session_list.brief is None:
        return _being_read(screen) or f"There is no session here to {_NEED_A_SESSION[action.id]}."
    if action.id in _NEED_A_SEARCH and not screen.searching:
        return f"Nothing is searched for: {key_for('sessions.search')} goes to the search box."
    if action.id == "sessions.rename" and len(screen.session_list.selected) > 1:
        count = len(screen.session_list.selected)
        ends = f"{key_for('sessions.back')} ends the selection"
        return f"Rename is for one conversation, and {count:,} are selected: {ends}."
    if action.id == "sessions.order" and screen.searching:
        return f"Hits come newest first or by relevance: {key_for('sessions.sort')} changes that."
    if action.id == "sessions.unfold":
        brief = screen.session_list.brief
        if screen.searching:
            return with_keys(
                "Hits of all parts stand together; {sessions.back} leaves the search, and then {sessions.unfold} shows"
                " the parts."
            )
        if brief is not None and len(brief.parts) < 2:
            return (
                _being_read(screen)
                or "This conversation has no other parts: it was never compacted into a new session."
            )
    return None


def _being_read(screen: SessionsScreen) -> str | None:
    """Why what is not there now may only not be read; None when all of it is."""
    if screen.searching and screen.searcher.failure is None and not screen.searcher.settled:
        return "It is being searched for."
    reader = screen.reader
    if reader.trouble is not None and reader.trouble.code != "no_sessions":
        return UNREAD
    if reader.complete or reader.trouble is not None:
        return None
    return f"The sessions are being read, {len(reader.briefs):,} so far."


def _cannot_write(action: Action, screen: SessionsScreen) -> str | None:
    """Why nothing of this kind can be changed in this database."""
    reader = screen.reader
    if reader.trouble is not None and reader.trouble.code != "sessions_locked":
        return "There are no sessions yet." if reader.trouble.code == "no_sessions" else UNREAD
    if reader.base is None or reader.features is None:
        return "The sessions are being read."
    column = _COLUMNS.get(action.id)
    if column and column not in reader.features.sessions:
        return f"{action.label} is not possible: the agent that made this database does not know it."
    return None


def label_of(action: Action, screen: SessionsScreen) -> str:
    """The label, which follows what the key would do to what is meant."""
    if not screen.ready or action.id not in _COLUMNS:
        return action.label
    shown = screen.session_list
    briefs = shown.selected or ((shown.brief,) if shown.brief else ())
    if action.id == "sessions.archive" and briefs and all(brief.archived for brief in briefs):
        return "Unarchive"
    if action.id == "sessions.pin" and briefs:
        known = [shown.summaries.get(brief.root) for brief in briefs[:KNOWN]] if not shown.summary else [shown.summary]
        if all(summary is not None and summary.pinned for summary in known):
            return "Unpin"
    return action.label
