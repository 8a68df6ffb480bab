"""All snapshots that were ever found, and all calls: what the cache holds, in the form in which it is asked for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter, itemgetter, ne
from typing import Any, NamedTuple

from hermes_tui.history.call_reader import Reading
from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.events import Sight
from hermes_tui.history.kept import Kept, folded
from hermes_tui.history.lines import Json, block_named, block_row, call_from, call_row, text_name
from hermes_tui.history.snapshots import Blocks, Signs, Snapshot, Stated
from hermes_tui.history.told import Told
from hermes_tui.history.veils import is_note
from hermes_tui.memory.entries import STORES, StoreName

__all__ = ("Index", "Told")

SINCE, UNTIL, AT, BLOCK = map(attrgetter, ("since", "until", "at", "block"))
SILENT = "-"
"""What a block is called that speaks of no store, though it could."""
MOMENT = itemgetter(Told._fields.index("at"), Told._fields.index("session_id"))


@dataclass(slots=True)
class Index:
    """Everything that is known of prompts and calls."""

    blocks: list[Blocks] = field(default_factory=list)
    calls_to: int = 0
    """The last message that was looked at for calls."""
    calls_mark: float = 0.0
    """When that one was stored: another database has another one there."""
    version: int = 0
    """Another number whenever something is in it that was not."""
    _sessions: dict[str, Told] = field(default_factory=dict)
    _former: list[Told] = field(default_factory=list)
    _calls: dict[tuple[str, int], MemoryCall] = field(default_factory=dict)
    _kept: Kept | None = None
    """What was read of the rest, as long as nobody has asked for it."""
    _names: dict[str, int] = field(default_factory=dict)
    """The number of each block, by its name."""
    _texts: dict[str, str] = field(default_factory=dict)
    """The entries of all blocks, by their names."""
    _prints: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """The calls of each print."""
    _order: _Order | None = None
    _elsewhere: Mapping[StoreName, frozenset[str]] = field(default_factory=dict)
    """The entries that are known from elsewhere than prompts."""

    @classmethod
    def of(cls, kept: Kept) -> Index:
        """One that was folded up; most of it is unfolded when it is asked for."""
        index = cls(calls_to=kept.calls_to, calls_mark=kept.calls_mark)
        for name, blocks in kept.blocks:
            index._add_block(name, blocks)
        index._kept = kept
        return index

    def fold(self) -> Json:
        """All of it, as parts that can be written."""
        reached = self.calls_to, self.calls_mark
        blocks = zip(self._names, self.blocks, strict=True)
        sessions = [*self.sessions.values()]
        return folded(blocks, self._texts, sessions, self._former, self._calls.values(), reached)

    def _unfold(self) -> None:
        kept = self._kept
        if kept is None:
            return
        told = kept.told()
        self._former = told[kept.sessions :]
        self._sessions = dict(zip(kept.ids, told[: kept.sessions], strict=False))
        self._texts = dict(kept.texts)
        for call in kept.all_calls():
            self._add_call(call)
        self._kept = None

    @property
    def sessions(self) -> dict[str, Told]:
        """What each session was told last."""
        self._unfold()
        return self._sessions

    @property
    def former(self) -> list[Told]:
        """What sessions were told before their prompt was built anew."""
        self._unfold()
        return self._former

    @property
    def calls(self) -> dict[tuple[str, int], MemoryCall]:
        """The calls, by session and answer."""
        self._unfold()
        return self._calls

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self._kept or self._sessions or self._calls)

    def known(self, session_id: str) -> Signs | None:
        """By which signs a session's snapshot is known already."""
        found = self.sessions.get(session_id)
        return None if found is None else (found.size, found.key, found.last)

    def calls_like(self, print_: str) -> list[MemoryCall]:
        """The calls of a print."""
        calls = self.calls
        return [calls[place] for place in self._prints.get(print_, ()) if place in calls]

    # New things, and what of them is to be kept

    def add_snapshots(self, snapshots: Iterable[Snapshot]) -> Json:
        """Take in snapshots; what of them is new, as a line for the cache, empty when nothing is."""
        self._unfold()
        texts: dict[str, str] = {}
        blocks: list[list[Any]] = []
        places: dict[str, int] = {"": -1}
        rows: list[list[Any]] = []
        for snapshot in snapshots:
            name = SILENT if snapshot.silent else block_named(snapshot.blocks)
            new = name and name not in self._names
            if new:
                for text in (text for stated in snapshot.blocks.values() for text in stated.entries):
                    if text_name(text) not in self._texts:
                        texts[text_name(text)] = self._texts[text_name(text)] = text
                self._add_block(name, snapshot.blocks)
            told = self._placed(snapshot, self._names.get(name, -1))
            if not self._add_session(told):
                continue
            if name not in places:
                places[name] = len(blocks)
                blocks.append([name])
            if new:
                blocks[places[name]] = [name, block_row(snapshot.blocks)]
            ends = [None if end == math.inf else end for end in (told.until, told.last)]
            rows.append([*told[:4], ends[0], told.size, told.key, ends[1], places[name]])
        return {"texts": texts, "blocks": blocks, "sessions": rows} if rows else {}

    def _placed(self, snapshot: Snapshot, block: int) -> Told:
        at, until = snapshot.at, snapshot.until
        before = self.sessions.get(snapshot.session_id)
        if before is not None and before.block >= 0 and before.block != block and before.last < math.inf:
            # Built anew after it was read the last time, whatever the session's own times say.
            at, until = max(at, before.last), max(until, before.last, snapshot.last)
        return Told(
            *(snapshot.session_id, snapshot.row, at, snapshot.since, until, snapshot.size, snapshot.key),
            *(snapshot.last, block),
        )

    def add_calls(self, reading: Reading, mark: float) -> Json:
        """Take in calls; the same.

        Args:
            reading: a slice of them.
            mark: when the last message of the slice was stored.
        """
        line: Json = {"calls": [call_row(call) for call in reading.calls]}
        line["gone"] = [[before.session_id, before.result_id] for before, _ in reading.moved]
        line["calls"] += [call_row(after) for _, after in reading.moved]
        self.version += bool(reading.calls or reading.moved)
        for before, after in reading.moved:
            self.calls.pop((before.session_id, before.result_id), None)
            self._add_call(after)
        new = [call for call in reading.calls if (call.session_id, call.result_id) not in self.calls]
        for call in reading.calls:
            self._add_call(call)
        moved_on = reading.to > self.calls_to
        self.calls_to, self.calls_mark = reading.to, mark
        line |= {"from": reading.start, "to": [reading.to, mark]}
        return line if new or reading.moved or moved_on else {}

    def take(self, line: Json) -> None:
        """Take in a line of the cache.

        Raises:
            KeyError, TypeError, ValueError, IndexError: it is none of ours.
        """
        self._unfold()
        self.version += 1
        self._texts.update(line.get("texts", {}))
        numbers: list[int] = []
        for name, *stated in line.get("blocks", ()):
            if name not in self._names:
                self._add_block(name, {store: self._stated(*each) for store, each in stated[0].items()})
            numbers.append(self._names[name])
        numbers.append(-1)  # the place of those that were told nothing
        for id, row, at, since, until, size, key, last, place in line.get("sessions", ()):
            until, last = math.inf if until is None else until, math.inf if last is None else last
            self._add_session(Told(id, row, at, since, until, size, key, last, numbers[place]))
        for session, result in line.get("gone", ()):
            self.calls.pop((session, result), None)
        for row in line.get("calls", ()):
            self._add_call(call_from(row))
        to, mark = line.get("to", (self.calls_to, self.calls_mark))
        # A line before this one may be lost: what was in it is read again.
        if int(line.get("from", 0)) <= self.calls_to:
            self.calls_to, self.calls_mark = int(to), float(mark)

    def _stated(self, names: Sequence[str], limit: int, doubt: int) -> Stated:
        return Stated.of(tuple(self._texts[name] for name in names), limit, doubt)

    def _add_block(self, name: str, blocks: Blocks) -> None:
        self._names[name] = len(self.blocks)
        self.blocks.append(blocks)

    def _add_session(self, told: Told) -> bool:
        """Whether anything about it is new."""
        before = self._sessions.get(told.session_id)
        if before == told:
            return False
        if before is not None and before.block != told.block and before.block >= 0:
            self._former.append(before)
        self._sessions[told.session_id] = told
        self._order = None
        self.version += 1
        return True

    def _add_call(self, call: MemoryCall) -> None:
        place = call.session_id, call.result_id
        self._calls[place] = call
        if call.print and place not in self._prints.setdefault(call.print, []):
            self._prints[call.print].append(place)

    # What is asked of it

    def learn(self, known: Mapping[StoreName, Iterable[str]]) -> None:
        """Take in which entries of each store are known from elsewhere than prompts."""
        self._elsewhere = {store: frozenset(texts) for store, texts in known.items()}

    def believed(self) -> Sequence[Blocks]:
        """The blocks, where one that may be part of a file of a project is doubtful, unless all that it says is known
        from elsewhere."""
        if all(stated.placed for block in self.blocks for stated in block.values()):
            return self.blocks
        known = {store: set(self._elsewhere.get(store, ())) for store in STORES}
        for block in self.blocks:
            for store, stated in block.items():
                if stated.placed and not stated.doubtful:
                    known[store].update(stated.entries)
        return [{store: _judged(stated, known[store]) for store, stated in block.items()} for block in self.blocks]

    def moments(self) -> Iterable[tuple[float, str]]:
        """When each session was told what it was told, with its id."""
        return zip(self._each("at"), self._ids, strict=False)

    def told(self) -> dict[str, Blocks]:
        """What each session was told; empty for nothing."""
        blocks: list[Blocks] = [*self.believed(), {}]  # the last is the place of those that were told nothing
        return dict(zip(self._ids, map(blocks.__getitem__, self._each("block")), strict=False))

    @property
    def _ids(self) -> Iterable[str]:
        """The sessions; what is folded up has more behind them."""
        return self._sessions if self._kept is None else self._kept.ids

    def _each(self, name: str) -> Iterable[Any]:
        """One field of what each session was told last; nothing is unfolded for it."""
        if self._kept is None:
            return map(attrgetter(name), self._sessions.values())
        return self._kept.columns[name][: self._kept.sessions]

    def sights(self, store: StoreName) -> Iterator[Sight]:
        """What sessions were told of a store; of many in a row that were told the same, the first and the last."""
        if self._order is None:
            everything = (*self.former, *self.sessions.values())
            self._order = _Order.of([told for told in everything if told.block >= 0 and told.at])
        order = self._order
        kinds: dict[Stated | None, int] = {}
        kind_of = [kinds.setdefault(block.get(store), len(kinds)) for block in self.believed()]
        stated_of = list(kinds)
        kind = list(map(kind_of.__getitem__, map(BLOCK, order.told)))
        # Where another one begins; in many more places the same goes on.
        edges = [place for place, other in enumerate(map(ne, kind, kind[1:]), 1) if other]
        for first, end in pairwise([0, *edges, len(kind)] if kind else []):
            yield from order.sights(first, end, stated_of[kind[first]])

    def uses_since(self, store: StoreName, moments: Mapping[str, float]) -> Counter[str]:
        """How many sessions ran with some entries that were told no earlier than a moment of each."""
        found: Counter[str] = Counter(dict.fromkeys(moments, 0))
        holding = {
            number: [text for text in block[store].entries if text in moments]
            for number, block in enumerate(self.blocks)
            if store in block and not moments.keys().isdisjoint(block[store].entries)
        }
        if not holding:
            return found
        for at, number in zip(self._each("at"), self._each("block"), strict=True):
            for text in holding.get(number, ()):
                found[text] += at >= moments[text]
        return found

    def uses(self, store: StoreName) -> Counter[str]:
        """How many sessions ran with each entry."""
        found = Counter[str]()
        for block, count in Counter(self._each("block")).items():
            stated = self.blocks[block].get(store) if block >= 0 else None
            for text in stated.entries if stated else ():
                found[text] += count
        return found


def _judged(stated: Stated, known: Container[str]) -> Stated:
    if stated.placed or stated.doubtful or all(text in known or is_note(text) for text in stated.entries):
        return stated
    return replace(stated, doubtful=True)


class _Order(NamedTuple):
    """Sessions in the order of time, and what is asked of all of them, for both stores."""

    told: Sequence[Told]
    sinces: Sequence[float]
    untils: Sequence[float]
    moments: Sequence[tuple[float, str]]

    @classmethod
    def of(cls, told: list[Told]) -> _Order:
        told.sort(key=AT)
        return cls(told, list(map(SINCE, told)), list(map(UNTIL, told)), list(map(MOMENT, told)))

    def sights(self, begin: int, end: int, stated: Stated | None) -> Iterator[Sight]:
        """A run of sessions that were told the same: by when it was there for sure, and until when at least."""
        # A prompt that speaks of the other store only: this one was empty, or switched off.
        entries, doubtful = (stated.entries, stated.doubtful) if stated else ((), True)
        first, last, run = self.told[begin], self.told[end - 1], tuple(self.moments[begin:end])
        until = max(first.at, min(self.untils[begin:end]))
        yield Sight(first.at, until, entries, "snapshot", first.session_id, doubtful, first.since, run)
        if len(run) > 1:
            since = max(self.sinces[begin:end])
            yield Sight(last.at, last.until, entries, "snapshot", last.session_id, doubtful, since, run)
