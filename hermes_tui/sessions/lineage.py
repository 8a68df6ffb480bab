"""How sessions belong together: which continues which after a compaction, and which were started by another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_tui.sessions.database import Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.features import Reader, names
from hermes_tui.sessions.stored import text_of

Kind = Literal["chat", "branch", "subagent", "cron", "tool"]
"""chat: a person's conversation; branch: one that left another; subagent: started by a session for a task of its
own; cron: on a schedule; tool: by a program."""

HIDDEN_KINDS: frozenset[Kind] = frozenset({"subagent", "cron", "tool"})
"""Kinds that are left out unless they are asked for: nobody talked there."""

BATCH = 200

BRANCHED, DELEGATED, RESET = "_branched_from", "_delegate_from", "_reset_from"


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known about one session, without its texts."""

    id: str
    parent: str | None
    continues: bool
    """Whether it goes on with its parent's conversation after a compaction."""
    kind: Kind
    source: str
    model: str
    cwd: str
    title: str
    archived: bool
    started_at: float
    """Epoch seconds; 0 when it is not known."""


_COLUMNS = ("id", "source", "parent_session_id", "started_at", "model", "cwd", "title", "archived")


def kind_of(source: str, *, child: bool, delegated: bool, branched: bool, reset: bool) -> Kind:
    """The kind of a session that continues no other."""
    if delegated or source == "subagent":
        return "subagent"
    if source == "cron":
        return "cron"
    if source == "tool":
        return "tool"
    if branched:
        return "branch"
    return "subagent" if child and not reset else "chat"


class Lineages:
    """Knows the sessions that were asked for; made anew after a commit that may concern them."""

    def __init__(self, base: Reader) -> None:
        self._base = base
        self._facts: dict[str, Fact | None] = {}
        self._roots: dict[str, str] = {}

    def facts(self, ids: Iterable[str]) -> dict[str, Fact]:
        """What is known about these sessions; ids that are nowhere are left out."""
        wanted = list(dict.fromkeys(ids))
        missing = [id for id in wanted if id not in self._facts]
        for start in range(0, len(missing), BATCH):
            self._read(missing[start : start + BATCH])
        return {id: fact for id in wanted if (fact := self._facts[id]) is not None}

    def _read(self, ids: Sequence[str]) -> None:
        self._facts.update(dict.fromkeys(ids))
        for fact in read_facts(self._base, f"s.id IN ({', '.join('?' * len(ids))})", ids):
            self._facts[fact.id] = fact

    def roots(self, ids: Iterable[str]) -> dict[str, str]:
        """The first part of the conversation that each session belongs to."""
        wanted = list(dict.fromkeys(ids))
        open_ids = [id for id in wanted if id not in self._roots]
        while open_ids:
            facts = self.facts(open_ids)
            parents = (fact.parent for fact in facts.values() if fact.continues)
            open_ids = [parent for parent in parents if parent and parent not in self._facts]
        for id in wanted:
            if id not in self._roots:
                self._roots[id] = self._climb(id)
        return {id: self._roots[id] for id in wanted}

    def _climb(self, id: str) -> str:
        seen = {id}
        while (fact := self._facts.get(id)) and fact.continues and fact.parent and fact.parent not in seen:
            id = fact.parent
            seen.add(id)
        return id

    def parts(self, id: str) -> tuple[str, ...]:
        """All parts of a session's conversation, oldest first."""
        root = self.roots([id])[id]
        parts = {root: None}
        last = root
        while True:
            children = read_facts(self._base, "s.parent_session_id = ?", (last,), order="s.started_at DESC, s.id DESC")
            following = next((child for child in children if child.continues), None)
            if following is None or following.id in parts:
                break
            last = following.id
            parts[last] = None
        return tuple(parts) if id in parts else (*self._above(id), id)

    def _above(self, id: str) -> tuple[str, ...]:
        """The parts before one that is not on the main line: a compaction that was continued twice."""
        above: list[str] = []
        while (fact := self.facts([id]).get(id)) and fact.continues and fact.parent and fact.parent not in above:
            id = fact.parent
            above.insert(0, id)
        return tuple(above)


def read_facts(base: Reader, where: str, values: Sequence[object], *, order: str = "s.id") -> list[Fact]:
    """The facts of some sessions.

    Args:
        base: the database.
        where: a condition on `s`, the session, with ? for each of `values`.
        values: what stands for the ?.
        order: what to sort by.
    """
    return [fact for fact, _ in read_facts_with(base, (), f"{where} ORDER BY {order}", values)]


def read_facts_with(base: Reader, extra: Sequence[str], where: str, values: Sequence[object]) -> list[tuple[Fact, Row]]:
    """The facts of some sessions, each with a row of what else was asked for.

    Args:
        base: the database.
        extra: expressions on `s`, the session.
        where: a condition on `s`, and what may follow one, with ? for each of `values`.
        values: what stands for the ?.
    """
    has = base.features().sessions
    child = "parent_session_id" in has
    marks = ", ".join(
        f"instr(coalesce(s.model_config, ''), '{mark}') > 0" if "model_config" in has else "0"
        for mark in (BRANCHED, DELEGATED, RESET)
    )
    parent = "p.end_reason, p.ended_at" if child and {"end_reason", "ended_at"} <= has else "NULL, NULL"
    join = "LEFT JOIN sessions p ON p.id = s.parent_session_id" if child else ""
    more = "".join(f", {expression}" for expression in extra)
    rows = base.rows(
        f"SELECT {names(_COLUMNS, has, prefix='s.')}, {marks}, {parent}{more} FROM sessions s {join} WHERE {where}",
        values,
    )
    fixed = len(_COLUMNS) + 5
    return [(_fact(*row[:fixed]), row[fixed:]) for row in rows]


def _fact(
    id: object, source: object, parent: object, started: object, model: object, cwd: object, title: object,
    archived: object, branched: object, delegated: object, reset: object, reason: object, ended: object,
) -> Fact:  # fmt: skip
    marked = bool(delegated or branched or reset)
    continues = parent is not None and not marked and reason == "compression" and follows(started, ended)
    branch = bool(branched) or (parent is not None and reason == "branched" and follows(started, ended))
    kind = kind_of(
        text_of(source),
        child=parent is not None and not continues,
        delegated=bool(delegated),
        branched=branch,
        reset=bool(reset),
    )
    return Fact(
        id=text_of(id),
        parent=None if parent is None else text_of(parent),
        continues=continues,
        kind=kind,
        source=text_of(source),
        model=text_of(model),
        cwd=text_of(cwd),
        title=text_of(title),
        archived=bool(archived),
        started_at=moment(started) or 0.0,
    )


def follows(started: object, ended: object) -> bool:
    """Whether a session began when another had ended; what is no time proves nothing against it."""
    begun, over = moment(started), moment(ended)
    return begun is None or over is None or begun >= over - 1.0


def parts_of(base: Reader, session_id: str) -> tuple[str, ...]:
    """The ids of all parts of a conversation, oldest first; just the one for most."""
    return Lineages(base).parts(session_id)
