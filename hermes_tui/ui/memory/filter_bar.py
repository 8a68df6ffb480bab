"""The line in which a filter is typed; it stays while the filter does."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from hermes_tui.ui.dialogs.entry_area import typed_unseen
from hermes_tui.ui.memory.pane import StorePane


class FilterInput(Input):
    """A stock input that also takes the joiners that words are spelled with."""

    typing_keys = (("enter", "Results"), ("↑↓", "Move"), ("esc", "Close"))
    """What the footer says meanwhile."""

    def on_mount(self) -> None:
        """Nothing blinks."""
        self.cursor_blink = False

    def on_key(self, event: events.Key) -> None:
        """Without them such a word would not be found."""
        if typed_unseen(event):
            event.stop()
            event.prevent_default()
            self.insert_text_at_cursor(event.character or "")


class FilterBar(Horizontal):
    """A stock input that filters the panes at every keystroke, with the number of matches beside it."""

    class Changed(Message):
        """The panes show something else now."""

    def __init__(self, panes: Sequence[StorePane], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._panes = panes

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield FilterInput(placeholder="words to find in both stores", compact=True, id="filter")
        yield Static(id="filter-count", markup=False)

    def on_mount(self) -> None:
        """Say what there is to filter."""
        self.show_counts()

    @property
    def input(self) -> Input:
        """The field that is typed into."""
        return self.query_one(Input)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter."""
        event.stop()
        self._filter(event.value.strip())
        self.post_message(self.Changed())

    def _filter(self, needle: str) -> None:
        for pane in self._panes:
            pane.filter(needle)

    def show_counts(self) -> None:
        """Say how much of each store is shown."""
        words = " · ".join(f"{pane.view.file_name} {pane.count_words}" for pane in self._panes)
        for counts in self.query("#filter-count").results(Static):
            counts.update(Content(words))

    def end(self) -> None:
        """Show everything again and go."""
        self._filter("")
        self.remove()
