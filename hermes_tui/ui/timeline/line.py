"""The line that one slides along: changes and sessions in the order of time, and the place where one stands. Pure."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hermes_tui.history.changes import Change, State
from hermes_tui.history.history import Timeline
from hermes_tui.memory.entries import STORES, StoreName

NOW = math.inf
"""The moment of a place that stays with the present."""


class Session(NamedTuple):
    """A session that was told something of memory."""

    at: float
    """When its prompt was built, in epoch seconds."""
    id: str


class Place(NamedTuple):
    """Where one stands."""

    at: float
    """In epoch seconds; `NOW` for the present."""
    row: int
    """The last change that was made by then; -1 before the first."""
    session: str = ""
    """The session whose beginning it is; empty when it is none."""


@dataclass(frozen=True, slots=True)
class StoreLine:
    """What one store held, ready to be asked for any moment."""

    states: tuple[State, ...] = ()
    limits: tuple[tuple[float, int], ...] = ()
    """From when on a session was told another limit."""
    stale: frozenset[str] = frozenset()
    """Sessions that were told a block which was out of date already."""
    ats: tuple[float, ...] = ()
    silent: tuple[tuple[float, float], ...] = ()
    """From when to when sessions were told nothing of it, though it held something as far as is known."""

    def maybe_empty(self, at: float) -> bool:
        """Whether, with nothing certain in between, a session was told nothing of it."""
        found = bisect_right(self.ats, at)
        begin = next((place for place in range(found - 1, -1, -1) if self.states[place].certain), -1) + 1
        if begin == found:
            return False  # it is certain what it held, or too long ago to know
        end = next((state.at for state in self.states[found:] if state.certain), math.inf)
        return any(first <= end and last >= self.ats[begin] for first, last in self.silent)

    def then(self, at: float) -> State | None:
        """What it held at a moment; None when it is too long ago to know."""
        found = bisect_right(self.ats, at)
        return self.states[found - 1] if found else None

    def before(self, at: float) -> State | None:
        """What it held just before a moment."""
        found = bisect_left(self.ats, at)
        return self.states[found - 1] if found else None

    def limit(self, at: float) -> int | None:
        """The limit that the last session by then was told, else the first that is known of; None for none."""
        if not self.limits:
            return None
        found = bisect_right(self.limits, (at, math.inf))
        return self.limits[max(0, found - 1)][1]


@dataclass(frozen=True, slots=True)
class Line:
    """Everything that one can stand on."""

    changes: tuple[Change, ...] = ()
    """Of both stores, oldest first."""
    sessions: tuple[Session, ...] = ()
    """Oldest first."""
    stores: Mapping[StoreName, StoreLine] = field(default_factory=dict)
    untils: tuple[float, ...] = ()

    # Ends

    @property
    def start(self) -> float | None:
        """The first moment of which anything is known; None as long as nothing has changed and no session was told."""
        if not self.changes and not self.sessions:
            return None
        firsts = [line.ats[0] for line in self.stores.values() if line.ats]
        firsts += [self.sessions[0].at] if self.sessions else []
        firsts += [self.untils[0]] if self.untils else []
        return min(firsts, default=None)

    @property
    def now(self) -> Place:
        """The present."""
        return Place(NOW, len(self.changes) - 1)

    @property
    def last(self) -> Place:
        """The last change, or the present when there is none."""
        return self.at_row(len(self.changes) - 1)

    @property
    def first(self) -> Place:
        """The first thing there is."""
        if self.sessions and (not self.untils or self.sessions[0].at < self.untils[0]):
            return self._at_session(0)
        return self.at_row(0)

    # Places

    def at_row(self, row: int) -> Place:
        """A change."""
        if not self.changes:
            return self.now
        row = max(0, min(row, len(self.changes) - 1))
        return Place(self.untils[row], row)

    def at_moment(self, at: float, now: float) -> Place:
        """Any moment between the first and the present."""
        start = self.start
        if at >= now or start is None:
            return self.now
        at = max(at, start)
        return Place(at, bisect_right(self.untils, at) - 1)

    def at_session(self, id: str) -> Place | None:
        """The beginning of a session; None when it was told nothing that is known."""
        return next((self._at_session(at) for at, each in enumerate(self.sessions) if each.id == id), None)

    def _at_session(self, number: int) -> Place:
        at, id = self.sessions[number]
        return Place(at, bisect_right(self.untils, at) - 1, id)

    def found_again(self, place: Place, before: Line) -> Place:
        """Where a place of an older line is now."""
        if place.at == NOW:
            return self.now
        if place.session:
            return self.at_session(place.session) or Place(place.at, bisect_right(self.untils, place.at) - 1)
        if 0 <= place.row < len(before.changes) and before.untils[place.row] == place.at:
            return self.at_row(self._row_of(before.changes[place.row]))
        return Place(place.at, bisect_right(self.untils, place.at) - 1)

    def _row_of(self, change: Change) -> int:
        """The row of a change, or of what is nearest to it in time."""
        low, high = bisect_left(self.untils, change.until), bisect_right(self.untils, change.until)
        same = [row for row in range(low, high) if self.changes[row] == change]
        alike = [row for row in range(low, high) if _kin(self.changes[row], change)]
        return next(iter([*same, *alike]), max(0, high - 1))

    # Steps

    def earlier(self, place: Place) -> Place:
        """One change back: to the one that was made last by then, or to the one before it."""
        if place.row < 0:
            return place
        behind = place.at > self.untils[place.row] or place.session
        return self.at_row(place.row if behind else place.row - 1)

    def later(self, place: Place) -> Place:
        """One change on; behind the last one is the present."""
        return self.at_row(place.row + 1) if place.row + 1 < len(self.changes) else self.now

    def earlier_session(self, place: Place) -> Place | None:
        """The session before; None when there is none."""
        number = bisect_left(self.sessions, Session(place.at, place.session))
        return self._at_session(number - 1) if number else None

    def later_session(self, place: Place) -> Place | None:
        """The session after; None when there is none."""
        # Of those that began at the very moment of a change, none has been stood on yet.
        number = bisect_right(self.sessions, Session(place.at, place.session))
        return self._at_session(number) if number < len(self.sessions) else None

    def stepped(self, place: Place, seconds: float, now: float) -> Place:
        """So much earlier or later."""
        return self.at_moment(min(place.at, now) + seconds, now)

    # Entries over time

    def became(self, store: StoreName, entries: Iterable[str], row: int, to: int | None = None) -> dict[str, str]:
        """What entries are called after the changes that come after a row; those that went are left out.

        Args:
            store: where they stand.
            entries: their texts after the change of `row`.
            row: the last change that was made by then.
            to: the last change to look at; all of them when None.
        """
        current = {text: text for text in entries}
        for change in self.changes[row + 1 : None if to is None else to + 1]:
            if change.store != store or change.partial or change.before not in current:
                continue
            origin = current.pop(change.before)
            if change.after and not change.likely_edit:
                current.setdefault(change.after, origin)
        return {origin: text for text, origin in current.items()}

    def moment(self, place: Place) -> Sequence[Change]:
        """The changes that were made, or seen, at the same time as the one of a place."""
        if place.row < 0:
            return ()
        until = self.untils[place.row]
        return self.changes[bisect_left(self.untils, until) : bisect_right(self.untils, until)]


def _kin(one: Change, other: Change) -> bool:
    return (one.store, one.before, one.after) == (other.store, other.before, other.after)


def line_of(timeline: Timeline, sessions: Iterable[tuple[float, str]]) -> Line:
    """The line of a timeline.

    Args:
        timeline: both pasts.
        sessions: when each session that is known was told what it was told.
    """
    changes = tuple(timeline.changes())
    told = timeline.told
    # A hundred thousand of them are common enough: plain tuples sort in a third of the time.
    known = sorted((at, id) for at, id in sessions if at and told.get(id))
    stores = {store: _store_line(timeline, store, known) for store in STORES}
    return Line(changes, tuple(map(Session._make, known)), stores, tuple(change.until for change in changes))


def _store_line(timeline: Timeline, store: StoreName, sessions: Sequence[tuple[float, str]]) -> StoreLine:
    past, told = timeline.pasts[store], timeline.told
    limits: list[tuple[float, int]] = []
    last: object = None
    for at, id in sessions:
        blocks = told[id]
        if blocks is last:
            continue
        last, stated = blocks, blocks.get(store)
        if stated is not None and not stated.doubtful and (not limits or limits[-1][1] != stated.limit):
            limits.append((at, stated.limit))
    states = sorted(past.states, key=_at)
    silent = tuple((gap.first, gap.last) for gap in past.gaps if gap.silent)
    return StoreLine(tuple(states), tuple(limits), past.stale, tuple(map(_at, states)), silent)


def _at(state: State) -> float:
    return state.at
