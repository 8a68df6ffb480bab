"""What a person does to memory from the screen: each key as one operation of the store, and its dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.check import EntryRef, TextCheck, check_text
from hermes_tui.memory.conflict import EntryConflict
from hermes_tui.memory.editing import Outcome
from hermes_tui.memory.entries import FILE_NAMES, StoreName, usage_of
from hermes_tui.memory.view import StoreView, propose_split
from hermes_tui.text import plural, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.memory.cards import Card, CardId
from hermes_tui.ui.memory.news import ids_of
from hermes_tui.ui.memory.session import EditSession
from hermes_tui.ui.operations import Operation
from hermes_tui.ui.undoing import offer_to_leave

if TYPE_CHECKING:
    from hermes_tui.ui.memory.screen import MemoryScreen

SAVED = "saved – used from the next session"


class Edits:
    """The writing keys of the Memory screen."""

    def __init__(self, screen: MemoryScreen) -> None:
        self.screen = screen
        self.app = screen.hermes
        self.session: EditSession | None = None
        """The editor that is open, if one is."""
        self._about: Sequence[EntryRef] = ()
        """The entries that the change at work takes away."""

    # Helpers

    @property
    def store(self) -> StoreName:
        """The store the keys go to."""
        return self.screen.active

    @property
    def other_store(self) -> StoreName:
        """The one they do not go to."""
        return "user" if self.store == "memory" else "memory"

    def view(self, store: StoreName) -> StoreView:
        """A store as the screen shows it."""
        return self.screen.state.view(store)

    def ref_of(self, store: StoreName, card_id: CardId) -> EntryRef | None:
        """Where an entry stands now; None when it is gone."""
        ids = ids_of(self.view(store))
        return EntryRef(store, ids.index(card_id) + 1, card_id.text) if card_id in ids else None

    def refs(self, cards: Sequence[Card]) -> list[EntryRef]:
        """The entries of cards, as they were seen."""
        return [self.ref(card) for card in cards]

    def ref(self, card: Card) -> EntryRef:
        """The entry of a card, as it was seen among the others."""
        entry = card.entry
        beside = frozenset(other.text for other in self.view(self.store).entries if other.index != entry.index)
        return EntryRef(self.store, entry.index, entry.text, beside)

    def chosen(self) -> list[Card]:
        """The selected cards of this store, or else the one under the cursor."""
        current = self.screen.cards.current
        return self.screen.cards.selected or ([current] if current else [])

    def run(
        self,
        name: str,
        operation: Operation | Callable[[], Operation | None],
        *,
        late: bool = False,
        about: Sequence[EntryRef] = (),
        done: Callable[[Outcome], None] | None = None,
        failed: Callable[[HermesTuiError], bool] | None = None,
    ) -> None:
        """Hand a change in; `late` means it is made up when its turn comes, and `about` is what it takes away."""

        def prepare() -> Operation | None:
            self._about = about
            return operation() if late else operation  # type: ignore[call-arg, return-value]

        self.screen.operations.start(name, prepare, done or (lambda _outcome: None), failed or self._conflict_or_not)

    def places_of(self, store: StoreName) -> set[int]:
        """Where the entries of a store stood that the change at work takes away."""
        return {ref.index for ref in self._about if ref.store == store}

    def _conflict_or_not(self, error: HermesTuiError) -> bool:
        if isinstance(error, EntryConflict):
            self.resolve(error)
            return True
        return offer_to_leave(self.app, self.screen.operations, error)

    def state_changed(self, before: HomeState, state: HomeState, *, ours: bool) -> None:
        """The disk changed; an open editor is told, its text stays."""
        if self.session:
            self.session.state_changed(before, state, ours=ours)

    # One entry

    def action_add(self) -> None:
        """A new entry, at the end."""
        self.edit_text(f"Add to {FILE_NAMES[self.store]}", "", self.store, None)

    def action_edit(self) -> None:
        """Edit the entry under the cursor."""
        card = self.screen.cards.current
        if card:
            ref = self.ref(card)
            self.edit_text(f"Edit {FILE_NAMES[self.store]} entry {ref.index}", ref.text, self.store, ref)

    def edit_text(self, title: str, text: str, store: StoreName, ref: EntryRef | None) -> None:
        """Open the editor; what comes out of it becomes the entry."""
        self.session = EditSession(self, title, store, ref)
        self.session.open(text)

    async def action_external(self) -> None:
        """Edit the entry in the person's own editor, or in ours when none is set."""
        from hermes_tui.external_editor import editor_command

        card = self.screen.cards.current
        if card is None:
            return
        if editor_command() is None:
            self.app.say("$VISUAL and $EDITOR are not set; this is the built-in editor.", seconds=5)
            self.action_edit()
            return
        ref = self.ref(card)
        text = await self.app.edit_outside(ref.text)
        if text is not None and text.strip() != ref.text:
            self.session = EditSession(self, f"Edit {FILE_NAMES[self.store]} entry {ref.index}", self.store, ref)
            self.session.save(text)

    def action_remove(self) -> None:
        """Delete the entry; several, or a whole document that is one entry, only after a question."""
        cards = self.chosen()
        refs = self.refs(cards)
        document = len(refs) == 1 and self.view(self.store).unstructured
        if len(refs) == 1 and not document:
            self._leave_card(cards[0])
            self.remove(refs)
            return
        from hermes_tui.ui.dialogs.confirm import Confirm

        name, undo = FILE_NAMES[self.store], key_for("memory.undo")
        if document:
            question = f"Delete entry 1 of {name}? It is all that {name} holds; {undo} brings it back."
            detail = refs[0].text
        else:
            question = f"Delete {plural(len(refs), 'entry', 'entries')} of {name}?"
            detail = f"{sum(len(ref.text) for ref in refs):,} chars. {undo} brings them back, also after a restart."
        self.app.push_screen(
            Confirm(question, detail=detail, yes="Delete", danger=True),
            lambda answer: self.remove(refs) if answer else None,
        )

    def _leave_card(self, card: Card) -> None:
        """Go to a neighbour before the card goes, so that the next press means the next entry and not this one."""
        cards = self.screen.cards
        if card is cards.current:
            cards.move_to(cards.cursor + 1 if cards.cursor + 1 < len(cards.shown) else cards.cursor - 1)

    def remove(self, refs: list[EntryRef]) -> None:
        """Delete entries, and say how to get them back."""

        def done(outcome: Outcome) -> None:
            what = f"entry {refs[0].index}" if len(refs) == 1 else plural(len(refs), "entry", "entries")
            back = f"{key_for('memory.undo')} brings {'it' if len(refs) == 1 else 'them'} back"
            words = f"Deleted {what} of {FILE_NAMES[refs[0].store]} – {back}"
            self.app.say(words if not outcome.already else outcome.message)

        self.run("remove", lambda store: store.remove(refs), about=refs, done=done)

    def action_move(self) -> None:
        """Move the entry, or the selected ones, to the other store."""
        refs, target = self.refs(self.chosen()), self.other_store

        def done(_outcome: Outcome) -> None:
            what = f"entry {refs[0].index}" if len(refs) == 1 else plural(len(refs), "entry", "entries")
            self.app.say(f"Moved {what} to {FILE_NAMES[target]}, {SAVED}")

        self.run("move", lambda store: store.move(refs, target), about=refs, done=done)

    async def action_send(self) -> None:
        """Copy or move the entry, or the selected ones, to another profile."""
        from hermes_tui.ui.profiles import Profiles  # loaded here: few have several

        await Profiles(self.app).choose_and_send(self.refs(self.chosen()))

    def action_later(self) -> None:
        """One place down."""
        self._reorder(1)

    def action_earlier(self) -> None:
        """One place up."""
        self._reorder(-1)

    def _reorder(self, by: int) -> None:
        card, store_name = self.screen.cards.current, self.store
        if card is None:
            return

        def prepare() -> Operation | None:
            # Its place may have changed since the key was pressed: keys come faster than a disk writes.
            ref = self.ref_of(store_name, card.id)
            if ref is None or not 1 <= ref.index + by <= len(self.view(store_name).entries):
                return None
            return lambda store: store.reorder(ref, by)

        def done(outcome: Outcome) -> None:
            # Past an entry of the same text nothing has to be written, and yet it is the other one now.
            cards = self.screen.cards
            if outcome.already and self.store == store_name and cards.current and cards.current.id == card.id:
                cards.go_to(CardId(card.id.text, card.id.nth + by))

        self.run("reorder", prepare, late=True, done=done)

    def action_copy(self) -> None:
        """Copy the exact text."""
        cards = self.chosen()
        text = "\n§\n".join(card.entry.text for card in cards)
        what = f"entry {cards[0].entry.index}" if len(cards) == 1 else plural(len(cards), "entry", "entries")
        self.app.copy_out(text, f"{what} of {FILE_NAMES[self.store]}")

    def action_view(self) -> None:
        """Read all of the entry."""
        from hermes_tui.ui.dialogs.reader import EntryReader

        card = self.screen.cards.current
        if card is None:
            return
        file_name = FILE_NAMES[self.store]
        facts = [f"{badge.words} ago" for badge in card.badges if badge.tone == "fresh"]
        reader = EntryReader(
            card.entry, file_name=file_name, was=card.was, facts=facts, can_edit=not self.app.read_only
        )
        self.app.push_screen(reader, lambda answer: self.screen.perform("memory.edit") if answer == "edit" else None)

    def action_story(self) -> None:
        """Since when the entry is there, who wrote it, what it was before."""
        from hermes_tui.ui.timeline.story_dialog import show_story  # loaded here: SQLite is for this alone

        if card := self.screen.cards.current:
            show_story(self.app, self.store, card.entry.text)

    # Several entries

    def action_merge(self) -> None:
        """Join the selected entries into one."""
        refs = self.refs(self.screen.cards.selected)
        self.session = EditSession(self, f"Merge {len(refs)} entries of {FILE_NAMES[self.store]}", self.store, refs[0])
        self.session.merging = refs
        self.session.open("\n".join(ref.text for ref in refs))

    def action_split(self) -> None:
        """Cut the entry at its blank lines, headings or bullets, after a look at the pieces."""
        from hermes_tui.ui.dialogs.split_preview import SplitPreview

        card = self.screen.cards.current
        if card is None:
            return
        ref = self.ref(card)
        pieces = propose_split(ref.text)
        if len(pieces) < 2:
            edits = f"{key_for('memory.edit')} edits it"
            self.app.say(f"Nothing to split at: no blank line, heading or bullet – {edits}")
            return
        view = self.view(self.store)
        after = [*view.texts[: ref.index - 1], *pieces, *view.texts[ref.index :]]

        def decided(yes: bool | None) -> None:
            if yes:
                self.run(
                    "split",
                    lambda store: store.split(ref, pieces),
                    done=lambda outcome: self.app.say(f"{outcome.message.rstrip('.')}, {SAVED}"),
                )

        self.app.push_screen(
            SplitPreview(
                title=f"Split {view.file_name} entry {ref.index}",
                before=ref.text,
                pieces=pieces,
                usage_after=usage_of(after, view.usage.limit),
            ),
            decided,
        )

    # The store

    def action_preview(self) -> None:
        """What the next session will be told."""
        from hermes_tui.ui.memory.preview import prompt_preview

        self.app.push_screen(prompt_preview(self.screen.state))

    def action_normalize(self) -> None:
        """Put the file in order."""
        store_name = self.store

        def done(outcome: Outcome) -> None:
            kept = f"\nThe old bytes are kept in {visible(str(outcome.backup))}" if outcome.backup else ""
            self.app.say(f"{outcome.message}{kept}", seconds=8)

        self.run("normalize", lambda store: store.normalize(store_name), done=done)

    def action_undo(self) -> None:
        """Take the last change back."""
        self.run("undo", lambda store: store.undo(), done=self._say_outcome)

    def action_redo(self) -> None:
        """Make it again."""
        self.run("redo", lambda store: store.redo(), done=self._say_outcome)

    def _say_outcome(self, outcome: Outcome) -> None:
        self.app.say(outcome.message)

    # Conflicts

    def resolve(self, conflict: EntryConflict, session: EditSession | None = None) -> None:
        """Show both versions and let the person choose; nothing is written before that."""
        from hermes_tui.ui.memory.resolving import resolve

        resolve(self, conflict, session)

    def check(self, store: StoreName, text: str, ref: EntryRef | None, merging: Sequence[EntryRef] = ()) -> TextCheck:
        """What saving `text` would mean, by what is on disk now."""
        view = self.view(store)
        if merging:
            gone = {(other.index, other.text) for other in merging if other != ref}
            entries = tuple(entry for entry in view.entries if (entry.index, entry.text) not in gone)
            view = view._replace(entries=entries)
            if ref:
                place = next((at for at, entry in enumerate(entries, 1) if entry.text == ref.text), None)
                ref = EntryRef(store, place, ref.text) if place else None
        return check_text(view, text, replacing=ref)
