"""The state.db of the demo home: its conversations in the shape that agents of the 0.19 line leave."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from hermes_tui.demo.conversations import Conversation, Message
from hermes_tui.demo.spending import Spending, spending

SCHEMA_VERSION = 22
SCHEMA = Path(__file__).parent / "data" / "state.sql"

INDEXES = {"messages_fts": "", "messages_fts_trigram": ", tokenize = 'trigram'"}
"""The search indexes and what sets each apart."""
INDEXED = "coalesce({0}content, '') || ' ' || coalesce({0}tool_name, '') || ' ' || coalesce({0}tool_calls, '')"

WORKPLACE = "/home/ines/museum"
USER_ID, CHAT_NAME = "70410062", "Ines"


def write_sessions(path: Path, conversations: Sequence[Conversation], prompts: Mapping[str, str]) -> float:
    """Make the database at `path`, where nothing is yet; returns the time of its last message.

    Args:
        path: the database to be.
        conversations: what is in it.
        prompts: what each ran on, by its key.

    Raises:
        OSError: the disk refused.
    """
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            # Nobody else looks at the file yet, and a demo may be made again.
            tables = SCHEMA.read_text("utf-8")
            connection.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN; {tables}")
            connection.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION,))
            _write_rows(connection, conversations, prompts)
            _write_indexes(connection)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise OSError(f"SQLite: {error}") from error
    return max(message.at for found in conversations for message in found.messages)


def message_row(session_id: str, message: Message) -> dict[str, object]:
    """One row of the table of messages."""
    is_answer = message.role == "assistant"
    return {
        "session_id": session_id,
        "role": message.role,
        "content": message.content,
        "tool_call_id": message.tool_call_id,
        "tool_calls": message.tool_calls,
        "tool_name": message.tool_name,
        "timestamp": message.at,
        "finish_reason": ("tool_calls" if message.tool_calls else "stop") if is_answer else None,
        "reasoning": message.reasoning,
        "reasoning_content": message.reasoning,
        "active": int(message.state == "live"),
        "compacted": int(message.state == "compacted"),
    }


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Add rows that all have the same columns."""
    listed = list(rows)
    names = list(listed[0])
    marks = ", ".join("?" * len(names))
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
    connection.executemany(statement, (tuple(row.values()) for row in listed))


def _write_rows(
    connection: sqlite3.Connection, conversations: Sequence[Conversation], prompts: Mapping[str, str]
) -> None:
    ids = {found.key: found.id for found in conversations}
    spent = {found.key: spending(found) for found in conversations}
    rows = (_session_row(found, ids, spent[found.key], prompts.get(found.key)) for found in conversations)
    insert(connection, "sessions", rows)
    said = [(message.at, found.id, message) for found in conversations for message in found.messages]
    said.sort(key=lambda row: row[0])  # messages are numbered as they are written
    insert(connection, "messages", (message_row(session_id, message) for _, session_id, message in said))
    used = [found for found in conversations if spent[found.key].calls]
    insert(connection, "session_model_usage", (_usage_row(found, spent[found.key]) for found in used))


def _session_row(found: Conversation, ids: Mapping[str, str], spent: Spending, prompt: str | None) -> dict[str, object]:
    live = [message for message in found.messages if message.state == "live"]
    chat = _chat(found.source)
    parent_id = ids[found.parent] if found.parent else None
    return {
        "id": found.id,
        "source": found.source,
        **{name: chat.get(name) for name in ("user_id", "session_key", "chat_id", "chat_type", "display_name")},
        "origin_json": json.dumps(chat, ensure_ascii=False) if chat else None,
        "model": found.model,
        "model_config": json.dumps(_model_config(found, parent_id)),
        "system_prompt": prompt,
        "parent_session_id": parent_id,
        "started_at": found.started_at,
        "ended_at": found.ended_at,
        "end_reason": found.end_reason,
        "message_count": len(live),
        "tool_call_count": sum(len(json.loads(message.tool_calls)) for message in live if message.tool_calls),
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cache_read_tokens": spent.cache_read_tokens,
        "reasoning_tokens": spent.reasoning_tokens,
        "cwd": None if chat else found.cwd or WORKPLACE,
        "billing_provider": spent.provider,
        "billing_mode": "api" if spent.cost else None,
        "estimated_cost_usd": spent.cost,
        "cost_status": spent.cost_status,
        "title": found.title,
        "api_call_count": spent.calls,
        "rewind_count": int(any(message.state == "rewound" for message in found.messages)),
        "archived": int(found.archived),
    }


def _model_config(found: Conversation, parent_id: str | None) -> dict[str, object]:
    config: dict[str, object] = {"max_iterations": 90, "reasoning_config": None, "max_tokens": None}
    if found.kind == "branch":
        config["_branched_from"] = parent_id
    elif found.kind == "delegate":
        config["_delegate_from"] = parent_id
    return config


def _chat(source: str) -> dict[str, object]:
    if source not in ("telegram", "discord"):
        return {}
    return {
        "platform": source,
        "user_id": USER_ID,
        "chat_id": USER_ID,
        "chat_type": "dm",
        "display_name": CHAT_NAME,
        "session_key": f"agent:main:{source}:dm:{USER_ID}",
    }


def _usage_row(found: Conversation, spent: Spending) -> dict[str, object]:
    return {
        "session_id": found.id,
        "model": found.model,
        "billing_provider": spent.provider,
        "api_call_count": spent.calls,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cache_read_tokens": spent.cache_read_tokens,
        "reasoning_tokens": spent.reasoning_tokens,
        "estimated_cost_usd": spent.cost,
        "cost_status": spent.cost_status,
        "first_seen": found.started_at,
        "last_seen": found.messages[-1].at,
    }


def _write_indexes(connection: sqlite3.Connection) -> None:
    for name, tokenizer in INDEXES.items():
        try:
            connection.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(content{tokenizer})")
        except sqlite3.OperationalError:  # this SQLite has no FTS5, or no trigrams: the agent goes without, too
            continue
        connection.execute(f"INSERT INTO {name} (rowid, content) SELECT id, {INDEXED.format('')} FROM messages")
        add = f"INSERT INTO {name} (rowid, content) VALUES (new.id, {INDEXED.format('new.')});"
        drop = f"DELETE FROM {name} WHERE rowid = old.id;"
        for event, does in (("insert", add), ("delete", drop), ("update", drop + add)):
            connection.execute(f"CREATE TRIGGER {name}_{event} AFTER {event.upper()} ON messages BEGIN {does} END")
