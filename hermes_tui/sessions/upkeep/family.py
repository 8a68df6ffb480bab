"""Which sessions go together when one is put away or deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.lineage import DELEGATED
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


def compacted_together(base: Reader, ids: Iterable[str]) -> dict[str, None]:
    """Sessions and all that compactions tie to them, as the agent does it when it puts one away."""
    found = dict.fromkeys(ids)
    if not {"parent_session_id", "end_reason"} <= base.features().sessions:
        return found
    edge = "SELECT {} FROM sessions c JOIN sessions p ON p.id = c.parent_session_id WHERE p.end_reason = 'compression'"
    return _grown(base, found, (edge.format("p.id") + " AND c.id IN ({0})", edge.format("c.id") + " AND p.id IN ({0})"))


def delegates(base: Reader, ids: Iterable[str]) -> dict[str, None]:
    """The runs that sessions gave to subagents, and those that these gave away; without the sessions themselves."""
    seeds = dict.fromkeys(ids)
    if "model_config" not in base.features().sessions:
        return {}
    by = (
        "json_extract(CASE WHEN json_valid(model_config) AND json_type(model_config) = 'object'"
        f" THEN model_config ELSE '{{}}' END, '$.{DELEGATED}')"
    )
    mentioned = f"instr(coalesce(model_config, ''), '{DELEGATED}') > 0"
    found = _grown(
        base,
        seeds,
        (
            f"SELECT id FROM sessions WHERE {mentioned} AND {by} IN ({{0}})",
            f"SELECT id FROM sessions WHERE parent_session_id IN ({{0}}) AND {by} IS NOT NULL",
        ),
    )
    return {id: None for id in found if id not in seeds}


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


def _grown(base: Reader, seeds: dict[str, None], queries: Sequence[str]) -> dict[str, None]:
    """The seeds, and all that the queries lead to from them, whatever number of steps away."""
    found = dict(seeds)
    new = list(seeds)
    while new:
        reached: dict[str, None] = {}
        for some in batches(new):
            for query in queries:
                reached.update((text_of(row[0]), None) for row in base.rows(query.format(marks(some)), some))
        new = [id for id in reached if id not in found]
        found.update(dict.fromkeys(new))
    return found
