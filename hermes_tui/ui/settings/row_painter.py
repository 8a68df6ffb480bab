"""One line for a setting: its name, what it is, where that comes from; and the headings between them."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip

from hermes_tui.text import cells, fit, one_line
from hermes_tui.ui.settings.items import Item
from hermes_tui.ui.widgets.row_list import Cursor, RowInk

NAME_CELLS = 24
NAME_CELLS_NARROW = 20
NARROW = 44
"""Below it names have less room, and where a value comes from is left to the page beside."""


class RowPainter(RowInk):
    """Draws the rows of the Settings screen."""

    def item(self, item: Item, cursor: Cursor, width: int) -> Strip:
        """One thing."""
        ground = self.ground(cursor)
        base = self._inks("foreground", ground)
        narrow = width < NARROW
        name = fit(item.label, NAME_CELLS_NARROW if narrow else NAME_CELLS)
        mark = Segment("! ", self._inks("warning", ground, "bold")) if item.odd else Segment("  ", base)
        head = [self.bar(cursor), mark, Segment(f"{name} ", base)]
        side = " " if narrow else f" {item.side} "
        words, ink = item.value
        room = max(4, width - sum(segment.cell_length for segment in head) - cells(side))
        value = Segment(one_line(words, room), self._inks(ink, ground, "bold" if item.changed else ""))
        return self.ended([*head, value], side, ground, width)

    def heading(self, words: str, width: int) -> Strip:
        """The name of a group, over its first row."""
        base = self._inks("foreground")
        return Strip([Segment(" ", base), Segment(words, self._inks("accent", "", "bold"))]).adjust_cell_length(
            width, base
        )
