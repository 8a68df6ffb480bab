"""Bringing back an entry that is gone, by the store's own rules, and taking that back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.check import EntryRef, TextCheck, check_text
from hermes_tui.memory.entries import FILE_NAMES, StoreName
from hermes_tui.text import one_line, short_path
from hermes_tui.ui.actions import with_keys
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.timeline.story import Entry
from hermes_tui.ui.undoing import offer_to_leave

if TYPE_CHECKING:
    from hermes_tui.memory.editing import Outcome
    from hermes_tui.pending.review import Review
    from hermes_tui.ui.dialogs.editor import EditorResult, EntryEditor
    from hermes_tui.ui.operations import Operation
    from hermes_tui.ui.timeline.screen import TimelineScreen

BACK = "{timeline.undo} takes it back"
NAMED_CELLS = 28


class Restoring:
    """The writing keys of the Timeline screen."""

    def __init__(self, screen: TimelineScreen) -> None:
        self._screen = screen
        self._app = screen.hermes
        self._editor: EntryEditor | None = None
        self._store: StoreName = "memory"
        self._ref: EntryRef | None = None

    # What would come back

    @property
    def wanted(self) -> Entry | None:
        """The entry under the cursor that is not there now; None when there is none."""
        screen = self._screen
        if screen.searching.on:
            ever = screen.change_list.ever
            texts = [(ever.store, ever.text)] if ever else []
        else:
            change = screen.change_list.change
            both = (change.before, change.after) if change else ()
            texts = [(change.store, text) for text in both if change.is_whole(text)] if change else []
        return next((Entry(store, text) for store, text in texts if text not in self._texts(store)), None)

    def _texts(self, store: StoreName) -> list[str]:
        return self._screen.state.view(store).texts

    def successor(self, entry: Entry) -> EntryRef | None:
        """What the entry was edited into, where that stands now."""
        changes = self._screen.line.changes
        rows = [
            row for row, each in enumerate(changes) if each.store == entry.store and each.before == entry.text
        ]  # fmt: skip
        if not rows or not changes[rows[-1]].after or changes[rows[-1]].likely_edit:
            return None
        start = changes[rows[-1]].after
        text = self._screen.line.became(entry.store, [start], rows[-1]).get(start)
        texts = self._texts(entry.store)
        return EntryRef(entry.store, texts.index(text) + 1, text) if text in texts else None

    # Bringing back

    def action_restore(self) -> None:
        """Bring back the entry under the cursor; what stands against it is shown in the editor."""
        entry = self.wanted
        if entry is None:
            return
        ref = self.successor(entry)
        if ref is None:
            self._restore(entry, None)
            return
        from hermes_tui.ui.dialogs.confirm import Confirm

        name = FILE_NAMES[entry.store]
        question = f"Put these words back in the place of entry {ref.index} of {name}, which they became?"
        detail = f"{entry.text}\n\nnow: {ref.text}"
        self._app.push_screen(
            Confirm(question, detail=detail, yes="Put back"), lambda yes: self._restore(entry, ref) if yes else None
        )

    def _restore(self, entry: Entry, ref: EntryRef | None) -> None:
        self._store, self._ref = entry.store, ref
        if self._check(entry.text).ok:
            self._save(entry.text)
        else:
            self._open(entry.text, entry.text)

    def _check(self, text: str) -> TextCheck:
        """What it would mean now."""
        return check_text(self._screen.state.view(self._store), text, replacing=self._here)

    @property
    def _here(self) -> EntryRef | None:
        """The entry that it takes the place of, where it stands now."""
        ref = self._ref
        if ref is None or ref.text not in self._texts(ref.store):
            return None
        return EntryRef(ref.store, self._texts(ref.store).index(ref.text) + 1, ref.text)

    def _open(self, text: str, saved: str) -> None:
        """Let the person see what stands against it, and shorten or rewrite it."""
        from hermes_tui.ui.dialogs.editor import EntryEditor

        view = self._screen.state.view(self._store)
        self._editor = EntryEditor(
            title=f"Restore into {view.file_name}",
            text=text,
            check=self._check,
            path=short_path(view.path),
            saved=saved,
        )
        self._app.push_screen(self._editor, self._closed)

    def _closed(self, result: EditorResult | None) -> None:
        self._editor = None
        if result is not None:
            self._save(result.text, accept_newer=result.accept_newer)

    def _save(self, text: str, *, accept_newer: bool = False) -> None:
        store_name, ref = self._store, self._here

        def operation(review: Review) -> Outcome:
            if ref is not None:
                return review.edit(ref, text, accept_newer=accept_newer)
            return review.add(store_name, text, accept_newer=accept_newer)

        def done(outcome: Outcome) -> None:
            named = f"“{one_line(text.replace(chr(10), ' '), NAMED_CELLS)}”"
            words = f"Restored {named} into {FILE_NAMES[store_name]} – {with_keys(BACK)}"
            self._app.say(words if not outcome.already else outcome.message, seconds=6)

        def failed(error: HermesTuiError) -> bool:
            if not error.code.startswith(("over", "blocked", "duplicate", "would_split")):
                return False
            self._open(text, text)  # the store has moved on: what stands against it now is shown there
            return False

        self._screen.operations.start("restore", lambda: operation, done, failed)

    def state_changed(self, before: HomeState, state: HomeState) -> None:
        """The store changed while the editor is open: numbers follow, the text stays."""
        old, new = before.view(self._store), state.view(self._store)
        if self._editor is not None and old != new:
            self._editor.store_changed(self._check, f"{new.file_name} changed on disk")

    # Taking back

    def _revert(self, name: str, operation: Operation) -> None:
        app, operations = self._app, self._screen.operations
        operations.start(
            name,
            lambda: operation,
            lambda outcome: app.say(outcome.message),
            lambda error: offer_to_leave(app, operations, error),
        )

    def action_undo(self) -> None:
        """Take the last change back."""
        self._revert("undo", lambda review: review.undo())

    def action_redo(self) -> None:
        """Make it again."""
        self._revert("redo", lambda review: review.redo())
