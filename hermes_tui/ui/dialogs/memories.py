"""Memories outside the two stores: a list to look through and to search, the whole text, and deleting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.errors import HermesTuiError
from hermes_tui.text import one_line, visible
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.line_input import LineInput
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane

if TYPE_CHECKING:
    from hermes_tui.ui.settings.shelves import Book, Lot, Shelf

Found = TypeVar("Found")
ROW_CELLS = 160
"""So much of a text is in its row."""


class Memories(Dialog[None]):
    """What one provider holds."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", show=False),
        Binding("m", "more", "More", show=False),
        Binding("d,delete", "delete", "Delete", show=False),
        Binding("u", "undo", "Undo", show=False),
        Binding("r", "picture", "Picture", show=False),
        Binding("y", "copy", "Copy", show=False),
        Binding("q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)
    line = getters.query_one(LineInput)

    def __init__(self, shelf: Shelf) -> None:
        super().__init__()
        self._shelf = shelf
        self._books: list[Book] = []
        self._cursor = ""
        self._query = ""
        self._words = "Reading …"
        self._trouble = ""
        self._busy = False
        self.heading = f"What {shelf.title} holds"
        self.footing = one_line(shelf.where, 80)

    def compose_body(self) -> ComposeResult:
        """The search line, the list, the whole text."""
        with Horizontal(id="memories-line"):
            yield Static("/", classes="sign")
            yield LineInput(placeholder="words to look for; enter asks", id="memories-search")
        yield Static(id="memories-words", markup=False)
        yield OptionRows(id="memories-rows")
        yield TextPane(Paper(), id="memories-text")

    def on_mount(self) -> None:
        """Read the first of them."""
        super().on_mount()
        self.line.disabled = not self._shelf.can_search
        self._fetch(lambda: self._shelf.lot(""))

    def key_hints(self) -> list[KeyHint]:
        """Search, more, delete, back."""
        shelf, any_book = self._shelf, bool(self._books)
        hints = [KeyHint("/", "Search", "screen.search", shelf.can_search)]
        if self._cursor:
            hints.append(KeyHint("m", "More", "screen.more", not self._busy))
        hints.append(KeyHint("d", "Delete", "screen.delete", shelf.can_delete and any_book and not self._busy))
        if shelf.can_undo:
            hints.append(KeyHint("u", "Undo", "screen.undo", shelf.can_delete and not self._busy))
        if shelf.pictures:
            hints.append(KeyHint("r", "What it makes of you", "screen.picture", not self._busy))
        return [*hints, KeyHint("y", "Copy", "screen.copy", any_book), KeyHint("esc", "Back", "screen.leave")]

    # Reading

    def _fetch(self, read: Callable[[], Lot], *, add: bool = False) -> None:
        def shown(lot: Lot) -> None:
            self._books = [*self._books, *lot.books] if add else list(lot.books)
            self._cursor, self._words = lot.cursor, lot.words
            self._show_rows()

        self._do(read, shown)

    def _do(self, work: Callable[[], Found], done: Callable[[Found], None]) -> None:
        """Do something in a thread, unless something is being done."""
        if self._busy:
            return
        self._busy = True
        self._trouble = ""
        self._show_words()
        self.run_worker(self._run(work, done), name="memories", exit_on_error=False)

    async def _run(self, work: Callable[[], Found], done: Callable[[Found], None]) -> None:
        try:
            found = await asyncio.to_thread(work)
        except HermesTuiError as error:
            self._trouble = str(error)
        else:
            if self.is_attached:
                done(found)
        finally:
            self._busy = False
            if self.is_attached:
                self._show_words()

    def _show_words(self) -> None:
        if self._trouble:
            said = Content.styled(f"✗ {visible(self._trouble)}", "$error")
        else:
            looked = f"“{one_line(self._query, 40)}”: " if self._query else ""
            said = Content.styled(f"{looked}{'Asking …' if self._busy else visible(self._words)}", "$text-muted")
        self.query_one("#memories-words", Static).update(said)
        self.query_one(KeyBar).show(self.key_hints())

    def _show_rows(self) -> None:
        at = self.rows.highlighted or 0
        self.rows.clear_options()
        self.rows.add_options(Option(self._row(book)) for book in self._books)
        if self._books:
            self.rows.highlighted = min(at, len(self._books) - 1)
        self._show_book()

    @staticmethod
    def _row(book: Book) -> Content:
        side = (f"{one_line(book.side, 10):>10}  ", "$text-muted")
        return Content.assemble(side, one_line(book.text, ROW_CELLS))

    @property
    def _book(self) -> Book | None:
        at = self.rows.highlighted
        return self._books[at] if at is not None and at < len(self._books) else None

    @on(OptionList.OptionHighlighted)
    def _show_book(self) -> None:
        """The whole text of what has the cursor."""
        paper = Paper()
        if book := self._book:
            paper.raw(book.text).fresh().line()
            for name, said in book.facts:
                if said:
                    paper.words(f"{one_line(name, 12):<13}", "muted").raw(said[:2_000]).fresh()
        elif not self._busy and not self._trouble:
            paper.line("There is nothing here." if not self._query else "Nothing was found.", "muted")
        self.pane.show(paper)
        self.query_one(KeyBar).show(self.key_hints())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only moves the cursor."""
        event.stop()

    # Keys

    def action_search(self) -> None:
        """Go to the line one searches in."""
        if self._shelf.can_search:
            self.line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look for what is typed; nothing typed shows all of them again."""
        event.stop()
        query = self.line.text.strip()
        if self._busy:
            return
        self._query = query
        self._fetch((lambda: self._shelf.search(query)) if query else (lambda: self._shelf.lot("")))
        self.rows.focus()

    def action_more(self) -> None:
        """The next lot."""
        if cursor := self._cursor:
            self._fetch(lambda: self._shelf.lot(cursor), add=True)

    def action_copy(self) -> None:
        """Copy the exact text."""
        if book := self._book:
            self.post_message(CopyRequested(book.text, f"a memory of {self._shelf.title}"))

    def action_delete(self) -> None:
        """Ask, then delete what has the cursor."""
        book, shelf = self._book, self._shelf
        if book is None or not shelf.can_delete or self._busy:
            return

        def agreed(delete: bool | None) -> None:
            if delete:
                self._do(lambda: shelf.delete([book]), lambda words: self._deleted(book, words))

        question = f"Delete this memory from {shelf.title}?"
        detail = f"{book.text}\n\n{shelf.never}".strip()
        self.app.push_screen(Confirm(question, detail=detail, yes="Delete", danger=bool(shelf.never)), agreed)

    def _deleted(self, book: Book, words: str) -> None:
        self._books.remove(book)
        self._words = words
        self._show_rows()

    def action_undo(self) -> None:
        """Bring back what was deleted last."""
        shelf = self._shelf
        if shelf.can_undo and shelf.can_delete:

            def undone(words: str) -> None:
                self.call_later(self._fetch, lambda: shelf.lot(""))
                self._words = words

            self._do(shelf.undo, undone)

    def action_picture(self) -> None:
        """What the provider makes of a person."""
        shelf = self._shelf
        if shelf.pictures:
            self._do(shelf.picture, lambda text: self.pane.show(Paper().raw(text)))

    def leave(self) -> None:
        """Out of the search first; then back, and nothing is asked any more."""
        if self.line.has_focus:
            self.rows.focus()
            return
        self._shelf.cancel()
        super().leave()
