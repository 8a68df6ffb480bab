"""Putting matches in order of how well they match, over the whole history, without one long reading."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from math import log

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.features import names
from hermes_tui.sessions.folding import fold
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.query import Reading
from hermes_tui.sessions.sources import Match, searched_text

BATCH = 100
BEST = 2_000
"""So many of the best are kept; nobody reads further."""
SATURATION, LENGTH_WEIGHT, USUAL_CHARS = 1.2, 0.75, 600.0
"""As in BM25: what a second occurrence is worth, how much long messages are held back, what is a usual length."""
SPOKEN = 1.3
"""What people and the agent said counts this much more than what tools put out."""


def ranked(
    base: Database, stream: Iterator[Match | None], reading: Reading, stopped: Callable[[], bool]
) -> Iterator[Match | None]:
    """The matches of a stream, best first; while they are read, None now and then.

    Args:
        base: the database.
        stream: the matches, newest first.
        reading: what was looked for.
        stopped: whether nobody waits any more.
    """
    best: list[tuple[float, int, Match]] = []
    waiting: list[Match] = []
    score = Scorer(reading)

    def take() -> None:
        for value, match in score.of(base, waiting):
            entry = (value, match.id, match)
            if len(best) < BEST:
                heapq.heappush(best, entry)
            else:
                heapq.heappushpop(best, entry)
        waiting.clear()

    for match in stream:
        if stopped():
            return
        if match is not None:
            waiting.append(match)
        if len(waiting) >= BATCH:
            take()
            yield None
    take()
    for _, _, match in sorted(best, reverse=True):
        yield match


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
        length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(folded) / USUAL_CHARS
        total = 0.0
        for matcher in self._matchers:
            count = len(matcher.spans(folded))
            total += count * (SATURATION + 1) / (count + SATURATION * length)
        return (total + log(1 + total)) * (SPOKEN if role in ("user", "assistant") else 1.0)
