"""One entry being written: the editor, what the disk does meanwhile, and saving without ever losing the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.check import EntryRef, TextCheck
from hermes_tui.memory.conflict import EntryConflict
from hermes_tui.memory.editing import MemoryStore, Outcome
from hermes_tui.memory.entries import StoreName
from hermes_tui.text import short_path
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.memory.cards import CardId
from hermes_tui.ui.memory.news import changes_between, ids_of

if TYPE_CHECKING:
    from hermes_tui.ui.dialogs.editor import EditorResult, EntryEditor
    from hermes_tui.ui.memory.edits import Edits


class EditSession:
    """From opening the editor until its text is on disk or given up."""

    def __init__(self, edits: Edits, title: str, store: StoreName, ref: EntryRef | None) -> None:
        self.edits = edits
        self.title = title
        self.store: StoreName = store
        self.ref = ref
        """The entry as it was opened; None for a new one."""
        self.merging: list[EntryRef] = []
        """The entries that the text takes the place of, when several are merged."""
        self.editor: EntryEditor | None = None
        self.accepted_newer = False
        """Whether the person saves what only agents of the 0.19 line block."""

    def check(self, text: str) -> TextCheck:
        """What saving `text` would mean now."""
        return self.edits.check(self.store, text, self._here(), self.merging)

    def _here(self) -> EntryRef | None:
        """The entry where it stands now, or at its old place when its text is gone."""
        if self.ref is None:
            return None
        texts = self.edits.view(self.store).texts
        if 1 <= self.ref.index <= len(texts) and texts[self.ref.index - 1] == self.ref.text:
            return self.ref
        if self.ref.text in texts:
            return EntryRef(self.store, texts.index(self.ref.text) + 1, self.ref.text)
        return self.ref if self.ref.index <= len(texts) else None

    def open(self, text: str) -> None:
        """Let the person write; a text that came back from a refusal is unsaved, and asked about before it goes."""
        from hermes_tui.ui.dialogs.editor import EntryEditor

        path = short_path(self.edits.view(self.store).path)
        self.editor = EntryEditor(title=self.title, text=text, check=self.check, path=path, saved=self.saved_text)
        self.edits.app.push_screen(self.editor, self._closed)

    @property
    def saved_text(self) -> str:
        """What is on disk of the text that is being written."""
        return "\n".join(ref.text for ref in self.merging) or (self.ref.text if self.ref else "")

    def _closed(self, result: EditorResult | None) -> None:
        self.editor = None
        if result is None:
            self.edits.session = None
        else:
            self.save(result.text, accept_newer=result.accept_newer)

    def save(self, text: str, *, accept_newer: bool = False) -> None:
        """Write the text; when that is refused it goes back into the editor."""
        self.accepted_newer = accept_newer
        store_name, ref, merging = self.store, self.ref, self.merging
        current = self.edits.screen.cards.current
        here = current and current.id

        def operation(store: MemoryStore) -> Outcome:
            if merging:
                return store.merge(merging, text, accept_newer=accept_newer)
            if ref is None:
                return store.add(store_name, text, accept_newer=accept_newer)
            return store.edit(ref, text, accept_newer=accept_newer)

        def done(outcome: Outcome) -> None:
            from hermes_tui.ui.memory.edits import SAVED

            self.edits.session = None
            cards = self.edits.screen.cards
            if ref is None and store_name == self.edits.store and (cards.current and cards.current.id) == here:
                cards.go_to(CardId(text.strip(), 0))  # else the person has gone on: an edited card is followed anyway
            self.edits.app.say(SAVED if not outcome.already else outcome.message)

        def failed(error: HermesTuiError) -> bool:
            if isinstance(error, EntryConflict):
                self.edits.resolve(error, self)
                return True
            self.open(text)
            return False

        self.edits.run("save", operation, done=done, failed=failed)

    def state_changed(self, before: HomeState, state: HomeState, *, ours: bool) -> None:
        """The store changed while the editor is open: numbers follow, the text stays."""
        old, new = before.view(self.store), state.view(self.store)
        if self.editor is None or old == new:
            return
        # The editor adds to each of them how long ago that was.
        note = "" if ours else f"{new.file_name} changed on disk"
        if self.ref and not ours:
            changes = changes_between(ids_of(old), ids_of(new))
            if self.ref.text in {id.text for id in changes.renamed}:
                note = f"Saving will show both versions: this entry of {new.file_name} was changed on disk"
            elif self.ref.text in {id.text for id in changes.removed}:
                note = f"This entry of {new.file_name} was removed on disk"
        self.editor.store_changed(self.check, note)
