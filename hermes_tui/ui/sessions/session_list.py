"""The list, drawn line by line: a hundred thousand conversations scroll as a hundred do."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input

from hermes_tui.ui.sessions.row_painter import Cursor, Look, RowPainter
from hermes_tui.ui.sessions.sheets import FoundSheet, Key, ListSheet, PartRow

if TYPE_CHECKING:
    from hermes_tui.sessions.gathering import Hit
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.sessions.search import Found
    from hermes_tui.sessions.summaries import Summary
    from hermes_tui.sessions.transcript import Part

SETTLE_ROWS = 400
"""Rows looked at for one that is still there when the one under the cursor is gone."""


class SessionList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows with a cursor that stays with its conversation, part or hit at every refresh."""

    class Opened(Message):
        """A row was double clicked."""

    class Moved(Message):
        """The cursor stands on another row, or on another state of the same."""

    class Scrolled(Message):
        """Other rows are in view: what is known of them may have to be fetched."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sheet: ListSheet | FoundSheet = ListSheet(())
        self.summaries: Mapping[str, Summary] = {}
        """What is known of the rows in view, by the first session of each."""
        self.parts: Mapping[str, Part] = {}
        """The same of single parts, by their own id."""
        self.continued = ""
        """The session that `hermes --continue` would open."""
        self.stale = False
        """Whether the rows are those of a question that is no longer asked."""
        self.clock = time.time
        """Tells the time that ages are counted to."""
        self.nothing = ""
        """What to say while there is no row to show."""
        self.cursor = 0
        self._painter = RowPainter(self)

    # What it shows

    def show(self, sheet: ListSheet | FoundSheet, *, from_the_top: bool = False) -> None:
        """Show other rows; cursor and scroll offset stay with theirs, unless it is another list altogether."""
        before, cursor = self.sheet, self.cursor
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        self.sheet = sheet
        if from_the_top or not before.stops:
            self.cursor = 0
            self._lay_out()
            self.scroll_to(y=0, animate=False, immediate=True)
        else:
            line = before.span(cursor)[0] - top
            in_view = 0 <= line < max(1, height)
            anchor = before.key(cursor if in_view else before.at(min(top, before.lines - 1)).stop)
            anchor_line = line if in_view else before.span(before.at(min(top, before.lines - 1)).stop)[0] - top
            self.cursor = self._settle(before, cursor)
            self._lay_out()
            place = sheet.find(anchor)
            if place is not None and top > 0:
                self.scroll_to(y=sheet.span(place)[0] - anchor_line, animate=False, immediate=True)
        self.refresh()
        self.post_message(self.Scrolled())

    def _settle(self, before: ListSheet | FoundSheet, cursor: int) -> int:
        """Where the row of the cursor is now, or else its nearest neighbour."""
        after = range(cursor, min(before.stops, cursor + SETTLE_ROWS))
        ahead = range(min(cursor, before.stops) - 1, max(-1, cursor - SETTLE_ROWS), -1)
        for stop in (*after, *ahead):
            place = self.sheet.find(before.key(stop))
            if place is not None:
                return place
        return max(0, min(cursor, self.sheet.stops - 1))

    def grow(self) -> None:
        """Further rows were added below."""
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.sheet.lines)

    # The row under the cursor

    @property
    def key(self) -> Key | None:
        """Its name."""
        return self.sheet.key(self.cursor) if self.sheet.stops else None

    @property
    def brief(self) -> Brief | None:
        """Its conversation."""
        if not self.sheet.stops:
            return None
        if isinstance(self.sheet, FoundSheet):
            return self.sheet.pick(self.cursor)[0].summary.brief
        entry = self.sheet.entries[self.cursor]
        return entry.brief if isinstance(entry, PartRow) else entry

    @property
    def part(self) -> str:
        """The session that the row is about: the part, that of the hit, or the newest of the conversation."""
        if not self.sheet.stops:
            return ""
        found, hit = self.picked
        if hit:
            return hit.session_id
        if isinstance(self.sheet, ListSheet):
            entry = self.sheet.entries[self.cursor]
            return entry.session_id if isinstance(entry, PartRow) else entry.id
        return found.summary.brief.id if found else ""

    @property
    def picked(self) -> tuple[Found | None, Hit | None]:
        """What a search found there; nothing while nothing is searched for."""
        if isinstance(self.sheet, FoundSheet) and self.sheet.stops:
            return self.sheet.pick(self.cursor)
        return None, None

    @property
    def summary(self) -> Summary | None:
        """What is known of its conversation; None until it is fetched."""
        found, _ = self.picked
        if found:
            return found.summary
        brief = self.brief
        return self.summaries.get(brief.root) if brief else None

    @property
    def in_view(self) -> tuple[int, int]:
        """The first row in view and the one after the last, by their numbers."""
        if not self.sheet.stops:
            return 0, 0
        height = max(1, self.scrollable_content_region.height)
        top = min(self.scroll_offset.y, self.sheet.lines - 1)
        return self.sheet.at(top).stop, self.sheet.at(min(top + height, self.sheet.lines) - 1).stop + 1

    # The cursor

    def move_to(self, stop: int) -> None:
        """Put the cursor on a row and bring it into view."""
        if not self.sheet.stops:
            return
        stop = max(0, min(stop, self.sheet.stops - 1))
        if stop != self.cursor:
            old, self.cursor = self.cursor, stop
            self._refresh_row(old)
            self._refresh_row(stop)
            self.post_message(self.Moved())
        self.scroll_to_cursor()

    @property
    def page(self) -> int:
        """Rows that fill the screen, at least one."""
        first, last = self.in_view
        return max(1, last - first - 1)

    def scroll_to_cursor(self) -> None:
        """Scroll no further than needed to see the row under the cursor."""
        if not self.sheet.stops:
            return
        top, lines = self.sheet.span(self.cursor)
        view_top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if top < view_top or height <= lines:
            self.scroll_to(y=top, animate=False, immediate=True)
        elif top + lines > view_top + height:
            self.scroll_to(y=top + lines - height, animate=False, immediate=True)

    def _refresh_row(self, stop: int) -> None:
        if stop < self.sheet.stops:
            self.refresh_lines(*self.sheet.span(stop))

    # Events

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Say that other rows are in view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one opens the transcript."""
        line = event.y + self.scroll_offset.y
        if line < self.sheet.lines:
            self.move_to(self.sheet.at(line).stop)
            if event.chain == 2:
                self.post_message(self.Opened())

    def on_resize(self, _event: events.Resize) -> None:
        """The row under the cursor stays in view."""
        self._lay_out()
        self.scroll_to_cursor()
        self.post_message(self.Scrolled())

    @property
    def driven(self) -> bool:
        """Whether the keys that move go to it: also while somebody types into the box."""
        return self.has_focus or isinstance(self.screen.focused, Input)

    # Drawing

    def notify_style_update(self) -> None:
        """Colours changed."""
        super().notify_style_update()
        self._painter.forget()

    def render_line(self, y: int) -> Strip:
        """One line of a row."""
        region = self.scrollable_content_region
        if not self.sheet.stops:
            return self._painter.words(self.nothing, y, region.width, region.height)
        line = y + self.scroll_offset.y
        if line >= self.sheet.lines:
            return self._painter.blank(region.width)
        spot = self.sheet.at(line)
        cursor: Cursor = "none" if spot.stop != self.cursor else "here" if self.driven else "away"
        look = Look(cursor, self.stale, self.continued, self.clock())
        if isinstance(self.sheet, FoundSheet):
            return self._painter.found(self.sheet, line, look, region.width)
        entry = self.sheet.entries[spot.stop]
        if isinstance(entry, PartRow):
            part = self.parts.get(entry.session_id)
            return self._painter.part(entry, part, look, spot.line, self.sheet.height, region.width)
        summary = self.summaries.get(entry.root)
        return self._painter.conversation(entry, summary, look, spot.line, self.sheet.height, region.width)

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
        self.move_to(self.sheet.stops - 1)
