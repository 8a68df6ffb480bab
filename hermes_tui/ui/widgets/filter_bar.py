"""The line in which a filter is typed; it stays while the filter does."""

from __future__ import annotations

from typing import Protocol

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from hermes_tui.text import visible
from hermes_tui.ui.dialogs.entry_area import typed_unseen


class Findable(Protocol):
    """What words can be found in."""

    @property
    def needle(self) -> str:
        """The words that are looked for."""

    @property
    def count_words(self) -> str:
        """How much has them: `12 of 2,000`."""

    def find(self, needle: str) -> None:
        """Show only what holds every word of `needle`, or go to it, and say how much there is."""


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
    """Filters at every keystroke, with the number of matches beside it."""

    def __init__(self, findable: Findable, placeholder: str) -> None:
        super().__init__(id="filter-bar")
        self._findable = findable
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield FilterInput(self._findable.needle, placeholder=self._placeholder, compact=True, id="filter")
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
        self._findable.find(event.value.strip())

    def show_counts(self) -> None:
        """Say how much is shown."""
        for counts in self.query("#filter-count").results(Static):
            counts.update(Content(visible(self._findable.count_words, multiline=False)))

    def end(self) -> None:
        """Show everything again and go."""
        self._findable.find("")
        self.remove()
