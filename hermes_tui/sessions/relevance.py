"""Putting matches in order of how well they match, over the whole history, without one long reading."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.expressions import whole_words
from hermes_tui.sessions.features import names
from hermes_tui.sessions.folding import fold
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.query import Reading
from hermes_tui.sessions.scoring import saturated
from hermes_tui.sessions.sources import Chunk, Match, Scored, Sources, searched_text

Key = Callable[[tuple[float, Match]], Any] | None
"""What comes first of those that match equally well; None for the newest."""

BATCH = 200
"""Messages read by one statement."""
BEST = 2_000
"""So many of the best are kept; nobody reads further."""
USUAL_CHARS = 600.0
"""The length of a usual message."""
SPOKEN = 1.3
"""What people and the agent said counts this much more than what tools put out."""


def ranked(base: Database, sources: Sources, reading: Reading, *, oldest: bool = False) -> Iterator[Chunk]:
    """All matches: the best of the whole history first, then the others, newest first; empty chunks meanwhile.

    Args:
        base: the database.
        sources: where the matches come from.
        reading: what is looked for.
        oldest: of those that match equally well, the one that was written first comes first, not the newest.
    """
    scored = sources.scored(whole_words(reading))
    key = _written_first if oldest else None
    best = yield from _best_scored(base, scored, reading, key) if scored else _best_read(base, sources, reading, key)
    yield best
    known = {match.id for match in best}
    if scored or len(best) == BEST:
        for chunk in sources.stream(reading):
            yield [match for match in chunk if match.id not in known]


def _written_first(scored: tuple[float, Match]) -> tuple[float, int]:
    return scored[0], -scored[1].id


def _best_scored(
    base: Database, scored: Iterator[Scored], reading: Reading, key: Key
) -> Generator[Chunk, None, list[Match]]:
    """By what the index knows; only the best are read, to see who said it."""
    best: list[tuple[float, Match]] = []
    for chunk in scored:
        best = heapq.nlargest(BEST, best + chunk, key)
        yield []
    read: list[tuple[float, Match]] = []
    scorer = Scorer(reading)
    for start in range(0, len(best), BATCH):
        read += scorer.of(base, [match for _, match in best[start : start + BATCH]])
        yield []
    return [match for _, match in sorted(read, key=key, reverse=True)]


def _best_read(base: Database, sources: Sources, reading: Reading, key: Key) -> Generator[Chunk, None, list[Match]]:
    """By reading every text that matches."""
    best: list[tuple[float, Match]] = []
    scorer = Scorer(reading)
    for chunk in sources.stream(reading):
        for start in range(0, len(chunk), BATCH):
            best = heapq.nlargest(BEST, [*best, *scorer.of(base, chunk[start : start + BATCH])], key)
            yield []
    return [match for _, match in best]


class Scorer:
    """Says how well a message matches."""

    def __init__(self, reading: Reading) -> None:
        self._matchers = [Matcher([term]) for term in dict.fromkeys(reading.terms)]

    def of(self, base: Database, matches: Sequence[Match]) -> Iterator[tuple[float, Match]]:
        """Each of some matches with its score; higher is better."""
        if not matches:
            return
        columns = names(("id", "content", "tool_name", "tool_calls"), base.features().messages)
        marks = ", ".join("?" * len(matches))
        rows = base.rows(f"SELECT {columns} FROM messages WHERE id IN ({marks})", [match.id for match in matches])
        texts = {int(row[0]): searched_text(*row[1:]) for row in rows}
        for match in matches:
            yield self._score(texts.get(match.id, ""), match.role), match

    def _score(self, text: str, role: str) -> float:
        folded = fold(text)
        total = sum(saturated(len(matcher.spans(folded)), len(folded), USUAL_CHARS) for matcher in self._matchers)
        return total * (SPOKEN if role in ("user", "assistant") else 1.0)
