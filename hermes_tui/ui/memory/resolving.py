"""From a conflict to a decision: what each choice of the conflict dialog does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.memory.conflict import EntryConflict
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.ui.undoing import leave_change

if TYPE_CHECKING:
    from hermes_tui.ui.dialogs.conflict import ConflictChoice
    from hermes_tui.ui.memory.edits import Edits
    from hermes_tui.ui.memory.session import EditSession


def resolve(edits: Edits, conflict: EntryConflict, session: EditSession | None) -> None:
    """Show both versions; nothing is written before the person has chosen."""
    from hermes_tui.ui.dialogs.conflict import ConflictDialog
    from hermes_tui.ui.memory.session import EditSession

    store, ref = conflict.ref.store, conflict.ref
    title = f"Edit {FILE_NAMES[store]} entry {ref.index}"
    editing = session or EditSession(edits, title, store, ref)
    if editing.merging:
        # Several entries cannot be laid over one another; the text is kept as a new entry to be saved.
        editing.merging, editing.ref = [], None
        edits.app.say(f"{conflict.message} Saving now adds the text as a new entry.", severity="warning", seconds=8)
        editing.open(conflict.mine)
        return

    def decided(choice: ConflictChoice | None) -> None:
        edits.session = None
        if choice is not None and choice.kind != "back" and conflict.undo_of:
            # Decided is decided: the next u takes back what came before, not this again.
            leave_change(edits.screen.operations, conflict.undo_of, lambda _outcome: None)
        if choice is None and session is not None:
            # Escape backs out one step, and nothing that was typed goes without a question.
            edits.session = session
            session.open(conflict.mine)
            return
        if choice is None or choice.kind == "keep_theirs":
            edits.app.say("Nothing was written; the file is as it was on disk.")
            return
        edits.session = editing
        # From here on the person has seen what stands there now.
        editing.ref = None if choice.kind == "add_mine" or conflict.theirs is None else ref
        if choice.kind == "back":
            editing.open(choice.text)
        elif choice.kind == "save_mine" and not conflict.mine:
            edits.session = None
            edits.remove([ref])
        else:
            editing.save(choice.text, accept_newer=editing.accepted_newer)

    edits.app.push_screen(ConflictDialog(conflict), decided)
