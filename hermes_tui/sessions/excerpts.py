"""Pieces of a session as the agent's search tool hands them out: messages around one, its beginning, its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.features import kept, live, names
from hermes_tui.sessions.stored import JSON_MARK, text_of

SPOKEN = ("user", "assistant")
"""Roles of what was said, as against what tools did."""
ELLIPSIS = "…"
COUNTED = 10_000
"""Messages that one statement counts."""

_COLUMNS = ("id", "timestamp", "role", "content", "tool_name", "tool_call_id", "tool_calls")
_BACK, _ON = ("<", "DESC"), (">", "ASC")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Messages around one."""

    rows: tuple[Row, ...]
    before: int
    """How many of them come before it."""
    after: int


class Excerpts:
    """Reads pieces of sessions.

    Args:
        base: the database.
    """

    def __init__(self, base: Database) -> None:
        self._base = base
        has = base.features().messages
        texts = ", ".join(f"CAST({name} AS BLOB)" if name in has else "NULL" for name in _COLUMNS[2:])
        self._columns = f"{names(_COLUMNS[:2], has)}, {texts}"
        self._kept, self._live = kept(has), live(has)

    def around(self, session_id: str, message_id: int, reach: int) -> Excerpt | None:
        """A message with so many before and after it; None when the session does not have it."""
        anchor = self._rows("session_id = ? AND id = ?", (session_id, message_id), "LIMIT 1")
        if not anchor:
            return None
        before = self._beside(session_id, anchor[0], _BACK, reach)
        after = self._beside(session_id, anchor[0], _ON, reach)
        return Excerpt((*reversed(before), anchor[0], *after), len(before), len(after))

    def said_before(self, session_id: str, row: Row, count: int) -> tuple[Row, ...]:
        """The first things said in a session, as far as they come before a message."""
        return tuple(self._rows(*self._said(session_id, row, _BACK), f"ORDER BY timestamp, id LIMIT {count}"))

    def said_after(self, session_id: str, row: Row, count: int) -> tuple[Row, ...]:
        """The last things said in a session, as far as they come after a message."""
        found = self._rows(*self._said(session_id, row, _ON), f"ORDER BY timestamp DESC, id DESC LIMIT {count}")
        return tuple(reversed(found))

    def first(self, session_id: str, count: int, roles: Sequence[str] = ()) -> tuple[Row, ...]:
        """The first live messages of a session."""
        return tuple(self._rows(*self._live_of(session_id, roles), f"ORDER BY timestamp, id LIMIT {count}"))

    def last(self, session_id: str, count: int) -> tuple[Row, ...]:
        """The last live messages of a session, oldest first."""
        found = self._rows(*self._live_of(session_id, ()), f"ORDER BY timestamp DESC, id DESC LIMIT {count}")
        return tuple(reversed(found))

    def count(self, session_id: str) -> int:
        """How many live messages a session has."""
        where, values = self._live_of(session_id, ())
        total, after = 0, ""
        while True:
            rows = self._base.rows(
                f"SELECT timestamp, id FROM messages WHERE {where}{after} ORDER BY timestamp, id LIMIT {COUNTED}",
                values,
            )
            total += len(rows)
            if len(rows) < COUNTED:
                return total
            after, values = " AND (timestamp, id) > (?, ?)", (session_id, *rows[-1])

    def _live_of(self, session_id: str, roles: Sequence[str]) -> tuple[str, tuple[object, ...]]:
        wanted = f" AND role IN ({', '.join('?' * len(roles))})" if roles else ""
        return f"session_id = ? AND {self._live}{wanted}", (session_id, *roles)

    def _beside(self, session_id: str, row: Row, way: tuple[str, str], count: int) -> list[Row]:
        sign, order = way
        timed = row[1] is not None
        where = f"(timestamp, id) {sign} (?, ?)" if timed else f"id {sign} ?"
        values = (row[1], row[0]) if timed else (row[0],)
        return self._rows(
            f"session_id = ? AND {where} AND {self._kept}",
            (session_id, *values),
            f"ORDER BY timestamp {order}, id {order} LIMIT {count}",
        )

    def _said(self, session_id: str, row: Row, way: tuple[str, str]) -> tuple[str, tuple[object, ...]]:
        return (
            f"session_id = ? AND (timestamp, id) {way[0]} (?, ?) AND {self._kept} AND content <> ''"
            f" AND role IN ({', '.join('?' * len(SPOKEN))})",
            (session_id, row[1], row[0], *SPOKEN),
        )

    def _rows(self, where: str, values: Sequence[object], end: str) -> list[Row]:
        return self._base.rows(f"SELECT {self._columns} FROM messages WHERE {where} {end}", values)


def role_of(row: Row) -> str:
    """Who a message is by."""
    return text_of(row[2])


def shaped(row: Row, *, anchor: int | None = None, most_chars: int = 0) -> dict[str, Any]:
    """A message with the keys of the agent's tool.

    Args:
        row: one of `Excerpts`.
        anchor: the message to mark, if it is this one.
        most_chars: where its text is cut; not at all if 0.
    """
    id, stamp, role, content, tool_name, call_id, calls = row
    text = _content(content)
    cut = isinstance(text, str) and 0 < most_chars < len(text)
    shape: dict[str, Any] = {
        "id": id,
        "role": text_of(role),
        "content": text[:most_chars] + ELLIPSIS if cut and isinstance(text, str) else text,
        "timestamp": text_of(stamp) if isinstance(stamp, bytes) else stamp,
    }
    if tool_name:
        shape["tool_name"] = text_of(tool_name)
    if calls:
        shape["tool_calls"] = _parsed(text_of(calls))
    if call_id:
        shape["tool_call_id"] = text_of(call_id)
    if anchor == id:
        shape["anchor"] = True
    if cut and isinstance(text, str):
        shape["content_truncated"] = True
        shape["original_content_chars"] = len(text)
    return shape


def _content(stored: object) -> Any:
    """Text as it is, anything else as the JSON it was kept as; None when there is nothing."""
    if stored is None:
        return None
    text = text_of(stored)
    return _parsed(text[len(JSON_MARK) :]) if text.startswith(JSON_MARK) else text


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
