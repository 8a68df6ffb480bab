"""A list with a cursor that is drawn line by line, so that thousands of rows move as fast as ten."""

from __future__ import annotations

import time
from typing import Literal

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, wrap_cells
from hermes_tui.ui.widgets.ink import Inks

Cursor = Literal["none", "here", "away"]
"""Whether a row has the cursor, and whether keys go to its list."""


class RowInk:
    """What the rows of every list are drawn with."""

    def __init__(self, widget: Widget) -> None:
        self._inks = Inks(widget)

    def forget(self) -> None:
        """Colours changed."""
        self._inks.forget()

    def ground(self, cursor: Cursor) -> str:
        """The variable of a row's ground; empty for that of the list."""
        return "card-background-focus" if cursor == "here" else ""

    def bar(self, cursor: Cursor) -> Segment:
        """The first cell of a row, which says where the cursor is."""
        ink = "card-border-focus" if cursor == "here" else "text-disabled"
        return Segment({"here": "▌", "away": "▏", "none": " "}[cursor], self._inks(ink, self.ground(cursor)))

    def ended(self, segments: list[Segment], side: str, ground: str, width: int) -> Strip:
        """A line filled up to its right column."""
        base = self._inks("foreground", ground)
        used = sum(segment.cell_length for segment in segments)
        gap = Segment(" " * max(0, width - used - cells(side)), base)
        strip = Strip([*segments, gap, Segment(side, self._inks("text-muted", ground))])
        return strip.adjust_cell_length(width, base)

    def blank(self, width: int) -> Strip:
        """A line below the last row."""
        return Strip.blank(width, self._inks("foreground"))

    def words(self, text: str, y: int, width: int, height: int) -> Strip:
        """Line `y` of a list without rows: what there is to say, in the middle."""
        base = self._inks("foreground")
        lines = [line for part in text.split("\n") for line in wrap_cells(part, max(2, width - 2))]
        at = y - max(0, (height - len(lines)) // 2)
        line = lines[at] if 0 <= at < len(lines) else ""
        left = " " * max(0, (width - cells(line)) // 2)
        return Strip([Segment(left, base), Segment(line, self._inks("text-muted"))]).adjust_cell_length(width, base)


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of some lines each, a cursor on one of them, and the keys that move it.

    A list says how many rows it has, which lines each takes, and how one is drawn.
    """

    class Opened(Message):
        """A row was double clicked."""

    class Moved(Message):
        """The cursor stands on another row, or on another state of the same."""

    def __init__(self, ink: RowInk, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.clock = time.time
        """Tells the time that ages are counted to."""
        self.nothing = ""
        """What to say while there is no row to show."""
        self.cursor = 0
        self._ink = ink

    # What a list has to say

    @property
    def stops(self) -> int:
        """How many rows there are."""
        raise AttributeError(f"{type(self).__name__} does not say how many rows it has")

    def span(self, stop: int) -> tuple[int, int]:
        """The first line of a row, and how many it has."""
        raise AttributeError(f"{type(self).__name__} does not say where row {stop} is")

    def stop_at(self, line: int) -> int:
        """The row that a line belongs to."""
        raise AttributeError(f"{type(self).__name__} does not say what is on line {line}")

    def draw(self, line: int, width: int) -> Strip:
        """One line of the rows."""
        raise AttributeError(f"{type(self).__name__} does not draw line {line} of {width}")

    @property
    def page(self) -> int:
        """Rows that fill the screen, at least one."""
        raise AttributeError(f"{type(self).__name__} does not say how long a page is")

    # The cursor

    @property
    def lines(self) -> int:
        """The lines of all rows together."""
        return sum(self.span(self.stops - 1)) if self.stops else 0

    def move_to(self, stop: int) -> None:
        """Put the cursor on a row and bring it into view."""
        if not self.stops:
            return
        stop = max(0, min(stop, self.stops - 1))
        if stop != self.cursor:
            old, self.cursor = self.cursor, stop
            self._refresh_row(old)
            self._refresh_row(stop)
            self.post_message(self.Moved())
        self.scroll_to_cursor()

    def scroll_to_cursor(self) -> None:
        """Scroll no further than needed to see the row under the cursor."""
        if not self.stops:
            return
        top, lines = self.span(self.cursor)
        view_top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if top < view_top or height <= lines:
            self.scroll_to(y=top, animate=False, immediate=True, force=True)
        elif top + lines > view_top + height:
            self.scroll_to(y=top + lines - height, animate=False, immediate=True, force=True)

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """A bar that has come begins where one is; it did not follow while it was not there."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def _refresh_row(self, stop: int) -> None:
        if stop < self.stops:
            self.refresh_lines(*self.span(stop))

    def _lay_out(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.lines)

    # Events

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one opens the row."""
        line = event.y + self.scroll_offset.y
        if line < self.lines:
            self.move_to(self.stop_at(line))
            if event.chain == 2:
                self.post_message(self.Opened())

    def on_resize(self, _event: events.Resize) -> None:
        """The row under the cursor stays in view."""
        self._lay_out()
        self.scroll_to_cursor()

    # Drawing

    def notify_style_update(self) -> None:
        """Colours changed."""
        super().notify_style_update()
        self._ink.forget()

    def render_line(self, y: int) -> Strip:
        """One line of what is in view."""
        region = self.scrollable_content_region
        if not self.stops:
            return self._ink.words(self.nothing, y, region.width, region.height)
        line = y + self.scroll_offset.y
        return self.draw(line, region.width) if line < self.lines else self._ink.blank(region.width)

    # Actions

    def action_next(self) -> None:
        """Next row."""
        self.move_to(self.cursor + 1)

    def action_previous(self) -> None:
        """Previous row."""
        self.move_to(self.cursor - 1)

    def action_next_page(self) -> None:
        """A screenful down."""
        self.move_to(self.cursor + self.page)

    def action_previous_page(self) -> None:
        """A screenful up."""
        self.move_to(self.cursor - self.page)

    def action_first(self) -> None:
        """First row."""
        self.move_to(0)

    def action_last(self) -> None:
        """Last row."""
        self.move_to(self.stops - 1)
