"""The two lines of a row: the proposed words and their age above; verdict, action, store and origin below."""

from __future__ import annotations

from typing import NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from hermes_tui.pending.preview import Preview
from hermes_tui.text import ago, cells, first_words, fit, one_line
from hermes_tui.ui.pending.model import MARKS, Row, Weight, short_words, weight_of
from hermes_tui.ui.widgets.row_list import Cursor, RowInk

ROW_LINES = 2
_GUTTER = 5
"""Cells for the cursor, the verdict's mark or that of a selected row, and a blank."""
_AGE, _ORIGIN = 4, 6
"""Cells of what stands at the right edge."""

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
        beside = fit(_age(row, look.now), _AGE, right=True) if line == 0 else fit(row.item.origin, _ORIGIN, right=True)
        side = f" {beside} "
        room = max(1, width - _GUTTER - cells(side))
        segments = [self.bar(look.cursor), *(self._words if line == 0 else self._verdict)(row, look, room, ground)]
        return self.ended(segments, side, ground, width)

    def _words(self, row: Row, look: Look, room: int, ground: str) -> list[Segment]:
        """The verdict's mark, the start of the proposed text, and what there is to say of it."""
        base = self._inks("foreground", ground)
        mark, ink = " ", "text-muted"
        if look.preview is not None:
            weight = weight_of(look.preview)
            mark, ink = MARKS[weight], WEIGHT_INKS[weight]
        badges = [(f" ×{row.equal} ", "info")] if row.equal > 1 and not row.place else []
        badges += [(f" {row.place} of {row.equal} ", "info")] if row.place else []
        badges += [(" stays ", "error")] if look.stayed else []
        badges += [(f" {look.news} ", "success")] if look.news else []
        removes = row.item.record.action == "remove" and look.preview is not None and look.preview.before
        room -= sum(cells(words) + 1 for words, _ in badges)
        text = one_line(first_words(removes or row.item.words), max(4, room))
        segments = [Segment(f" {mark}  ", self._inks(ink, ground, "bold")), Segment(text, base)]
        for words, tone in badges:
            segments += [Segment(" ", base), Segment(words, self._inks(f"badge-{tone}", f"badge-{tone}-background"))]
        return segments

    def _verdict(self, row: Row, look: Look, room: int, ground: str) -> list[Segment]:
        """What approving it would come to, then what it does and where, as far as there is room."""
        mark = self._inks("accent", ground, "bold")
        words, ink = "…", "text-muted"
        if look.preview is not None:
            words, ink = short_words(look.preview), WEIGHT_INKS[weight_of(look.preview)]
        words = one_line(words, max(4, room))
        action, store = row.item.record.action, row.item.store
        known = [" ".join(part for part in (action, store) if part not in ("", "–")), action]
        what = next((what for what in known if what and cells(words) + cells(what) + 3 <= room), "")
        return [
            Segment("[x] " if look.selected else "    ", mark),
            Segment(words, self._inks(ink, ground)),
            Segment(f" · {one_line(what, room)}" if what else "", self._inks("text-muted", ground)),
        ]


def _age(row: Row, now: float) -> str:
    created = row.item.record.created_at
    return ago(max(0.0, now - created)) if created else ""
