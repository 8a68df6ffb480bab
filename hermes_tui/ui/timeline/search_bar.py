"""The line in which one searches in all entries that ever were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from hermes_tui.ui.memory.filter_bar import FilterBar, FilterInput

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.searching import Searching


class EverBar(FilterBar):
    """Searches at every keystroke, with the number of entries beside it."""

    def __init__(self, searching: Searching, *, id: str | None = None) -> None:
        super().__init__((), id=id)
        self._searching = searching

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield FilterInput(placeholder="words in any entry there ever was", compact=True, id="filter")
        yield Static(id="filter-count", markup=False)

    def _filter(self, needle: str) -> None:
        self._searching.find(needle)

    def show_counts(self) -> None:
        """Say how many there are."""
        for counts in self.query("#filter-count").results(Static):
            counts.update(Content(self._searching.count_words))
