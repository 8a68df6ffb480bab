"""Putting matches in order of how well they match, over the whole history, without one long reading."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import log

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.features import names
from hermes_tui.sessions.folding import fold
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.query import Reading
from hermes_tui.sessions.sources import Chunk, Match, searched_text

BATCH = 200
"""Messages read by one statement."""
BEST = 2_000
"""So many of the best are kept; nobody reads further."""
SATURATION, LENGTH_WEIGHT, USUAL_CHARS = 1.2, 0.75, 600.0
"""As in BM25: what a second occurrence is worth, how much long messages are held back, what is a usual length."""
SPOKEN = 1.3
"""What people and the agent said counts this much more than what tools put out."""


def ranked(base: Database, stream: Iterator[Chunk], reading: Reading) -> Iterator[Chunk]:
    """The matches of a stream, best first, in the last chunk; empty ones while they are read.

    Args:
        base: the database.
        stream: the matches, newest first.
        reading: what was looked for.
    """
    best: list[tuple[float, int, Match]] = []
    score = Scorer(reading)
    for chunk in stream:
        for start in range(0, len(chunk), BATCH):
            entries = [(value, match.id, match) for value, match in score.of(base, chunk[start : start + BATCH])]
            best = heapq.nlargest(BEST, best + entries)
            yield []
    yield [match for _, _, match in best]


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
