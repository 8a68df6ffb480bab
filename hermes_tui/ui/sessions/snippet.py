"""The part of a text that a row has room for: made safe, on one line, around its first match. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.text import ELLIPSIS, cells, one_line, visible_map

LEAD = 3
"""A third of the room may stand before the first match."""
MAX_CHARS = 4_000
"""A row needs no more of a text than this; a tool's output can be megabytes."""

Span = tuple[int, int]


def window(text: str, marks: Sequence[Span], width: int) -> tuple[str, tuple[Span, ...]]:
    """At most `width` cells of `text` in which its first mark can be seen, and the marks in them."""
    if width <= 0:
        return "", ()
    first = marks[0][0] if marks else 0
    start = max(0, first - MAX_CHARS // 2)
    part = text[start : start + MAX_CHARS].replace("\n", " ").replace("\r", " ").replace("\t", " ")
    shown, places = visible_map(part, multiline=False)
    last = len(part)
    spans = [(places[min(last, max(0, a - start))], places[min(last, max(0, b - start))]) for a, b in marks]
    spans = [(a, b) for a, b in spans if b > a]
    at = _begin(shown, spans[0][0] if spans else 0, width)
    cut = bool(at or start)
    head = ELLIPSIS if cut else ""
    rest = shown[at:]
    tail = one_line(rest, width - cells(head))
    end = at + len(tail) - (tail != rest)
    moved = len(head) - at
    inside = tuple((max(a, at) + moved, min(b, end) + moved) for a, b in spans if b > at and a < end)
    return head + tail, inside


def _begin(shown: str, first: int, width: int) -> int:
    """Where to begin so that the match stands in the first third, or the end of the text fills the room."""
    if cells(shown) <= width:
        return 0
    room = width // LEAD
    at = first
    while at > 0 and cells(shown[at - 1 : first]) <= room:
        at -= 1
    while at > 0 and cells(shown[at - 1 :]) < width:
        at -= 1
    while 0 < at < len(shown) and cells(shown[at]) == 0:
        at -= 1  # marks stay with the letter they stand on
    return at if at > 1 else 0
