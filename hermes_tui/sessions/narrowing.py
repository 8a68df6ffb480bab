"""The filter words of a search as conditions in SQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.query import Filters
from hermes_tui.sessions.stored import text_of

PAGE_ROWS = 200
SLACK_IDS = 500
"""Several sessions write at once, so that neighbours are not quite in the order of their times."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What is asked of each row."""

    sql: str = ""
    """Empty when nothing is asked."""
    values: tuple[object, ...] = ()
    """What stands for each ?."""
    notes: tuple[str, ...] = ()
    """What cannot be asked of this database, in sentences."""


def message_condition(filters: Filters) -> Condition:
    """What is asked of a message, `m`."""
    parts: list[str] = []
    values: list[object] = []
    if filters.role:
        parts.append(f"m.role IN ({', '.join('?' * len(filters.role))})")
        values += filters.role
    if filters.after is not None:
        parts.append("m.timestamp >= ?")
        values.append(filters.after)
    if filters.before is not None:
        parts.append("m.timestamp < ?")
        values.append(filters.before)
    return Condition(" AND ".join(parts), tuple(values))


def session_condition(filters: Filters, has: frozenset[str]) -> Condition:
    """What is asked of a session.

    Args:
        filters: the filter words.
        has: the columns that sessions have.
    """
    parts: list[str] = []
    values: list[object] = []
    notes: list[str] = []
    wanted = {"source": filters.source, "model": filters.model, "cwd": filters.cwd, "title": filters.title}
    for column, asked in wanted.items():
        if asked and column not in has:
            notes.append(f"This database does not say the {column} of a session, so {column}: finds nothing.")
            parts.append("0")
        elif asked and column == "source":
            parts.append(f"source IN ({', '.join('?' * 2 * len(asked))})")
            values += [form for value in asked for form in (value, value.lower())]
        elif asked:
            # Several folders are alternatives; several words of a title are all wanted.
            joint = " AND " if column == "title" else " OR "
            parts.append("(" + joint.join(f"{column} LIKE ? ESCAPE '\\'" for _ in asked) + ")")
            values += [f"%{_escaped(value)}%" for value in asked]
    if filters.within:
        title = " OR title = ?" if "title" in has else ""
        parts.append("(" + " OR ".join(f"id LIKE ? ESCAPE '\\'{title}" for _ in filters.within) + ")")
        values += [form for value in filters.within for form in (f"{_escaped(value)}%", value)[: 1 + bool(title)]]
    if filters.memory and filters.memory_ids is None:
        notes.append("knew:, wrote: and staged: need the history of memory, which is not there.")
        parts.append("0")
    elif filters.memory:
        parts.append("id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(sorted(filters.memory_ids or ())))
    if filters.archived in ("no", "only") and "archived" in has:
        parts.append(f"coalesce(archived, 0) {'=' if filters.archived == 'no' else '<>'} 0")
    return Condition(" AND ".join(parts) or "1", tuple(values), tuple(notes))


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def ids_between(base: Database, after: float | None, before: float | None) -> tuple[int, int] | None:
    """The ids (first, last) that messages of a time most likely have; None when there are no messages.

    Messages are numbered as they are written, so only what was imported later is elsewhere.
    """
    low, high = id_range(base)
    if low is None:
        return None
    first = low if after is None else max(low, id_at(base, after, low, high) - SLACK_IDS)
    last = high if before is None else min(high, id_at(base, before, low, high) + SLACK_IDS)
    return first, last


def id_range(base: Database) -> Row:
    """The lowest and the highest id of a message; None, None when there are none."""
    # Asked for together in the simple way they are found by looking at every row.
    return base.rows("SELECT (SELECT min(id) FROM messages), (SELECT max(id) FROM messages)")[0]


def id_at(base: Database, when: float, low: int, high: int) -> int:
    """The id of the last message not after `when`, among those from `low` to `high`."""
    while low < high:
        middle = (low + high + 1) // 2
        rows = base.rows("SELECT id, timestamp FROM messages WHERE id <= ? ORDER BY id DESC LIMIT 1", (middle,))
        found, stamp = rows[0]
        if isinstance(stamp, (int, float)) and stamp > when:
            high = min(int(found), middle) - 1
        else:
            low = middle
        if high < low:
            break
    return low


def newest_first(base: Database) -> Iterator[str]:
    """The ids of all sessions, by pages."""
    (below,) = base.rows("SELECT coalesce(max(rowid), 0) + 1 FROM sessions")[0]
    while True:
        rows = base.rows(
            "SELECT rowid, id FROM sessions WHERE rowid < ? ORDER BY rowid DESC LIMIT ?", (below, PAGE_ROWS)
        )
        yield from (text_of(row[1]) for row in rows)
        if len(rows) < PAGE_ROWS:
            return
        below = rows[-1][0]
