"""How full a store was over time: columns of block characters under the line of its limit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from hermes_tui.memory.entries import FILE_NAMES, StoreName
from hermes_tui.text import cells, one_line
from hermes_tui.ui.timeline.line import NOW
from hermes_tui.ui.timeline.words import day_words
from hermes_tui.ui.widgets.ink import Inked
from hermes_tui.ui.widgets.titled import Titled

EIGHTHS = " ▁▂▃▄▅▆▇█"
LIMIT, HERE = "┄", "▲"
"""The limit where no column hides it, and the place where one stands."""
DATED_COLUMNS = 20
"""From how many columns on the ends are dated."""
WARNED_SHARE = 0.8
"""From this share of the limit on a column is drawn as the usage bar is."""


class Curve(NamedTuple):
    """What a chart is drawn from."""

    points: tuple[tuple[float, int], ...]
    """From when on the store held so many characters, oldest first."""
    limit: int
    span: tuple[float, float]
    """The first moment and the last."""
    at: float
    """Where one stands."""
    outlook: str
    """When it will be full, in words."""

    def value(self, at: float) -> int | None:
        """The characters at a moment; None when that is too long ago to know."""
        found = bisect_right(self.points, (at, float("inf")))
        return self.points[found - 1][1] if found else None

    def values(self, columns: int) -> list[int | None]:
        """The same for the end of every column."""
        start, end = self.span
        return [self.value(start + (end - start) * column / max(1, columns - 1)) for column in range(columns)]

    @property
    def top(self) -> int:
        """What the highest row stands for."""
        return max(1, self.limit, max((chars for _, chars in self.points), default=0))


def rows_of(values: Sequence[int | None], height: int, top: int, limit: int) -> list[str]:
    """The chart as rows of text, the upper one first; the limit is drawn where nothing hides it."""
    limit_row = min(height - 1, int((limit - 1) * height / top)) if limit > 0 else -1
    rows = []
    for row in reversed(range(height)):
        drawn = []
        for value in values:
            eighths = 0 if value is None else round(value / top * height * 8) - row * 8
            if value and row == 0:
                eighths = max(1, eighths)
            char = EIGHTHS[max(0, min(8, eighths))]
            drawn.append(LIMIT if char == " " and row == limit_row else char)
        rows.append("".join(drawn))
    return rows


class _Plot(NamedTuple):
    """A curve as columns and rows."""

    size: tuple[int, int]
    values: list[int | None]
    rows: list[str]


class Chart(Inked, Titled, can_focus=True):
    """One store's chart, in a frame that names it."""

    def __init__(self, store: StoreName) -> None:
        super().__init__(id=f"chart-{store}", classes="chart")
        self._store = store
        self._curve: Curve | None = None
        self._plot: _Plot | None = None

    def on_mount(self) -> None:
        """Name it."""
        self.show_title(f"{FILE_NAMES[self._store]} · usage over time")

    def show(self, curve: Curve | None) -> None:
        """Show a curve."""
        if curve != self._curve:
            self._curve, self._plot = curve, None
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The outlook, the columns with their scale, the dates."""
        width, height = self.size
        base, curve = self.rich_style, self._curve
        if curve is None or not curve.points:
            words = "Nothing is known of it yet." if y == 0 else ""
            return Strip([Segment(one_line(words, width), self._inks("text-muted"))]).adjust_cell_length(width, base)
        if y == 0:
            return Strip(
                [Segment(one_line(self._head(curve, width), width), self._inks("foreground", "", "bold"))]
            ).adjust_cell_length(width, base)
        labels = [f"{curve.limit:,} ", f"{curve.top:,} ", "0 "]
        gutter = max(map(cells, labels))
        columns, rows = max(1, width - gutter), max(1, height - 2)
        if y == height - 1:
            return self._foot(curve, gutter, columns, width)
        plot = self._plotted(curve, columns, rows)
        row = y - 1
        if row >= len(plot.rows):
            return Strip.blank(width, base)
        label = self._label(curve, rows, row).rjust(gutter)
        return Strip(
            [Segment(label, self._inks("text-muted")), *self._colored(plot.rows[row], plot.values, curve.limit)]
        ).adjust_cell_length(width, base)

    def _plotted(self, curve: Curve, columns: int, rows: int) -> _Plot:
        """The same for every row, so it is made once."""
        plot = self._plot
        if plot is None or plot.size != (columns, rows):
            values = curve.values(columns)
            plot = self._plot = _Plot((columns, rows), values, rows_of(values, rows, curve.top, curve.limit))
        return plot

    def _colored(self, row: str, values: Sequence[int | None], limit: int) -> Iterator[Segment]:
        """The columns in the colours of the usage bar; what they say is in their height."""

        def ink(column: tuple[str, int | None]) -> str:
            char, value = column
            share = (value or 0) / limit if limit > 0 else 0.0
            if char == LIMIT:
                return "text-muted"
            return "usage-over" if share > 1 else "usage-hint" if share >= WARNED_SHARE else "usage-ok"

        for name, columns in groupby(zip(row, values, strict=True), ink):
            yield Segment("".join(char for char, _ in columns), self._inks(name))

    @staticmethod
    def _label(curve: Curve, rows: int, row: int) -> str:
        """What a row stands for: the limit, the top where that is another one, and nothing at the bottom."""
        from_below = rows - 1 - row
        limit_row = min(rows - 1, int((curve.limit - 1) * rows / curve.top))
        if from_below == limit_row:
            return f"{curve.limit:,} "
        if row == 0:
            return f"{curve.top:,} "
        return "0 " if from_below == 0 else ""

    @staticmethod
    def _head(curve: Curve, width: int) -> str:
        here = curve.value(curve.at)
        if here is None:
            now = "not known then"
        else:
            percent = int(here / curve.limit * 100) if curve.limit > 0 else 0
            now = f"{percent}% — {here:,}/{curve.limit:,} chars {'now' if curve.at == NOW else 'then'}"
        whole = f"{now} · {curve.outlook}" if curve.outlook else now
        # What lies ahead matters more than what was: where there is no room for both, it comes first.
        return whole if cells(whole) <= width or not curve.outlook else f"{curve.outlook} · {now}"

    def _foot(self, curve: Curve, gutter: int, columns: int, width: int) -> Strip:
        start, end = curve.span
        share = 1.0 if curve.at == NOW or end <= start else (curve.at - start) / (end - start)
        here = max(0, min(columns - 1, round(share * (columns - 1))))
        line = [" "] * columns
        for words, place in ((day_words(start), 0), ("now", columns - 3)):
            # A date gives way to the mark of where one is.
            if columns > DATED_COLUMNS and not place <= here < place + len(words):
                line[place : place + len(words)] = words
        muted = self._inks("text-muted")
        text = "".join(line)
        segments = [
            Segment(" " * gutter + text[:here], muted),
            Segment(HERE, self._inks("accent", "", "bold")),
            Segment(text[here + 1 :], muted),
        ]
        return Strip(segments).adjust_cell_length(width, self.rich_style)
