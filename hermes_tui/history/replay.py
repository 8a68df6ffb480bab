"""One store's past, put together: what was seen of it, and what is known to have changed it, in the order of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import By, Change, Kind, State, differences
from hermes_tui.memory.batch import Operation, StepFailed, Walk
from hermes_tui.memory.changes import DoesNotFit, apply_exactly, apply_loosely
from hermes_tui.memory.entries import FILE_NAMES, StoreName, count, join, unique
from hermes_tui.memory.journal import FileChange, JournalRecord
from hermes_tui.memory.prompt import BLOCKED_MARK, sanitized
from hermes_tui.memory.view import digest_of

STALE_SECONDS = 12 * 3600.0
"""An agent may hold the block it has read for so long before its first message stores it."""
LOOKED_AHEAD = 200
"""Changes that are tried to see whether a prompt was built only after them."""

Why = Literal["snapshot", "seen", "now"]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a store was seen to hold."""

    at: float
    until: float
    """It was seen at some time from `at` to this."""
    entries: tuple[str, ...]
    why: Why
    session_id: str = ""
    doubtful: bool = False
    """Whether it may not be what it looks like."""


@dataclass(frozen=True, slots=True)
class Ours:
    """A change of ours: its record, and what it did to this store."""

    record: JournalRecord
    change: FileChange

    @property
    def by(self) -> By:
        """Whose change it was: the agent's, which a person approved here, or the person's own."""
        if self.record.origin == "tool":
            return "tool call"
        return "approved here" if self.pending_id else "edited here"

    @property
    def pending_id(self) -> str:
        """The pending write that was approved with it; empty when none was."""
        paths = (Path(other.path) for other in self.record.others)
        return next((path.stem for path in paths if path.parent.parent.name == "pending"), "")


Event = Sight | MemoryCall | Ours


@dataclass(frozen=True, slots=True)
class Past:
    """One store's past."""

    changes: tuple[Change, ...]
    """Oldest first."""
    states: tuple[State, ...]
    """Oldest first."""
    stale: frozenset[str]
    """Sessions that began on a block which was out of date already."""


def time_of(event: Event) -> float:
    """When something happened, in epoch seconds."""
    return event.record.at if isinstance(event, Ours) else event.at


def _rank(event: Event) -> tuple[float, int]:
    # What is seen at the very time of a change is seen after it, and what is on disk now comes last.
    if isinstance(event, Sight) and event.why == "now":
        return float("inf"), 2
    return time_of(event), int(isinstance(event, Sight))


def replay(store: StoreName, events: Iterable[Event]) -> Past:
    """The past of one store."""
    walker = _Walker(store, sorted(events, key=_rank))
    walker.walk()
    return Past(tuple(walker.changes), tuple(walker.states), frozenset(walker.stale))


@dataclass(slots=True)
class _Walker:
    store: StoreName
    events: Sequence[Event]
    entries: list[str] | None = None
    """What it holds, as far as that can be told; None as long as nothing is known."""
    since: float | None = None
    """When it was last known for certain."""
    certain: bool = False
    changes: list[Change] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    stale: set[str] = field(default_factory=set)

    def walk(self) -> None:
        for at, event in enumerate(self.events):
            if isinstance(event, Sight):
                self._see(event, self.events[at + 1 : at + 1 + LOOKED_AHEAD])
            elif isinstance(event, MemoryCall):
                self._call(event)
            else:
                self._own(event)

    # What was seen

    def _see(self, sight: Sight, following: Sequence[Event]) -> None:
        if sight.why == "now" and self.since is not None:
            sight = replace(sight, at=max(sight.at, self.since))  # a file may come back with a time of long ago
        seen = self._unveiled(sight.entries)
        if self.entries is None:
            self._become(seen, sight, known_before=False)
            return
        if _same(self.entries, seen):
            self._confirm(seen, sight.at)
            return
        if sight.doubtful:
            return
        if sight.why == "snapshot" and (self._comes_later(sight, seen, following) or self._was_before(sight, seen)):
            return
        self._become(seen, sight, known_before=True)

    def _unveiled(self, entries: Sequence[str]) -> list[str]:
        """Entries with the texts behind the notes that stand for blocked ones, where they are known."""
        if not self.entries or not any(text.startswith(BLOCKED_MARK) for text in entries):
            return list(entries)
        file = FILE_NAMES[self.store]
        behind = {sanitized(file, text, line): text for text in self.entries for line in ("0.19", "0.22")}
        return [behind.get(text, text) for text in entries]

    def _become(self, seen: list[str], sight: Sight, *, known_before: bool) -> None:
        """What is seen cannot be explained, so it changed unseen."""
        before = self.entries if known_before and self.entries is not None else []
        since = self.since if known_before else None
        for kind, old, new in differences(before, seen):
            self.changes.append(Change(self.store, kind, old, new, since, sight.at))
        self.entries = seen
        self._note(sight.at, certain=not sight.doubtful)

    def _confirm(self, seen: list[str], at: float) -> None:
        self.entries = seen
        if not self.certain:
            self._note(at, certain=True)
        self.since, self.certain = at, True

    def _note(self, at: float, *, certain: bool) -> None:
        """The store holds something else from now on."""
        self.states.append(State(at, tuple(self.entries or ()), certain))
        self.certain = certain
        if certain:
            self.since = at

    def _comes_later(self, sight: Sight, seen: list[str], following: Sequence[Event]) -> bool:
        """Whether a prompt was built only after some of the changes that come next: a session may build it anew."""
        trial = _Walker(self.store, (), list(self.entries or ()), self.since, self.certain)
        for event in following:
            if time_of(event) > sight.until:
                return False
            if isinstance(event, MemoryCall):
                trial._call(event)
            elif isinstance(event, Ours):
                trial._own(event)
            if trial.entries is not None and _same(trial.entries, seen):
                return True
        return False

    def _was_before(self, sight: Sight, seen: list[str]) -> bool:
        """Whether it is what the store held shortly before: the agent read it, and began a session only later."""
        for state in reversed(self.states):
            if _same(state.entries, seen):
                self.stale.add(sight.session_id)
                return True
            if state.at < sight.at - STALE_SECONDS:
                break
        return False

    # What is known to have changed it

    def _call(self, call: MemoryCall) -> None:
        if call.outcome != "accepted":
            return
        fits = self.entries is not None
        walk = Walk(list(self.entries or ()))
        pin = call.pinned[0] if call.pinned and len(call.operations) == 1 else None
        for operation in call.operations:
            there = list(walk.entries)
            try:
                walk.take(operation, pin)
            except StepFailed:
                fits = False
                self._unfitting(call, operation, pin, walk)
                continue
            step = walk.steps[-1]
            if walk.entries != there:
                self._add(call, step.before or "", step.after or "")
        self.entries = walk.entries
        told = call.chars is None or count(self.entries) == call.chars
        counted = call.count is None or len(self.entries) == call.count
        self._note(call.at, certain=fits and told and counted and (self.certain or call.chars is not None))

    def _unfitting(self, call: MemoryCall, operation: Operation, pin: str | None, walk: Walk) -> None:
        """A change to an entry that came unseen: of what was before, there is only what the call says of it."""
        before, after = pin or operation.old_text, operation.content.strip()
        if operation.action == "remove":
            self._add(call, before, "")
            return
        if operation.action == "patch" and pin:
            after = pin.replace(operation.old_text, operation.content, 1)
        walk.entries.append(after)
        self._add(call, before, after)

    def _add(self, call: MemoryCall, before: str, after: str) -> None:
        kind: Kind = "add" if not before else "edit" if after else "remove"
        behind = (call.session_id, call.message_id)
        self.changes.append(Change(self.store, kind, before, after, call.at, call.at, "tool call", "exact", *behind))

    def _own(self, ours: Ours) -> None:
        record, change = ours.record, ours.change
        known = self.entries is not None and digest_of(join(self.entries).encode()) == change.before
        gone = [text for hunk in change.hunks for text in hunk.old]
        come = [text for hunk in change.hunks for text in hunk.new]
        for kind, old, new in differences(gone, come):
            found = Change(self.store, kind, old, new, record.at, record.at, ours.by, "exact", record_id=record.id)
            self.changes.append(found)
        try:
            self.entries = (apply_exactly if known else apply_loosely)(self.entries or [], change.hunks)
        except DoesNotFit:
            self.entries = [*(text for text in self.entries or () if text not in gone), *come]
        self._note(record.at, certain=digest_of(join(self.entries).encode()) == change.after)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return unique(one) == unique(other)
