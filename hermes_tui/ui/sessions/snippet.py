"""The part of a text that a row has room for: made safe, on one line, around its first match. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from hermes_tui.redaction.marked import masked
from hermes_tui.text import ELLIPSIS, cells, one_line, visible_map

LEAD = 3
"""A third of the room may stand before the first match."""
WORD_CHARS = 12
"""A word is looked for so far from where a text is cut."""
MAX_CHARS = 4_000
"""A row needs no more of a text than this; a tool's output can be megabytes."""

Span = tuple[int, int]
_SPACES = re.compile(r"\s+")


def window(text: str, marks: Sequence[Span], width: int) -> tuple[str, tuple[Span, ...]]:
    """At most `width` cells of `text` in which its first mark can be seen, and the marks in them."""
    if width <= 0:
        return "", ()
    first = marks[0][0] if marks else 0
    start = max(0, first - MAX_CHARS // 2)
    part, spans = masked(text[start : start + MAX_CHARS], [(a - start, b - start) for a, b in marks])
    part, spans = _calm(part, spans)
    shown, places = visible_map(part, multiline=False)
    last = len(part)
    spans = [(places[min(last, max(0, a))], places[min(last, max(0, b))]) for a, b in spans]
    spans = [(a, b) for a, b in spans if b > a]
    at = _begin(shown, spans[0][0] if spans else 0, width)
    head = ELLIPSIS if (at or start) and not shown[at:].startswith(ELLIPSIS) else ""
    rest = shown[at:]
    tail = one_line(rest, width - cells(head))
    end = at + len(tail) - (tail != rest)
    moved = len(head) - at
    inside = tuple((max(a, at) + moved, min(b, end) + moved) for a, b in spans if b > at and a < end)
    return head + tail, inside


def _calm(text: str, marks: Sequence[Span]) -> tuple[str, list[Span]]:
    """White space of any kind as one blank, and the marks where they are then."""
    starts: list[int] = []
    gone: list[int] = []
    total = 0
    for found in _SPACES.finditer(text):
        if found.end() - found.start() > 1:
            total += found.end() - found.start() - 1
            starts.append(found.end())
            gone.append(total)

    def moved(place: int) -> int:
        number = bisect_right(starts, place)
        return place - (gone[number - 1] if number else 0)

    return _SPACES.sub(" ", text), [(moved(a), moved(b)) for a, b in marks]


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
    if at <= 1:
        return 0
    space = shown.find(" ", at - 1, min(first, at + WORD_CHARS))
    if space >= 0:
        return space + 1
    while at > 0 and cells(shown[at]) == 0:
        at -= 1  # marks stay with the letter they stand on
    return at
