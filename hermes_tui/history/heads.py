"""What the table of sessions says of those whose prompts are to be read, and when their prompts were built."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hermes_tui.history.prompts import Prompt
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.lineage import DELEGATED
from hermes_tui.sessions.salvage import salvaged
from hermes_tui.sessions.stored import text_of

IDLE_SECONDS = 24 * 3600.0
"""An agent may hold the block that it has read for so long before its first message stores it."""
NAMED_SECONDS = 5.0
"""A session gets its name so long after the stores were read for it, at most."""
BEGUN_SECONDS = 1.0
"""A session and its first message are stored within this time of one another."""
BARRED_SOURCES = ("cron", "subagent", "curator")
"""Where sessions come from that get no memory."""
DAY_SECONDS = 86_400.0
ZONES_SECONDS = 14 * 3600.0
"""How far the day somewhere on earth is ahead of or behind the one without an offset."""


@dataclass(frozen=True, slots=True)
class Head:
    """One session, without its prompt."""

    session_id: str
    row: int
    started: float
    """When it began, in epoch seconds; 0 when that is not known."""
    ended: float
    """When it ended; infinite when it has not."""
    size: int
    """Bytes of the prompt in its row."""
    key: str
    """The hash of the prompt where the database has one."""
    first: float
    """When its first message was stored; 0 when it has none, or that cannot be asked for."""
    last: float
    """When its last message was stored; infinite when that cannot be asked for."""
    forked: float = math.inf
    """When the session began of which it may have taken the prompt over; infinite when there is none."""
    child: bool = False
    """Whether it goes on from another session, and had a prompt before anything was said in it."""
    barred: bool = False
    """Whether it is of a kind that gets no memory, whatever the stores hold: scheduled runs and subagents."""


_NAME = re.compile(r"(\d{8}_\d{6})_[0-9a-f]{6,8}$")


class Route(NamedTuple):
    """A model, or a way to one, that answered in a session."""

    model: str
    first: float
    """When it did so first, in epoch seconds."""
    last: float


@dataclass(frozen=True, slots=True)
class Built:
    """When a prompt was built, which reads the stores."""

    since: float
    """Not before this were they read."""
    at: float
    """Most likely then; 0 when nothing is known of it."""
    until: float
    """Not after this."""


class HeadReader:
    """Reads what sessions say of themselves, whatever columns there are."""

    def __init__(self, base: Database) -> None:
        self._base = base
        has = base.features().sessions
        self.inline = "system_prompt" in has
        self.hashed = base.features().prompts_table and "system_prompt_hash" in has
        columns = {
            "rowid": "s.rowid",
            "id": "s.id",
            "started": "s.started_at" if "started_at" in has else "NULL",
            "ended": "s.ended_at" if "ended_at" in has else "NULL",
            "size": "coalesce(octet_length(s.system_prompt), 0)" if self.inline else "0",
            "key": "s.system_prompt_hash" if self.hashed else "NULL",
            "first": "NULL",
            "last": "NULL",
            "forked": "NULL",
            "child": "s.parent_session_id IS NOT NULL" if "parent_session_id" in has else "0",
            "barred": " OR ".join(
                [
                    f"coalesce(s.source, '') IN {BARRED_SOURCES}" if "source" in has else "0",
                    f"instr(coalesce(s.model_config, ''), '{DELEGATED}') > 0" if "model_config" in has else "0",
                ]
            ),
        }
        self._timed = _is_indexed(base)
        if self._timed:
            for name, end in (("first", "min"), ("last", "max")):
                columns[name] = f"(SELECT {end}(m.timestamp) FROM messages m WHERE m.session_id = s.id)"
        if {"parent_session_id", "started_at", "end_reason"} <= has:
            columns["forked"] = (
                "(SELECT p.started_at FROM sessions p WHERE p.id = s.parent_session_id"
                " AND coalesce(p.end_reason, '') <> 'compression')"
            )
        self._columns = ", ".join(columns.values())

    def highest(self) -> int:
        """The row of the newest session; 0 when there is none."""
        (row,) = self._base.rows("SELECT coalesce(max(rowid), 0) FROM sessions")[0]
        return int(row)

    def between(self, first: int, last: int) -> list[Head]:
        """The sessions of some rows, the oldest first; those in a damaged place are left out."""

        def read(rows: Sequence[int]) -> list[Head]:
            found = self._base.rows(
                f"SELECT {self._columns} FROM sessions s WHERE s.rowid BETWEEN ? AND ? ORDER BY s.rowid",
                (rows[0], rows[-1]),
            )
            return [self._head(row) for row in found]

        return [head for heads in salvaged(read, range(first, last + 1), lambda _: []) for head in heads]

    def named(self, ids: Sequence[str]) -> list[Head]:
        """The sessions of these ids."""

        def read(some: Sequence[str]) -> list[Head]:
            found = self._base.rows(
                f"SELECT {self._columns} FROM sessions s WHERE s.id IN ({', '.join('?' * len(some))})", some
            )
            return [self._head(row) for row in found]

        return [head for heads in salvaged(read, ids, lambda _: []) for head in heads]

    def built(self, heads: Sequence[Head], prompts: Mapping[str, Prompt], now: float) -> dict[str, Built]:
        """When the prompts of some sessions were built.

        Args:
            heads: the sessions.
            prompts: their prompts.
            now: the time, in epoch seconds: none has been built since.
        """
        ids = [head.session_id for head in heads]
        compacted, routes = self._compacted(ids), self._routes(ids)
        return {
            id: built(head, prompts[id], compacted.get(id), routes.get(id, ()), now)
            for id, head in zip(ids, heads, strict=True)
        }

    def _head(self, row: Sequence[Any]) -> Head:
        number, id, started, ended, size, key, first, last, forked, child, barred = row
        return Head(
            session_id=text_of(id),
            row=int(number),
            started=moment(started) or 0.0,
            ended=moment(ended) or math.inf,
            size=int(size),
            key=text_of(key),
            first=moment(first) or 0.0,
            last=moment(last) or 0.0 if self._timed else math.inf,
            forked=moment(forked) or math.inf,
            child=bool(child),
            barred=bool(barred),
        )

    def _compacted(self, ids: Sequence[str]) -> dict[str, tuple[float, float]]:
        """For those that were compacted in place: the time of the last message put away, and of the next one."""
        if not {"compacted", "active"} <= self._base.features().messages:
            return {}
        found: dict[str, tuple[float, float]] = {}
        for id, stamp in self._grouped(
            "SELECT session_id, max(timestamp) FROM messages WHERE session_id IN ({}) AND active = 0 AND compacted = 1"
            " GROUP BY session_id",
            ids,
        ):
            before = moment(stamp) or 0.0
            (after,) = self._base.rows(
                "SELECT min(timestamp) FROM messages WHERE session_id = ?1 AND active = 1 AND timestamp >"
                " (SELECT max(timestamp) FROM messages WHERE session_id = ?1 AND active = 0)",
                (id,),
            )[0]
            found[text_of(id)] = before, moment(after) or math.inf
        return found

    def _routes(self, ids: Sequence[str]) -> dict[str, list[Route]]:
        """The models, or ways to one, that answered in sessions: a prompt is built anew for another one."""
        has = self._base.columns("session_model_usage")
        if not {"model", "billing_provider", "first_seen", "last_seen"} <= has:
            return {}
        main = " AND coalesce(task, '') = ''" if "task" in has else ""
        found: dict[str, list[Route]] = {}
        for id, model, first, last in self._grouped(
            "SELECT session_id, model, min(first_seen), max(last_seen) FROM session_model_usage"
            f" WHERE session_id IN ({{}}){main} GROUP BY session_id, model, billing_provider",
            ids,
        ):
            route = Route(text_of(model), moment(first) or 0.0, moment(last) or math.inf)
            found.setdefault(text_of(id), []).append(route)
        return found

    def _grouped(self, sql: str, ids: Sequence[str]) -> list[tuple[Any, ...]]:
        if not ids:
            return []

        def read(some: Sequence[str]) -> list[tuple[Any, ...]]:
            return self._base.rows(sql.format(", ".join("?" * len(some))), some)

        return [row for rows in salvaged(read, ids, lambda _: []) for row in rows]


def _is_indexed(base: Database) -> bool:
    """Whether the messages of a session can be found without looking at all messages."""
    found = base.rows(
        "SELECT 1 FROM sqlite_master WHERE type = 'index' AND tbl_name = 'messages'"
        " AND sql LIKE '%(session_id, timestamp)%'"
    )
    return bool(found) and {"session_id", "timestamp"} <= base.features().messages


def built(
    head: Head, prompt: Prompt, compacted: tuple[float, float] | None, routes: Sequence[Route], now: float
) -> Built:
    """When a prompt was built: as its session began, when that was compacted in place, or when its model changed.

    Args:
        head: the session.
        prompt: the prompt.
        compacted: when the last message was stored that a compaction put away, and when the next one was.
        routes: the models that answered; none when that is not known.
        now: the time.
    """
    known = [stamp for stamp in (head.started, head.first) if stamp]
    if not known:
        return Built(0.0, 0.0, math.inf)
    since = min(_minted(head.session_id, known[0]) or min(known) - IDLE_SECONDS, head.forked - IDLE_SECONDS)
    last = head.last if head.last < math.inf else min(head.ended, now)
    at = until = max(known)
    if head.started and until - head.started > BEGUN_SECONDS:
        at = head.started  # its messages were written anew since, or it was begun long before anything was said
    if compacted is not None:
        before, after = compacted
        at = until = after if after < math.inf else max(until, before)
        if after == math.inf:  # nothing has been said since
            until = head.ended if max(at, last) <= head.ended < math.inf else now
    if len(routes) != 1:
        changed = _changed(prompt.model, routes)
        at, until = (max(at, changed), max(until, changed)) if changed else (at, max(until, last))
    elif head.child:  # it may go on with another model than the one that its prompt was made for
        until = max(until, routes[0].first)
    if prompt.built_on is not None:
        # Where the agent lives is not known: a day is over when it is over everywhere.
        first, over = prompt.built_on - ZONES_SECONDS, prompt.built_on + DAY_SECONDS + ZONES_SECONDS
        if until < first:
            at, until = first, max(first, last)
        until = min(until, over)
        at = min(max(at, first), until)
    return Built(min(since, at), at, max(at, until))


def _minted(session_id: str, started: float) -> float:
    """When a session got its name, in which the agent says when, just after it read the stores or before; else 0."""
    match = _NAME.match(session_id)
    if match is None:
        return 0.0
    try:
        at = time.mktime(time.strptime(match[1], "%Y%m%d_%H%M%S")) - NAMED_SECONDS
    except (ValueError, OverflowError):
        return 0.0
    # The name is in the agent's local time, which need not be ours.
    return at if started - 2 * IDLE_SECONDS < at <= started else 0.0


def _changed(model: str, routes: Sequence[Route]) -> float:
    """When a model first answered, if it was the last to begin and no other did after it; else 0."""
    mine = [route for route in routes if route.model == model]
    others = [route for route in routes if route.model != model]
    if len(mine) != 1 or any(other.last >= mine[0].first for other in others):
        return 0.0
    return mine[0].first
