"""Rows of state.db with every value exactly as it is stored, read in short statements."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.export.stored_json import BadText, Stored
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.message_rows import TIME_SQL, by_bytes, json_list

IDS_PER_SLICE = 20_000
SIZES_PER_SLICE = 1_000
SLICE_BYTES = 1_000_000
ROW_BYTES = 2_000
"""What a row weighs in a slice besides its texts: some hundred rows are enough for one statement."""
BITS = 60

Stopped = Callable[[], bool]


def go_on() -> bool:
    """Nobody wants to stop."""
    return False


def columns_of(base: Reader, table: str) -> tuple[str, ...]:
    """The columns of a table in their order; empty when there is no such table."""
    return tuple(str(row[0]) for row in base.rows("SELECT name FROM pragma_table_info(?)", (table,)))


def name_sql(column: str) -> str:
    """A column's name in a statement."""
    return '"' + column.replace('"', '""') + '"'


def stored_rows(
    base: Reader, columns: Sequence[str], rest: str, values: Sequence[object] = ()
) -> list[tuple[Stored, ...]]:
    """Rows with these columns.

    Args:
        columns: their names.
        rest: the statement from FROM on; what it has columns of is called `t`.
    """
    # A text need not be one that can be decoded, so all come as bytes, and numbers say which are BLOBs.
    names = [f"t.{name_sql(column)}" for column in columns]
    texts = ", ".join(f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names)
    blobs = ", ".join(
        " | ".join(f"((typeof({name}) = 'blob') << {bit})" for bit, name in enumerate(names[start : start + BITS]))
        for start in range(0, len(names), BITS)
    )
    width = len(columns)
    found = base.rows(f"SELECT {texts}, {blobs} {rest}", values)
    rows: list[tuple[Stored, ...]] = []
    found.reverse()
    while found:  # one by one, so that what is long is not held twice
        row = found.pop()
        rows.append(tuple(_value(row[at], row[width + at // BITS] >> at % BITS & 1) for at in range(width)))
    return rows


def _value(value: object, blob: int) -> Stored:
    if not isinstance(value, bytes) or blob:
        return value  # type: ignore[return-value]
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return BadText(value)


def bound(value: Stored) -> tuple[str, object]:
    """How a value is handed to a statement: what stands for it there, and what is bound."""
    return ("CAST(? AS TEXT)", value.data) if isinstance(value, BadText) else ("?", value)


@dataclass(frozen=True, slots=True)
class Outline:
    """The messages of one session by id, with what can be told without their texts."""

    ids: array[int]
    live: bytes
    """1 where the agent has the message in sight, 2 where a compaction put it away, 0 where the person did."""
    users: bytes
    """1 where it is the person's."""
    sizes: array[int]
    """Bytes of all its columns."""


def message_ids(base: Reader, session_id: str, stopped: Stopped = go_on) -> array[int]:
    """The ids of all messages of a session, in order."""
    found = array("q")
    where: str = "timestamp IS NULL AND id > ?"
    more: tuple[object, ...] = (-1 << 63,)
    while True:
        if stopped():
            raise Interrupted
        # By time and id, as the agent's index has them: sorted by id only here, a slice would read the whole session.
        rows = base.rows(
            f"SELECT id, {TIME_SQL}, typeof(timestamp) FROM messages"
            f" WHERE session_id = ? AND {where} ORDER BY timestamp, id LIMIT ?",
            (session_id, *more, IDS_PER_SLICE),
        )
        found.extend([row[0] for row in rows])
        if len(rows) == IDS_PER_SLICE:
            last_id, last_time, kind = rows[-1]
            if last_time is None:
                more = (last_id,)
            else:
                mark = "CAST(? AS TEXT)" if kind == "text" else "?"
                where, more = f"(timestamp, id) > ({mark}, ?)", (last_time, last_id)
        elif where.startswith("timestamp IS NULL"):
            where, more = "timestamp IS NOT NULL", ()
        else:
            return array("q", sorted(found))


def newer_ids(base: Reader, session_id: str, high: int) -> list[int]:
    """The ids of the messages of a session after one."""
    rows = base.rows(
        "SELECT id FROM messages NOT INDEXED WHERE id > ? AND +session_id = ? ORDER BY id", (high, session_id)
    )
    return [int(row[0]) for row in rows]


def outline(base: Reader, ids: array[int], columns: Sequence[str], stopped: Stopped = go_on) -> Outline:
    """What is known of messages without their texts; those that are gone are left out."""
    size = " + ".join(f"coalesce(octet_length(m.{name_sql(column)}), 0)" for column in columns)
    live = "coalesce(m.active, 1) <> 0" if "active" in columns else "1"
    if "active" in columns and "compacted" in columns:
        live = f"CASE WHEN {live} THEN 1 WHEN coalesce(m.compacted, 0) <> 0 THEN 2 ELSE 0 END"
    kept, states, users, sizes = array("q"), bytearray(), bytearray(), array("q")
    for start in range(0, len(ids), SIZES_PER_SLICE):
        if stopped():
            raise Interrupted
        rows = base.rows(
            f"SELECT m.id, {live}, CAST(m.role AS BLOB) = x'75736572', {size} FROM json_each(?) j"
            " CROSS JOIN messages m ON m.id = j.value",
            (json_list(ids[start : start + SIZES_PER_SLICE]),),
        )
        for message_id, state, user, total in sorted(rows):
            kept.append(message_id)
            states.append(state)
            users.append(user or 0)
            sizes.append(total + ROW_BYTES)
    return Outline(kept, bytes(states), bytes(users), sizes)


def bunches(known: Outline, places: Sequence[int]) -> Iterator[list[int]]:
    """Ids of messages in bunches that are read in one statement each."""
    return by_bytes([known.ids[place] for place in places], [known.sizes[place] for place in places], SLICE_BYTES)


def message_rows(base: Reader, columns: Sequence[str], ids: Sequence[int]) -> list[tuple[Stored, ...]]:
    """Messages with these columns, in the order of `ids`; those that are gone are left out."""
    return stored_rows(base, columns, "FROM json_each(?) j CROSS JOIN messages t ON t.id = j.value", (json_list(ids),))
