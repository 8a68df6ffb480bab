"""One store's past, put together: what was seen of it, and what is known to have changed it, in the order of time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hermes_tui.history.applying import Applied, Done, applied
from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import Change, Kind, State, differences
from hermes_tui.history.digests import Digests
from hermes_tui.history.events import Event, Ours, Sight, in_order, time_of
from hermes_tui.history.spans import Chain, Mark, Record, Span, before
from hermes_tui.history.veils import Veils, is_note, merged, same
from hermes_tui.memory.changes import DoesNotFit, apply_exactly, apply_loosely, hunks_between
from hermes_tui.memory.entries import StoreName, unique

__all__ = ("Event", "Ours", "Past", "Sight", "replay")

LOOKED_AHEAD = 200
"""Changes that are tried to see whether a prompt was built only after them."""
ENOUGH = 5
"""So much that fits says where a prompt that tells something new belongs."""
LOOKED_BACK = 64
"""Changes that are tried to see whether something that nobody recorded came before them."""
SKEW_SECONDS = 5.0
"""An answer is stored so long after its call was carried out, at most."""


@dataclass(frozen=True, slots=True)
class Past:
    """One store's past."""

    changes: tuple[Change, ...]
    """Oldest first."""
    states: tuple[State, ...]
    """Oldest first."""
    stale: frozenset[str]
    """Sessions that began on a block which was out of date already."""
    record: Record = field(default_factory=Record, compare=False, repr=False)
    """All that the rest was made from."""

    def doubted(self, moments: Iterable[float]) -> Past:
        """The same, if something may have changed at some moments of which nobody knows what it was."""
        for at in moments:
            self.record.doubt(at)
        return replace(self, states=self.record.states())


def replay(store: StoreName, events: Iterable[Event]) -> Past:
    """The past of one store."""
    walker = _Walker(store, sorted(events, key=in_order))
    walker.walk()
    walker.record.unveil(walker.unveiled)
    return Past(walker.record.changes(), walker.record.states(), frozenset(walker.stale), walker.record)


@dataclass(frozen=True, slots=True)
class _Point:
    """Where the walk stood just before a change."""

    event: MemoryCall | Ours
    entries: tuple[str, ...]
    known: bool
    spans: int
    marks: int
    sized: float | None


@dataclass(slots=True)
class _Walker:
    store: StoreName
    events: list[Event]
    entries: list[str] = field(default_factory=list)
    """What it holds, as far as that can be told."""
    known: bool = False
    """Whether that is all it holds."""
    shaky: bool = False
    """Whether something has changed that nobody recorded, and nothing was seen since."""
    sized: float | None = None
    """When an answer last told of a length that fits, with nothing seen since."""
    recent: list[_Point] = field(default_factory=list)
    """The changes since something was seen."""
    record: Record = field(default_factory=Record)
    stale: set[str] = field(default_factory=set)
    last: float = -math.inf
    """When something that is known changed it the last time."""
    _digests: Digests = field(default_factory=lambda: Digests(()))
    unveiled: dict[tuple[int, str], str] = field(default_factory=dict)
    """In each chain, the entries behind notes, which were seen later."""

    def walk(self) -> None:
        veils = Veils(self.store, _texts(self.events))
        self._digests = Digests(self.events)
        at = 0
        while at < len(self.events):
            event = self.events[at]
            at += 1
            if isinstance(event, MemoryCall):
                self._call(event)
            elif isinstance(event, Ours):
                if first := self._overtaken(event, at):
                    self.events[at - 1 : at + 1] = [first, event]
                    at -= 1
                    continue
                self._ours(event)
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
        if self.known and not same(self.entries, unique(sight.entries)) and self._soon(sight, following):
            return  # a change whose answer was stored only after the look
        by = max(sight.at, self.last)
        if self.last > sight.at + SKEW_SECONDS:
            by = sight.until  # written since, so that its time is not the one of its last change
        till = math.inf if sight.why == "now" else sight.until
        self._observe(list(sight.entries), min(by, sight.until), till)

    def _soon(self, sight: Sight, following: int) -> bool:
        entries: Sequence[str] = self.entries
        for event in self.events[following : following + LOOKED_AHEAD]:
            if time_of(event) > sight.until + SKEW_SECONDS:
                return False
            if isinstance(event, MemoryCall) and event.outcome == "accepted":
                entries = applied(entries, event).entries
                if same(entries, unique(sight.entries)):
                    return True
        return False

    def _told(self, sight: Sight, following: int, veils: Veils) -> int:
        """A session that was told what the store held; the number of the event before which it belongs."""
        seen = veils.lifted(sight.entries, self.entries if self.known else None)
        if self.known and same(self.entries, seen):
            self._observe(merged(self.entries, seen), sight.until, max(sight.since, self._begun(sight.since, seen)))
            return following
        if sight.doubtful:
            return following
        if self.known and (self._comes_later(sight, seen, following) or self._was_before(sight, seen)):
            return following
        later = self._belongs(sight, seen, following)
        if later > following:
            return later
        self._observe(seen, sight.until, sight.since)
        return following

    def _begun(self, since: float, seen: Sequence[str]) -> float:
        """When it came to hold what it holds, if it did not hold the same before, after `since`."""
        spans = self.record.spans
        begun = spans[-1].at
        if begun is None:
            return since
        for number in range(len(spans) - 2, -1, -1):
            ended = spans[number + 1].at
            if ended is not None and ended < since:
                break
            if same(spans[number].entries, seen):
                return since
        return begun

    def _comes_later(self, sight: Sight, seen: Sequence[str], following: int) -> bool:
        """Whether a prompt was built only after some of the changes that come next: a session may build it anew."""
        entries: Sequence[str] = self.entries
        for event in self.events[following : following + LOOKED_AHEAD]:
            if time_of(event) > sight.until + SKEW_SECONDS:
                return False
            if isinstance(event, Sight) or (isinstance(event, Ours) and event.at > sight.until):
                continue
            entries = self._after(entries, event)
            if same(entries, seen):
                return True
        return False

    def _was_before(self, sight: Sight, seen: Sequence[str]) -> bool:
        """Whether it is what the store held shortly before: the agent read it, and began a session only later."""
        spans = self.record.spans
        ended = sight.at
        for number in range(len(spans) - 1, -1, -1):
            span = spans[number]
            if number + 1 < len(spans):
                following = spans[number + 1]
                ended = following.at if following.at is not None else self.record.chains[following.chain].by
            if ended < sight.since:
                break
            if number + 1 < len(spans) and same(span.entries, seen):
                self.record.doubts.append((before(ended), sight.until))
                self.stale.update(id for at, id in sight.run if at >= ended)
                self.stale.add(sight.session_id)
                return True
        return False

    def _belongs(self, sight: Sight, seen: Sequence[str], following: int) -> int:
        """Where something new that a prompt tells of is followed by what fits it best; `following` for anywhere."""
        best, most = following, -1
        for at in range(following, min(len(self.events), following + LOOKED_AHEAD)):
            fitting = self._fitting(seen, at)
            if fitting > most:
                best, most = at, fitting
            if fitting == ENOUGH or time_of(self.events[at]) > sight.until:
                break
        return best

    def _fitting(self, entries: Sequence[str], following: int) -> int:
        """How much of what comes next fits, up to the first that does not."""
        found = 0
        for event in self.events[following : following + LOOKED_AHEAD]:
            if isinstance(event, Sight):
                fits = event.doubtful or same(entries, unique(event.entries))
            elif isinstance(event, MemoryCall):
                if event.outcome != "accepted":
                    continue
                result = applied(entries, event)
                fits, entries = result.fits, result.entries
            else:
                fits = self._digests.of(entries) == event.change.before
                entries = self._after(entries, event)
            if not fits:
                break
            found += not (isinstance(event, Sight) and event.doubtful)
            if found == ENOUGH:
                break
        return found

    # What follows from it

    def _observe(self, seen: list[str], by: float, till: float) -> None:
        """The store certainly held this, no later than `by` and no earlier than `till`."""
        if not self.known or self.entries != seen:
            if self.known and not self.shaky and same(self.entries, unique(seen)):
                self._unveil(seen)
            else:
                self._resolve(seen, by)
        self.record.seen(by, till)
        self.recent.clear()
        self.sized, self.shaky = None, False

    def _unveil(self, seen: list[str]) -> None:
        """The same as was thought, but for repeats, and for entries behind notes."""
        for note, text in zip(unique(self.entries), unique(seen), strict=True):
            if note != text and is_note(note):
                self.unveiled[len(self.record.chains) - 1, note] = text
        self.entries = seen
        self._span(self.record.spans[-1].at, anew=True)

    def _resolve(self, seen: list[str], by: float) -> None:
        """Something changed that nobody recorded: as late as all answers still fit."""
        held = list(self.entries)
        hunks = hunks_between(held, seen)
        points = self.recent
        for place in range(len(points), max(-1, len(points) - LOOKED_BACK), -1):
            if place == len(points):
                if self.shaky or not self.known:
                    continue
                self._begin(held, seen, by)
                return
            try:
                guess = apply_loosely(points[place].entries, hunks)
            except DoesNotFit:
                continue
            if self._leads_to(guess, points[place:], seen):
                again = [point.event for point in points[place:]]
                self._back_to(points[place])
                self._begin(self.entries, guess, before(again[0].at))
                for event in again:
                    self._call(event) if isinstance(event, MemoryCall) else self._own(event)
                self.entries = seen
                self._span(self.record.spans[-1].at, anew=True)
                return
        self._begin(held, seen, by)

    def _leads_to(self, entries: Sequence[str], points: Sequence[_Point], seen: Sequence[str]) -> bool:
        for point in points:
            if isinstance(point.event, MemoryCall):
                result = applied(entries, point.event)
                if not result.fits:
                    return False
                entries = result.entries
            else:
                entries = self._after(entries, point.event)
        return same(entries, unique(seen))

    def _back_to(self, point: _Point) -> None:
        self.entries, self.known, self.sized = list(point.entries), point.known, point.sized
        del self.record.spans[point.spans :]
        del self.record.marks[point.marks :]
        self.recent.clear()
        self.shaky = False

    def _begin(self, held: Sequence[str], seen: Sequence[str], by: float) -> None:
        """From here on it holds something that does not follow from what is known."""
        found = list(differences(unique(held), unique(seen)))
        if self.sized is not None and self.record.chains and _one_sided(found):
            # The length that was told then would have been another one.
            self.record.chains[-1].till = max(self.record.chains[-1].till, self.sized)
        number = len(self.record.chains)
        self.record.chains.append(Chain(by))
        for kind, old, new in found:
            self.record.marks.append(Mark(Change(self.store, kind, old, new, None, by), number))
        self.entries, self.known = list(seen), True
        self.sized = None
        self._span(None)

    def _span(self, at: float | None, *, anew: bool = False) -> None:
        """It holds something else from now on, or something else than was thought."""
        if anew:
            self.record.spans.pop()
        self.record.spans.append(Span(tuple(self.entries), len(self.record.chains) - 1, at))

    # What is known to have changed it

    def _call(self, call: MemoryCall) -> None:
        if call.outcome != "accepted":
            return
        result = applied(self.entries, call, known=self.known)
        if result.repeated and not self.shaky:
            return  # a copy of an older call, which an agent made without a trace
        self._remember(call)
        for done in result.done:
            self._note(call, done)
        if not self.known:
            self._learn(call, result)
            return
        if not result.fits:
            self.shaky, self.sized = True, None
        elif not self.shaky:
            self._confirm(call, result)
        if list(result.entries) != self.entries:
            self.entries = list(result.entries)
            self._span(call.at)
            self.last = call.at

    def _learn(self, call: MemoryCall, result: Applied) -> None:
        """Nothing was known so far; a call that tells of all there is changes that."""
        self.entries = list(result.entries)
        if result.told_whole:
            self.known, self.last = True, call.at
            self.record.chains.append(Chain())
            self.record.seen(call.at, call.at)
            self._span(call.at)
            self.recent.clear()
        elif call.count in (None, len(self.entries)):
            self._span(call.at)

    def _confirm(self, call: MemoryCall, result: Applied) -> None:
        """What was there before the call had come by then."""
        chain = self.record.chains[-1]
        if result.done:
            chain.by = min(chain.by, before(call.at))
        if call.chars is not None and call.count is not None:
            self.sized = call.at

    def _note(self, call: MemoryCall, done: Done) -> None:
        kind: Kind = "add" if not done.before else "edit" if done.after else "remove"
        change = Change(
            *(self.store, kind, done.before, done.after, call.at, call.at),
            by="background review" if call.review else "tool call",
            certainty="exact",
            session_id=call.session_id,
            message_id=call.message_id,
            partial=done.partial,
        )
        self.record.marks.append(Mark(change))

    def _overtaken(self, ours: Ours, following: int) -> Event | None:
        """The call that was carried out before a change of ours, though its answer was stored after it."""
        if not self.known or self._digests.of(self.entries) == ours.change.before or following >= len(self.events):
            return None
        event = self.events[following]
        if not isinstance(event, MemoryCall) or event.outcome != "accepted" or event.at > ours.at + SKEW_SECONDS:
            return None
        return event if self._digests.of(applied(self.entries, event).entries) == ours.change.before else None

    def _ours(self, ours: Ours) -> None:
        there = self._digests.before(ours)
        if there is None and self.known and self._digests.of(self.entries) == ours.change.before:
            there = self.entries
        if there is not None:
            self._observe(there, before(ours.at), before(ours.at))
        else:
            self.shaky, self.sized = True, None
        self._own(ours)
        left = self._digests.after(ours, there)
        if left is not None:
            self._observe(left, ours.at, ours.at)

    def _own(self, ours: Ours) -> None:
        """A change of ours, as it is written down."""
        self._remember(ours)
        gone = [text for hunk in ours.change.hunks for text in hunk.old]
        come = [text for hunk in ours.change.hunks for text in hunk.new]
        for kind, old, new in differences(gone, come):
            change = Change(*(self.store, kind, old, new, ours.at, ours.at), ours.by, "exact", record_id=ours.record.id)
            self.record.marks.append(Mark(change))
        left = list(self._after(self.entries, ours))
        if left != self.entries:
            self.entries = left
            self.last = ours.at
            if self.known:
                self._span(ours.at)

    def _after(self, entries: Sequence[str], event: MemoryCall | Ours) -> Sequence[str]:
        if isinstance(event, MemoryCall):
            return applied(entries, event).entries if event.outcome == "accepted" else entries
        hunks = event.change.hunks
        for apply in (apply_exactly, apply_loosely):
            try:
                return apply(entries, hunks)
            except DoesNotFit:
                continue
        gone = {text for hunk in hunks for text in hunk.old}
        return [*(text for text in entries if text not in gone), *(text for hunk in hunks for text in hunk.new)]

    def _remember(self, event: MemoryCall | Ours) -> None:
        self.recent.append(
            _Point(event, tuple(self.entries), self.known, len(self.record.spans), len(self.record.marks), self.sized)
        )


def _one_sided(found: Sequence[tuple[Kind, str, str]]) -> bool:
    """Whether changes cannot have made up for one another: only one length would fit with or without them."""
    kinds = {kind for kind, _, _ in found}
    if kinds == {"edit"}:
        return len(found) == 1 and len(found[0][1]) != len(found[0][2])
    return len(kinds) == 1


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
