"""The strips of a card: left rule, number, text, badges, and a box around the one with the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, wrap_cells
from hermes_tui.ui.memory.cards import Card, Row, Tone
from hermes_tui.ui.widgets.ink import Inks

Cursor = Literal["none", "here", "away"]
"""Whether a card has the cursor, and whether keys go to its list."""
Layout = tuple[int, int, str, bool]
"""What the rows were made for: width, fold, filter, tight."""

_INKS: dict[Tone | Literal["rule", "cursor", "away"], tuple[str, str, str]] = {
    "text": ("foreground", "", ""),
    "muted": ("text-muted", "", ""),
    "finding": ("finding", "finding-background", "underline"),
    "match": ("match", "match-background", "bold underline"),
    "error": ("badge-error", "badge-error-background", ""),
    "warning": ("badge-warning", "badge-warning-background", ""),
    "note": ("badge-info", "badge-info-background", ""),
    "fresh": ("badge-success", "badge-success-background", "bold"),
    "selected": ("accent", "", "bold"),
    "rule": ("card-border", "", ""),
    "cursor": ("card-border-focus", "card-background-focus", ""),
    "away": ("text-disabled", "", ""),
}

KEPT_CARDS = 128
"""Drawn cards kept, more than any screen shows: each is 20 kB, and one of another age is another card."""

_GUTTER = 4
"""Cells for the number of a card, or the mark of a selected one, and a blank."""


def frame_cells(tight: bool) -> int:
    """The cells of a row that are not the card's text."""
    return _GUTTER + (2 if tight else 4)


class CardPainter:
    """Draws the cards of one list, each once for every way it looks."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._inks = Inks(widget)
        self._drawn: LRUCache[tuple[Card, Cursor, bool, Layout], list[Strip]] = LRUCache(KEPT_CARDS)

    def forget(self) -> None:
        """Colours changed."""
        self._inks.forget()
        self._drawn.clear()

    def _style(self, name: Tone | Literal["rule", "cursor", "away"]) -> Style:
        return self._inks(*_INKS[name])

    def gap(self, past_cursor: int, between: bool, focused: bool, width: int) -> Strip:
        """The row below a card: an edge of the cursor's box, or a § as in the file.

        Args:
            past_cursor: how far below the cursor's card it is: 0 right under it, -1 right above it.
            between: whether a card is above and another one below.
            focused: whether keys go to the list.
            width: its cells.
        """
        base = self._widget.rich_style
        if past_cursor in (0, -1):
            edge = self._style("cursor" if focused else "away")
            left, right = ("╰", "╯") if past_cursor == 0 else ("╭", "╮")
            line = Style(color=edge.color, bgcolor=base.bgcolor)
            return Strip([Segment(f"{left}{'─' * (width - 2)}{right}", line)], width)
        if between:
            return Strip([Segment("§", self._style("rule")), Segment(" " * (width - 1), base)], width)
        return Strip.blank(width, base)

    def words(self, text: str, y: int, width: int, height: int) -> Strip:
        """Row `y` of a list without cards: what there is to say, in the middle."""
        base = self._widget.rich_style
        lines = [line for part in text.split("\n") for line in wrap_cells(part, max(2, width - 2))]
        at = y - max(0, (height - len(lines)) // 2)
        line = lines[at] if 0 <= at < len(lines) else ""
        left = " " * ((width - cells(line)) // 2)
        return Strip([Segment(left, base), Segment(line, self._style("muted"))]).adjust_cell_length(width, base)

    def card(
        self, card: Card, rows: Sequence[Row], width: int, cursor: Cursor, selected: bool, layout: Layout
    ) -> list[Strip]:
        """The rows of a card as strips of `width` cells."""
        look = (card, cursor, selected, layout)
        strips = self._drawn.get(look)
        if strips is None:
            strips = self._drawn[look] = list(self._draw(card, rows, width, cursor, selected, tight=layout[3]))
        return strips

    def _draw(
        self, card: Card, rows: Sequence[Row], width: int, cursor: Cursor, selected: bool, *, tight: bool
    ) -> Iterable[Strip]:
        base = self._widget.rich_style
        edge = self._style("rule" if cursor == "none" else "cursor" if cursor == "here" else "away")
        line = Style(color=edge.color, bgcolor=base.bgcolor)
        fill = Style(bgcolor=edge.bgcolor if cursor == "here" else base.bgcolor)
        mark = {"here": "▌", "away": "▏", "none": " "}[cursor]

        def style_of(tone: Tone) -> Style:
            # Badges and marks have a ground of their own; everything else stands on the card's.
            return self._style(tone) if _INKS[tone][1] else self._style(tone) + fill

        for at, row in enumerate(rows):
            tone: Tone = "muted"
            head = f"{card.entry.index:>3}" if at == 0 else "   "
            if selected and at == min(1, len(rows) - 1):
                head, tone = "[x]", "selected"
            segments = [] if tight else [Segment("│", line)]
            segments += [Segment(mark, line + fill), Segment(f"{head} ", style_of(tone))]
            segments += [Segment(piece.text, style_of(piece.tone)) for piece in row]
            inner = Strip(segments).adjust_cell_length(width - (0 if tight else 1), base + fill)
            right = Segment("│" if cursor != "none" else " ", line)
            yield inner if tight else Strip.join([inner, Strip([right], 1)])
