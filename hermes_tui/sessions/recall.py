"""What an agent finds when it asks for earlier conversations: the best place in each, one for every family of sessions.

Unlike the search of the screen it counts everything that grew out of a session as one, leaves out what programs did,
and puts scheduled runs last, as the agent's own tool does.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from hermes_tui.errors import Refused
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.features import names
from hermes_tui.sessions.meant import titled
from hermes_tui.sessions.narrowing import message_condition
from hermes_tui.sessions.query import FILTER_WORDS, Filters, Query, parse
from hermes_tui.sessions.relevance import ranked
from hermes_tui.sessions.sources import Match, Sources
from hermes_tui.sessions.stored import text_of

Line = Literal["0.19", "0.22"]
Sort = Literal["", "newest", "oldest"]

HIDDEN_SOURCES: dict[Line, frozenset[str]] = {
    "0.19": frozenset({"subagent", "tool"}),
    "0.22": frozenset({"subagent", "tool", "kanban"}),
}
LAST_SOURCES = frozenset({"cron"})
"""Where what is found comes after everything else."""
MOST_MATCHES = 3_000
"""Matches that are looked at: of a common word the newest so many, which takes about a second to put in order."""
SLICE = 200
MAX_STEPS = 100
"""A family of more generations than this is taken for a ring."""

_LITERAL = re.compile(rf"(?<!\S)({'|'.join(FILTER_WORDS)}):(?=\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Session:
    """What is told about one session."""

    id: str
    parent: str
    source: str
    model: str | None
    title: str | None
    started_at: float | None
    end_reason: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """One thing that was found."""

    session: Session
    root: Session
    """The session that its family began with."""
    message_id: int | None
    role: str
    """Of the message; empty for a title."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for."""

    text: str
    roles: tuple[str, ...]
    limit: int
    sort: Sort = ""
    line: Line = "0.22"
    current: str = ""
    """The session that asks; what it has before it anyway is left out."""
    after: float | None = None
    """Epoch seconds; sessions that began before are left out."""
    before: float | None = None
    excluded: tuple[str, ...] = ()
    """Sessions that were looked at already."""


class Families:
    """Knows which sessions grew out of which, by whatever way."""

    def __init__(self, base: Database) -> None:
        self._base = base
        self._known: dict[str, Session | None] = {}

    def load(self, ids: Iterable[str]) -> None:
        """Read some sessions and all that they grew out of."""
        wanted = {id for id in ids if id and id not in self._known}
        for _ in range(MAX_STEPS):
            if not wanted:
                return
            self._known.update(dict.fromkeys(wanted))
            some = sorted(wanted)
            for start in range(0, len(some), SLICE):
                self._read(some[start : start + SLICE])
            parents = {known.parent for id in some if (known := self._known[id])}
            wanted = {id for id in parents if id and id not in self._known}

    def _read(self, ids: Sequence[str]) -> None:
        columns = names(
            ("id", "parent_session_id", "source", "model", "title", "started_at", "end_reason"),
            self._base.features().sessions,
        )
        marks = ", ".join("?" * len(ids))
        for row in self._base.rows(f"SELECT {columns} FROM sessions WHERE id IN ({marks})", ids):
            id, parent, source, model, title, started, reason = row
            self._known[text_of(id)] = Session(
                text_of(id),
                text_of(parent),
                text_of(source),
                text_of(model) or None,
                text_of(title) or None,
                moment(started),
                text_of(reason),
            )

    def session(self, id: str) -> Session | None:
        """A session; None when there is none of this id."""
        self.load([id])
        return self._known.get(id)

    def root(self, id: str) -> Session | None:
        """The session that a family began with."""
        found = self.session(id)
        seen = {id}
        while found and found.parent and found.parent not in seen and (parent := self._known.get(found.parent)):
            seen.add(parent.id)
            found = parent
        return found

    def related(self, id: str, other: str) -> bool:
        """Whether two sessions are of one family."""
        mine, theirs = self.root(id), self.root(other)
        return mine is not None and theirs is not None and mine.id == theirs.id


def recall(base: Database, asked: Asked) -> tuple[list[Recalled], bool]:
    """What is found, best first, and whether anything matched before hits were left out."""
    families = Families(base)
    out = _left_out(families, asked)
    found: dict[str, Recalled] = {}
    later: dict[str, Recalled] = {}
    name = _by_title(base, families, asked)
    shown_anyway = name is not None and asked.line == "0.19" and _same_family(families, asked.current, name.session.id)
    if name is not None and not shown_anyway and name.root.id not in out and _in_time(name.session, asked):
        found[name.root.id] = name
    any_match = name is not None and _in_time(name.session, asked)
    for match in _matches(base, asked):
        session, root = families.session(match.session_id), families.root(match.session_id)
        if session is None or root is None or session.source in HIDDEN_SOURCES[asked.line]:
            continue
        if not _in_time(session, asked):
            continue
        any_match = True
        if root.id in out or not _worth_telling(base, families, asked, match, session):
            continue
        place = later if session.source in LAST_SOURCES else found
        place.setdefault(root.id, Recalled(session, root, match.id, match.role))
        if len(found) >= asked.limit:
            break
    best = [*found.values(), *(each for id, each in later.items() if id not in found)]
    return best[: asked.limit], any_match


def _left_out(families: Families, asked: Asked) -> Collection[str]:
    families.load(asked.excluded)
    return {root.id for id in asked.excluded if (root := families.root(id))}


def _same_family(families: Families, current: str, id: str) -> bool:
    return bool(current) and families.related(current, id)


def _in_time(session: Session, asked: Asked) -> bool:
    if asked.after is None and asked.before is None:
        return True
    began = session.started_at
    if began is None:
        return False
    return (asked.after is None or began >= asked.after) and (asked.before is None or began < asked.before)


def _worth_telling(base: Database, families: Families, asked: Asked, match: Match, session: Session) -> bool:
    """Whether the session that asks does not have it before it anyway."""
    if not _same_family(families, asked.current, session.id):
        return True
    return asked.line == "0.22" and (
        (session.id != asked.current and session.end_reason == "compression") or is_compacted(base, match.id)
    )


def is_compacted(base: Database, message_id: int) -> bool:
    """Whether a compaction took a message out of the agent's sight."""
    has = base.features().messages
    if not {"active", "compacted"} <= has:
        return False
    return bool(base.rows("SELECT 1 FROM messages WHERE id = ? AND active = 0 AND compacted = 1", (message_id,)))


def _by_title(base: Database, families: Families, asked: Asked) -> Recalled | None:
    """The session whose title was given, if it is one."""
    try:
        id = titled(base, asked.text.strip().strip("\"'“”").strip(), newest=True)
    except Refused:
        return None  # nobody is there to ask which one
    if not id:
        return None
    session, root = families.session(id), families.root(id)
    if session is None or root is None or session.source in HIDDEN_SOURCES[asked.line]:
        return None
    return Recalled(session, root, None, "")


def as_query(text: str) -> Query:
    """The words of an agent: whole ones, unless it says otherwise, and none of them a filter."""
    return parse(_LITERAL.sub(r"\1: ", text) + " ", time.time())


def _matches(base: Database, asked: Asked) -> Iterator[Match]:
    query = as_query(asked.text)
    sources = Sources(base, message_condition(Filters(role=asked.roles)))
    seen = 0
    for reading in query.readings:
        if seen and reading.when not in ("first", "after"):
            continue
        stream = sources.stream(reading)
        if asked.sort == "oldest":
            stream = iter([list(reversed(deque(chain.from_iterable(stream), MOST_MATCHES)))])
        elif not asked.sort:
            stream = ranked(base, sources, reading, oldest=True)
        for match in chain.from_iterable(stream):
            seen += 1
            yield match
