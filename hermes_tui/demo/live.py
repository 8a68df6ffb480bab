"""The conversation that goes on while the demo is open: the simulated agent and somebody who talks with it."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hermes_tui.demo.conversations import Message, seconds, session_suffix, spoken
from hermes_tui.demo.sessions import insert, message_row
from hermes_tui.home import HermesHome

SCRIPT = Path(__file__).parent / "data" / "live.json"
LIVE = "case-b2"
"""The key of the session that has not ended."""
LOCK_PATIENCE_SECONDS = 0.05
"""Whoever reads goes first; what could not be said now is said at the next try."""


class LiveConversation:
    """Adds the lines of a script to the live session of a demo home, one at a time, and then falls silent."""

    def __init__(self, home: HermesHome, *, clock: Callable[[], float] = time.time) -> None:
        self._home = home
        self._clock = clock
        self._lines: list[Mapping[str, Any]] = json.loads(SCRIPT.read_text("utf-8"))
        self._next = 0

    def pause(self) -> float | None:
        """The seconds before the next line; None when everything is said."""
        return seconds(self._lines[self._next]["pause"]) if self._next < len(self._lines) else None

    def say_next(self) -> bool:
        """Write the next line; False when there is none, or when the database cannot be written to just now."""
        path = self._home.state_db
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._home.path)):
            return False
        try:
            uri = f"{path.absolute().as_uri()}?mode=rw"
            base = sqlite3.connect(uri, uri=True, timeout=LOCK_PATIENCE_SECONDS, isolation_level=None)
            with contextlib.closing(base) as connection:
                connection.execute("BEGIN IMMEDIATE")
                said = self._say(connection)
                connection.execute("COMMIT")
                self._next += said
                return said
        except sqlite3.Error:  # locked, gone, or another program's by now
            return False

    def _say(self, connection: sqlite3.Connection) -> bool:
        found = connection.execute(
            "SELECT id FROM sessions WHERE id GLOB ? AND ended_at IS NULL", (f"*_{session_suffix(LIVE)}",)
        ).fetchone()
        if found is None:
            return False
        rows = [message_row(found[0], message) for message in self._messages()]
        self._next = self._said(connection, found[0], rows)
        if self._next == len(rows):
            return False
        row = rows[self._next]
        insert(connection, "messages", [row])
        connection.execute(
            "UPDATE sessions SET message_count = message_count + 1, tool_call_count = tool_call_count + ? WHERE id = ?",
            (len(self._lines[self._next].get("calls", ())), found[0]),
        )
        return True

    def _messages(self) -> list[Message]:
        now = self._clock()
        return list(spoken(LIVE + " live", self._lines, [now] * len(self._lines)))

    def _said(self, connection: sqlite3.Connection, session_id: str, rows: list[dict[str, object]]) -> int:
        """How many lines stand in the session already: a demo may be opened again."""
        columns = ("role", "content", "tool_calls", "tool_call_id")
        last = connection.execute(
            f"SELECT {', '.join(columns)} FROM messages WHERE session_id = ? ORDER BY id DESC LIMIT 1", (session_id,)
        ).fetchone()
        same = [at for at, row in enumerate(rows) if tuple(row[name] for name in columns) == last]
        return same[-1] + 1 if same else 0
