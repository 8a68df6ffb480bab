"""The outline of a conversation: every message of all its parts by id, role, state, size and time, without the texts.

Held in columns of machine numbers, 35 bytes a message, so that a conversation of a million stays small.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from hermes_tui.sessions.messages import State

ROLES = ("", "user", "assistant", "tool", "system")
USER, ASSISTANT, TOOL = 1, 2, 3
MAX_ROLES = 255
MAX_TOOLS = 65_535
MAX_SIZE = 2**32 - 1

_KNOWN = bytes([0, *[1] * 255])
CALLS, REASONING = 1, 2
"""Bits of the flags: the message has tool calls; it has reasoning."""


class Names:
    """Names that come again and again, as small numbers."""

    def __init__(self, known: Sequence[str], most: int) -> None:
        self.names = list(known)
        self._codes = {name: code for code, name in enumerate(self.names)}
        self._most = most

    def code(self, name: str) -> int:
        """The number of a name; a new one gets the next, and the last is for all that find no place."""
        code = self._codes.get(name)
        if code is None:
            if len(self.names) > self._most:
                return self._most
            code = self._codes[name] = len(self.names)
            self.names.append(name)
        return code


@dataclass(frozen=True, slots=True)
class Details:
    """What is known of some messages, in columns of equal length, by id."""

    ids: array[int]
    roles: bytes
    states: bytes
    flags: bytes
    sizes: array[int]
    weights: array[int]
    """Bytes that are shown unless unfolded: what makes a message high."""
    times: array[float]
    """NaN where there is none."""
    tools: array[int]
    sessions: tuple[str, ...] = field(default=())
    """The part each belongs to; empty when that is known."""

    def __len__(self) -> int:
        return len(self.ids)


def joined(pieces: Sequence[Details]) -> Details:
    """Details of some messages and of others, as one."""
    if len(pieces) == 1:
        return pieces[0]
    ids, sizes, weights, times, tools = array("q"), array("I"), array("I"), array("d"), array("H")
    for piece in pieces:
        ids.extend(piece.ids)
        sizes.extend(piece.sizes)
        weights.extend(piece.weights)
        times.extend(piece.times)
        tools.extend(piece.tools)
    return Details(
        ids,
        b"".join(piece.roles for piece in pieces),
        b"".join(piece.states for piece in pieces),
        b"".join(piece.flags for piece in pieces),
        sizes,
        weights,
        times,
        tools,
        tuple(session for piece in pieces for session in piece.sessions),
    )


def unreadable(message_id: int) -> Details:
    """A message that is there, and of which nothing can be read."""
    return Details(
        array("q", [message_id]), b"\0", bytes([State.LIVE]), b"\0",
        array("I", [0]), array("I", [0]), array("d", [math.nan]), array("H", [0]),
    )  # fmt: skip


NO_DETAILS = Details(array("q"), b"", b"", b"", array("I"), array("I"), array("d"), array("H"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of the outline."""

    id: int
    session_id: str
    role: str
    state: State
    size: int
    tool_name: str
    timestamp: float | None
    has_calls: bool
    has_reasoning: bool


class Outline:
    """All messages of a conversation in order: part by part, within a part by id."""

    def __init__(self) -> None:
        self.parts: tuple[str, ...] = ()
        self.starts: list[int] = []
        """Where each part begins."""
        self.ids = array("q")
        self.roles = bytearray()
        self.states = bytearray()
        self.flags = bytearray()
        self.fresh = bytearray()
        """1 where what is known was read since it last was in doubt."""
        self.sizes = array("I")
        self.weights = array("I")
        self.times = array("d")
        self.tools = array("H")
        self.role_names = Names(ROLES, MAX_ROLES)
        self.tool_names = Names(("",), MAX_TOOLS)

    def __len__(self) -> int:
        return len(self.ids)

    def entry(self, place: int) -> Entry:
        """The message at a place."""
        when, flags = self.times[place], self.flags[place]
        return Entry(
            id=self.ids[place],
            session_id=self.parts[self.part_at(place)],
            role=self.role_names.names[self.roles[place]],
            state=State(self.states[place]),
            size=self.sizes[place],
            tool_name=self.tool_names.names[self.tools[place]],
            timestamp=None if math.isnan(when) else when,
            has_calls=bool(flags & CALLS),
            has_reasoning=bool(flags & REASONING),
        )

    def part_at(self, place: int) -> int:
        """The number of the part a place is in."""
        return bisect_left(self.starts, place + 1) - 1

    def bounds(self, part: int) -> tuple[int, int]:
        """The places of a part: first, and one past the last."""
        end = self.starts[part + 1] if part + 1 < len(self.starts) else len(self.ids)
        return self.starts[part], end

    def place_of(self, message_id: int) -> int | None:
        """Where a message is."""
        for part in reversed(range(len(self.parts))):
            start, end = self.bounds(part)
            place = bisect_left(self.ids, message_id, start, end)
            if place < end and self.ids[place] == message_id:
                return place
        return None

    def nearest(self, message_id: int) -> int:
        """Where a message is, or what came after it when it is gone."""
        place = self.place_of(message_id)
        if place is not None:
            return place
        part = next((p for p in reversed(range(len(self.parts))) if self._first_id(p) <= message_id), 0)
        start, end = self.bounds(part) if self.parts else (0, 0)
        return max(0, min(bisect_left(self.ids, message_id, start, end), len(self.ids) - 1))

    def _first_id(self, part: int) -> int:
        start, end = self.bounds(part)
        return self.ids[start] if start < end else 2**63 - 1

    def unknown_near(self, place: int, count: int) -> range:
        """Places whose details are not known, as near to `place` as there are any."""
        fresh = self.fresh
        after = fresh.find(0, max(0, place))
        before = fresh.rfind(0, 0, max(0, place))
        if after < 0 and before < 0:
            return range(0)
        if before < 0 or (after >= 0 and after - place <= place - before):
            end = fresh.find(1, after, after + count)
            return range(after, end if end >= 0 else min(len(fresh), after + count))
        return range(max(fresh.rfind(1, 0, before), before - count) + 1, before + 1)

    def details_of(self, places: Sequence[int]) -> Details:
        """What is known of some messages, those left out of which nothing is."""
        known = [place for place in places if self.states[place]]
        return Details(
            array("q", (self.ids[place] for place in known)),
            bytes(self.roles[place] for place in known),
            bytes(self.states[place] for place in known),
            bytes(self.flags[place] for place in known),
            array("I", (self.sizes[place] for place in known)),
            array("I", (self.weights[place] for place in known)),
            array("d", (self.times[place] for place in known)),
            array("H", (self.tools[place] for place in known)),
        )

    @property
    def complete(self) -> bool:
        """Whether the details of every message are known."""
        return 0 not in self.fresh

    def doubt(self) -> None:
        """All that is known may be out of date; it stands until it is read again."""
        self.fresh = bytearray(len(self.ids))

    def lose(self, place: int) -> None:
        """A message is gone: until the ids are read again it takes no room."""
        self.states[place], self.fresh[place] = State.HIDDEN, 1

    # Filling

    def set_ids(self, parts: Sequence[str], ids: Sequence[array[int]]) -> None:
        """Say which messages there are; what was known of them stays known."""
        old = self.known()
        self.parts = tuple(parts)
        self.starts = [0, *accumulate(len(part) for part in ids[:-1])] if ids else []
        self.ids = array("q")
        for part in ids:
            self.ids.extend(part)
        count = len(self.ids)
        self.roles, self.states, self.flags = bytearray(count), bytearray(count), bytearray(count)
        self.sizes, self.weights = array("I", bytes(4 * count)), array("I", bytes(4 * count))
        self.times, self.tools = array("d", [math.nan]) * count, array("H", bytes(2 * count))
        self.fresh = bytearray(count)
        self.fill(old)
        self.fresh = bytearray(self.states.translate(_KNOWN))

    def known(self) -> Details:
        """All details, also the empty ones of messages that are not known yet."""
        return Details(
            self.ids, bytes(self.roles), bytes(self.states), bytes(self.flags),
            self.sizes, self.weights, self.times, self.tools,
        )  # fmt: skip

    def fill(self, details: Details) -> list[range]:
        """Take details over; where they are now, as ranges of places."""
        filled: list[range] = []
        ids, done = details.ids, 0
        while done < len(ids):
            place = self.place_of(ids[done])
            if place is None:
                done += 1
                continue
            end = self._run_end(ids, done, place)
            filled.append(range(place, place + end - done))
            self._put(details, done, end, place)
            done = end
        return filled

    def _run_end(self, ids: array[int], start: int, place: int) -> int:
        """How far `ids` from `start` on lie in the outline one after the other, from `place` on."""
        length = min(len(ids) - start, self.bounds(self.part_at(place))[1] - place)
        if self.ids[place : place + length] == ids[start : start + length]:
            return start + length
        low, high = 1, length  # equal up to low, not up to high
        while high - low > 1:
            middle = (low + high) // 2
            if self.ids[place : place + middle] == ids[start : start + middle]:
                low = middle
            else:
                high = middle
        return start + low

    def _put(self, details: Details, start: int, end: int, place: int) -> None:
        to = slice(place, place + end - start)
        self.fresh[to] = b"\x01" * (end - start)
        self.roles[to] = details.roles[start:end]
        self.states[to] = details.states[start:end]
        self.flags[to] = details.flags[start:end]
        self.sizes[to] = details.sizes[start:end]
        self.weights[to] = details.weights[start:end]
        self.times[to] = details.times[start:end]
        self.tools[to] = details.tools[start:end]

    def add(self, parts: Sequence[str], details: Details) -> int:
        """Take over messages that are new, each at the end of its part; the first place that is another one now."""
        fresh: dict[str, list[int]] = {}
        for number, session_id in enumerate(details.sessions):
            if self.place_of(details.ids[number]) is None:
                fresh.setdefault(session_id, []).append(number)
        same_parts = tuple(parts[: len(self.parts)]) == self.parts
        late = set(fresh) - set(parts[max(0, len(self.parts) - 1) :])
        if same_parts and not late:
            first = len(self.ids)
            for session_id in parts[max(0, len(self.parts) - 1) :]:
                if session_id not in self.parts:
                    self.parts += (session_id,)
                    self.starts.append(len(self.ids))
                self._append(details, fresh.get(session_id, ()))
            return first
        ids = [array("q", self.ids[slice(*self.bounds(part))]) for part in range(len(self.parts))]
        by_part = dict(zip(self.parts, ids, strict=True))
        for session_id, numbers in fresh.items():
            grown = by_part.setdefault(session_id, array("q"))
            grown.extend(details.ids[number] for number in numbers)
            if len(grown) > len(numbers) and grown[-len(numbers) - 1] > grown[-len(numbers)]:
                by_part[session_id] = array("q", sorted(grown))
        before = self.ids
        self.set_ids(parts, [by_part.get(part, array("q")) for part in parts])
        self.fill(details)
        return next(
            (at for at, pair in enumerate(zip(before, self.ids, strict=False)) if pair[0] != pair[1]), len(before)
        )

    def _append(self, details: Details, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.ids.append(details.ids[number])
            self.fresh.append(1)
            self.roles.append(details.roles[number])
            self.states.append(details.states[number])
            self.flags.append(details.flags[number])
            self.sizes.append(details.sizes[number])
            self.weights.append(details.weights[number])
            self.times.append(details.times[number])
            self.tools.append(details.tools[number])
