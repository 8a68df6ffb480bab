"""Which conversation a pending write came from, and what was said just before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.features import names, unhidden
from hermes_tui.sessions.messages import ToolCall, message_text, tool_calls
from hermes_tui.sessions.narrowing import id_at, id_range

SLICE_ROWS = 4_000
"""Rows one statement looks at: a few milliseconds."""
MAX_SLICES = 400
TURNS = 8
LIKELY_SECONDS = 3 * 3600.0
"""A review runs soon after the conversation it reviews; older ones are not guessed at."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    message_id: int
    role: str
    text: str
    timestamp: float | None
    calls: tuple[ToolCall, ...] = ()
    """The tools that it asks for."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The conversation behind a pending write."""

    certainty: Literal["exact", "likely"]
    """exact: the session holds the tool result that names the record; likely: only the time fits."""
    session_id: str
    title: str
    turns: tuple[Turn, ...]
    """The last messages up to the staging, oldest first."""


def find_evidence(
    database: Path, pending_id: str, created_at: float | None, *, from_review: bool = False
) -> Evidence | None:
    """The conversation that staged a record, or the one that a background review most likely looked at.

    Args:
        database: the home's state.db.
        pending_id: the record's id.
        created_at: when it was staged, in epoch seconds.
        from_review: whether a background review staged it; reviews leave no messages of their own.

    Raises:
        NotFound: there is no database.
        Unreadable: it cannot be read.
    """
    base = Database(database)
    try:
        hit = None if from_review else _staging(base, pending_id, created_at)
        if hit is not None:
            return _evidence(base, "exact", hit[1], hit[0])
        near = _last_before(base, created_at) if from_review else None
        if near is None:
            return None
        return _evidence(base, "likely", near[1], near[0])
    finally:
        base.close()


def _staging(base: Database, pending_id: str, created_at: float | None) -> tuple[int, str] | None:
    for first, last in _slices(base, created_at):
        rows = base.rows(
            "SELECT id, session_id, content FROM messages"
            " WHERE id BETWEEN ? AND ? AND role = 'tool' AND instr(content, ?) ORDER BY id",
            (first, last, pending_id),
        )
        for message_id, session_id, content in rows:
            if _names(content, pending_id):
                return int(message_id), str(session_id)
    return None


def _names(content: object, pending_id: str) -> bool:
    try:
        result = json.loads(message_text(content))
    except (ValueError, RecursionError):
        return False
    return isinstance(result, dict) and result.get("pending_id") == pending_id


def _slices(base: Database, created_at: float | None) -> Iterator[tuple[int, int]]:
    """Ranges of message ids, those written at that time first, then further and further away."""
    low, high = id_range(base)
    if low is None:
        return
    middle = id_at(base, created_at, low, high) if created_at is not None else high
    for step in range(MAX_SLICES):
        reach = (step + 1) // 2 * SLICE_ROWS
        first = middle - SLICE_ROWS // 2 + (reach if step % 2 else -reach)
        if first <= high and first + SLICE_ROWS > low:
            yield first, first + SLICE_ROWS - 1


def _last_before(base: Database, created_at: float | None) -> tuple[int, str] | None:
    low, high = id_range(base)
    if low is None or created_at is None:
        return None
    rows = base.rows(
        "SELECT id, session_id, timestamp FROM messages"
        " WHERE id <= ? AND role IN ('user', 'assistant') ORDER BY id DESC LIMIT 1",
        (id_at(base, created_at, low, high),),
    )
    if not rows or not isinstance(rows[0][2], (int, float)):
        return None
    if not 0 <= created_at - rows[0][2] <= LIKELY_SECONDS:
        return None
    return int(rows[0][0]), str(rows[0][1])


def _evidence(base: Database, certainty: Literal["exact", "likely"], session_id: str, message_id: int) -> Evidence:
    there = base.columns("messages")
    columns, seen = names(("id", "role", "content", "timestamp", "tool_calls"), there), unhidden(there)
    rows = base.rows(
        f"SELECT {columns} FROM messages WHERE session_id = ? AND id <= ? AND {seen} ORDER BY id DESC LIMIT ?",
        (session_id, message_id, TURNS),
    )
    title = ""
    if "title" in base.columns("sessions"):
        found = base.rows("SELECT title FROM sessions WHERE id = ?", (session_id,))
        title = str(found[0][0] or "") if found else ""
    return Evidence(certainty, session_id, title, tuple(_turn(row) for row in reversed(rows)))


def _turn(row: Row) -> Turn:
    message_id, role, content, stamp, calls = row
    return Turn(
        int(message_id),
        str(role),
        message_text(content),
        float(stamp) if isinstance(stamp, (int, float)) else None,
        tool_calls(calls),
    )
