"""The line in which one types what to find in the transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from hermes_tui.text import visible
from hermes_tui.ui.memory.filter_bar import FilterBar, FilterInput

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.finding import Finding


class FindBar(FilterBar):
    """Finds at every keystroke, with the number of matches beside it."""

    def __init__(self, finding: Finding, *, id: str | None = None) -> None:
        super().__init__((), id=id)
        self._finding = finding

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield FilterInput(placeholder="words to find in this conversation", compact=True, id="filter")
        yield Static(id="filter-count", markup=False)

    def _filter(self, needle: str) -> None:
        self._finding.find(needle)

    def show_counts(self) -> None:
        """Say how many matches there are, and which one is stood on."""
        words = self._finding.words if self._finding.needle else ""
        for counts in self.query("#filter-count").results(Static):
            counts.update(Content(visible(words, multiline=False)))
