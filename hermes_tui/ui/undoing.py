"""An undo that no longer fits: the change it was to take back can be left as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.errors import Conflict, HermesTuiError
from hermes_tui.ui.actions import key_for

if TYPE_CHECKING:
    from hermes_tui.memory.editing import Outcome
    from hermes_tui.pending.review import Review
    from hermes_tui.ui.app import HermesTuiApp
    from hermes_tui.ui.operations import Operations


def leave_change(operations: Operations, record_id: str, said: Callable[[Outcome], None]) -> None:
    """Take a change off what u takes back, so that it reaches the one before."""

    def operation(review: Review) -> Outcome:
        return review.drop_undo(record_id)

    operations.start("leave change", lambda: operation, said, lambda _error: False)


def offer_to_leave(app: HermesTuiApp, operations: Operations, error: HermesTuiError) -> bool:
    """Ask whether to go on without the change that cannot be taken back; whether there was anything to ask."""
    if not isinstance(error, Conflict) or not error.undo_of:
        return False
    from hermes_tui.ui.dialogs.confirm import Confirm

    record_id = error.undo_of

    def decided(leave: bool | None) -> None:
        if leave:
            leave_change(operations, record_id, lambda outcome: app.say(outcome.message))

    question = f"Leave this change as it is, so that {key_for('memory.undo')} goes on to the one before it?"
    app.push_screen(Confirm(question, detail=error.message, yes="Leave it"), decided)
    return True
