"""The line in which one looks for a setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from hermes_tui.ui.memory.filter_bar import FilterBar, FilterInput

if TYPE_CHECKING:
    from hermes_tui.ui.settings.looking import Looking


class SettingFilterBar(FilterBar):
    """Filters the list at every keystroke, with the number of matches beside it."""

    def __init__(self, looking: Looking, *, id: str | None = None) -> None:
        super().__init__((), id=id)
        self._looking = looking

    def compose(self) -> ComposeResult:
        """Sign, input, counts."""
        yield Static("/", classes="sign")
        yield FilterInput(
            self._looking.needle, placeholder="words to find in names and meanings", compact=True, id="filter"
        )
        yield Static(id="filter-count", markup=False)

    def _filter(self, needle: str) -> None:
        self._looking.filter(needle)

    def show_counts(self) -> None:
        """Say how many are shown."""
        for counts in self.query("#filter-count").results(Static):
            counts.update(Content(self._looking.count_words))
