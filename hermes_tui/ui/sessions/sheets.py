"""What the list shows, as lines: conversations by last activity, or what a search has found. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from hermes_tui.sessions.gathering import Hit
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.sessions.search import Found

Key = tuple[str, str, int]
"""What names a row across readings: the conversation's first session, then session and message of a part or hit."""


@dataclass(frozen=True, slots=True)
class PartRow:
    """One session of an unfolded lineage."""

    brief: Brief
    """The whole lineage."""
    number: int
    """Its place in it, from 1."""

    @property
    def session_id(self) -> str:
        """The part's own id."""
        return self.brief.parts[self.number - 1]


Entry = "Brief | PartRow"


class Spot(NamedTuple):
    """What is on one line of a sheet."""

    stop: int
    """The row that the cursor can stand on."""
    line: int
    """Which of its lines."""


class ListSheet:
    """Conversations, each with the same number of lines, so that a hundred thousand cost nothing to lay out."""

    def __init__(self, briefs: Sequence[Brief], unfolded: frozenset[str] = frozenset(), height: int = 2) -> None:
        self.height = height
        self.briefs = briefs
        self.entries: Sequence[Brief | PartRow] = briefs
        if unfolded:
            self.entries = list(_with_parts(briefs, unfolded))

    @property
    def stops(self) -> int:
        """Conversations, and parts of those that are unfolded."""
        return len(self.entries)

    @property
    def lines(self) -> int:
        """Lines of all."""
        return len(self.entries) * self.height

    def at(self, line: int) -> Spot:
        """What is on a line."""
        return Spot(*divmod(line, self.height))

    def span(self, stop: int) -> tuple[int, int]:
        """Where a row is."""
        return stop * self.height, self.height

    def key(self, stop: int) -> Key:
        """A conversation is named by its first session: the last changes with every compaction."""
        entry = self.entries[stop]
        return (entry.brief.root, entry.session_id, 0) if isinstance(entry, PartRow) else (entry.root, "", 0)

    def find(self, key: Key) -> int | None:
        """The row of that name; a part that was folded away is found as its conversation."""
        if key[1]:
            root = self._places.get(key[0])
            if root is None:
                return None
            for stop in range(root + 1, self.stops):
                entry = self.entries[stop]
                if not isinstance(entry, PartRow):
                    break
                if entry.session_id == key[1]:
                    return stop
            return root
        return self._places.get(key[0])

    def prepare(self) -> ListSheet:
        """Make what finding a row needs: not on the event loop."""
        _ = self._places
        return self

    @cached_property
    def _places(self) -> dict[str, int]:
        if self.entries is self.briefs:
            return {brief.root: place for place, brief in enumerate(self.briefs)}
        return {entry.root: place for place, entry in enumerate(self.entries) if not isinstance(entry, PartRow)}

    def briefs_between(self, first: int, last: int) -> list[Brief]:
        """The conversations whose rows are among these."""
        part = self.entries[max(0, first) : max(0, last)]
        return [entry for entry in part if not isinstance(entry, PartRow)]

    def parts_between(self, first: int, last: int) -> list[PartRow]:
        """The parts whose rows are among these."""
        return [entry for entry in self.entries[max(0, first) : max(0, last)] if isinstance(entry, PartRow)]


def _with_parts(briefs: Iterable[Brief], unfolded: frozenset[str]) -> Iterable[Brief | PartRow]:
    for brief in briefs:
        yield brief
        if brief.root in unfolded and len(brief.parts) > 1:
            # Newest first, as everything else in the list.
            yield from (PartRow(brief, number) for number in range(len(brief.parts), 0, -1))


class FoundLine(NamedTuple):
    """One line of what a search has found."""

    kind: Literal["head", "hit", "more"]
    found: int
    hit: int


class FoundSheet:
    """Conversations with the lines that were found in them; the cursor stands on the lines."""

    def __init__(self, found: Sequence[Found] = ()) -> None:
        self.found: list[Found] = []
        self._layout: list[FoundLine] = []
        self._stops: list[int] = []
        self._places: dict[Key, int] = {}
        self.add(found)

    def add(self, found: Sequence[Found]) -> None:
        """Lay out further conversations below."""
        for group in found:
            number = len(self.found)
            self.found.append(group)
            self._layout.append(FoundLine("head", number, -1))
            if not group.hits:
                self._stop(len(self._layout) - 1, (group.summary.brief.root, "", 0))
            for place, hit in enumerate(group.hits):
                self._layout.append(FoundLine("hit", number, place))
                self._stop(len(self._layout) - 1, (group.summary.brief.root, hit.session_id, hit.message_id))
            if group.more:
                self._layout.append(FoundLine("more", number, -1))

    def _stop(self, line: int, key: Key) -> None:
        self._places.setdefault(key, len(self._stops))
        self._stops.append(line)

    @property
    def stops(self) -> int:
        """Lines that were found, and conversations found by nothing but their filter."""
        return len(self._stops)

    @property
    def lines(self) -> int:
        """Lines of all."""
        return len(self._layout)

    def line(self, number: int) -> FoundLine:
        """What to draw on a line."""
        return self._layout[number]

    def at(self, line: int) -> Spot:
        """The row on a line: a head belongs to the first row below it, the count of more to the last above."""
        stop = bisect_right(self._stops, line) - 1
        if self._layout[line].kind == "head":
            stop = min(stop + (stop < 0 or self._stops[stop] != line), self.stops - 1)
        return Spot(max(0, stop), line - self._stops[max(0, stop)])

    def span(self, stop: int) -> tuple[int, int]:
        """Where a row is, with the head over it and the count below."""
        line = self._stops[stop]
        first = (
            line - 1 if line and self._layout[line].kind == "hit" and self._layout[line - 1].kind == "head" else line
        )
        last = line
        if line + 1 < len(self._layout) and self._layout[line + 1].kind == "more":
            last += 1
        return first, last - first + 1

    def key(self, stop: int) -> Key:
        """Conversation, session and message."""
        group, hit = self.pick(stop)
        root = group.summary.brief.root
        return (root, hit.session_id, hit.message_id) if hit else (root, "", 0)

    def find(self, key: Key) -> int | None:
        """The row of that name."""
        return self._places.get(key)

    def pick(self, stop: int) -> tuple[Found, Hit | None]:
        """The conversation of a row, and what was found in it there."""
        line = self._layout[self._stops[stop]]
        group = self.found[line.found]
        return group, group.hits[line.hit] if line.kind == "hit" else None
