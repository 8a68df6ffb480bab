"""Why an action makes no sense right now, in words for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.memory.view import StoreView
from hermes_tui.ui.actions import Action

if TYPE_CHECKING:
    from hermes_tui.ui.memory.screen import MemoryScreen

_NEED_AN_ENTRY = {
    "memory.edit", "memory.remove", "memory.move", "memory.copy", "memory.view", "memory.external",
    "memory.later", "memory.earlier", "memory.split", "memory.select",
}  # fmt: skip
_MEND = {"memory.normalize", "memory.undo", "memory.redo"}


def _out_of_order(view: StoreView) -> bool:
    """Whether the store refuses every change until the file is put in order."""
    return view.state in ("bom", "invalid_utf8") or (view.state == "drift" and view.drift != ("oversize",))


def why_not(action: Action, screen: MemoryScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if action.writes and screen.hermes.read_only:
        return f"{action.label} is off: this is a read-only view. Start without --read-only to make changes."
    view = screen.current_pane.view
    if action.writes and view.state == "unreadable" and action.id != "memory.undo":
        return f"{view.problem} {view.hint}".strip()
    if action.id in _NEED_AN_ENTRY and screen.cards.current is None:
        return f"There is no entry here to {action.label.lower()}."
    if action.writes and action.id not in _MEND and _out_of_order(view):
        return f"{view.problem} {view.hint}"
    if action.id == "memory.normalize" and view.canonical and view.state in ("ok", "missing"):
        return f"{view.file_name} is in order already."
    if action.id == "memory.merge" and len(screen.cards.selected) < 2:
        return "Select two or more entries of this store first: space selects."
    return None
