"""Streams of messages that match a reading, newest first, each read in statements of a few milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from hermes_tui.errors import Unreadable
from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.expressions import (
    asked_by_sql,
    exact,
    literal_match,
    paired,
    threefold,
    without,
    words_match,
)
from hermes_tui.sessions.features import Features, kept, names, unindexed
from hermes_tui.sessions.folding import fold
from hermes_tui.sessions.messages import message_text
from hermes_tui.sessions.narrowing import Condition
from hermes_tui.sessions.query import Reading
from hermes_tui.sessions.salvage import is_damage, salvaged
from hermes_tui.sessions.scoring import NAME
from hermes_tui.sessions.stored import text_of

TARGET_SECONDS = 0.012
"""What one statement should take; its share of the table grows and shrinks to fit."""
SAMPLE_SECONDS = 0.012
SAMPLE_ROWS = 2_000
COMMON_ROWS = 100_000
"""A beginning of a word in more messages than this is found faster by reading the newest messages: the index would
put together the lists of all words that begin like it first."""
FIRST_ROWS, MOST_ROWS = 64, 2_000
FIRST_SPAN = 50_000
SCAN_ROWS = 500
SCAN_MOST = 8_000


class Match(NamedTuple):
    """A message that matches."""

    id: int
    session_id: str
    role: str
    timestamp: float | None


Chunk = list[Match]
"""What one statement found, maybe nothing; between two of them whoever reads a stream can look around."""

Scored = list[tuple[float, Match]]
"""Matches with how good they are; more is better."""

_COLUMNS = ("id", "session_id", "role", "timestamp")
_TEXTS = ("content", "tool_name", "tool_calls")
_IS_JSON = "(m.content > '' AND unicode(m.content) IS NULL)"
"""Whether a message is kept as JSON. The index then has words that nobody said, such as `type`, and lacks others."""


class Sources:
    """Finds the messages that match a reading.

    Args:
        base: the database.
        condition: what is asked of every message besides.
        within: only these sessions, if they are so few that their messages are best read one session after the
            other, in this order.
        likely: the ids (first, last) that are looked at before all others.
        thorough: whether looser readings, too, look at what an index of parts of words leaves out.
    """

    def __init__(
        self,
        base: Database,
        condition: Condition | None = None,
        within: Sequence[str] | None = None,
        likely: tuple[int, int] | None = None,
        thorough: bool = False,
    ) -> None:
        self._base = base
        self._condition = condition.sql if condition else ""
        self._values = condition.values if condition else ()
        self._within = within
        self._likely = likely
        self._thorough = thorough
        self.stored_so: list[Match] = []
        """Messages that only the way they are stored makes match, when everything is looked for: the JSON around a
        picture."""
        self.notes: list[str] = []
        """What a person should know about how it was searched, in sentences."""
        self.progress = 0.0
        """How much of the history was looked through by the stream that runs, 0 to 1."""

    @property
    def _features(self) -> Features:
        return self._base.features()

    def stream(self, reading: Reading) -> Iterator[Chunk]:
        """Matching messages, newest first."""
        self.progress = 0.0
        if self._within is not None:
            yield from self._inside(reading, self._within)
            return
        (last,) = self._base.rows("SELECT max(id) FROM messages")[0]
        if last is None:
            return
        low, high = self._likely or (1, last)
        seen: set[int] = set()
        for first, end in ((low, min(high, last)), (high + 1, last), (1, low - 1)):
            if first > end:
                continue
            for chunk in self._from_best(reading, first, end):
                yield [match for match in chunk if match.id not in seen]
                seen.update(match.id for match in chunk)

    def _from_best(self, reading: Reading, first: int, last: int) -> Iterator[Chunk]:
        """From the index that knows the most of it, and from the table where that has gaps."""
        plan = self._plan(reading)
        if plan is None:
            yield from self._scan(reading, first, last)
            return
        try:
            for low, high in unindexed(self._base.rows, self._features):
                yield from self._scan(reading, max(low, first), min(high, last))
            yield from plan(first, last)
        except Unreadable as error:
            if error.code in ("sessions_locked", "sessions_unfinished"):
                raise
            # A damaged index must not hide what the table of messages still has.
            self._base.rows("SELECT id FROM messages LIMIT 1")
            self.notes.append("The search index is damaged, so this was a plain scan.")
            yield from self._scan(reading, first, last)

    def _plan(self, reading: Reading) -> Callable[[int, int], Iterator[Chunk]] | None:
        features, groups = self._features, reading.groups
        if features.words and all(any(term.indexed for term in group.terms) for group in groups):
            if any(term.prefix for term in reading.terms):
                return lambda first, last: self._beginnings(reading, first, last)
            return lambda first, last: self._indexed("messages_fts", words_match(reading), reading, first, last)
        if features.bigrams and all(any(map(paired, group.terms)) for group in groups):
            match = literal_match(reading, paired)
            return lambda first, last: self._partly("messages_fts_cjk", match, reading, first, last, partial=True)
        if features.trigram and all(any(map(threefold, group.terms)) for group in groups):
            match = literal_match(reading, threefold)
            return lambda first, last: self._partly(
                "messages_fts_trigram", match, reading, first, last, partial=features.trigram_partial
            )
        return None

    def _partly(
        self, index: str, match: str, reading: Reading, first: int, last: int, *, partial: bool
    ) -> Iterator[Chunk]:
        """From an index that may leave out some kinds of messages, then those from the table."""
        yield from self._indexed(index, match, reading, first, last)
        if partial and (self._thorough or reading.when == "first"):
            yield from self._scan(reading, first, last)

    def _beginnings(self, reading: Reading, first: int, last: int) -> Iterator[Chunk]:
        """A word that may go on: read the newest messages, then decide what is faster for the others."""
        grown = [term for term in reading.terms if term.prefix]
        alone = [*reading.terms] == grown and len(grown) == 1 and not reading.groups[0].excluded
        sampled = matched = 0
        extra, values = asked_by_sql(grown, "OR") if len(reading.groups) == 1 else ("", [])
        high, until = last, time.perf_counter() + SAMPLE_SECONDS
        while high >= first and sampled < SAMPLE_ROWS and time.perf_counter() < until:
            low = max(first, high - SCAN_ROWS // 2 + 1)
            chunk = []
            sampled += high - low + 1
            for row in self._table(low, high, extra, values):
                folded = _folded(row)
                grows = any(term.found_in(folded) for term in grown)
                matched += grows
                if row[-1] and (grows if alone else reading.accepts(folded)):
                    chunk.append(_match(row))
            yield chunk
            high = low - 1
        if high < first:
            return
        if matched * last <= COMMON_ROWS * max(sampled, 1):
            yield from self._indexed("messages_fts", words_match(reading), reading, first, high, whole=True)
        elif all(any(term.indexed and not term.prefix for term in group.terms) for group in reading.groups):
            settled = words_match(without(reading, lambda term: term.prefix))
            yield from self._indexed("messages_fts", settled, reading, first, high, verify=True)
        elif not reading.probe:
            yield from self._scan(reading, first, high)

    def _indexed(
        self,
        index: str,
        match: str,
        reading: Reading,
        first: int,
        last: int,
        *,
        whole: bool = False,
        verify: bool = False,
    ) -> Iterator[Chunk]:
        """From an index, in ranges of message ids.

        Args:
            index: its table.
            match: the expression for it.
            reading: what is looked for.
            first: the oldest message to look at.
            last: the newest message to look at.
            whole: whether each statement looks at all the rest, as for beginnings of words, which are put
                together anew by each.
            verify: whether the expression finds more than is looked for.
        """
        verify = verify or not exact(reading, index)
        passes = self._visible()
        # What may not be seen is told by a column, not by a condition: a statement ends after so many matches then,
        # be they seen or not.
        texts = "".join(f", CASE WHEN {passes if verify else _IS_JSON} THEN m.{name} END" for name in _TEXTS)
        columns = ", ".join(f"m.{name}" for name in _COLUMNS)
        extra: str = ""
        values: list[object] = []
        if verify and not whole and not reading.probe and len(reading.groups) == 1:
            # Ranges of ids keep the statement short, however few of the matches have what is asked for besides.
            extra, values = asked_by_sql([term for term in reading.terms if term.literal], "AND")
        sql = (
            f"SELECT {columns}{texts}, {passes} FROM {index} CROSS JOIN messages m ON m.id = {index}.rowid"
            f" WHERE {index} MATCH ? AND {index}.rowid BETWEEN ? AND ?{extra} ORDER BY {index}.rowid DESC LIMIT ?"
        )
        asked = [*self._values] * (len(_TEXTS) * verify + 1)
        high, span, limit, looked = last, FIRST_SPAN, FIRST_ROWS, 0
        while high >= first and not 0 < reading.probe <= looked:
            low = first if whole else max(first, high - span + 1)
            began = time.perf_counter()
            rows = self._base.rows(sql, (*asked, match, low, high, *values, limit))
            chunk = []
            for row in rows:
                if row[-1] and ((not verify and row[4] is None) or reading.accepts(_folded(row))):
                    chunk.append(_match(row))
                elif row[-1] and not verify and self._thorough:
                    self.stored_so.append(_match(row))
            looked += len(rows)
            full = len(rows) == limit
            high = int(rows[-1][0]) - 1 if full else low - 1
            self.progress = 1 - high / max(last, 1)
            took = time.perf_counter() - began
            if full:
                limit = min(limit * 2, MOST_ROWS) if took < TARGET_SECONDS else max(limit // 2, FIRST_ROWS // 4)
            elif not whole:
                span = span * 2 if took < TARGET_SECONDS else max(span // 2, 1_000)
            yield chunk

    def scored(self, reading: Reading) -> Iterator[Scored] | None:
        """All matches with how good they are, newest first; None when the index alone cannot tell."""
        known = self._features.words and all(any(term.indexed for term in group.terms) for group in reading.groups)
        if self._within is not None or not known or not exact(reading, "messages_fts"):
            return None
        self._base.let_score()
        return self._scored(words_match(reading))

    def _scored(self, match: str) -> Iterator[Scored]:
        columns = ", ".join(f"m.{name}" for name in _COLUMNS)
        sql = (
            f"SELECT {columns}, {NAME}(messages_fts), {self._visible()}"
            " FROM messages_fts CROSS JOIN messages m ON m.id = messages_fts.rowid"
            " WHERE messages_fts MATCH ? AND messages_fts.rowid BETWEEN ? AND ?"
        )
        (last,) = self._base.rows("SELECT coalesce(max(id), 0) FROM messages")[0]
        high, span = int(last), SCAN_ROWS
        while high > 0:
            began = time.perf_counter()
            rows = self._base.rows(sql, (*self._values, match, max(1, high - span + 1), high))
            high -= span
            self.progress = 1 - max(high, 0) / last
            span = span * 2 if time.perf_counter() - began < TARGET_SECONDS else max(span // 2, 100)
            yield [(row[4], _match(row)) for row in rows if row[5]]

    def _scan(self, reading: Reading, first: int, last: int) -> Iterator[Chunk]:
        """From the table itself, in ranges of message ids."""
        extra, values = asked_by_sql(reading.groups[0].terms, "AND") if len(reading.groups) == 1 else ("", [])
        high, span = last, SCAN_ROWS
        while high >= first:
            low = max(first, high - span + 1)
            began = time.perf_counter()
            rows = self._around_damage(low, high, extra, values)
            chunk = [_match(row) for row in rows if row[-1] and reading.accepts(_folded(row))]
            high = low - 1
            if not rows and high - first > SCAN_MOST:
                # Ids may be far apart.
                (below,) = self._base.rows("SELECT coalesce(max(id), 0) FROM messages WHERE id <= ?", (high,))[0]
                high = min(high, int(below))
            self.progress = 1 - high / max(last, 1)
            took = time.perf_counter() - began
            span = min(span * 2, SCAN_MOST) if took < TARGET_SECONDS else max(span // 2, 50)
            yield chunk

    def _inside(self, reading: Reading, sessions: Sequence[str]) -> Iterator[Chunk]:
        """From all messages of some sessions, newest first in each."""
        columns = names((*_COLUMNS, *_TEXTS), self._features.messages, prefix="m.")
        sql = (
            f"SELECT {columns} FROM messages m WHERE m.session_id = ? AND m.id < ? AND {self._visible()}"
            " ORDER BY m.id DESC LIMIT ?"
        )
        for number, session in enumerate(sessions):
            below = 1 << 62
            while True:
                rows = self._base.rows(sql, (session, below, *self._values, SCAN_ROWS))
                yield [_match(row) for row in rows if reading.accepts(_folded(row))]
                if len(rows) < SCAN_ROWS:
                    break
                below = int(rows[-1][0])
            self.progress = (number + 1) / len(sessions)

    def newest(self, session: str) -> Match | None:
        """The newest message of a session of which nothing is asked but the condition."""
        columns = names(_COLUMNS, self._features.messages, prefix="m.")
        rows = self._base.rows(
            f"SELECT {columns} FROM messages m WHERE m.session_id = ? AND {self._visible()} ORDER BY m.id DESC LIMIT 1",
            (session, *self._values),
        )
        return _match(rows[0]) if rows else None

    def _table(self, low: int, high: int, extra: str, values: Iterable[object] = ()) -> list[Row]:
        """Messages with their texts, and in the last column whether they may be seen."""
        columns = names((*_COLUMNS, *_TEXTS), self._features.messages, prefix="m.")
        return self._base.rows(
            f"SELECT {columns}, {self._visible()} FROM messages m WHERE m.id BETWEEN ? AND ?{extra} ORDER BY m.id DESC",
            (*self._values, low, high, *values),
        )

    def _around_damage(self, low: int, high: int, extra: str, values: Sequence[object]) -> list[Row]:
        """The same, without those that lie in damaged pages."""
        try:
            return self._table(low, high, extra, values)
        except Unreadable as error:
            if not is_damage(error):
                raise
        self.notes.append("Some of the database is damaged; what lies there was passed over.")
        ids = range(high, low - 1, -1)
        found = salvaged(lambda some: self._table(some[-1], some[0], extra, values), ids, lambda _: [])
        return [row for rows in found for row in rows]

    def _visible(self) -> str:
        """Whether a message was neither undone nor hidden, and the filters let it through."""
        seen = kept(self._features.messages, "m.")
        return f"({seen} AND {self._condition})" if self._condition else f"({seen})"


def _match(row: Row) -> Match:
    return Match(int(row[0]), text_of(row[1]), text_of(row[2]), moment(row[3]))


def searched_text(content: object, tool_name: object, tool_calls: object) -> str:
    """All of a message that can be found, as the agent's index has it."""
    extra = " ".join(filter(None, (text_of(tool_name), text_of(tool_calls))))
    text = message_text(content)
    return f"{text} {extra}" if extra else text


def _folded(row: Row) -> str:
    content = row[4]
    if type(content) is str and row[6] is None and row[5] is None and not content.startswith("\x00"):
        return fold(content)  # most of them: worth not looking further
    return fold(searched_text(row[4], row[5], row[6]))
