"""Where in a transcript one is: the line at the top, the line with the cursor, and what is on the screen between.

Places are kept as message and line, so that nothing moves on the screen when more becomes known of what
is above or below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hermes_tui.ui.transcript.heights import Heights
from hermes_tui.ui.transcript.layout import Laid
from hermes_tui.ui.transcript.lines import Line
from hermes_tui.ui.transcript.rows import Rows


class Pos(NamedTuple):
    """A line of a row."""

    place: int
    line: int = 0


class Held(NamedTuple):
    """Where one was, by messages instead of places."""

    top: tuple[int, int]
    cursor: tuple[int, int]
    at_end: bool
    on_last: bool


class Drawn(NamedTuple):
    """A line on the screen."""

    pos: Pos
    line: Line | None
    """None while its text is not there."""


class Reel:
    """The place in a transcript.

    Args:
        rows: what is shown.
        heights: how many lines each row has.
        lay: gives a row as it is drawn; None while its text is not there.
    """

    def __init__(self, rows: Rows, heights: Heights, lay: Callable[[int], Laid | None]) -> None:
        self.rows, self.heights = rows, heights
        self._lay = lay
        self.height = 0
        self._top = Pos(0)
        self._guessed = False
        self.cursor = Pos(0)
        self.at_end = True
        """Whether the last line is on the screen; what comes then is followed."""
        self._measured: set[int] = set()

    def forget(self) -> None:
        """All heights are guesses again."""
        self._measured.clear()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not len(self.rows.outline) or (not self.rows.shown(0) and self.rows.next(0) is None)

    @property
    def top(self) -> Pos:
        """The first line on the screen."""
        return self._top

    @top.setter
    def top(self, pos: Pos) -> None:
        self._top = pos
        known = pos.line == 0 or pos.place >= len(self.rows.outline) or self._lay(pos.place) is not None
        self._guessed = not known

    # One row

    def laid(self, place: int) -> Laid | None:
        """A row as it is drawn; from now on its height is known."""
        laid = self._lay(place)
        if laid is None:
            return None
        known, lines = self.heights.height(place), len(laid.lines)
        if place not in self._measured:
            self._measured.add(place)
            self.heights.learn(place, lines)
        self.heights.measured(place, lines)
        if self._guessed and place == self._top.place:
            # Nobody has seen these lines: what matters is that those below stay where they are.
            self._guessed = False
            self._top = Pos(place, max(0, lines - max(0, known - self._top.line)))
        return laid

    def lines_of(self, place: int) -> int:
        """How many lines a row has, measured if possible."""
        laid = self.laid(place)
        return len(laid.lines) if laid else max(1, self.heights.height(place))

    def _body(self, place: int) -> int:
        laid = self.laid(place)
        return laid.body if laid else 0

    @property
    def last(self) -> int | None:
        """The last row."""
        return self.rows.previous(len(self.rows.outline))

    @property
    def first(self) -> int | None:
        """The first row."""
        return self.rows.next(-1)

    # The screen

    def screen(self) -> list[Drawn]:
        """What is on the screen, from the top."""
        if self.empty or self.height <= 0:
            return []
        self._tidy()
        if self.at_end:
            self._stand_at_end()
        drawn = self._fill()
        self._cursor_into_body()
        if len(drawn) < self.height and (self.top.line or self.rows.previous(self.top.place) is not None):
            self._stand_at_end()
            drawn = self._fill()
        last = drawn[-1].pos
        self.at_end = self.rows.next(last.place) is None and last.line >= self.lines_of(last.place) - 1
        return drawn

    def _cursor_into_body(self) -> None:
        """The cursor stands on lines of a message, never on what is above it."""
        place, line = self.cursor
        if (laid := self.laid(place)) is not None:
            self.cursor = Pos(place, min(max(line, laid.body), len(laid.lines) - 1))

    def _fill(self) -> list[Drawn]:
        drawn: list[Drawn] = []
        place: int | None = self.top.place
        first = True
        while place is not None and len(drawn) < self.height:
            laid = self.laid(place)
            count = len(laid.lines) if laid else max(1, self.heights.height(place))
            start = min(self.top.line, count - 1) if first else 0
            first = False
            for number in range(start, min(count, start + self.height - len(drawn))):
                drawn.append(Drawn(Pos(place, number), laid.lines[number] if laid else None))
            place = self.rows.next(place)
        return drawn

    def _stand_at_end(self) -> None:
        last = self.last
        if last is not None:
            self.top = self.back(Pos(last, self.lines_of(last) - 1), self.height - 1)

    def _tidy(self) -> None:
        """Move from rows that are not shown any more to one that is."""
        self.top, self.cursor = self._shown(self.top), self._shown(self.cursor)

    def _shown(self, pos: Pos) -> Pos:
        count = len(self.rows.outline)
        place = min(pos.place, count - 1)
        if self.rows.shown(place):
            return Pos(place, pos.line) if place == pos.place else Pos(place)
        before = self.rows.previous(place)
        after = self.rows.next(place) if before is None else None
        return Pos(before if before is not None else after or 0)

    def back(self, pos: Pos, lines: int) -> Pos:
        """The line so many lines before one."""
        place, line = pos.place, pos.line - lines
        while line < 0:
            before = self.rows.previous(place)
            if before is None:
                return Pos(place)
            place = before
            line += self.lines_of(place)
        return Pos(place, line)

    def forward(self, pos: Pos, lines: int) -> Pos:
        """The line so many lines after one, at most the last."""
        place, line = pos.place, pos.line + lines
        while line >= (count := self.lines_of(place)):
            after = self.rows.next(place)
            if after is None:
                return Pos(place, count - 1)
            line -= count
            place = after
        return Pos(place, line)

    # Moving

    @property
    def y(self) -> int:
        """The number of the line at the top."""
        return self.heights.top(self.top.place) + self.top.line if not self.empty else 0

    def scroll_to(self, y: int) -> None:
        """Put a line at the top, as the scrollbar wants it; the cursor stays on the screen."""
        distance = y - self.y
        self.at_end = y >= self.heights.total - self.height
        if abs(distance) <= 2 * self.height:
            self.top = self.back(self.top, -distance) if distance < 0 else self.forward(self.top, distance)
        else:
            self.top = Pos(*self.heights.at(y))
        self._cursor_into(self.screen())

    def scroll_by(self, lines: int) -> None:
        """Move the screen; the cursor stays on it."""
        if self.empty:
            return
        self.at_end = False
        self.top = self.back(self.top, -lines) if lines < 0 else self.forward(self.top, lines)
        self._cursor_into(self.screen())

    def settle(self) -> None:
        """Bring the cursor onto the screen."""
        self._cursor_into(self.screen())

    def _cursor_into(self, drawn: list[Drawn]) -> None:
        places = [each.pos for each in drawn]
        if not places or self.cursor in places:
            return
        inside = [pos for pos in places if pos.line >= self._body(pos.place)] or places
        self.cursor = inside[0] if self.cursor < inside[0] else inside[-1]

    def move(self, lines: int) -> None:
        """Move the cursor by lines, over what stands between messages."""
        if self.empty:
            return
        self._tidy()
        pos = self.cursor
        for _ in range(abs(lines)):
            step = self._step(pos, 1 if lines > 0 else -1)
            if step == pos:
                break
            pos = step
        self.cursor = pos
        self.show_cursor()

    def _step(self, pos: Pos, by: int) -> Pos:
        line = pos.line + by
        if self._body(pos.place) <= line < self.lines_of(pos.place):
            return Pos(pos.place, line)
        other = self.rows.next(pos.place) if by > 0 else self.rows.previous(pos.place)
        if other is None:
            return pos
        return Pos(other, self._body(other)) if by > 0 else Pos(other, self.lines_of(other) - 1)

    def move_row(self, by: int) -> None:
        """Move the cursor to the next message, or to the beginning of this one and then to the one before."""
        if self.empty:
            return
        self._tidy()
        place = self.cursor.place
        if by < 0 and self.cursor.line > self._body(place):
            self.go(place)
            return
        other = self.rows.next(place) if by > 0 else self.rows.previous(place)
        if other is not None:
            self.go(other)
        elif by > 0:
            self.to_end()

    def page(self, by: int) -> None:
        """Move screen and cursor by a screenful."""
        drawn = self.screen()
        row = next((at for at, each in enumerate(drawn) if each.pos == self.cursor), 0)
        before = self.top
        self.scroll_by(by * max(1, self.height - 1))
        drawn = self.screen()
        if drawn and self.top != before:
            self.cursor = drawn[min(row, len(drawn) - 1)].pos
        elif drawn:
            self.cursor = drawn[-1 if by > 0 else 0].pos

    def to_end(self) -> None:
        """To the last line."""
        last = self.last
        if last is not None:
            self.at_end = True
            self.cursor = Pos(last, self.lines_of(last) - 1)

    def to_start(self) -> None:
        """To the first line."""
        first = self.first
        if first is not None:
            self.top = Pos(first)
            self.cursor = Pos(first, self._body(first))
            self.at_end = False

    def go(self, place: int, line: int | None = None, *, middle: bool = False) -> None:
        """Put the cursor on a row, and as much of it on the screen as there is room for."""
        line = self._body(place) if line is None else min(line, self.lines_of(place) - 1)
        self.cursor = Pos(place, line)
        near = [each.pos for each in self.screen()]
        if middle and self.cursor not in near[1:-1]:
            self.at_end = False
            self.top = self.back(self.cursor, self.height // 3)
        else:
            self.show_cursor(whole=True)

    def show_cursor(self, *, whole: bool = False) -> None:
        """Scroll no further than needed to see the cursor; with `whole`, all of its message if it fits."""
        drawn = [each.pos for each in self.screen()]
        if not drawn:
            return
        place, line = self.cursor
        start = Pos(place, 0) if line <= self._body(place) else self.cursor
        if start < drawn[0]:
            self.at_end = False
            self.top = start
            return
        end = self.cursor
        if whole:
            last = min(self.lines_of(place) - 1, line + self.height - 1)
            end = Pos(place, last)
        if end > drawn[-1]:
            self.at_end = False
            self.top = self.back(end, self.height - 1)

    # Holding on

    def hold(self) -> Held:
        """Where one is, to come back to it when the outline is another one."""
        ids = self.rows.outline.ids
        if not len(ids):
            return Held((0, 0), (0, 0), True, True)
        top, cursor = min(self.top.place, len(ids) - 1), min(self.cursor.place, len(ids) - 1)
        last = self.last
        on_last = last is not None and self.cursor.place == last and self.cursor.line >= self.lines_of(last) - 1
        return Held((ids[top], self.top.line), (ids[cursor], self.cursor.line), self.at_end, on_last)

    def restore(self, held: Held) -> None:
        """Go back to where one was."""
        outline = self.rows.outline
        if self.empty:
            return
        self.top = self._found(held.top) if held.top[0] else Pos(0)
        self.cursor = self._found(held.cursor) if held.cursor[0] else Pos(0)
        self.at_end = held.at_end
        if len(outline) and held.at_end and held.on_last:
            self.to_end()

    def _found(self, where: tuple[int, int]) -> Pos:
        place = self.rows.outline.nearest(where[0])
        same = self.rows.outline.ids[place] == where[0]
        return self._shown(Pos(place, where[1] if same else 0))
