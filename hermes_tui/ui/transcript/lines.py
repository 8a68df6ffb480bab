"""Lines of a transcript: pieces of text with a role, wrapped to a width, and the marks laid over them. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from hermes_tui.text import cells, one_line, wrap_spans

# fmt: off
Tone = Literal[
    "plain", "muted", "heading", "strong", "emphasis", "strike", "code", "link", "quote", "rule", "user", "assistant",
    "other", "mask", "match", "current", "warning", "error", "accent",
]
# fmt: on
Ground = Literal["", "code"]


class Piece(NamedTuple):
    """A run of characters in one role."""

    text: str
    tone: Tone = "plain"
    start: int = -1
    """Where it stands in the text it is from; -1 for words of our own."""


class Line(NamedTuple):
    """One row of a transcript."""

    pieces: tuple[Piece, ...] = ()
    fold: str = ""
    """What folds and unfolds with the cursor here: the name of a part of the message."""
    ground: Ground = ""
    section: int = -1
    """The part of the message that the offsets of its pieces are of."""

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(piece.text for piece in self.pieces)


class Overlay(NamedTuple):
    """A slice of a text that has a role of its own, whatever it is drawn as."""

    start: int
    end: int
    tone: Tone


BLANK = Line()


def cut(runs: Iterable[Piece], first: int, last: int) -> list[Piece]:
    """The slice of a text made of `runs`, as pieces."""
    found: list[Piece] = []
    at = 0
    for run in runs:
        end = at + len(run.text)
        if end > first and at < last:
            left, right = max(0, first - at), min(len(run.text), last - at)
            found.append(Piece(run.text[left:right], run.tone, run.start + left if run.start >= 0 else -1))
        at = end
        if at >= last:
            break
    return found


def flow(
    runs: Sequence[Piece],
    width: int,
    first: Sequence[Piece] = (),
    rest: Sequence[Piece] | None = None,
    ground: Ground = "",
) -> list[Line]:
    """`runs` wrapped into lines, each after what stands at its beginning.

    Args:
        runs: the text.
        width: cells of a line, its beginning included.
        first: how the first line begins.
        rest: how the others begin; as the first when None.
        ground: what they stand on.
    """
    rest = first if rest is None else rest
    room = max(2, width - max(_cells(first), _cells(rest)))
    if len(runs) == 1 and len(runs[0].text) * 2 <= room:
        return [Line((*first, runs[0]), ground=ground)]
    text = "".join(run.text for run in runs)
    lines: list[Line] = []
    for number, (start, end) in enumerate(wrap_spans(text, room)):
        lead = rest if number else first
        lines.append(
            Line((*lead, *(cut(runs, start, end) if len(runs) > 1 else _slice(runs, start, end))), ground=ground)
        )
    return lines


def _slice(runs: Sequence[Piece], start: int, end: int) -> tuple[Piece, ...]:
    if not runs:
        return ()
    text, tone, at = runs[0]
    return (Piece(text[start:end], tone, at + start if at >= 0 else -1),)


def _cells(pieces: Iterable[Piece]) -> int:
    return sum(cells(piece.text) for piece in pieces)


def clipped(pieces: Sequence[Piece], width: int) -> tuple[Piece, ...]:
    """Visible pieces on one line of at most `width` cells; the last that fits in part ends in …."""
    if _cells(pieces) <= width:
        return tuple(pieces)
    kept: list[Piece] = []
    room = width
    for piece in pieces:
        size = cells(piece.text)
        if size > room or (size == room and piece is not pieces[-1]):
            kept.append(piece._replace(text=one_line(f"{piece.text} ", room)))
            break
        kept.append(piece)
        room -= size
    return tuple(piece for piece in kept if piece.text)


def verbatim(
    text: str, width: int, tone: Tone = "plain", ground: Ground = "", lead: Sequence[Piece] = ()
) -> list[Line]:
    """A visible text as it stands, wrapped."""
    room = max(2, width - _cells(lead))
    return [
        Line((*lead, Piece(text[start:end], tone, start)) if end > start else tuple(lead), ground=ground)
        for start, end in wrap_spans(text, room)
    ]


def overlaid(lines: Sequence[Line], overlays: Sequence[Overlay]) -> tuple[list[Line], list[int]]:
    """`lines` with the overlays on them, and the number of the line that each overlay begins on.

    Args:
        lines: lines of one text.
        overlays: slices of that text, in order, not overlapping.
    """
    if not overlays:
        return list(lines), []
    ends = [overlay.end for overlay in overlays]
    place = [-1] * len(overlays)
    reached: list[int] = []
    furthest = -1
    found: list[Line] = []
    for number, line in enumerate(lines):
        pieces: list[Piece] = []
        for piece in line.pieces:
            if piece.start < 0:
                pieces.append(piece)
                continue
            at, end = piece.start, piece.start + len(piece.text)
            furthest = max(furthest, end)
            index = bisect_right(ends, at)
            while index < len(overlays) and overlays[index].start < end:
                overlay = overlays[index]
                left, right = max(at, overlay.start), min(end, overlay.end)
                if left > at:
                    pieces.append(Piece(piece.text[at - piece.start : left - piece.start], piece.tone, at))
                pieces.append(Piece(piece.text[left - piece.start : right - piece.start], overlay.tone, left))
                if place[index] < 0:
                    place[index] = number
                at = right
                index += 1
            if at < end:
                pieces.append(Piece(piece.text[at - piece.start :], piece.tone, at))
        reached.append(furthest)
        found.append(line._replace(pieces=tuple(pieces)))
    # What is not drawn, such as the address of a picture, is where the text around it is.
    for index, overlay in enumerate(overlays):
        if place[index] < 0:
            place[index] = min(bisect_right(reached, overlay.start), max(0, len(lines) - 1))
    return found, place


def layered(under: Sequence[Overlay], over: Sequence[Overlay]) -> list[Overlay]:
    """Both in order, without what of `under` is beneath one of `over`."""
    if not under or not over:
        return list(under or over)
    found: list[Overlay] = list(over)
    starts = [overlay.start for overlay in over]
    for overlay in under:
        at = overlay.start
        index = max(0, bisect_right(starts, at) - 1)
        while at < overlay.end:
            while index < len(over) and over[index].end <= at:
                index += 1
            if index == len(over) or over[index].start >= overlay.end:
                found.append(Overlay(at, overlay.end, overlay.tone))
                break
            if over[index].start > at:
                found.append(Overlay(at, over[index].start, overlay.tone))
            at = over[index].end
    return sorted(found)
