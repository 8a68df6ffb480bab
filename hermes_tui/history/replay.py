"""One store's past, put together: what was seen of it, and what is known to have changed it, in the order of time."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from hermes_tui.history.ahead import Ahead
from hermes_tui.history.applying import applied
from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import Change, State
from hermes_tui.history.course import SKEW_SECONDS, Course
from hermes_tui.history.digests import Digests
from hermes_tui.history.events import Event, Ours, Sight, in_order
from hermes_tui.history.gaps import Gap
from hermes_tui.history.spans import Record, before
from hermes_tui.history.veils import Veils, merged, same
from hermes_tui.memory.entries import StoreName, unique

__all__ = ("Event", "Ours", "Past", "Sight", "replay")


@dataclass(frozen=True, slots=True)
class Past:
    """One store's past."""

    changes: tuple[Change, ...]
    """Oldest first."""
    states: tuple[State, ...]
    """Oldest first."""
    stale: frozenset[str]
    """Sessions that likely began on a block which was out of date already."""
    gaps: tuple[Gap, ...] = ()
    """What sessions were told that says nothing for certain, though something else than is known may follow from it."""
    record: Record = field(default_factory=Record, compare=False, repr=False)
    """All that the rest was made from."""

    def doubted(self, moments: Iterable[float]) -> Past:
        """The same, if something may have changed at some moments of which nobody knows what it was."""
        for at in moments:
            self.record.doubt_always(at)
        return replace(self, states=self.record.states())


def replay(store: StoreName, events: Iterable[Event]) -> Past:
    """The past of one store."""
    listed = sorted(events, key=in_order)
    digests = Digests(listed)
    course = Course(store, digests)
    walker = _Walker(listed, course, Ahead(listed, course, digests))
    walker.walk()
    record = course.record
    record.unveil(course.unveiled)
    return Past(record.changes(), record.states(), frozenset(walker.stale), tuple(walker.gaps.values()), record)


@dataclass(slots=True)
class _Walker:
    events: list[Event]
    course: Course
    ahead: Ahead
    stale: set[str] = field(default_factory=set)
    gaps: dict[tuple[tuple[float, str], ...], Gap] = field(default_factory=dict)
    """By the first of the sessions in a row."""
    files: list[Sight] = field(default_factory=list)
    """The files that were looked at, by when they were written."""

    def walk(self) -> None:
        veils = Veils(self.course.store, _texts(self.events))
        files = (event for event in self.events if isinstance(event, Sight) and event.why != "snapshot")
        self.files = sorted(files, key=attrgetter("at"))
        at = 0
        while at < len(self.events):
            event = self.events[at]
            at += 1
            if isinstance(event, MemoryCall):
                self.course.call(event)
            elif isinstance(event, Ours):
                if first := self._overtaken(event, at):
                    self.events[at - 1 : at + 1] = [first, event]
                    at -= 1
                    continue
                self.course.ours(event)
            elif event.why == "snapshot":
                later = self._told(event, at, veils)
                if later > at:
                    self.events[at - 1 : later] = [*self.events[at:later], event]
                    at -= 1
            else:
                self._seen(event, at)

    # What was seen

    def _seen(self, sight: Sight, following: int) -> None:
        """A file that was looked at."""
        if not self.course.known or not same(self.course.entries, unique(sight.entries)):
            told_at = self.ahead.soon(sight, following)
            if told_at is not None:  # by a call whose answer was stored only after the look, it seems
                self.course.record.doubts.append((before(sight.at), told_at))
                return
            if self._just_before(sight):
                return  # the look and the change have the very same time
        by = max(sight.at, self.course.last)
        if self.course.last > sight.at + SKEW_SECONDS:
            by = sight.until  # written since, so that its time is not the one of its last change
        till = math.inf if sight.why == "now" else sight.until
        self.course.observe(list(sight.entries), min(by, sight.until), till)

    def _just_before(self, sight: Sight) -> bool:
        spans = self.course.record.spans
        return len(spans) > 1 and spans[-1].at == sight.until and same(spans[-2].entries, unique(sight.entries))

    def _told(self, sight: Sight, following: int, veils: Veils) -> int:
        """A session that was told what the store held; the number of the event before which it belongs."""
        seen = veils.lifted(sight.entries, self.course.entries if self.course.known else None)
        if sight.doubtful:
            self._doubt(sight, seen)
            return following
        if self.course.known and same(self.course.entries, seen):
            if self.ahead.at_odds(sight, following):
                return following
            self.course.observe(
                merged(self.course.entries, seen), sight.until, max(sight.since, self._begun(sight.since, seen))
            )
            return following
        if (file := self._unwritten(sight, seen)) is not None:
            self._mark_stale(sight, -math.inf)
            sight = replace(sight, at=before(file.at), until=before(file.at))  # it was read before that was written
        if self.ahead.comes_later(sight, seen, following) or self._was_before(sight, seen, following):
            return following
        if (self.course.shaky or not self.course.known) and self._was_first(sight, seen, following):
            return following
        later = self.ahead.belongs(sight, seen, following)
        if later > following:
            return later
        self.course.record.vague.append((sight.since, sight.until))
        # It may have been read before the last that is known as well as after it.
        if max([self.course.last, *(chain.till for chain in self.course.record.chains[-1:])]) > sight.since:
            self.course.record.doubt(sight.until)
        self.course.observe(seen, sight.until, sight.since, sight.since)
        return following

    def _doubt(self, sight: Sight, seen: Sequence[str]) -> None:
        """A session was told something that need not be so: nothing follows from it, not even that nothing changed."""
        if self.course.known and same(self.course.entries, seen):
            return
        until = sight.until
        if (file := self._unwritten(sight, seen)) is not None:
            if file.at <= sight.since:
                return  # the file itself tells what it held then
            until = before(file.at)
        if self.course.known or seen:
            run = [at for at, _ in sight.run if seen or at >= self._filled()] or [sight.at]
            self.gaps.setdefault(sight.run[:1], Gap(run[0], run[-1], len(run), not seen))
        if self.course.known:
            self.course.record.vague.append((sight.since, until))
            self.course.record.doubt(until)

    def _filled(self) -> float:
        """Since when the store is not empty, as far as that is known."""
        begun = -math.inf
        for span in reversed(self.course.record.spans):
            if not span.entries:
                break
            begun = self.course.record.chains[span.chain].by if span.at is None else span.at
        return begun

    def _begun(self, since: float, seen: Sequence[str]) -> float:
        """When it came to hold what it holds, if it did not hold the same before, after `since`."""
        spans = self.course.record.spans
        begun = spans[-1].at
        if begun is None:
            return since
        for number in range(len(spans) - 2, -1, -1):
            ended = spans[number + 1].at
            if ended is not None and ended < since:
                break
            if same(spans[number].entries, seen):
                return since
        return begun - SKEW_SECONDS

    def _was_before(self, sight: Sight, seen: Sequence[str], following: int) -> bool:
        """Whether it is what the store held shortly before: the agent read it, and began a session only later."""
        spans = self.course.record.spans
        ended = sight.at
        if not self.course.known:
            return False
        if self.course.learned and self.course.learned.at >= sight.since and applied(seen, self.course.learned).fits:
            self.course.record.doubts.append((before(self.course.learned.at), sight.until))
            self._mark_stale(sight, self.course.learned.at)
            return True
        for number in range(len(spans) - 1, -1, -1):
            span = spans[number]
            if number + 1 < len(spans):
                after = spans[number + 1]
                ended = after.at if after.at is not None else self.course.record.chains[after.chain].by
            if ended < sight.since:
                break
            if number + 1 < len(spans) and same(span.entries, seen):
                if not self.ahead.asks_less(seen, following):
                    return False  # it came back: nothing that follows tells of anything else
                self.course.record.doubts.append((before(ended), sight.until))
                self._mark_stale(sight, ended)
                return True
        return False

    def _was_first(self, sight: Sight, seen: list[str], following: int) -> bool:
        """Whether it is what the store held before calls of which nobody knows what they found."""
        if not self.ahead.asked(seen, following):
            return False
        for place in range(len(self.course.recent) - 1, -1, -1):
            at = self.course.recent[place].event.at
            if at < sight.since:
                break
            left = self.course.left_by(seen, self.course.recent[place:])
            if left is not None and not self.ahead.asked(left, following):
                self.course.again(place, seen, before(at), sight.since)
                self.course.record.seen(before(at), sight.since)
                self.course.record.doubts.append((before(at), sight.until))
                self._mark_stale(sight, at)
                return True
        return False

    def _mark_stale(self, sight: Sight, since: float) -> None:
        self.stale.update(id for at, id in sight.run if at >= since)
        self.stale.add(sight.session_id)

    def _unwritten(self, sight: Sight, seen: Sequence[str]) -> Sight | None:
        """The file that was not written for a while around then, if a prompt tells something else than it held."""
        place = bisect_right(self.files, sight.at - SKEW_SECONDS, key=attrgetter("at")) - 1
        if place < 0 or sight.until > self.files[place].until or same(unique(self.files[place].entries), seen):
            return None
        return self.files[place]

    def _overtaken(self, ours: Ours, following: int) -> Event | None:
        """The call that was carried out before a change of ours, though its answer was stored after it."""
        if self.course.digests.of(self.course.entries) == ours.change.before or following >= len(self.events):
            return None
        event = self.events[following]
        if not isinstance(event, MemoryCall) or event.outcome != "accepted" or event.at > ours.at + SKEW_SECONDS:
            return None
        return (
            event if self.course.digests.of(applied(self.course.entries, event).entries) == ours.change.before else None
        )


def _texts(events: Iterable[Event]) -> Iterable[str]:
    """Entries that are known from elsewhere than prompts."""
    for event in events:
        if isinstance(event, MemoryCall):
            yield from (operation.content.strip() for operation in event.operations)
            yield from event.pinned
        elif isinstance(event, Ours):
            yield from (text for hunk in event.change.hunks for text in (*hunk.old, *hunk.new))
        elif event.why != "snapshot":
            yield from event.entries
