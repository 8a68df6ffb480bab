"""Finding words in both stores at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.memory.entries import STORES

if TYPE_CHECKING:
    from hermes_tui.ui.memory.screen import MemoryScreen


class Finding:
    """Shows only the cards that hold what is looked for."""

    def __init__(self, screen: MemoryScreen) -> None:
        self._screen = screen
        self.needle = ""

    @property
    def count_words(self) -> str:
        """How much of each store is shown."""
        panes = [self._screen.pane(store) for store in STORES]
        return " · ".join(f"{pane.view.file_name} {pane.count_words}" for pane in panes)

    def find(self, needle: str) -> None:
        """Show only the cards that hold it."""
        self.needle = needle
        for store in STORES:
            self._screen.pane(store).filter(needle)
        self._screen.show_found()
