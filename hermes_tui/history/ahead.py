"""What comes next, tried in thought: where something that was seen belongs, and what it would ask for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_tui.history.applying import applied
from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.course import SKEW_SECONDS, Course
from hermes_tui.history.digests import Digests
from hermes_tui.history.events import Event, Ours, Sight, time_of
from hermes_tui.history.veils import same
from hermes_tui.memory.entries import unique

LOOKED_AHEAD = 200
"""So many events are looked at."""
ENOUGH = 5
"""Answers that say whether a prompt that tells something new belongs before them."""


@dataclass(slots=True)
class Ahead:
    """The events to come.

    Args:
        events: all of them; `following` is the number of the next one.
        course: where the store stands.
        digests: finds what it held by the digests of our journal.
    """

    events: list[Event]
    course: Course
    digests: Digests

    def soon(self, sight: Sight, following: int) -> float | None:
        """When the answer to a call was stored that left what was seen shortly before; None when there is none."""
        entries: Sequence[str] = self.course.entries
        for event in self.events[following : following + LOOKED_AHEAD]:
            if time_of(event) > sight.until + SKEW_SECONDS:
                return None
            if isinstance(event, MemoryCall) and event.outcome == "accepted":
                result = applied(entries, event, known=self.course.known)
                entries = result.entries
                if same(entries, unique(sight.entries)):
                    return event.at if self.course.known or (result.told_whole and entries) else None
        return None

    def at_odds(self, sight: Sight, following: int) -> bool:
        """Whether a call found something else at about the same time, so that a prompt may tell of what it left."""
        for event in self.events[following : following + LOOKED_AHEAD]:
            if time_of(event) > sight.until + SKEW_SECONDS:
                return False
            if isinstance(event, MemoryCall) and event.outcome == "accepted":
                return not applied(self.course.entries, event).fits
        return False

    def comes_later(self, sight: Sight, seen: Sequence[str], following: int) -> bool:
        """Whether a prompt was built only after some of the changes that come next: a session may build it anew."""
        entries, known = self.course.entries, self.course.known
        for event in self.events[following : following + LOOKED_AHEAD]:
            if time_of(event) > sight.until + SKEW_SECONDS:
                return False
            if isinstance(event, Sight) or (isinstance(event, Ours) and event.at > sight.until):
                continue
            entries, known = self.passed(entries, known, event)
            if known and same(entries, seen):
                return True
        return False

    def belongs(self, sight: Sight, seen: Sequence[str], following: int) -> int:
        """Where something new that a prompt tells of asks for the fewest changes that nobody recorded."""
        entries, known = self.course.entries, self.course.known
        best, least, missed = following, math.inf, 0
        for at in range(following, min(len(self.events), following + LOOKED_AHEAD) + 1):
            asked = missed + (_apart(entries, seen) if known else 0) + self.asked(seen, at)
            if asked <= least:
                best, least = at, asked
            if not asked or at == len(self.events) or time_of(self.events[at]) > sight.until:
                break
            missed += known and self._misses(entries, self.events[at])
            entries, known = self.passed(entries, known, self.events[at])
        return best

    def _misses(self, entries: Sequence[str], event: Event) -> bool:
        """Whether a call did not find what there was."""
        return isinstance(event, MemoryCall) and event.outcome == "accepted" and not applied(entries, event).fits

    def asks_less(self, seen: Sequence[str], following: int) -> bool:
        """Whether fewer changes that nobody recorded are needed if something seen was no longer there then."""
        held = self.course.entries
        return self.asked(held, following) < _apart(held, seen) + self.asked(seen, following)

    def passed(self, entries: list[str], known: bool, event: Event) -> tuple[list[str], bool]:
        """What the store holds after something, if it held `entries` before."""
        if isinstance(event, Sight):
            seen = event.why != "snapshot" or (not known and not event.doubtful)
            return (list(event.entries), True) if seen else (entries, known)
        if isinstance(event, MemoryCall):
            if event.outcome != "accepted":
                return entries, known
            result = applied(entries, event, known=known)
            return list(result.entries), known or result.told_whole
        there = self.digests.before(event)
        return list(self.course.after(entries if there is None else there, event)), known or there is not None

    def asked(self, entries: Sequence[str], following: int) -> int:
        """How many changes that nobody recorded there must be, up to the next time that all is known."""
        found = steps = 0
        for event in self.events[following : following + LOOKED_AHEAD]:
            if isinstance(event, Sight):
                if not event.doubtful:
                    return found + _apart(entries, event.entries)
            elif isinstance(event, Ours):
                there = self.digests.before(event)
                if there is not None:
                    return found + _apart(entries, there)
                found += self.digests.of(entries) != event.change.before
                entries = self.course.after(entries, event)
            elif event.outcome == "accepted":
                result = applied(entries, event)
                found += not result.fits or result.repeated
                entries = result.entries
                steps += 1
                if steps == ENOUGH:
                    break
        return found


def _apart(one: Sequence[str], other: Sequence[str]) -> int:
    """How many entries are in one list only."""
    return 0 if same(one, unique(other)) else len(set(one) ^ set(other))
