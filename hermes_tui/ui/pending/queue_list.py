"""The pending writes as a list that is drawn line by line, so that thousands move as fast as ten."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hermes_tui.pending.preview import Preview
from hermes_tui.ui.pending.model import RecordKey, Row
from hermes_tui.ui.pending.row_painter import ROW_LINES, Cursor, Look, RowPainter


class QueueList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows with a cursor and a selection that stay with their records at every refresh."""

    class Opened(Message):
        """A row was double clicked."""

    class Moved(Message):
        """The cursor stands on another row, or on another state of the same."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()
        self.previews: Mapping[RecordKey, Preview] = {}
        self.news: Mapping[Path, str] = {}
        self.stayed: Mapping[RecordKey, str] = {}
        """Records that a decision left in the queue, with the reason."""
        self.clock = time.time
        """Tells the time that ages are counted to."""
        self.nothing = ""
        """What to say while there is no row to show."""
        self.cursor = 0
        self.selection: set[RecordKey] = set()
        self._painter = RowPainter(self)

    # What it shows

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def is_selected(self, row: Row) -> bool:
        """Whether all records of a row are selected."""
        return all(item.key in self.selection for item in row.items)

    @property
    def selected(self) -> list[Row]:
        """The selected rows as shown; what a filter hides is not acted on."""
        return [row for row in self.rows if self.is_selected(row)] if self.selection else []

    @property
    def selection_size(self) -> int:
        """How many records are selected and shown."""
        return sum(len(row.items) for row in self.selected)

    def preview_of(self, row: Row) -> Preview | None:
        """What approving a row would do; None while it is being worked out."""
        return self.previews.get(row.item.key)

    def show(self, rows: Sequence[Row], present: set[RecordKey]) -> None:
        """Show `rows`; cursor, selection and scroll offset stay with their records.

        Args:
            rows: in order.
            present: the records that are in the queue, shown or not.
        """
        before, old_cursor = self.rows, self.cursor
        anchor, anchor_line = self._anchor()
        self.selection &= present
        self.rows = tuple(rows)
        places = {item.key: place for place, row in enumerate(rows) for item in row.items}
        by_path = {key.path: place for key, place in places.items()}

        def place_of(row: Row) -> int | None:
            found = (places.get(item.key) for item in row.items)
            same = next((place for place in found if place is not None), None)
            # A record that was changed on disk is still the one the person looks at.
            return same if same is not None else by_path.get(row.item.key.path)

        candidates = (place_of(row) for row in (*before[old_cursor:], *reversed(before[:old_cursor])))
        self.cursor = next((place for place in candidates if place is not None), 0)
        self.virtual_size = Size(self.scrollable_content_region.width, len(rows) * ROW_LINES)
        if anchor is not None and self.scroll_offset.y > 0:
            place = place_of(anchor)
            if place is not None:
                self.scroll_to(y=place * ROW_LINES - anchor_line, animate=False, immediate=True)
        self.refresh()

    def _anchor(self) -> tuple[Row | None, int]:
        """A row that must not move on screen, and its line there: the cursor's if it is in view, else the top."""
        if not self.rows:
            return None, 0
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        place = (
            self.cursor if top <= self.cursor * ROW_LINES < top + height else min(top // ROW_LINES, len(self.rows) - 1)
        )
        return self.rows[place], place * ROW_LINES - top

    # The cursor

    def move_to(self, place: int) -> None:
        """Put the cursor on a row and bring it into view."""
        if not self.rows:
            return
        place = max(0, min(place, len(self.rows) - 1))
        if place != self.cursor:
            old, self.cursor = self.cursor, place
            self._refresh_row(old)
            self._refresh_row(place)
            self.post_message(self.Moved())
        self.scroll_to_cursor()

    def go_to(self, paths: set[Path]) -> bool:
        """Put the cursor on the first row that holds one of these files; whether there is one."""
        for place, row in enumerate(self.rows):
            if any(item.key.path in paths for item in row.items):
                self.move_to(place)
                return True
        return False

    @property
    def page(self) -> int:
        """Rows that fill the screen, at least one."""
        return max(1, self.scrollable_content_region.height // ROW_LINES - 1)

    def scroll_to_cursor(self) -> None:
        """Scroll no further than needed to see the row under the cursor."""
        top, view_top = self.cursor * ROW_LINES, self.scroll_offset.y
        height = self.scrollable_content_region.height
        if top < view_top or height <= ROW_LINES:
            self.scroll_to(y=top, animate=False, immediate=True)
        elif top + ROW_LINES > view_top + height:
            self.scroll_to(y=top + ROW_LINES - height, animate=False, immediate=True)

    def toggle_selected(self) -> None:
        """Select the row under the cursor, or take it out of the selection."""
        row = self.current
        if row is None:
            return
        if self.is_selected(row):
            self.selection -= row.keys
        else:
            self.selection |= row.keys
        self._refresh_row(self.cursor)

    def clear_selection(self) -> None:
        """Select nothing."""
        self.selection.clear()
        self.refresh()

    def _refresh_row(self, place: int) -> None:
        self.refresh_lines(place * ROW_LINES, ROW_LINES)

    # Events

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one opens the record."""
        place = (event.y + self.scroll_offset.y) // ROW_LINES
        if place < len(self.rows):
            self.move_to(place)
            if event.chain == 2:
                self.post_message(self.Opened())

    def on_resize(self, _event: events.Resize) -> None:
        """The row under the cursor stays in view."""
        self.virtual_size = Size(self.scrollable_content_region.width, len(self.rows) * ROW_LINES)
        self.scroll_to_cursor()

    def on_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    # Drawing

    def notify_style_update(self) -> None:
        """Colours changed."""
        super().notify_style_update()
        self._painter.forget()

    def render_line(self, y: int) -> Strip:
        """One line of a row."""
        region = self.scrollable_content_region
        if not self.rows:
            return self._painter.words(self.nothing, y, region.width, region.height)
        place, line = divmod(y + self.scroll_offset.y, ROW_LINES)
        if place >= len(self.rows):
            return self._painter.blank(region.width)
        row = self.rows[place]
        cursor: Cursor = "none" if place != self.cursor else "here" if self.has_focus else "away"
        news = next((words for item in row.items if (words := self.news.get(item.key.path))), "")
        look = Look(
            preview=self.preview_of(row),
            cursor=cursor,
            selected=self.is_selected(row),
            news=news,
            stayed=any(item.key in self.stayed for item in row.items),
            now=self.clock(),
        )
        return self._painter.line(row, look, line, region.width)

    # Actions

    def action_next(self) -> None:
        """Next record."""
        self.move_to(self.cursor + 1)

    def action_previous(self) -> None:
        """Previous record."""
        self.move_to(self.cursor - 1)

    def action_next_page(self) -> None:
        """A screenful down."""
        self.move_to(self.cursor + self.page)

    def action_previous_page(self) -> None:
        """A screenful up."""
        self.move_to(self.cursor - self.page)

    def action_first(self) -> None:
        """First record."""
        self.move_to(0)

    def action_last(self) -> None:
        """Last record."""
        self.move_to(len(self.rows) - 1)
