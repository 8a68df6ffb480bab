"""A session that an agent has begun anew, under the same id, while what it held was deleted: put together again."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.sessions.export.stored_json import Stored
from hermes_tui.sessions.features import live
from hermes_tui.sessions.message_rows import json_list
from hermes_tui.sessions.upkeep.incoming_rows import StoredRow
from hermes_tui.sessions.upkeep.writer import Writer

_ADDED = ("tokens", "_calls", "call_count")
"""How the columns end that count what was used, before and since."""
_ITS_OWN = ("id", "parent_session_id", "message_count", "ended_at", "end_reason", "title", "title_source")
"""What is as the agent has it now, or is worked out anew."""


def lost(writer: Writer, session_id: str, rows: Sequence[StoredRow]) -> list[StoredRow]:
    """Those of some messages that a session does not have any more."""
    ids = json_list([row["id"] for row in rows])
    found = writer.rows(
        "SELECT m.id FROM json_each(?) j JOIN messages m ON m.id = j.value WHERE m.session_id = ?", (ids, session_id)
    )
    there = {row[0] for row in found}
    return [row for row in rows if row["id"] not in there]


def rejoin(writer: Writer, session_id: str, before: StoredRow) -> None:
    """Give the session that is there what the one before it had, and count its messages.

    Args:
        writer: within a transaction.
        session_id: both.
        before: the row that was deleted; with a title only if it is free.
    """
    columns = [name for name in before if name not in _ITS_OWN]
    if columns:
        now = writer.rows(f"SELECT {', '.join(columns)} FROM sessions WHERE id = ?", (session_id,))[0]
        for name, value in zip(columns, now, strict=True):
            _set(writer, session_id, name, _together(name, before[name], value))
    if before.get("title") and writer.rows("SELECT 1 FROM sessions WHERE id = ? AND title IS NULL", (session_id,)):
        for name in ("title", "title_source"):
            if name in before:
                _set(writer, session_id, name, before[name])
    if "message_count" in writer.columns("sessions"):
        writer.execute(
            "UPDATE sessions SET message_count = (SELECT count(*) FROM messages WHERE session_id = ?1 AND"
            f" {live(writer.columns('messages'))}) WHERE id = ?1",
            (session_id,),
        )


def _together(name: str, before: Stored, now: Stored) -> Stored:
    if now is None:
        return before
    if isinstance(before, int | float) and isinstance(now, int | float):
        if name == "started_at":
            return min(before, now)
        if name.endswith(_ADDED):
            return before + now
    return now


def _set(writer: Writer, session_id: str, name: str, value: Stored) -> None:
    writer.execute(f"UPDATE sessions SET {name} = ? WHERE id = ?", (value, session_id))
