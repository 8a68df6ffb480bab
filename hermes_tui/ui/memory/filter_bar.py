"""The line in which a filter is typed; it stays while the filter does."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static


class FilterBar(Horizontal):
    """A stock input with the number of matches beside it."""

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield Input(placeholder="words to find in both stores", compact=True, id="filter")
        yield Static(id="filter-count", markup=False)

    @property
    def input(self) -> Input:
        """The field that is typed into."""
        return self.query_one(Input)

    def show_counts(self, words: str) -> None:
        """Say how much of each store is shown."""
        self.query_one("#filter-count", Static).update(Content(words))
