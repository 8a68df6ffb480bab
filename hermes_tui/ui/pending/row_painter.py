"""The two lines of a row: verdict, action and store above; the proposed words, origin and age below."""

from __future__ import annotations

from typing import NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from hermes_tui.pending.preview import Preview
from hermes_tui.text import ago, cells, fit, one_line
from hermes_tui.ui.pending.model import MARKS, Row, Weight, short_words, weight_of
from hermes_tui.ui.widgets.row_list import Cursor, RowInk

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


class RowPainter(RowInk):
    """Draws the rows of the queue."""

    def line(self, row: Row, look: Look, line: int, width: int) -> Strip:
        """One of the lines of a row."""
        ground = self.ground(look.cursor)
        if line == 0:
            side = f" {fit(row.item.record.action or '?', _ACTION, right=True)} {fit(row.item.store, _STORE)} "
        else:
            side = f" {fit(row.item.origin, _ORIGIN, right=True)} {fit(_age(row, look.now), _AGE, right=True)} "
        room = max(1, width - _GUTTER - cells(side))
        segments = [self.bar(look.cursor), *(self._head if line == 0 else self._words)(row, look, room, ground)]
        return self.ended(segments, side, ground, width)

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


def first_words(text: str) -> str:
    """The start of a text on one line: what a list needs of it."""
    return text[:400].replace("\n", " ")


def _age(row: Row, now: float) -> str:
    created = row.item.record.created_at
    return ago(max(0.0, now - created)) if created else ""
