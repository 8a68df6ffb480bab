"""The pending writes as a list that is drawn line by line, so that thousands move as fast as ten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from textual.strip import Strip

from hermes_tui.pending.preview import Preview
from hermes_tui.ui.pending.model import RecordKey, Row
from hermes_tui.ui.pending.row_painter import ROW_LINES, Look, RowPainter
from hermes_tui.ui.widgets.row_list import Cursor, RowList


class QueueList(RowList):
    """Rows with a cursor and a selection that stay with their records at every refresh."""

    def __init__(self, *, id: str | None = None) -> None:
        self._painter = RowPainter(self)
        super().__init__(self._painter, id=id)
        self.rows: tuple[Row, ...] = ()
        self.previews: Mapping[RecordKey, Preview] = {}
        self.news: Mapping[Path, str] = {}
        self.stayed: Mapping[RecordKey, str] = {}
        """Records that a decision left in the queue, with the reason."""
        self.selection: set[RecordKey] = set()

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
        self._lay_out()
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

    @property
    def stops(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def span(self, stop: int) -> tuple[int, int]:
        """Where a row is: each has two lines."""
        return stop * ROW_LINES, ROW_LINES

    def stop_at(self, line: int) -> int:
        """The row on a line."""
        return line // ROW_LINES

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

    # Events

    def on_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    # Drawing

    def draw(self, line: int, width: int) -> Strip:
        """One line of a row."""
        place, line = divmod(line, ROW_LINES)
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
        return self._painter.line(row, look, line, width)
