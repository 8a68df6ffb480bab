"""The list, drawn line by line: a hundred thousand conversations scroll as a hundred do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from hermes_tui.ui.past import older_sessions_of
from hermes_tui.ui.sessions.row_painter import Look, RowPainter
from hermes_tui.ui.sessions.sheets import FoundSheet, Key, ListSheet, PartRow
from hermes_tui.ui.widgets.row_list import Cursor, RowList

if TYPE_CHECKING:
    from hermes_tui.sessions.gathering import Hit
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.sessions.search import Found
    from hermes_tui.sessions.summaries import Summary
    from hermes_tui.sessions.transcript import Part

SETTLE_ROWS = 400
"""Rows looked at for one that is still there when the one under the cursor is gone."""


class SessionList(RowList):
    """Rows with a cursor that stays with its conversation, part or hit at every refresh."""

    class Scrolled(Message):
        """Other rows are in view: what is known of them may have to be fetched."""

    def __init__(self, *, id: str | None = None) -> None:
        self._painter = RowPainter(self)
        super().__init__(self._painter, id=id)
        self.sheet: ListSheet | FoundSheet = ListSheet(())
        self.summaries: Mapping[str, Summary] = {}
        """What is known of the rows in view, by the first session of each."""
        self.parts: Mapping[str, Part] = {}
        """The same of single parts, by their own id."""
        self.continued = ""
        """The session that `hermes --continue` would open."""
        self.stale = False
        """Whether the rows are those of a question that is no longer asked."""
        self.selection: set[str] = set()
        """Conversations by their first session, shown or not."""
        self._selected: tuple[Brief, ...] | None = ()
        self._selected_messages = 0

    # What it shows

    def show(self, sheet: ListSheet | FoundSheet, *, from_the_top: bool = False) -> None:
        """Show other rows; cursor and scroll offset stay with theirs, unless it is another list altogether."""
        before, cursor = self.sheet, self.cursor
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        self.sheet, self._selected = sheet, None
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
        self._selected = None
        self._lay_out()
        self.refresh()

    def go_to(self, ids: Collection[str]) -> bool:
        """Put the cursor on the first conversation that has one of these sessions; whether there is one."""
        wanted = set(ids)
        root = next((brief.root for brief in self.shown if not wanted.isdisjoint(brief.parts)), "")
        place = self.sheet.find((root, "", 0)) if root else None
        if place is not None:
            self.move_to(place)
        return place is not None

    # The selection

    @property
    def shown(self) -> Sequence[Brief]:
        """The conversations that are shown, in order."""
        if isinstance(self.sheet, FoundSheet):
            return [group.summary.brief for group in self.sheet.found]
        return self.sheet.briefs

    @property
    def selected(self) -> tuple[Brief, ...]:
        """The selected conversations that are shown, in order: what a filter hides is not acted on."""
        if self._selected is None:
            wanted = self.selection
            self._selected = tuple(brief for brief in self.shown if brief.root in wanted) if wanted else ()
            self._selected_messages = sum(brief.messages for brief in self._selected)
        return self._selected

    @property
    def selected_messages(self) -> int:
        """How many messages they have together."""
        return self._selected_messages if self.selected else 0

    def toggle_selected(self) -> None:
        """Select the conversation under the cursor, or take it out of the selection."""
        if brief := self.brief:
            self._select(self.selection ^ {brief.root})

    def select_shown(self) -> None:
        """Select all that are shown."""
        self._select(self.selection.union(brief.root for brief in self.shown))

    def clear_selection(self) -> None:
        """Select nothing."""
        self._select(set())

    def keep_selected(self, present: Callable[[], set[str]]) -> None:
        """Forget selected conversations that are not there any more; `present` tells which are."""
        if self.selection:
            self._select(self.selection & present())

    def _select(self, roots: set[str]) -> None:
        if roots != self.selection:
            self.selection, self._selected = roots, None
            self.refresh()

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
    def entry(self) -> Brief | PartRow | None:
        """The conversation or the part of one that the row is; None for what a search found."""
        if isinstance(self.sheet, FoundSheet) or not self.sheet.stops:
            return None
        return self.sheet.entries[self.cursor]

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

    @property
    def stops(self) -> int:
        """How many rows there are."""
        return self.sheet.stops

    @property
    def lines(self) -> int:
        """The lines of all rows together."""
        return self.sheet.lines

    def span(self, stop: int) -> tuple[int, int]:
        """Where a row is."""
        return self.sheet.span(stop)

    def stop_at(self, line: int) -> int:
        """The row that a line belongs to."""
        return self.sheet.at(line).stop

    @property
    def page(self) -> int:
        """Rows that fill the screen, at least one."""
        first, last = self.in_view
        return max(1, last - first - 1)

    # Events

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Say that other rows are in view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    def on_resize(self, _event: events.Resize) -> None:
        """Other rows may be in view; what every list does comes after this, as Textual asks both classes."""
        self.post_message(self.Scrolled())

    @property
    def driven(self) -> bool:
        """Whether the keys that move go to it: also while somebody types into the box."""
        return self.has_focus or isinstance(self.screen.focused, Input)

    # Drawing

    def draw(self, line: int, width: int) -> Strip:
        """One line of a row."""
        spot = self.sheet.at(line)
        cursor: Cursor = "none" if spot.stop != self.cursor else "here" if self.driven else "away"
        look = Look(cursor, self.stale, self.continued, self.clock(), older=older_sessions_of(self.app))
        if isinstance(self.sheet, FoundSheet):
            group = self.sheet.found[self.sheet.line(line).found]
            look = look._replace(selected=group.summary.brief.root in self.selection)
            return self._painter.found(self.sheet, line, look, width)
        entry = self.sheet.entries[spot.stop]
        if isinstance(entry, PartRow):
            part = self.parts.get(entry.session_id)
            return self._painter.part(entry, part, look, spot.line, self.sheet.height, width)
        summary = self.summaries.get(entry.root)
        look = look._replace(selected=entry.root in self.selection)
        return self._painter.conversation(entry, summary, look, spot.line, self.sheet.height, width)
