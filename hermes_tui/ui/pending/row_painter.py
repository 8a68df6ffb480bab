"""The two lines of a row: verdict, action and store above; the proposed words, origin and age below."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.pending.preview import Preview
from hermes_tui.text import ago, cells, fit, one_line, wrap_cells
from hermes_tui.ui.pending.model import MARKS, Row, Weight, short_words, weight_of
from hermes_tui.ui.widgets.ink import Inks

Cursor = Literal["none", "here", "away"]
"""Whether a row has the cursor, and whether keys go to its list."""

ROW_LINES = 2
_GUTTER = 5
"""Cells for the cursor, the verdict's mark or that of a selected row, and a blank."""
_ACTION, _STORE = 11, 6
"""Cells of the columns on the right of the first line."""
_ORIGIN, _AGE = 6, 4
"""The same of the second."""

WEIGHT_INKS: dict[Weight, str] = {"good": "success", "quiet": "text-muted", "mend": "warning", "dead": "error"}


class Look(NamedTuple):
    """What a row says besides its records."""

    preview: Preview | None
    cursor: Cursor
    selected: bool
    news: str
    """`new 3s`, while it is."""
    stayed: bool
    """Whether a decision over it was tried and refused."""
    now: float


class RowPainter:
    """Draws the rows of one list."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._inks = Inks(widget)

    def forget(self) -> None:
        """Colours changed."""
        self._inks.forget()

    def line(self, row: Row, look: Look, line: int, width: int) -> Strip:
        """One of the lines of a row."""
        ground = "card-background-focus" if look.cursor == "here" else ""
        base = self._inks("foreground", ground)
        bar = {"here": "▌", "away": "▏", "none": " "}[look.cursor]
        edge = self._inks("card-border-focus" if look.cursor == "here" else "text-disabled", ground)
        if line == 0:
            side = f" {fit(row.item.record.action or '?', _ACTION, right=True)} {fit(row.item.store, _STORE)} "
        else:
            side = f" {fit(row.item.origin, _ORIGIN, right=True)} {fit(_age(row, look.now), _AGE, right=True)} "
        room = max(1, width - _GUTTER - cells(side))
        segments = [Segment(bar, edge), *(self._head if line == 0 else self._words)(row, look, room, ground)]
        segments.append(Segment(" " * max(0, width - _used(segments) - cells(side)), base))
        segments.append(Segment(side, self._inks("text-muted", ground)))
        return Strip(segments).adjust_cell_length(width, base)

    def _words(self, row: Row, look: Look, room: int, ground: str) -> list[Segment]:
        """The start of the proposed text, and that it is new."""
        base = self._inks("foreground", ground)
        news = f" {look.news} " if look.news else ""
        removes = row.item.record.action == "remove" and look.preview is not None and look.preview.before
        text = one_line(first_words(removes or row.item.words), max(4, room - (cells(news) + 1 if news else 0)))
        mark = self._inks("accent", ground, "bold") if look.selected else base
        segments = [Segment("[x] " if look.selected else "    ", mark), Segment(text, base)]
        if news:
            segments += [
                Segment(" " * max(1, room - cells(text) - cells(news)), base),
                Segment(news, self._inks("badge-success", "badge-success-background", "bold")),
            ]
        return segments

    def _head(self, row: Row, look: Look, room: int, ground: str) -> list[Segment]:
        """Mark and verdict, and how many propose the same."""
        badges = [f" ×{row.equal} "] if row.equal > 1 and not row.place else []
        badges += [f" {row.place} of {row.equal} "] if row.place else []
        spent = sum(cells(badge) + 1 for badge in badges) + (8 if look.stayed else 0)
        if look.preview is None:
            words, mark, ink = "…", " ", "text-muted"
        else:
            weight = weight_of(look.preview)
            words, mark, ink = short_words(look.preview), MARKS[weight], WEIGHT_INKS[weight]
        style = self._inks(ink, ground, "bold")
        segments = [Segment(f" {mark}  ", style), Segment(one_line(words, max(4, room - spent)), style)]
        blank = Segment(" ", self._inks("foreground", ground))
        for badge in badges:
            segments += [blank, Segment(badge, self._inks("badge-info", "badge-info-background"))]
        if look.stayed:
            segments += [blank, Segment(" stays ", self._inks("badge-error", "badge-error-background"))]
        return segments

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


def first_words(text: str) -> str:
    """The start of a text on one line: what a list needs of it."""
    return text[:400].replace("\n", " ")


def _age(row: Row, now: float) -> str:
    created = row.item.record.created_at
    return ago(max(0.0, now - created)) if created else ""


def _used(segments: list[Segment]) -> int:
    return sum(segment.cell_length for segment in segments)
