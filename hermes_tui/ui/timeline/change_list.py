"""The changes as a list, drawn line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.strip import Strip

from hermes_tui.ui.timeline.row_painter import RowPainter
from hermes_tui.ui.widgets.row_list import Cursor, RowList

if TYPE_CHECKING:
    from hermes_tui.history.changes import Change
    from hermes_tui.history.ever import Ever


class ChangeList(RowList):
    """One row for each change, oldest first; or, while one searches, one for each entry that ever was."""

    def __init__(self, *, id: str | None = None) -> None:
        self._painter = RowPainter(self)
        super().__init__(self._painter, id=id)
        self.changes: Sequence[Change] = ()
        self.evers: Sequence[Ever] | None = None
        """What was found; None while nothing is looked for."""
        self.words: Sequence[str] = ()
        """What is looked for."""
        self.beyond = False
        """Whether the place where one stands is later than the row of the cursor."""

    # What it shows

    def show_changes(self, changes: Sequence[Change], row: int) -> None:
        """Show changes; what is on the screen stays where it is, as far as it is there."""
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        line = self.cursor - top
        in_view = 0 <= line < max(1, height)
        self.evers = None
        self.changes = changes
        self.cursor = max(0, min(row, len(changes) - 1))
        self._lay_out()
        if in_view and top > 0:
            self.scroll_to(y=max(0, self.cursor - line), animate=False, immediate=True, force=True)
        self._settle()

    def show_evers(self, evers: Sequence[Ever], words: Sequence[str], cursor: int) -> None:
        """Show entries that were found."""
        self.evers, self.words = evers, words
        self.cursor = max(0, min(cursor, len(evers) - 1))
        self._lay_out()
        self._settle()

    def _settle(self) -> None:
        self.scroll_to_cursor()
        self.refresh()

    @property
    def ever(self) -> Ever | None:
        """The entry under the cursor, while one searches."""
        return self.evers[self.cursor] if self.evers else None

    @property
    def change(self) -> Change | None:
        """The change under the cursor, while one does not."""
        return self.changes[self.cursor] if self.evers is None and self.changes else None

    # Rows

    @property
    def stops(self) -> int:
        """How many rows there are."""
        return len(self.changes if self.evers is None else self.evers)

    def span(self, stop: int) -> tuple[int, int]:
        """Where a row is: each has one line."""
        return stop, 1

    def stop_at(self, line: int) -> int:
        """The row on a line."""
        return line

    @property
    def page(self) -> int:
        """Rows that fill the screen, at least one."""
        return max(1, self.scrollable_content_region.height - 1)

    def on_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    def draw(self, line: int, width: int) -> Strip:
        """A row."""
        cursor: Cursor = "none" if line != self.cursor else "here" if self.has_focus else "away"
        if self.evers is not None:
            return self._painter.ever(self.evers[line], self.words, cursor, width)
        return self._painter.change(self.changes[line], cursor, width)
