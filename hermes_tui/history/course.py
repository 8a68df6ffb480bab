"""What one store holds, step by step: by what is seen of it, and by what is known to change it."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from hermes_tui.history.applying import Applied, Done, applied
from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import Change, Difference, Kind, differences
from hermes_tui.history.digests import Digests
from hermes_tui.history.events import Ours
from hermes_tui.history.spans import Chain, Mark, Record, Span, before
from hermes_tui.history.taken_back import done_by, marked
from hermes_tui.history.veils import is_note, same
from hermes_tui.memory.changes import DoesNotFit, apply_exactly, apply_loosely, hunks_between
from hermes_tui.memory.entries import StoreName, unique

LOOKED_BACK = 64
"""Changes that are tried to see whether something that nobody recorded came before them."""
SKEW_SECONDS = 5.0
"""An answer is stored so long after its call was carried out, at most."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where a course stood just before a change."""

    event: MemoryCall | Ours
    entries: tuple[str, ...]
    known: bool
    spans: int
    marks: int
    sized: float | None


@dataclass(slots=True)
class Course:
    """Where it stands.

    Args:
        store: which store.
        digests: finds what it held by the digests of our journal.
    """

    store: StoreName
    digests: Digests
    entries: list[str] = field(default_factory=list)
    """What it holds, as far as that can be told."""
    known: bool = False
    """Whether that is all it holds."""
    shaky: bool = False
    """Whether something has changed that nobody recorded, and nothing was seen since."""
    sized: float | None = None
    """When an answer last told of a length that fits, with nothing seen since."""
    recent: list[Point] = field(default_factory=list)
    """The changes since something was seen."""
    record: Record = field(default_factory=Record)
    learned: MemoryCall | None = None
    """The call that told of all there was, before anything was seen."""
    doubted: list[tuple[int, Change]] = field(default_factory=list)
    """The places of marks of calls whose answers do not fit, since something was seen."""
    last: float = -math.inf
    """When something that is known changed it the last time."""
    unveiled: dict[tuple[int, str], str] = field(default_factory=dict)
    """In each chain, the entries behind notes, which were seen later."""

    # What is seen, and what follows from it

    def observe(self, seen: list[str], by: float, till: float, floor: float = math.inf) -> None:
        """The store certainly held this, no later than `by` and no earlier than `till`."""
        if not self.known or self.shaky or self.entries != seen:
            if self.known and not self.shaky and same(self.entries, unique(seen)):
                self._unveil(seen)
            else:
                self._resolve(seen, by, floor)
        self._settle(seen)
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

    def _resolve(self, seen: list[str], by: float, floor: float) -> None:
        """Something changed that nobody recorded: as late as all answers still fit."""
        held = list(self.entries)
        hunks = hunks_between(held, seen)
        points = self.recent
        for place in range(len(points), max(-1, len(points) - LOOKED_BACK), -1):
            if place == len(points):
                if self.shaky or not self.known:
                    continue
                self._begin(held, seen, by, floor)
                return
            try:
                guess = apply_loosely(points[place].entries, hunks)
            except DoesNotFit:
                continue
            left = self.left_by(guess, points[place:])
            if left is not None and same(left, unique(seen)):
                self.again(place, guess, by, floor)
                self.entries = seen
                self._span(self.record.spans[-1].at, anew=True)
                return
        self._begin(held, seen, by, floor)

    def again(self, place: int, entries: Sequence[str], by: float, floor: float) -> None:
        """Go back to a change, and on from there with other entries, which were there no later than `by`."""
        again = [point.event for point in self.recent[place:]]
        self._back_to(self.recent[place])
        # What answers tell of lengths says where it fits, and no more.
        self._begin(self.entries, entries, by, floor)
        self.record.chains[-1].loose = True
        for event in again:
            self.call(event) if isinstance(event, MemoryCall) else self._own(event)

    def left_by(self, entries: Sequence[str], points: Sequence[Point]) -> Sequence[str] | None:
        """What changes leave behind, if a store holds this before them; None if they do not fit."""
        for point in points:
            if isinstance(point.event, MemoryCall):
                result = applied(entries, point.event)
                if not result.fits:
                    return None
                entries = result.entries
            elif self.digests.of(entries) == point.event.change.before:
                entries = self.after(entries, point.event)
            else:
                return None
        return entries

    def _back_to(self, point: Point) -> None:
        self.entries, self.known, self.sized = list(point.entries), point.known, point.sized
        del self.record.spans[point.spans :]
        del self.record.marks[point.marks :]
        self.recent.clear()
        self.shaky = False

    def _begin(self, held: Sequence[str], seen: Sequence[str], by: float, floor: float) -> None:
        """From here on it holds something that does not follow from what is known."""
        self._doubt_foreign(seen)
        found = list(differences(unique(held), unique(seen)))
        if self.sized is not None and self.record.chains and _one_sided(found):
            # The length that was told then would have been another one.
            self.record.chains[-1].till = max(self.record.chains[-1].till, self.sized - SKEW_SECONDS)
        number = len(self.record.chains)
        self.record.chains.append(Chain(by, floor=floor))
        for kind, old, new, likely in found:
            change = Change(self.store, kind, old, new, None, by, likely_edit=likely)
            self.record.marks.append(Mark(change, number))
        self.entries, self.known = list(seen), True
        self.sized = None
        self._span(None)

    def _span(self, at: float | None, *, anew: bool = False) -> None:
        """It holds something else from now on, or something else than was thought."""
        if anew:
            self.record.spans.pop()
        self.record.spans.append(Span(tuple(self.entries), len(self.record.chains) - 1, at))
        self.digests.learn(self.entries)

    # What is known to have changed it

    def call(self, call: MemoryCall) -> None:
        if call.outcome != "accepted":
            return
        result = applied(self.entries, call, known=self.known)
        if result.repeated and not self.shaky:
            return  # a copy of an older call, which an agent made without a trace
        self._remember(call)
        if call.written_later and result.done:  # it was made at some time before
            self.record.doubts.append((self.record.chains[-1].till if self.record.chains else -math.inf, call.at))
        for done in result.done:
            self._note(call, done, doubted=self.known and not result.sized)
        if not self.known:
            self._learn(call, result)
            return
        if not result.fits:
            self.shaky, self.sized = True, None
        elif not self.shaky:
            self._confirm(call, result)
        changed = list(result.entries) != self.entries
        if changed or not result.fits:
            # What was seen shortly before may have been seen after it.
            chain = self.record.chains[-1]
            chain.till = min(chain.till, call.at - SKEW_SECONDS)
        if changed:
            self.entries, self.last = list(result.entries), call.at
            self._span(call.at)

    def _learn(self, call: MemoryCall, result: Applied) -> None:
        """Nothing was known so far; a call that tells of all there is changes that."""
        self.entries, self.last = list(result.entries), call.at
        if result.told_whole:
            self.known, self.learned = True, call
            self.record.chains.append(Chain())
            self.record.seen(call.at, call.at - SKEW_SECONDS)
            self._span(call.at)
            self.recent.clear()
        elif call.count in (None, len(self.entries)):
            self._span(call.at)

    def _confirm(self, call: MemoryCall, result: Applied) -> None:
        """What was there before the call had come by then."""
        chain = self.record.chains[-1]
        if result.done and not chain.loose:
            chain.by = min(chain.by, before(call.at))
        elif result.done:
            self.record.touched({done.before for done in result.done if done.before}, before(call.at))
        elif call.idle:
            self.record.touched({operation.content.strip() for operation in call.operations}, before(call.at))
        if call.chars is not None and call.count is not None:
            self.sized = call.at

    def _note(self, call: MemoryCall, done: Done, *, doubted: bool) -> None:
        kind: Kind = "add" if not done.before else "edit" if done.after else "remove"
        since = None if call.written_later else call.at
        change = Change(
            *(self.store, kind, done.before, done.after, since, call.at),
            by="background review" if call.review else "tool call",
            certainty="likely" if doubted else "exact",
            session_id=call.session_id,
            message_id=call.message_id,
            partial=done.partial,
            after_partial=done.after_partial,
        )
        if doubted:
            self.doubted.append((len(self.record.marks), change))
        self.record.marks.append(Mark(change))

    def _doubt_foreign(self, seen: Sequence[str]) -> None:
        """Doubt calls of which only their own session tells: before and after it the store held the same without it.

        Such a session may have come from another home.
        """
        record, number = self.record, len(self.record.chains) - 1
        earlier = next((span for span in reversed(record.spans) if span.chain < number), None)
        if earlier is None or earlier.chain != number - 1 or not same(earlier.entries, unique(seen)):
            return
        begun = max((place for place, mark in enumerate(record.marks) if mark.chain == number), default=-1)
        calls = [place for place in range(begun + 1, len(record.marks)) if record.marks[place].change.message_id]
        if begun < 0 or len({record.marks[place].change.session_id for place in calls}) != 1:
            return
        for place in calls:
            change = replace(record.marks[place].change, certainty="likely")
            record.marks[place] = replace(record.marks[place], change=change)

    def _settle(self, seen: Container[str]) -> None:
        """What calls did whose answers do not fit is known after all where it shows in what was seen next."""
        marks = self.record.marks
        for place, change in self.doubted:
            shows = change.after in seen if change.after else change.before not in seen and not change.partial
            if shows and place < len(marks) and marks[place].change is change:
                marks[place] = replace(marks[place], change=replace(change, certainty="exact"))
        self.doubted.clear()

    def ours(self, ours: Ours) -> None:
        # What it holds, and what that would become, may have been written before: their digests tell.
        self.digests.learn(self.entries)
        self.digests.learn(self.after(self.entries, ours))
        there = self.digests.before(ours)
        if there is not None:
            self.observe(there, before(ours.at), before(ours.at))
        else:
            self.shaky, self.sized = True, None
        self._own(ours)
        left = self.digests.after(ours, there)
        if left is not None:
            self.observe(left, ours.at, ours.at)

    def _own(self, ours: Ours) -> None:
        """A change of ours, as it is written down."""
        self._remember(ours)
        for kind, old, new, likely in done_by(ours):
            change = Change(*(self.store, kind, old, new, ours.at, ours.at), ours.by, "exact", record_id=ours.record.id)
            self.record.marks.append(Mark(marked(replace(change, likely_edit=likely), ours)))
        left = list(self.after(self.entries, ours))
        if left != self.entries:
            self.entries = left
            self.last = ours.at
            if self.known:
                self._span(ours.at)

    def after(self, entries: Sequence[str], event: MemoryCall | Ours) -> Sequence[str]:
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
            Point(event, tuple(self.entries), self.known, len(self.record.spans), len(self.record.marks), self.sized)
        )


def _one_sided(found: Sequence[Difference]) -> bool:
    """Whether changes cannot have made up for one another: only one length would fit with or without them."""
    kinds = {each.kind for each in found}
    if kinds == {"edit"}:
        return len(found) == 1 and len(found[0].before) != len(found[0].after)
    return len(kinds) == 1
