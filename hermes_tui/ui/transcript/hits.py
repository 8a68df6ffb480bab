"""The matches of a conversation, as far as it was looked through: from one place on, both ways. Pure."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable

from hermes_tui.sessions.some_matches import MOST_MATCHES


class Hits:
    """Matches by the place of their message, in the order of the conversation.

    Args:
        origin: the place from which it is looked through.
    """

    def __init__(self, origin: int) -> None:
        self.origin = origin
        self.low = self.high = origin
        """What was looked through: from `low` up to, not including, `high`."""
        self.total = 0
        self.messages = 0
        """Messages that have a match."""
        self.more = False
        """Whether some message has more matches than were counted."""
        self._after = array("q")
        self._after_counts = array("I")
        self._before = array("q")
        """How far before the origin, growing."""
        self._before_counts = array("I")
        self._total_before = 0

    def looked_after(self, end: int, found: Iterable[tuple[int, int]]) -> None:
        """The places up to `end` were looked through.

        Args:
            end: one past the last of them.
            found: places and how many matches each has.
        """
        for place, count in sorted(found):
            self._after.append(place)
            self._after_counts.append(count)
            self._count(count)
        self.high = end

    def looked_before(self, start: int, found: Iterable[tuple[int, int]]) -> None:
        """The places down to `start` were looked through."""
        for place, count in sorted(found, reverse=True):
            self._before.append(self.origin - place)
            self._before_counts.append(count)
            self._count(count)
            self._total_before += count
        self.low = start

    def _count(self, count: int) -> None:
        self.total += count
        self.messages += 1
        self.more = self.more or count >= MOST_MATCHES

    def count(self, place: int) -> int:
        """The matches of one message."""
        index = self._index(place)
        if place >= self.origin:
            return self._after_counts[index] if index < len(self._after) and self._after[index] == place else 0
        found = index < len(self._before) and self._before[index] == self.origin - place
        return self._before_counts[index] if found else 0

    def _index(self, place: int) -> int:
        if place >= self.origin:
            return bisect_left(self._after, place)
        return bisect_left(self._before, self.origin - place)

    def next(self, place: int) -> int | None:
        """The first message with a match at `place` or after it."""
        if place < self.origin:
            # The nearest before the origin that is not before `place`.
            index = bisect_left(self._before, self.origin - place + 1) - 1
            if index >= 0:
                return self.origin - self._before[index]
            place = self.origin
        index = bisect_left(self._after, place)
        return self._after[index] if index < len(self._after) else None

    def previous(self, place: int) -> int | None:
        """The last message with a match before `place`."""
        if place > self.origin:
            index = bisect_left(self._after, place) - 1
            if index >= 0:
                return self._after[index]
            place = self.origin
        index = bisect_left(self._before, self.origin - place + 1)
        return self.origin - self._before[index] if index < len(self._before) else None

    def rank(self, place: int, number: int) -> int:
        """Which of all known matches one is, from 1."""
        index = self._index(place)
        if place >= self.origin:
            return self._total_before + sum(self._after_counts[:index]) + number + 1
        return self._total_before - sum(self._before_counts[: index + 1]) + number + 1
