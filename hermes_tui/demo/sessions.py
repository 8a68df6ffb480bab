"""The conversations of the demo home: a small state.db in the shape that agents of the 0.19 line leave."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CONVERSATIONS = Path(__file__).parent / "data" / "sessions.json"

SCHEMA_VERSION = 22
SCHEMA = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    model TEXT,
    model_config TEXT,
    system_prompt TEXT,
    parent_session_id TEXT REFERENCES sessions(id),
    started_at REAL NOT NULL,
    ended_at REAL,
    end_reason TEXT,
    message_count INTEGER DEFAULT 0,
    tool_call_count INTEGER DEFAULT 0,
    title TEXT,
    archived INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL,
    content TEXT,
    tool_call_id TEXT,
    tool_calls TEXT,
    tool_name TEXT,
    timestamp REAL NOT NULL,
    token_count INTEGER,
    finish_reason TEXT,
    active INTEGER NOT NULL DEFAULT 1,
    compacted INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL;
CREATE INDEX idx_sessions_started ON sessions(started_at DESC);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
"""

MINUTE = 60.0


def write_sessions(path: Path, now: float) -> float:
    """Make the database at `path`, where nothing is yet; returns the time of its last message.

    Raises:
        OSError: the disk refused.
    """
    conversations: list[dict[str, Any]] = json.loads(CONVERSATIONS.read_text("utf-8"))
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            # Nobody else looks at the file yet, and a demo may be made again.
            connection.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN; {SCHEMA}")
            connection.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION,))
            for conversation in conversations:
                _write_session(connection, conversation, now)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise OSError(f"SQLite: {error}") from error
    return max(said_at for conversation in conversations for said_at in _times(conversation, now))


def _write_session(connection: sqlite3.Connection, conversation: Mapping[str, Any], now: float) -> None:
    messages = conversation["messages"]
    times = list(_times(conversation, now))
    session_id = f"{time.strftime('%Y%m%d_%H%M%S', time.localtime(times[0]))}_{conversation['suffix']}"
    session = {
        "id": session_id,
        "source": conversation["source"],
        "model": conversation["model"],
        "started_at": times[0],
        "ended_at": times[-1] + MINUTE,
        "end_reason": conversation["end_reason"],
        "message_count": len(messages),
        "tool_call_count": sum(len(message.get("tool_calls", ())) for message in messages),
        "title": conversation["title"],
    }
    _insert(connection, "sessions", session)
    for message, said_at in zip(messages, times, strict=True):
        calls = message.get("tool_calls")
        row = {
            "session_id": session_id,
            "role": message["role"],
            "content": message["content"],
            "tool_call_id": message.get("tool_call_id"),
            "tool_calls": json.dumps(calls, ensure_ascii=False) if calls else None,
            "tool_name": message.get("tool_name"),
            "timestamp": said_at,
            "finish_reason": ("tool_calls" if calls else "stop") if message["role"] == "assistant" else None,
        }
        _insert(connection, "messages", row)


def _times(conversation: Mapping[str, Any], now: float) -> Iterator[float]:
    return (now - message["minutes_ago"] * MINUTE for message in conversation["messages"])


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
