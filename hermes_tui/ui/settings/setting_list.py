"""The settings as a list under headings, drawn line by line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from textual.strip import Strip

from hermes_tui.ui.settings.items import Item
from hermes_tui.ui.settings.row_painter import RowPainter
from hermes_tui.ui.widgets.row_list import Cursor, RowList


class SettingList(RowList):
    """One line for each thing; over the first of a group its heading, after a blank line."""

    def __init__(self, *, id: str | None = None) -> None:
        self._painter = RowPainter(self)
        super().__init__(self._painter, id=id)
        self.items: Sequence[Item] = ()
        self._tops: list[int] = []
        """The first line of each row, its heading included."""
        self._end = 0

    def show_items(self, items: Sequence[Item], keep: str = "") -> None:
        """Show these.

        Args:
            items: in the order of the list.
            keep: the id of what gets the cursor, where it is among them; else what had it keeps it, or the first.
        """
        wanted = keep or (self.current.id if self.current else "")
        self.items = items
        self._tops, self._end = [], 0
        for number, item in enumerate(items):
            self._tops.append(self._end)
            begins = number == 0 or items[number - 1].group != item.group
            self._end += 1 + begins + (begins and number > 0)
        found = next((number for number, item in enumerate(items) if item.id == wanted), None)
        self.cursor = found or 0
        self._lay_out()
        self.scroll_to_cursor()
        self.refresh()

    @property
    def current(self) -> Item | None:
        """What has the cursor."""
        return self.items[self.cursor] if self.items else None

    @property
    def stops(self) -> int:
        """How many rows there are."""
        return len(self.items)

    def span(self, stop: int) -> tuple[int, int]:
        """Where a row is, its heading included."""
        end = self._tops[stop + 1] if stop + 1 < len(self._tops) else self._end
        return self._tops[stop], end - self._tops[stop]

    def stop_at(self, line: int) -> int:
        """The row on a line, or under the heading on it."""
        return bisect_right(self._tops, line) - 1

    @property
    def page(self) -> int:
        """Rows that fill the screen, at least one."""
        return max(1, self.scrollable_content_region.height - 4)

    def on_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    def draw(self, line: int, width: int) -> Strip:
        """A row, or what stands over it."""
        stop = self.stop_at(line)
        top, lines = self.span(stop)
        if line == top + lines - 1:
            cursor: Cursor = "none" if stop != self.cursor else "here" if self.has_focus else "away"
            return self._painter.item(self.items[stop], cursor, width)
        if line == top + lines - 2:
            return self._painter.heading(self.items[stop].group, width)
        return self._painter.blank(width)
