"""What background reviews have left behind of their writes, which are not in the messages: lines of log, and usage."""

from __future__ import annotations

import math
import os
import re
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from hermes_tui.disk import open_regular
from hermes_tui.history.calls import MemoryCall
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.stored import text_of

LOG_BYTES = 8_000_000
"""The agent begins a new log after five megabytes."""
PIECE_BYTES = 200_000
"""So much of it is searched at once: some milliseconds."""
PROPOSED_CHARS = frozenset({276, 277, 278})
"""Characters of an answer that what a review wanted to change waits for a person."""
REVIEW_SECONDS = 900.0
"""A review takes no longer than this."""
LEAST_SAVED = 185
"""Characters of the shortest answer that something was saved; that it waits for a person is said in fewer."""
APART_SECONDS = 2.0
"""A call's answer is stored and its line of log written within this time."""

# Nothing is gone back over: a line may hold what a person said, a hundred thousand brackets for one.
_STAMP = rb"^(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(?P<ms>\d{3}) "
_SESSION = rb"[^\n\[]*+(?:\[\][^\n\[]*+)*+\[(?P<session>[^\]\n]++)\]"
_WRITE = re.compile(
    _STAMP + _SESSION + rb"(?>[^\n]*?tool memory completed \()[^\n]*?, (?P<chars>[\d,]++) chars\)",
    re.MULTILINE,
)
_TURN = re.compile(
    _STAMP + _SESSION + rb"(?>[^\n]*?conversation turn: )[^\n]*?"
    rb"(?:msg='Review the conversation above|origin=background_review)",
    re.MULTILINE,
)
_END = re.compile(
    _STAMP + rb"(?>(?P<head>[^\n]*?)(?:Background review complete: (?=thread=bg-review)|client closed ))"
    rb"[^\n]*?thread=bg-review(?:[^\n]*? result=(?P<result>[\w+]+))?",
    re.MULTILINE,
)
_NAMED = re.compile(_SESSION)
_FIRST = re.compile(_STAMP, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Written:
    """A line of log: the memory tool was done with something."""

    at: float
    session_id: str
    length: int
    """Characters of its answer."""


@dataclass(frozen=True, slots=True)
class Review:
    """A time in which a background review was at work, as the agent's accounts say."""

    since: float
    until: float
    session_id: str


class Begun(NamedTuple):
    """A line of log: a background review began."""

    at: float
    session_id: str
    """The session that it went over."""


class End(NamedTuple):
    """A line of log: a background review was over."""

    at: float
    session_id: str
    """Empty where it does not say."""
    result: str
    """What it has made, such as `skill+memory`; empty where it does not say."""

    @property
    def wrote_nothing(self) -> bool:
        """Whether it says that nothing was written to memory."""
        return bool(self.result) and not self.wrote

    @property
    def wrote(self) -> bool:
        """Whether it says that something was."""
        return "memory" in self.result.split("+")


@dataclass(slots=True)
class _Log:
    """One file of log, as far as it has been read."""

    inode: int
    read: int
    first: float = math.inf
    writes: list[Written] = field(default_factory=list)
    turns: list[tuple[str, float]] = field(default_factory=list)
    """When a review of which session began."""
    ends: list[End] = field(default_factory=list)
    """When some review was over."""


@dataclass(slots=True)
class Logs:
    """The agent's logs, of which only what is new is read.

    Args:
        folder: where they are.
    """

    folder: Path
    _read: dict[str, _Log] = field(default_factory=dict)

    def read(self) -> None:
        """Read what is new."""
        kept: dict[str, _Log] = {}
        for path in sorted(self.folder.glob("agent.log*")):
            try:
                with open_regular(path) as stream:
                    status = os.fstat(stream.fileno())
                    log = next((each for each in self._read.values() if each.inode == status.st_ino), None)
                    if log is None or log.read > status.st_size:
                        log = _Log(status.st_ino, 0)
                    stream.seek(log.read)
                    data = stream.read(LOG_BYTES)
            except OSError:
                continue
            data = data[: data.rfind(b"\n") + 1]
            log.read += len(data)
            for piece in _pieces(data):
                _take(log, piece)
            kept[path.name] = log
        self._read = kept

    def ends(self) -> list[End]:
        """When reviews were over, oldest first."""
        return sorted(end for log in self._read.values() for end in log.ends)

    def begun(self) -> list[Begun]:
        """When reviews began, oldest first."""
        return sorted(Begun(at, session) for log in self._read.values() for session, at in log.turns)

    def reviewed(self, calls: Iterable[MemoryCall]) -> tuple[list[Written], float]:
        """The writes that reviews have made, and since when the logs tell of all of them.

        Args:
            calls: those that are in the messages: their lines are not a review's.
        """
        first = min((log.first for log in self._read.values()), default=math.inf)
        return [write for write in self._by_reviews(calls) if _saved(write.length)], first

    def proposed(self, calls: Iterable[MemoryCall]) -> list[Written]:
        """What reviews wanted to change and had to leave to a person, oldest first.

        Args:
            calls: as before.
        """
        return [write for write in self._by_reviews(calls) if not _saved(write.length)]

    def _by_reviews(self, calls: Iterable[MemoryCall]) -> list[Written]:
        turns = sorted(turn for log in self._read.values() for turn in log.turns)
        ends = self.ends()
        writes = [write for log in self._read.values() for write in log.writes]
        live = _lines_of(calls, writes)
        found = [write for at, write in enumerate(writes) if at not in live and _in_review(write, turns, ends)]
        return sorted(found, key=attrgetter("at"))


def _pieces(data: bytes) -> Iterator[bytes]:
    """Whole lines, some at a time: nothing else in the program goes on while a long text is searched."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at + PIECE_BYTES) + 1 or len(data)
        yield data[at:end]
        at = end


def _take(log: _Log, data: bytes) -> None:
    if log.first == math.inf and (match := _FIRST.search(data)) is not None:
        log.first = _moment(match)
    for match in _WRITE.finditer(data):
        log.writes.append(
            Written(_moment(match), _session(match), int(match["chars"].replace(b",", b"").decode()[:9] or "0"))
        )
    log.turns += [(_session(match), _moment(match)) for match in _TURN.finditer(data)]
    for match in _END.finditer(data):
        named = _NAMED.match(match["head"])
        session = _session(named) if named else ""
        log.ends.append(End(_moment(match), session, (match["result"] or b"").decode("ascii", errors="replace")))


def _session(match: re.Match[bytes]) -> str:
    return match["session"].decode("utf-8", errors="replace")


def _moment(match: re.Match[bytes]) -> float:
    """When a line was written; the log is in local time."""
    try:
        at = time.mktime(time.strptime(match["at"].decode(), "%Y-%m-%d %H:%M:%S"))
    except (ValueError, OverflowError):
        return 0.0
    return at + int(match["ms"]) / 1000


def _saved(length: int) -> bool:
    return length >= LEAST_SAVED and length not in PROPOSED_CHARS


def _in_review(write: Written, turns: Sequence[tuple[str, float]], ends: Sequence[End]) -> bool:
    place = bisect_right(turns, (write.session_id, write.at)) - 1
    if place < 0 or turns[place][0] != write.session_id:
        return False
    began = turns[place][1]
    place = bisect_right(ends, began, key=attrgetter("at"))
    over = next((end for end in ends[place:] if end.session_id in ("", write.session_id)), None)
    if over is None or over.at > began + REVIEW_SECONDS:
        return write.at <= began + REVIEW_SECONDS
    return write.at <= over.at and not over.wrote_nothing


def _lines_of(calls: Iterable[MemoryCall], writes: Sequence[Written]) -> set[int]:
    """The places of the lines that tell of calls which are in the messages: for each call the nearest."""
    places: dict[tuple[str, int], list[int]] = {}
    for place, write in enumerate(writes):
        places.setdefault((write.session_id, write.length), []).append(place)
    taken: set[int] = set()
    for call in calls:
        free = (place for place in places.get((call.session_id, call.length), ()) if place not in taken)
        nearest = min(free, key=lambda place: abs(writes[place].at - call.at), default=None)
        if nearest is not None and abs(writes[nearest].at - call.at) <= APART_SECONDS:
            taken.add(nearest)
    return taken


@dataclass(frozen=True, slots=True)
class Reviews:
    """All that is known of background reviews."""

    writes: Sequence[Written] = ()
    logged_since: float = math.inf
    """From then on there would be a line for every write."""
    spans: Sequence[Review] = ()
    begun: Sequence[Begun] = ()
    """Those that the logs tell of."""
    proposed: Sequence[Written] = ()
    """What had to be left to a person."""

    @classmethod
    def of(cls, base: Database, logs: Logs, calls: Iterable[MemoryCall]) -> Reviews:
        """Those that the logs and the agent's accounts tell of."""
        logs.read()
        calls = list(calls)
        writes, logged_since = logs.reviewed(calls)
        spans = _not_logged(reviews_in(base), logged_since, logs.ends())
        return cls(writes, logged_since, spans, logs.begun(), logs.proposed(calls))


def _not_logged(spans: Iterable[Review], logged_since: float, ends: Sequence[End]) -> list[Review]:
    """The times in which reviews may have written something that the logs do not tell of, or not enough."""
    found: list[Review] = []
    for span in spans:
        first = span.since + REVIEW_SECONDS
        mine = [end for end in ends if end.session_id == span.session_id and first <= end.at + 1]
        short = span.until - first <= REVIEW_SECONDS  # else there may have been several, of which not all are told
        if any(end.wrote for end in mine):
            found.append(span)
        elif first < logged_since and not (short and mine and all(end.wrote_nothing for end in mine)):
            found.append(replace(span, until=min(span.until, logged_since)))
    return found


def reviews_in(base: Database) -> list[Review]:
    """The reviews that newer agents account for, when they are over."""
    if not {"session_id", "task", "first_seen", "last_seen"} <= base.columns("session_model_usage"):
        return []
    rows = base.rows(
        "SELECT session_id, first_seen, last_seen FROM session_model_usage WHERE task = 'background_review'"
    )
    return [
        Review(first - REVIEW_SECONDS, moment(last) or first, text_of(id))
        for id, seen, last in rows
        if (first := moment(seen)) is not None
    ]
