"""Small databases in the shapes that agents of different ages leave, written by plain SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

Shape = Literal["0.13", "0.19", "0.22", "no index"]
SHAPES: tuple[Shape, ...] = ("0.13", "0.19", "0.22", "no index")

NOW = 1_790_000_000.0

_SESSIONS_OLD = (
    "id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT, system_prompt TEXT,"
    " parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,"
    " message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0,"
    " output_tokens INTEGER DEFAULT 0, estimated_cost_usd REAL, actual_cost_usd REAL, title TEXT"
)
_SESSIONS_MID = f"{_SESSIONS_OLD}, cwd TEXT, git_branch TEXT, archived INTEGER NOT NULL DEFAULT 0"
_SESSIONS_NEW = (
    f"{_SESSIONS_MID}, system_prompt_hash TEXT, title_source TEXT, last_activity_at REAL,"
    " pinned INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0"
)
_MESSAGES_OLD = (
    "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,"
    " tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,"
    " finish_reason TEXT, reasoning TEXT"
)
_MESSAGES_MID = f"{_MESSAGES_OLD}, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0"
_MESSAGES_NEW = f"{_MESSAGES_MID}, display_kind TEXT"

_INLINE = "coalesce(new.content, '') || ' ' || coalesce(new.tool_name, '') || ' ' || coalesce(new.tool_calls, '')"
_INLINE_INDEX = f"""
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts(rowid, content) VALUES (new.id, {_INLINE}); END;
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tokenize='trigram');
CREATE TRIGGER messages_fts_trigram_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts_trigram(rowid, content) VALUES (new.id, {_INLINE}); END;
"""
_EXTERNAL_INDEX = """
CREATE VIEW messages_fts_src AS SELECT id, content, tool_name, tool_calls FROM messages;
CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls,
  content='messages_fts_src', content_rowid='id');
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts(rowid, content, tool_name, tool_calls)
  VALUES (new.id, new.content, new.tool_name, new.tool_calls); END;
CREATE VIEW messages_fts_trigram_src AS SELECT m.id, m.content, m.tool_name FROM messages m WHERE m.role <> 'tool';
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tool_name,
  content='messages_fts_trigram_src', content_rowid='id', tokenize='trigram');
CREATE TRIGGER messages_fts_trigram_insert AFTER INSERT ON messages WHEN new.role <> 'tool' BEGIN
  INSERT INTO messages_fts_trigram(rowid, content, tool_name) VALUES (new.id, new.content, new.tool_name); END;
"""
_COMMON = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE INDEX idx_sessions_parent ON sessions(parent_session_id);
CREATE INDEX idx_sessions_started ON sessions(started_at DESC);
CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL;
"""

_TABLES: dict[Shape, tuple[str, str, str, int]] = {
    "0.13": (_SESSIONS_OLD, _MESSAGES_OLD, _INLINE_INDEX, 11),
    "0.19": (_SESSIONS_MID, _MESSAGES_MID, _INLINE_INDEX, 22),
    "0.22": (_SESSIONS_NEW, _MESSAGES_NEW, _EXTERNAL_INDEX, 31),
    "no index": (_SESSIONS_MID, _MESSAGES_MID, "", 22),
}


class World:
    """A database that tests put conversations into, through a connection of its own."""

    def __init__(self, path: Path, shape: Shape = "0.19", *, wal: bool = False) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        if wal:
            self.connection.execute("PRAGMA journal_mode = WAL")
        sessions, messages, index, version = _TABLES[shape]
        self.connection.executescript(
            f"CREATE TABLE sessions ({sessions}); CREATE TABLE messages ({messages}); {_COMMON} {index}"
        )
        self.connection.execute("INSERT INTO schema_version VALUES (?)", (version,))
        self._columns = {
            table: {row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")}
            for table in ("sessions", "messages")
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

    def _insert(self, table: str, row: dict[str, Any]) -> int:
        known = {name: value for name, value in row.items() if name in self._columns[table]}
        marks = ", ".join("?" * len(known))
        cursor = self.connection.execute(
            f"INSERT INTO {table} ({', '.join(known)}) VALUES ({marks})", tuple(known.values())
        )
        return int(cursor.lastrowid or 0)

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        """Anything else."""
        self.connection.execute(sql, values)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()
