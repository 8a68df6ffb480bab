"""How many lines each message takes: guessed from its size until it was drawn, and added up page by page."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate

from hermes_tui.sessions.messages import State
from hermes_tui.sessions.outline import CALLS, TOOL
from hermes_tui.ui.transcript.rows import Rows

PAGE_ROWS = 256
LEARNED_LINES = 10
"""From so many lines on it is known how high messages are."""
MAX_SCALE = 8.0
UNKNOWN_LINES = 4
"""What a message takes of which nothing is known yet."""


class Heights:
    """The lines of every row, for one width."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._width = 80
        self._around = 2
        self._scale = 1.0
        """How much higher messages are than their size says: many have short lines."""
        self._seen_lines = self._seen_guesses = 0
        self._totals: list[int] = []
        self._pages: dict[int, array[int]] = {}
        """The lines of each row, of the pages where one was measured."""
        self._tops: list[int] | None = None

    def fit(self, width: int, *, tight: bool) -> None:
        """Guess anew, for another width."""
        self._width, self._around = max(10, width), 1 if tight else 2
        self.forget()

    def forget(self) -> None:
        """Guess everything anew."""
        if self._seen_guesses >= LEARNED_LINES:
            self._scale = min(MAX_SCALE, max(1 / MAX_SCALE, self._seen_lines / self._seen_guesses))
        self._pages.clear()
        count = -(-len(self._rows.outline) // PAGE_ROWS)
        self._totals = [self._guessed_page(page) for page in range(count)]
        self._tops = None

    def filled(self, places: range) -> None:
        """More is known of some rows, or there are more."""
        count = -(-len(self._rows.outline) // PAGE_ROWS)
        self._totals += [0] * (count - len(self._totals))
        for page in range(places.start // PAGE_ROWS, min(count, -(-places.stop // PAGE_ROWS))):
            known = self._pages.pop(page, None)
            self._totals[page] = self._guessed_page(page)
            if known is not None:
                lines = self._page(page)
                for at, old in enumerate(known[: len(lines)]):
                    if page * PAGE_ROWS + at not in places:
                        lines[at] = old
                self._totals[page] = sum(lines)
        self._tops = None

    def _guessed_page(self, page: int) -> int:
        outline = self._rows.outline
        start, end = page * PAGE_ROWS, min((page + 1) * PAGE_ROWS, len(outline))
        count = end - start
        if outline.states.count(State.UNKNOWN, start, end) == count:
            return round(count * UNKNOWN_LINES * self._scale)
        if outline.states.count(State.LIVE, start, end) == count:
            tools = outline.roles.count(TOOL, start, end)
            said = (count - tools) * (1 + self._around) + sum(outline.weights[start:end]) // self._width
            return tools + round(said * self._scale)
        run = self._rows.run_at(start)
        if run is not None and not run.open and run.end >= end:
            return self.height(start) if run.start == start else 0
        return sum(self._page(page))

    def _page(self, page: int) -> array[int]:
        lines = self._pages.get(page)
        if lines is None:
            start, end = page * PAGE_ROWS, min((page + 1) * PAGE_ROWS, len(self._rows.outline))
            lines = self._pages[page] = array("l", [self._guess(place) for place in range(start, end)])
        return lines

    def _guess(self, place: int) -> int:
        rows, outline = self._rows, self._rows.outline
        if not rows.shown(place):
            return 0
        if not outline.states[place]:
            return UNKNOWN_LINES
        if rows.stands_for_run(place):
            return 2
        if outline.roles[place] == TOOL:
            return 1
        return max(1, round(self._plain_guess(place) * self._scale))

    def _plain_guess(self, place: int) -> int:
        outline = self._rows.outline
        return self._around + 1 + outline.weights[place] // self._width + bool(outline.flags[place] & CALLS)

    def learn(self, place: int, lines: int) -> None:
        """See how far a guess was off; what is guessed the next time is nearer."""
        outline = self._rows.outline
        if outline.states[place] == State.LIVE and outline.roles[place] != TOOL:
            self._seen_lines += lines
            self._seen_guesses += self._plain_guess(place)

    # Asking

    @property
    def total(self) -> int:
        """The lines of the whole conversation."""
        return self.tops[-1]

    @property
    def tops(self) -> list[int]:
        """The line that each page begins on, and the end."""
        if self._tops is None:
            self._tops = [0, *accumulate(self._totals)]
        return self._tops

    def height(self, place: int) -> int:
        """The lines of a row."""
        return self._page(place // PAGE_ROWS)[place % PAGE_ROWS]

    def top(self, place: int) -> int:
        """The line that a row begins on."""
        page, at = divmod(place, PAGE_ROWS)
        if page >= len(self._totals):
            return self.total
        return self.tops[page] + (sum(self._exact(page)[:at]) if at else 0)

    def at(self, line: int) -> tuple[int, int]:
        """The row that a line belongs to, and which of its lines it is; the last one beyond the end."""
        if not self._totals:
            return 0, 0
        page = min(max(0, bisect_right(self.tops, max(0, line)) - 1), len(self._totals) - 1)
        rest = max(0, line) - self.tops[page]
        lines = self._exact(page)
        last = 0
        for at, height in enumerate(lines):
            if height:
                if rest < height:
                    return page * PAGE_ROWS + at, rest
                rest -= height
                last = at
        if lines[last]:
            return page * PAGE_ROWS + last, lines[last] - 1
        before = self._rows.previous(page * PAGE_ROWS + last + 1)
        return (before, max(0, self.height(before) - 1)) if before is not None else (0, 0)

    def _exact(self, page: int) -> array[int]:
        """The lines of each row of a page, whose sum then is what the page takes."""
        if page in self._pages:
            return self._pages[page]
        lines = self._page(page)
        total = sum(lines)
        if total != self._totals[page]:
            self._totals[page] = total
            self._tops = None
        return lines

    def measured(self, place: int, lines: int) -> int:
        """A row was drawn: how many lines it has. By how many that is more than was thought."""
        page, at = divmod(place, PAGE_ROWS)
        known = self._exact(page)
        grown = lines - known[at]
        if grown:
            known[at] = lines
            self._totals[page] += grown
            self._tops = None
        return grown
