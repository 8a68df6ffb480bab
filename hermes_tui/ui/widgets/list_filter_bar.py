"""The line in which the text filter of a list is typed."""

from __future__ import annotations

from typing import Protocol

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from hermes_tui.ui.memory.filter_bar import FilterBar, FilterInput


class Filtered(Protocol):
    """What is filtered."""

    @property
    def needle(self) -> str:
        """What is filtered for."""

    @property
    def count_words(self) -> str:
        """How much is shown: `12 of 2,000`."""

    def filter(self, needle: str) -> None:
        """Show only what holds every word of `needle`."""


class ListFilterBar(FilterBar):
    """Filters a list at every keystroke, with the number of matches beside it."""

    def __init__(self, filtered: Filtered, placeholder: str, *, id: str | None = None) -> None:
        super().__init__((), id=id)
        self._filtered = filtered
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield FilterInput(self._filtered.needle, placeholder=self._placeholder, compact=True, id="filter")
        yield Static(id="filter-count", markup=False)

    def _filter(self, needle: str) -> None:
        self._filtered.filter(needle)

    def show_counts(self) -> None:
        """Say how many are shown."""
        for counts in self.query("#filter-count").results(Static):
            counts.update(Content(self._filtered.count_words))
