"""Small databases in the shapes that agents of different ages leave, written by plain SQLite."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import apsw

from hermes_tui.sessions import bigrams
from hermes_tui.sessions.upkeep.trigrams import Trigrams
from tests.sessions.schemas import PAIRS, SHAPES, Shape, schema

__all__ = ("NOW", "SHAPES", "Shape", "World")

NOW = 1_790_000_000.0

Age = Literal["old", "new"]
"""Whether an SQLite stops at the first NUL of a text that it takes apart into three characters."""


class World:
    """A database that tests put conversations into, through a connection of its own."""

    def __init__(self, path: Path, shape: Shape = "0.19", *, wal: bool = False, age: Age | None = None) -> None:
        self.path = path
        self.connection: Any = None
        if age:
            self.write_as(age)
        else:
            self.connection = sqlite3.connect(path, isolation_level=None)
        if wal:
            self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = OFF")  # no test pulls the plug
        run = self.connection.execute if age else self.connection.executescript
        run(schema(shape))
        self._columns = {
            table: {row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")}
            for table in ("sessions", "messages", "session_model_usage")
        }
        self._clock = NOW - 1_000_000

    def session(self, id: str, *texts: str, **columns: Any) -> str:
        """A session with these messages, by turns of the user and the agent."""
        row = {"source": "cli", "started_at": self._clock, "message_count": len(texts), **columns, "id": id}
        self._insert("sessions", row)
        for number, text in enumerate(texts):
            self.say(id, text, role="assistant" if number % 2 else "user")
        return id

    def say(self, session: str, text: Any, *, role: str = "user", **columns: Any) -> int:
        """One more message; returns its id."""
        self._clock += 10
        content = "\x00json:" + json.dumps(text, ensure_ascii=False) if isinstance(text, list) else text
        row = {"session_id": session, "role": role, "content": content, "timestamp": self._clock, **columns}
        return self._insert("messages", row)

    def use(self, session: str, model: str = "m1", **columns: Any) -> None:
        """What a session has used of a model, where there is a table of that."""
        if self._columns["session_model_usage"]:
            row = {"session_id": session, "model": model, "input_tokens": 10, "first_seen": self._clock, **columns}
            self._insert("session_model_usage", row)

    def prompt(self, text: str, *sessions: str) -> str:
        """A system prompt that some sessions share, where prompts have a table; returns what it is called there."""
        hash = hashlib.sha256(text.encode()).hexdigest()
        self.run("INSERT OR IGNORE INTO system_prompts VALUES (?, ?)", (hash, text))
        for session in sessions:
            self.run("UPDATE sessions SET system_prompt_hash = ? WHERE id = ?", (hash, session))
        return hash

    def _insert(self, table: str, row: dict[str, Any]) -> int:
        known = {name: value for name, value in row.items() if name in self._columns[table]}
        marks = ", ".join("?" * len(known))
        self.run(f"INSERT INTO {table} ({', '.join(known)}) VALUES ({marks})", tuple(known.values()))
        return int(self.rows("SELECT last_insert_rowid()")[0][0])

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        """Anything else."""
        self.connection.execute(sql, values)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        found: list[tuple[Any, ...]] = self.connection.execute(sql, values).fetchall()
        return found

    def write_as(self, age: Age) -> None:
        """From now on, write as an SQLite before 3.48 does, or as one since then."""
        if self.connection is not None:
            self.connection.close()
        self.connection = apsw.Connection(str(self.path))
        bigrams.register(self.connection)
        Trigrams(self.connection).old = age == "old"

    def index_pairs(self) -> None:
        """Make the index of pairs of CJK characters, with the agent's own tokenizer."""
        self.write_as("new")
        self.run(PAIRS)
        self.run("INSERT INTO messages_fts_cjk(messages_fts_cjk) VALUES('rebuild')")

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()
