"""What a store held from when to when, and of which times that is certain."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from hermes_tui.history.changes import Change, State


def before(at: float) -> float:
    """The last moment before another one."""
    return math.nextafter(at, -math.inf)


def after(at: float) -> float:
    """The first moment after another one."""
    return math.nextafter(at, math.inf)


@dataclass(slots=True)
class Chain:
    """A time in which every change is known: each thing seen in it follows from what was seen before."""

    by: float = math.inf
    """By then at the latest it had begun: something that fits was seen no later than this."""
    till: float = -math.inf
    """Until then at least it went on: something that fits was seen no earlier than this."""
    floor: float = math.inf
    """Not before then was that seen which told of it: what was seen in between may have come before or after it."""
    loose: bool = False
    """Whether changes that have begun it may have come only after some that are part of it."""

    def seen(self, by: float, till: float) -> None:
        """Take in that something that fits was seen no later than `by` and no earlier than `till`."""
        self.by, self.till = min(self.by, by), max(self.till, till)


@dataclass(frozen=True, slots=True)
class Span:
    """What a store held from some time on."""

    entries: tuple[str, ...]
    chain: int
    """The number of the chain that it is part of."""
    at: float | None
    """When a change that is known made it so; None at the start of a chain."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A change, with the number of the chain that it began, if nobody recorded it; else -1."""

    change: Change
    chain: int = -1
    until: float = math.inf
    """It had happened by then, whenever its chain had begun."""


@dataclass(slots=True)
class Record:
    """All that a replay finds."""

    chains: list[Chain] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    doubts: list[tuple[float, float]] = field(default_factory=list)
    """Times, after the first moment and up to the second, in which something was seen that need not mean what it is
    taken for."""
    vague: list[tuple[float, float]] = field(default_factory=list)
    """When something was seen that came without a record: at some time after what was seen before the first moment."""
    unsure: list[tuple[float, int]] = field(default_factory=list)
    """Moments from which on it may hold something else, until it is seen again: by what was seen after so many."""
    sights: list[tuple[float, float]] = field(default_factory=list)
    """When something was seen: no later than the first moment, no earlier than the second."""

    def seen(self, by: float, till: float) -> None:
        """Take in that what is taken to be there was seen, no later than `by` and no earlier than `till`."""
        self.chains[-1].seen(by, till)
        self.sights.append((by, till))

    def doubt(self, at: float) -> None:
        """Take in that it may hold something else from a moment on: until it is seen again, nothing is certain."""
        self.unsure.append((at, len(self.sights)))

    def doubt_always(self, at: float) -> None:
        """The same, whatever has been taken in since."""
        self.unsure.append((at, 0))

    def touched(self, texts: Container[str], at: float) -> None:
        """Take in that some entries of the latest chain were there at a moment, for something was done to them."""
        for place in range(len(self.marks) - 1, -1, -1):
            mark = self.marks[place]
            if 0 <= mark.chain < len(self.chains) - 1:
                break
            if mark.chain >= 0 and mark.change.after in texts:
                self.marks[place] = replace(mark, until=min(mark.until, at))

    def unveil(self, texts: Mapping[tuple[int, str], str]) -> None:
        """Put entries in the place of notes.

        Args:
            texts: by the number of the chain and the note.
        """
        if not texts:
            return
        self.spans = [
            replace(span, entries=tuple(texts.get((span.chain, text), text) for text in span.entries))
            for span in self.spans
        ]
        for place, mark in enumerate(self.marks):
            if (text := texts.get((mark.chain, mark.change.after))) is not None:
                self.marks[place] = replace(mark, change=replace(mark.change, after=text))

    def changes(self) -> tuple[Change, ...]:
        """The changes, oldest first, each with the times between which it happened."""
        begun = self._begun()
        found = []
        for mark in self.marks:
            change = mark.change
            if mark.chain >= 0:
                since, until = begun[mark.chain]
                change = replace(change, since=since, until=min(until, mark.until))
            found.append(change)
        return tuple(found)

    def _begun(self) -> list[tuple[float | None, float]]:
        """For each chain, after when it has begun, None for any time before, and by when."""
        begun: list[tuple[float | None, float]] = []
        tills: list[float] = []
        last = math.inf
        for chain in self.chains:
            place = bisect_right(tills, min(chain.floor, last))
            since = tills[place - 1] if place else -math.inf
            begun.append((None, chain.by) if since == -math.inf else (since, max(chain.by, after(since))))
            insort(tills, chain.till)
            last = chain.till if chain.till > -math.inf else last
        return begun

    def states(self) -> tuple[State, ...]:
        """What the store held, from when on, and whether that is certain; oldest first."""
        starts = self._starts()
        windows = sorted(self._certain())
        lows = [low for low, _ in windows]
        edges = sorted({*starts, *lows, *(after(high) for _, high in windows if high < math.inf)})
        found: list[State] = []
        for at in edges:
            place = bisect_right(starts, at) - 1
            if place < 0:
                continue
            window = bisect_right(lows, at) - 1
            certain = window >= 0 and at <= windows[window][1]
            entries = self.spans[place].entries
            if not found or (found[-1].entries, found[-1].certain) != (entries, certain):
                found.append(State(at, entries, certain))
        return tuple(found)

    def _starts(self) -> list[float]:
        """When each span begins, never earlier than the one before it."""
        begun = self._begun()
        starts: list[float] = []
        limit = math.inf
        for span in reversed(self.spans):
            begins = span.at is None
            if begins and starts:
                limit = before(starts[-1])  # it is there for a moment at least
            starts.append(min(begun[span.chain][1] if span.at is None else span.at, limit))
            limit = before(starts[-1]) if begins else starts[-1]
        return starts[::-1]

    def _certain(self) -> Iterator[tuple[float, float]]:
        """The times of which it is certain what the store held, from the first to the last moment of each."""
        tills = sorted(till for _, till in self.sights)
        doubts = list(self.doubts)
        for at, number in self.unsure:
            end = min((by for by, till in self.sights[number:] if till >= at), default=math.inf)
            if end > at:
                doubts.append((before(at), end))
        for floor, end in self.vague:
            place = bisect_right(tills, floor)
            doubts.append((tills[place - 1] if place else -math.inf, end))
        doubts.sort()
        following = math.inf
        for chain, (since, _) in zip(reversed(self.chains), reversed(self._begun()), strict=True):
            low = chain.by if since is None else max(chain.by, after(since))
            yield from _without(
                low, chain.till if following == math.inf else min(chain.till, before(following)), doubts
            )
            following = min(following, chain.by)


def _without(low: float, high: float, doubts: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """A time without the parts of it that are in doubt."""
    for begin, end in doubts:
        if begin >= high:
            break
        if end < low:
            continue
        if low <= begin:
            yield low, begin
        low = max(low, after(end))
    if low <= high:
        yield low, high


def state_at(states: Sequence[State], when: float) -> State | None:
    """What a store held at some time; None when it is too long ago to know."""
    found = bisect_right(states, when, key=attrgetter("at"))
    return states[found - 1] if found else None
