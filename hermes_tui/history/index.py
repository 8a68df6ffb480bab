"""All snapshots that were ever found, and all calls: what the cache holds, in the form in which it is asked for."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.replay import Sight
from hermes_tui.history.snapshots import Blocks, Snapshot, Stated
from hermes_tui.memory.batch import Operation
from hermes_tui.memory.entries import STORES, StoreName

Json = dict[str, Any]


class Told(NamedTuple):
    """One session and the block it was told; there may be a hundred thousand of them."""

    session_id: str
    row: int
    at: float
    """When its prompt was built, in epoch seconds."""
    until: float
    """When it ended; infinite when it has not."""
    size: int
    key: str
    block: int
    """Number of its block in `Index.blocks`; -1 when it was told nothing of memory."""


@dataclass(slots=True)
class Index:
    """Everything that is known of prompts and calls."""

    blocks: list[Blocks] = field(default_factory=list)
    sessions: dict[str, Told] = field(default_factory=dict)
    former: list[Told] = field(default_factory=list)
    """What sessions were told before their prompt was built anew."""
    calls: dict[tuple[str, int], MemoryCall] = field(default_factory=dict)
    """By session and answer."""
    calls_to: int = 0
    """The last message that was looked at for calls."""
    _numbers: dict[str, int] = field(default_factory=dict)
    """The number of each block, by its digest."""

    def known(self, session_id: str) -> tuple[int, str] | None:
        """Under which size and key a session's snapshot is known."""
        found = self.sessions.get(session_id)
        return None if found is None else (found.size, found.key)

    def add_snapshots(self, snapshots: Iterable[Snapshot]) -> Json:
        """Take in snapshots; what of them is new, as a line for the cache, empty when nothing is."""
        blocks: list[list[Any]] = []
        rows: list[list[Any]] = []
        for snapshot in snapshots:
            digest, stated = _digest(snapshot.blocks)
            if digest and digest not in self._numbers:
                blocks.append([digest, stated])
                self._add_block(digest, snapshot.blocks)
            row = [
                snapshot.session_id,
                snapshot.row,
                snapshot.at,
                snapshot.until if snapshot.until != float("inf") else None,
                snapshot.size,
                snapshot.key,
                digest,
            ]
            if self._add_session(row):
                rows.append(row)
        return {"blocks": blocks, "sessions": rows} if rows else {}

    def add_calls(self, calls: Iterable[MemoryCall], to: int) -> Json:
        """Take in calls; the same."""
        new = [call for call in calls if (call.session_id, call.result_id) not in self.calls]
        moved = to > self.calls_to
        self.calls_to = to
        self.calls.update(((call.session_id, call.result_id), call) for call in new)
        return {"calls": [_call_row(call) for call in new], "calls_to": to} if new or moved else {}

    def take(self, line: Json) -> None:
        """Take in a line of the cache.

        Raises:
            KeyError, TypeError, ValueError: it is none of ours.
        """
        for digest, stated in line.get("blocks", ()):
            if digest not in self._numbers:
                self._add_block(digest, {store: _stated(*each) for store, each in stated.items()})
        for row in line.get("sessions", ()):
            self._add_session(row)
        for row in line.get("calls", ()):
            call = _call(row)
            self.calls[call.session_id, call.result_id] = call
        self.calls_to = int(line.get("calls_to", self.calls_to))

    def _add_block(self, digest: str, blocks: Blocks) -> None:
        self._numbers[digest] = len(self.blocks)
        self.blocks.append(blocks)

    def _add_session(self, row: Sequence[Any]) -> bool:
        """Whether anything about it is new."""
        id, number, at, until, size, key, digest = row
        told = Told(id, number, at, float("inf") if until is None else until, size, key, self._numbers.get(digest, -1))
        before = self.sessions.get(id)
        if before == told:
            return False
        if before is not None and before.block != told.block and before.block >= 0:
            self.former.append(before)
        self.sessions[id] = told
        return True

    def sights(self, store: StoreName) -> Iterator[Sight]:
        """What sessions were told of a store; of many in a row that were told the same, the first and the last."""
        stated = [block.get(store) for block in self.blocks]
        speaking = [bool(block) for block in self.blocks]
        rows = sorted((told for told in (*self.former, *self.sessions.values()) if told.block >= 0), key=itemgetter(2))
        last: Told | None = None
        skipped: Told | None = None
        for told in rows:
            if not speaking[told.block] or not told.at:
                continue
            if last is not None and stated[told.block] == stated[last.block]:
                skipped = told
                continue
            if skipped is not None:
                yield _sight(skipped, stated[skipped.block])
                skipped = None
            yield _sight(told, stated[told.block])
            last = told
        if skipped is not None:
            yield _sight(skipped, stated[skipped.block])

    def uses(self, store: StoreName) -> Counter[str]:
        """How many sessions ran with each entry."""
        found: Counter[str] = Counter()
        for block, count in Counter(told.block for told in self.sessions.values()).items():
            stated = self.blocks[block].get(store) if block >= 0 else None
            for text in stated.entries if stated else ():
                found[text] += count
        return found


def _sight(told: Told, stated: Stated | None) -> Sight:
    # A prompt that speaks of the other store only: this one was empty, or switched off.
    entries, doubtful = (stated.entries, stated.doubtful) if stated else ((), False)
    return Sight(told.at, told.until, entries, "snapshot", told.session_id, doubtful)


def _stated(entries: Sequence[str], limit: int, doubtful: bool) -> Stated:
    return Stated(tuple(entries), limit, doubtful)


def _digest(blocks: Blocks) -> tuple[str, Json]:
    stated: Json = {store: [list(each.entries), each.limit, each.doubtful] for store, each in sorted(blocks.items())}
    if not stated:
        return "", {}
    text = json.dumps(stated, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest(), stated


def _call_row(call: MemoryCall) -> list[Any]:
    operations = [[each.action, each.content, each.old_text] for each in call.operations]
    return [
        *(call.session_id, call.message_id, call.result_id, call.at, call.store, operations, call.outcome),
        *(call.chars, call.count, list(call.pinned), call.pending_id),
    ]


def _call(row: Sequence[Any]) -> MemoryCall:
    session, message, result, at, store, operations, outcome, chars, count, pinned, pending = row
    if store not in STORES:
        raise ValueError(store)
    done = tuple(Operation(*map(str, each)) for each in operations)
    return MemoryCall(session, message, result, at, store, done, outcome, chars, count, tuple(pinned), pending)
