"""Which sessions go together when one is put away or deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.lineage import BRANCHED, DELEGATED, RESET
from hermes_tui.sessions.stored import text_of

BATCH = 400
"""Sessions in one statement; SQLite of old takes 999 values at most."""


def batches(ids: Iterable[str]) -> Iterator[list[str]]:
    """Ids in lists that fit into one statement."""
    listed = list(ids)
    for start in range(0, len(listed), BATCH):
        yield listed[start : start + BATCH]


def marks(ids: Sequence[str]) -> str:
    """As many ? as there are ids."""
    return ", ".join("?" * len(ids))


def compacted_together(base: Reader, ids: Iterable[str]) -> dict[str, str]:
    """Sessions and all that compactions tie to them, also where one was continued twice.

    Returns:
        each with the one of `ids` that led to it.
    """
    seeds = dict.fromkeys(ids)
    if not {"parent_session_id", "end_reason"} <= base.features().sessions:
        return {id: id for id in seeds}
    return _grown(base, seeds, (_UP, _DOWN))


def conversation_of(base: Reader, ids: Iterable[str]) -> list[str]:
    """Sessions with those that they continue and those that continue them: what is put away together.

    The agent does the same, but takes a branch, too, for the continuation of a session that was compacted later:
    there, putting away the one puts away the other.
    """
    seeds = dict.fromkeys(ids)
    has = base.features().sessions
    if not {"parent_session_id", "end_reason"} <= has:
        return list(seeds)
    own = "".join(
        f" AND instr(coalesce(c.model_config, ''), '{mark}') = 0"
        for mark in (BRANCHED, DELEGATED, RESET)
        if "model_config" in has
    )
    return list({**_grown(base, seeds, (f"{_UP}{own}",)), **_grown(base, seeds, (f"{_DOWN}{own}",))})


_TIED = "FROM sessions c JOIN sessions p ON p.id = c.parent_session_id WHERE p.end_reason = 'compression' AND"
_UP, _DOWN = f"SELECT p.id, c.id {_TIED} c.id IN ({{}})", f"SELECT c.id, p.id {_TIED} p.id IN ({{}})"


def delegates(base: Reader, ids: Iterable[str]) -> dict[str, str]:
    """The runs that sessions gave to subagents, and those that these gave away; without the sessions themselves.

    Returns:
        each with the one of `ids` that it goes back to.
    """
    seeds = dict.fromkeys(ids)
    if not {"model_config", "parent_session_id"} <= base.features().sessions:
        return {}
    by = (
        "json_extract(CASE WHEN json_valid(model_config) AND json_type(model_config) = 'object'"
        f" THEN model_config ELSE '{{{{}}}}' END, '$.{DELEGATED}')"
    )
    marked = f"instr(coalesce(model_config, ''), '{DELEGATED}') > 0"
    named = f"SELECT id, {by} FROM sessions WHERE {marked} AND {by} IN ({{}})"
    begun = f"parent_session_id IN ({{}}) AND {marked} AND {by} IS NOT NULL"
    found = _grown(base, seeds, (named, f"SELECT id, parent_session_id FROM sessions WHERE {begun}"))
    return {id: seed for id, seed in found.items() if id not in seeds}


def children(base: Reader, ids: Iterable[str]) -> dict[str, str]:
    """The sessions that name one of these as their parent, each with its parent; those among `ids` are left out."""
    inside = dict.fromkeys(ids)
    found: dict[str, str] = {}
    if "parent_session_id" not in base.features().sessions:
        return found
    for some in batches(inside):
        rows = base.rows(f"SELECT id, parent_session_id FROM sessions WHERE parent_session_id IN ({marks(some)})", some)
        found.update((text_of(id), text_of(parent)) for id, parent in rows if text_of(id) not in inside)
    return found


def _grown(base: Reader, seeds: Iterable[str], queries: Sequence[str]) -> dict[str, str]:
    """The seeds, and all that the queries lead to from them, whatever number of steps away, each with its seed."""
    found = {id: id for id in seeds}
    new = list(found)
    while new:
        reached: dict[str, str] = {}
        for some in batches(new):
            for query in queries:
                for id, via in base.rows(query.format(marks(some)), some):
                    reached.setdefault(text_of(id), found[text_of(via)])
        new = [id for id in reached if id not in found]
        found.update((id, reached[id]) for id in new)
    return found
