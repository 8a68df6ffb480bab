"""The list of conversations: by last activity, the parts of each folded into one, details only for what is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.features import names
from hermes_tui.sessions.lineage import Fact, Kind, Lineages, read_facts, text_of
from hermes_tui.sessions.query import Archived

SLICE_ROWS = 500
"""Sessions read by one statement; a row may have a long prompt in it."""
RECENT_MESSAGES = 5_000
"""So many of the newest messages are looked at to know which conversations come first."""

ListKind = Literal[Kind, "empty"]
HIDDEN: frozenset[ListKind] = frozenset({"subagent", "cron", "tool", "empty"})
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


@dataclass(frozen=True, slots=True)
class _Part:
    """One session, as the index keeps it."""

    fact: Fact
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
        self._last_message = 0
        self.briefs: tuple[Brief, ...] = ()
        self.complete = False
        """Whether all are there, and not only the newest."""

    def newest(self, limit: int = 100) -> tuple[Brief, ...]:
        """The most recently active conversations, at once; all of them come with `load`."""
        recent = self._base.rows(
            "SELECT session_id, max(id) FROM (SELECT id, session_id FROM messages ORDER BY id DESC LIMIT ?)"
            " GROUP BY session_id ORDER BY 2 DESC LIMIT ?",
            (RECENT_MESSAGES, limit),
        )
        begun = self._base.rows("SELECT id FROM sessions ORDER BY started_at DESC LIMIT ?", (limit,))
        self._last_message = self._newest_message()
        self._take_ids(text_of(row[0]) for row in (*recent, *begun))
        self._fold()
        return self.briefs

    def load(
        self, progress: Callable[[int], object] | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """Read all sessions, slice by slice.

        Args:
            progress: told how many were read so far.
            stopped: whether to give up.
        """
        found: dict[str, _Part] = {}
        newest = self._newest_message()
        last = 0
        while not stopped():
            parts = self._read("s.rowid > ?", (last,), limit=SLICE_ROWS)
            found.update((part.fact.id, part) for part in parts)
            if progress:
                progress(len(found))
            if len(parts) < SLICE_ROWS:
                self._parts, self._last_message, self.complete = found, newest, True
                self._fold()
                return
            last = parts[-1].rowid

    def refresh(self) -> bool:
        """Catch up after a commit; True when something in the list has changed.

        What was deleted is noticed only by counting, and then all is read again by the next `load`.
        """
        before = self.briefs
        touched = self._base.rows(
            "SELECT DISTINCT session_id FROM messages WHERE id > ? ORDER BY id DESC LIMIT 2000", (self._last_message,)
        )
        newest = max((part.rowid for part in self._parts.values()), default=0)
        begun = self._base.rows("SELECT id FROM sessions WHERE rowid > ? LIMIT 2000", (newest,))
        self._last_message = self._newest_message()
        self._take_ids(text_of(row[0]) for row in (*touched, *begun))
        if self.complete and self._base.rows("SELECT count(*) FROM sessions")[0][0] != len(self._parts):
            self.load()
        else:
            self._fold()
        return self.briefs != before

    def reread(self, ids: Iterable[str]) -> bool:
        """Look at some sessions again, as others may have renamed or archived them; True when one has changed."""
        before = self.briefs
        wanted = list(ids)
        for id in wanted:
            self._parts.pop(id, None)
        self._take_ids(wanted)
        self._fold()
        return self.briefs != before

    def take(self, ids: Iterable[str]) -> None:
        """Have these sessions in the list, and those they continue."""
        self._take_ids(ids)
        self._fold()

    def _newest_message(self) -> int:
        return int(self._base.rows("SELECT coalesce(max(id), 0) FROM messages")[0][0])

    def _take_ids(self, ids: Iterable[str]) -> None:
        """Read these sessions, and those they continue or are continued by."""
        wanted = list(dict.fromkeys(ids))
        seen: set[str] = set()
        while wanted:
            read: list[_Part] = []
            for start in range(0, len(wanted), 100):
                some = wanted[start : start + 100]
                read += self._read(f"s.id IN ({', '.join('?' * len(some))})", some)
            seen.update(wanted)
            self._parts.update((part.fact.id, part) for part in read)
            parents = {part.fact.parent for part in read if part.fact.continues and part.fact.parent}
            wanted = [id for id in parents if id not in seen and id not in self._parts]

    def _read(self, where: str, values: Sequence[object], *, limit: int = -1) -> list[_Part]:
        has = self._base.features().sessions
        facts = read_facts(self._base, where, values, order="s.rowid", limit=limit)
        ids = [fact.id for fact in facts]
        extra: dict[str, Row] = {}
        for start in range(0, len(ids), SLICE_ROWS):
            some = ids[start : start + SLICE_ROWS]
            columns = names(("id", "started_at", "message_count"), has, prefix="s.")
            rows = self._base.rows(
                f"SELECT {columns}, s.rowid,"
                " (SELECT max(m.timestamp) FROM messages m WHERE m.session_id = s.id)"
                f" FROM sessions s WHERE s.id IN ({', '.join('?' * len(some))})",
                some,
            )
            extra.update((text_of(row[0]), row) for row in rows)
        return [self._part(fact, extra[fact.id]) for fact in facts if fact.id in extra]

    @staticmethod
    def _part(fact: Fact, row: Row) -> _Part:
        started = moment(row[1]) or 0.0
        count = row[2] if isinstance(row[2], int) else 0
        active = moment(row[4])
        # A count of nothing with messages there: an agent that does not count, or one that is writing.
        return _Part(fact, started, active or started, count or (1 if row[4] is not None else 0), int(row[3]))

    def _fold(self) -> None:
        """Make the list out of the sessions."""
        following: dict[str, list[_Part]] = {}
        for part in self._parts.values():
            if part.fact.continues and part.fact.parent in self._parts:
                following.setdefault(part.fact.parent or "", []).append(part)
        for children in following.values():
            children.sort(key=lambda part: (part.started_at, part.fact.id))
        chains: list[list[_Part]] = []
        for part in self._parts.values():
            main = part.fact.continues and part.fact.parent in following
            if main and following[part.fact.parent or ""][-1] is part:
                continue
            chain = [part]
            while (children := following.get(chain[-1].fact.id)) and children[-1] not in chain:
                chain.append(children[-1])
            chains.append(chain)
        briefs = [_brief(chain) for chain in chains]
        briefs.sort(key=lambda brief: (-brief.last_active, brief.id))
        self.briefs = tuple(briefs)


def _brief(chain: Sequence[_Part]) -> Brief:
    first, last = chain[0], chain[-1]
    messages = sum(part.messages for part in chain)
    kind: ListKind = first.fact.kind
    if not messages and not any(part.fact.title for part in chain):
        kind = "empty"
    return Brief(
        id=last.fact.id,
        root=first.fact.id,
        parts=tuple(part.fact.id for part in chain),
        kind=kind,
        source=last.fact.source,
        model=last.fact.model,
        cwd=last.fact.cwd,
        started_at=first.started_at,
        last_active=max(part.last_active for part in chain),
        messages=messages,
        archived=any(part.fact.archived for part in chain),
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
    shown = [brief for brief in briefs if brief.kind in ("chat", "branch")]
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
