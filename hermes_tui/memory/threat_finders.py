"""Finders of threat classes: from patterns and gaps to a first match, in time linear in the text.

Gaps that span up to thousands of characters are closed from sorted pieces instead of by backtracking, which
hostile text could make slow. Few texts need more than a few of the patterns, so that each is compiled when it is first
needed; `re` keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

Span = tuple[int, int]
"""Start and end of a match."""
Finder = Callable[[str, str], Span | None]
"""Finds the first match, given the text twice at equal length: case folded, for matching, and as it was."""


def fold(norm: str) -> str:
    """`norm` (in NFKC) with case folded the way a case-insensitive pattern sees it, character for character."""
    if norm.isascii():
        return norm.lower()
    # The Turkish letters match `i` when case is ignored, and one of them would grow when lowered.
    return norm.replace("İ", "i").replace("ı", "i").lower()


class Piece(NamedTuple):
    """A fixed part of a pattern whose parts lie up to a given number of characters apart."""

    start: int
    end: int
    left: int
    """Where a gap before this piece may end: before its leading white space, if it asks for any."""
    right: int
    """Where a gap after this piece may begin: after its trailing white space, if it asks for any."""


Pieces = Callable[[str], list[Piece]]
"""Lists the places of a piece in a folded text, in order."""

_SPACE = re.compile(r"\s++")


def pieces(pattern: str, *, space_before: bool = False, space_after: bool = False) -> Pieces:
    """A function listing all matches of `pattern` with the white space it asks for around them.

    A group looked ahead at belongs to the piece but not to the match, so that the next piece may begin inside it.
    """

    def list_pieces(low: str) -> list[Piece]:
        compiled = re.compile(pattern)
        found = []
        for match in compiled.finditer(low):
            start, end = match.start(), match.end(compiled.groups)
            left, right = start, end
            if space_before:
                while left and low[left - 1].isspace():
                    left -= 1
                if left == start:
                    continue
            if space_after:
                space = _SPACE.match(low, end)
                if space is None:
                    continue
                right = space.end()
            found.append(Piece(start, end, left, right))
        return found

    return list_pieces


def _reaching(
    low: str, heads: Sequence[Piece], targets: Sequence[Piece], limit: int, wall: str
) -> list[tuple[Piece, Piece]]:
    """The heads that have a target at most `limit` characters on, with no `wall` between, each with its nearest."""
    found = []
    nearest = 0
    for head in heads:
        while nearest < len(targets) and targets[nearest].left < head.end:
            nearest += 1
        index = nearest
        # One run of white space serves both sides only if there is a character of it for each.
        if index < len(targets) and targets[index].left < head.right and targets[index].start - head.end < 2:
            index += 1
        if index == len(targets):
            continue
        target = targets[index]
        gap = target.left - head.right
        if gap <= 0 or (gap <= limit and low.find(wall, head.right, target.left) < 0):
            found.append((head, target))
    return found


def search(pattern: str) -> Finder:
    """A finder for a pattern that is safe to search for as it is."""

    def find(low: str, _norm: str) -> Span | None:
        match = re.search(pattern, low)
        return match.span() if match else None

    return find


def pair(heads: Pieces, targets: Pieces, limit: int, wall: str = "\n") -> Finder:
    """A finder for a head followed by a target at most `limit` characters on, with no `wall` between."""

    def find(low: str, _norm: str) -> Span | None:
        ends = targets(low)
        if not ends:
            return None
        pairs = _reaching(low, heads(low), ends, limit, wall)
        return (pairs[0][0].start, pairs[0][1].end) if pairs else None

    return find


def triple(heads: Pieces, middles: Pieces, targets: Pieces, limit: int, wall: str = "\n") -> Finder:
    """A finder for three pieces, each at most `limit` characters after the one before, with no `wall` between."""

    def find(low: str, _norm: str) -> Span | None:
        ends = targets(low)
        if not ends:
            return None
        closed = _reaching(low, middles(low), ends, limit, wall)
        pairs = _reaching(low, heads(low), [middle for middle, _ in closed], limit, wall)
        if not pairs:
            return None
        head, middle = pairs[0]
        return head.start, next(end.end for candidate, end in closed if candidate is middle)

    return find
