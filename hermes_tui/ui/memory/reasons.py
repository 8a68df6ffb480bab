"""Why an action makes no sense right now, in words for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.memory.view import StoreView
from hermes_tui.ui.actions import Action, key_for
from hermes_tui.ui.troubles import nowhere_to_write, read_only_words

if TYPE_CHECKING:
    from hermes_tui.ui.memory.screen import MemoryScreen

_NEED_AN_ENTRY = {
    "memory.edit": "edit",
    "memory.remove": "delete",
    "memory.move": "move to the other store",
    "memory.copy": "copy",
    "memory.send": "send to another profile",
    "memory.view": "read",
    "memory.story": "tell the story of",
    "memory.external": "edit in your own editor",
    "memory.later": "move down",
    "memory.earlier": "move up",
    "memory.split": "split",
    "memory.select": "select",
}
"""What cannot be done without an entry, as in `There is no entry here to copy.`"""
_MEND = {"memory.normalize", "memory.undo", "memory.redo"}


_OUT_OF_ORDER = {"bom": "begins with a byte order mark", "invalid_utf8": "is not UTF-8", "drift": "has drifted"}
"""The notice over the entries says it at length."""


def _out_of_order(view: StoreView) -> str:
    """Why the store refuses every change until the file is put in order, in one line; empty when it does not."""
    if view.drift == ("oversize",) and view.state == "drift":
        return ""
    what = _OUT_OF_ORDER.get(view.state)
    return f"{view.file_name} {what}: {key_for('memory.normalize')} puts it in order." if what else ""


def why_not(action: Action, screen: MemoryScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if action.writes and screen.hermes.read_only:
        return read_only_words(action)
    if action.writes and not screen.state.exists:
        return nowhere_to_write(screen.hermes.home.path)
    view = screen.current_pane.view
    if action.writes and view.state == "unreadable" and action.id != "memory.undo":
        return f"{view.file_name} cannot be read: mend that, then {key_for('app.reread')} reads it again."
    if action.id in _NEED_AN_ENTRY and screen.cards.current is None:
        return f"There is no entry here to {_NEED_AN_ENTRY[action.id]}."
    if action.writes and action.id not in _MEND and (reason := _out_of_order(view)):
        return reason
    if action.id == "memory.normalize" and view.state == "missing":
        return f"There is no {view.file_name} yet, so there is nothing to put in order."
    if action.id == "memory.normalize" and view.canonical and view.state == "ok":
        return f"{view.file_name} is in order already."
    if action.id == "memory.merge" and len(screen.cards.selected) < 2:
        return f"Select two or more entries of this store first: {key_for('memory.select')} selects."
    return None
