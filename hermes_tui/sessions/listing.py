"""The list of conversations: by last activity, the parts of each folded into one, details only for what is shown."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING, Literal, NamedTuple

from hermes_tui.errors import Unreadable
from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.lineage import HIDDEN_KINDS, Fact, Kind, Lineages, read_facts_with
from hermes_tui.sessions.salvage import is_damage, salvaged
from hermes_tui.sessions.stored import text_of

if TYPE_CHECKING:
    from hermes_tui.sessions.query import Archived

SLICE_ROWS = 250
"""Sessions read by one statement; a row may have a long prompt in it."""
RECENT_MESSAGES = 5_000
"""So many of the newest messages are looked at to know which conversations come first."""

ListKind = Literal[Kind, "empty"]
HIDDEN: frozenset[ListKind] = HIDDEN_KINDS | {"empty"}
"""Kinds that the list leaves out unless they are asked for."""

Order = Literal["active", "started", "messages"]


@dataclass(frozen=True, slots=True)
class Brief:
    """One conversation, as much of it as is known of every one."""

    id: str
    """The newest part: what is resumed."""
    root: str
    """The oldest part."""
    parts: tuple[str, ...]
    """The ids of all parts, oldest first."""
    kind: ListKind
    source: str
    model: str
    cwd: str
    started_at: float
    """Epoch seconds; 0 when it is not known."""
    last_active: float
    """When the newest message was written, else when it began; 0 when it is not known."""
    messages: int
    archived: bool


class _Part(NamedTuple):
    """One session, as the index keeps it: there may be a hundred thousand of them."""

    id: str
    parent: str | None
    """The session it continues."""
    kind: Kind
    source: str
    model: str
    cwd: str
    titled: bool
    archived: bool
    started_at: float
    last_active: float
    messages: int
    rowid: int


class SessionIndex:
    """All conversations of a database, newest activity first.

    Args:
        base: the database.
    """

    def __init__(self, base: Database) -> None:
        self._base = base
        self._parts: dict[str, _Part] = {}
        self._following: dict[str, dict[str, _Part]] = {}
        self._last_message = 0
        self._last_row = 0
        self.briefs: tuple[Brief, ...] = ()
        self.complete = False
        """Whether all are there, and not only the newest."""
        self.lost = 0
        """Sessions that lie in damaged pages."""

    def newest(self, limit: int = 100) -> tuple[Brief, ...]:
        """The most recently active conversations, at once; all of them come with `load`."""
        try:
            return self._newest(limit)
        except Unreadable as error:
            if not is_damage(error):
                raise
        self.load()
        return self.briefs

    def _newest(self, limit: int) -> tuple[Brief, ...]:
        recent = self._base.rows(
            "SELECT session_id, max(id) FROM (SELECT id, session_id FROM messages ORDER BY id DESC LIMIT ?)"
            " GROUP BY session_id ORDER BY 2 DESC LIMIT ?",
            (RECENT_MESSAGES, limit),
        )
        begun = self._base.rows("SELECT id FROM sessions ORDER BY started_at DESC LIMIT ?", (limit,))
        self._last_message = self._newest_message()
        self.take(text_of(row[0]) for row in (*recent, *begun))
        return self.briefs

    def load(
        self, progress: Callable[[int], object] | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """Read all sessions, slice by slice.

        Args:
            progress: told how many were read so far.
            stopped: whether to give up.
        """
        found: list[_Part] = []
        newest = self._newest_message()
        (highest,) = self._base.rows("SELECT coalesce(max(rowid), 0) FROM sessions")[0]
        last = self.lost = 0
        while last < highest:
            if stopped():
                return
            try:
                parts = self._read("s.rowid > ? ORDER BY s.rowid LIMIT ?", (last, SLICE_ROWS))
                last = parts[-1].rowid if parts else highest
            except Unreadable as error:
                if not is_damage(error):
                    raise
                parts, last = self._salvaged(last, min(highest, last + SLICE_ROWS)), last + SLICE_ROWS
            found += parts
            if progress:
                progress(len(found))
        if self.lost and not found:
            self._read("1 LIMIT 1", ())  # says what is wrong
        self._parts, self._following, self._last_row = {}, {}, 0
        self._add(found)
        self.briefs = tuple(sorted(map(_brief, self._chains(self._parts)), key=_place))
        self._last_message, self.complete = newest, True

    def _salvaged(self, after: int, last: int) -> list[_Part]:
        """The sessions with these row numbers that can be read."""
        numbers = range(after + 1, last + 1)

        def read(some: Sequence[int]) -> list[_Part]:
            return self._read(f"s.rowid IN ({', '.join('?' * len(some))})", some)

        def lose(_number: int) -> list[_Part]:
            self.lost += 1
            return []

        return [part for parts in salvaged(read, numbers, lose) for part in parts]

    def refresh(self) -> bool:
        """Catch up after a commit; True when something in the list has changed.

        What was deleted is noticed by counting, and then all is read again.
        """
        before = self.briefs
        touched = self._base.rows(
            "SELECT DISTINCT session_id FROM messages WHERE id > ? ORDER BY id DESC LIMIT 2000", (self._last_message,)
        )
        begun = self._base.rows("SELECT id FROM sessions WHERE rowid > ? LIMIT 2000", (self._last_row,))
        self._last_message = self._newest_message()
        self.take(text_of(row[0]) for row in (*touched, *begun))
        if self.complete and self._base.rows("SELECT count(*) FROM sessions")[0][0] != len(self._parts):
            self.load()
        return self.briefs != before

    def take(self, ids: Iterable[str]) -> None:
        """Read some sessions, anew if they are known, and those they continue."""
        wanted = list(dict.fromkeys(ids))
        seen: set[str] = set()
        while wanted:
            read: list[_Part] = []
            for start in range(0, len(wanted), 100):
                some = wanted[start : start + 100]
                read += self._read(f"s.id IN ({', '.join('?' * len(some))})", some)
            self._add(read)
            seen.update(wanted)
            parents = {part.parent for part in read}
            wanted = [id for id in parents if id and id not in seen and id not in self._parts]
        self._fold(seen)

    def _newest_message(self) -> int:
        return int(self._base.rows("SELECT coalesce(max(id), 0) FROM messages")[0][0])

    def _read(self, where: str, values: Sequence[object]) -> list[_Part]:
        count = "s.message_count" if "message_count" in self._base.features().sessions else "0"
        newest = "(SELECT max(m.timestamp) FROM messages m WHERE m.session_id = s.id)"
        found = read_facts_with(self._base, ("s.rowid", count, newest), where, values)
        return [_part(fact, row) for fact, row in found]

    def _add(self, parts: Iterable[_Part]) -> None:
        for part in parts:
            self._parts[part.id] = part
            self._last_row = max(self._last_row, part.rowid)
            if part.parent:
                self._following.setdefault(part.parent, {})[part.id] = part

    def _next(self, part: _Part) -> _Part | None:
        """The part that goes on after this one: the last one begun, should there be several."""
        children = self._following.get(part.id)
        return max(children.values(), key=_begun) if children else None

    def _chains(self, ids: Iterable[str]) -> Iterator[list[_Part]]:
        """The conversations that begin with some of these sessions."""
        wanted = list(ids)
        covered: set[str] = set()
        for id in wanted:
            part = self._parts[id]
            before = self._parts.get(part.parent) if part.parent else None
            if before is None or self._next(before) is not part:
                yield self._chain(part, covered)
        for id in wanted:
            if id not in covered:  # sessions that continue each other in a ring have no first one
                yield self._chain(self._parts[id], covered)

    def _chain(self, first: _Part, covered: set[str]) -> list[_Part]:
        chain = [first]
        covered.add(first.id)
        while (following := self._next(chain[-1])) and following.id not in covered:
            chain.append(following)
            covered.add(following.id)
        return chain

    def _fold(self, ids: Iterable[str]) -> None:
        """Put the conversations of these sessions in their place in the list."""
        concerned: set[str] = set()
        for id in ids:
            while id in self._parts and id not in concerned:
                concerned.add(id)
                concerned.update(self._following.get(id, ()))
                id = self._parts[id].parent or ""
        fresh = [_brief(chain) for chain in self._chains(sorted(concerned & self._parts.keys()))]
        stale = {part for brief in fresh for part in brief.parts} | concerned
        kept = [brief for brief in self.briefs if brief.root not in stale and brief.id not in stale]
        for brief in fresh:
            insort(kept, brief, key=_place)
        self.briefs = tuple(kept)


def _part(fact: Fact, row: Row) -> _Part:
    rowid, count, newest = row
    counted = count if isinstance(count, int) else 0
    return _Part(
        id=fact.id,
        parent=fact.parent if fact.continues else None,
        kind=fact.kind,
        # Few different ones: each is kept once.
        source=intern(fact.source),
        model=intern(fact.model),
        cwd=intern(fact.cwd),
        titled=bool(fact.title),
        archived=fact.archived,
        started_at=fact.started_at,
        last_active=moment(newest) or fact.started_at,
        # A count of nothing with messages there: an agent that does not count, or one that is writing.
        messages=counted or int(newest is not None),
        rowid=int(rowid),
    )


def _begun(part: _Part) -> tuple[float, str]:
    return part.started_at, part.id


def _place(brief: Brief) -> tuple[float, str]:
    return -brief.last_active, brief.id


def _brief(chain: Sequence[_Part]) -> Brief:
    first, last = chain[0], chain[-1]
    messages = sum(part.messages for part in chain)
    kind: ListKind = first.kind
    if not messages and not any(part.titled for part in chain):
        kind = "empty"
    return Brief(
        id=last.id,
        root=first.id,
        parts=tuple(part.id for part in chain),
        kind=kind,
        source=last.source,
        model=last.model,
        cwd=last.cwd,
        started_at=first.started_at,
        last_active=max(part.last_active for part in chain),
        messages=messages,
        archived=any(part.archived for part in chain),
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """Which conversations a person wants to see; empty sets let all through."""

    kinds: frozenset[ListKind] = frozenset()
    """Kinds shown that are hidden otherwise."""
    archived: Archived = "no"
    sources: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    cwds: frozenset[str] = frozenset()
    after: float | None = None
    before: float | None = None
    order: Order = "active"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The conversations that are shown, and why others are not."""

    briefs: tuple[Brief, ...]
    hidden: Mapping[str, int]
    """How many were left out, by the first reason: a kind, `archived`, or `filter`."""


def choose(briefs: Sequence[Brief], choice: Choice) -> Chosen:
    """The conversations that a person wants to see, in the order they want."""
    shown: list[Brief] = []
    hidden: Counter[str] = Counter()
    for brief in briefs:
        reason = _hidden_by(brief, choice)
        if reason:
            hidden[reason] += 1
        else:
            shown.append(brief)
    if choice.order == "started":
        shown.sort(key=lambda brief: (-brief.started_at, brief.id))
    elif choice.order == "messages":
        shown.sort(key=lambda brief: (-brief.messages, -brief.last_active, brief.id))
    return Chosen(tuple(shown), dict(hidden))


def _hidden_by(brief: Brief, choice: Choice) -> str:
    if brief.kind in HIDDEN and brief.kind not in choice.kinds:
        return brief.kind
    if brief.archived and choice.archived == "no":
        return "archived"
    outside = (
        (choice.archived == "only" and not brief.archived)
        or (choice.sources and brief.source not in choice.sources)
        or (choice.models and brief.model not in choice.models)
        or (choice.cwds and brief.cwd not in choice.cwds)
        or (choice.after is not None and brief.last_active < choice.after)
        or (choice.before is not None and brief.last_active >= choice.before)
    )
    return "filter" if outside else ""


def continued(briefs: Iterable[Brief]) -> str:
    """The id of the session that `hermes --continue` opens: the last one at a terminal; empty when there is none."""
    shown = [brief for brief in briefs if brief.kind in ("chat", "branch") and not brief.archived]
    for source in ("cli", "tui"):
        newest = max((brief for brief in shown if brief.source == source), key=_activity, default=None)
        if newest is not None:
            return newest.id
    return ""


def _activity(brief: Brief) -> float:
    return brief.last_active


def briefs_of(base: Database, lineages: Lineages, roots: Sequence[str]) -> dict[str, Brief]:
    """The conversations that begin with these sessions, for those who have no index of all."""
    index = SessionIndex(base)
    index.take([part for root in roots for part in lineages.parts(root)])
    return {brief.root: brief for brief in index.briefs}
