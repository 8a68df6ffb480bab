"""The tables, indexes and triggers of agents of different ages, as far as they concern sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Shape = Literal["0.13", "0.19", "0.22", "no index"]
SHAPES: tuple[Shape, ...] = ("0.13", "0.19", "0.22", "no index")

_PARENT = "FOREIGN KEY (parent_session_id) REFERENCES sessions(id)"
_SESSIONS_OLD = (
    "id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT, system_prompt TEXT,"
    " parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,"
    " message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0,"
    " output_tokens INTEGER DEFAULT 0, estimated_cost_usd REAL, actual_cost_usd REAL, title TEXT"
)
_SESSIONS_MID = f"{_SESSIONS_OLD}, cwd TEXT, git_branch TEXT, archived INTEGER NOT NULL DEFAULT 0"
_SESSIONS_NEW = (
    f"{_SESSIONS_MID}, system_prompt_hash TEXT, title_source TEXT, last_activity_at REAL,"
    " auto_archived INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0,"
    " hidden INTEGER NOT NULL DEFAULT 0, tool_names TEXT"
)
_PROMPT = "FOREIGN KEY (system_prompt_hash) REFERENCES system_prompts(hash)"
_MESSAGES_OLD = (
    "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,"
    " content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,"
    " finish_reason TEXT, reasoning TEXT"
)
_MESSAGES_MID = f"{_MESSAGES_OLD}, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0"
_MESSAGES_NEW = (
    f"{_MESSAGES_MID}, display_kind TEXT, display_identity BLOB, display_order INTEGER, message_uid TEXT,"
    " tool_call_uids TEXT"
)

_COMMON = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE INDEX idx_sessions_parent ON sessions(parent_session_id);
CREATE INDEX idx_sessions_started ON sessions(started_at DESC);
CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL;
"""
_USAGE = """
CREATE TABLE session_model_usage (session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  model TEXT NOT NULL, billing_provider TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',
  input_tokens INTEGER NOT NULL DEFAULT 0, actual_cost_usd REAL NOT NULL DEFAULT 0, first_seen REAL, last_seen REAL,
  PRIMARY KEY (session_id, model, billing_provider, task));
CREATE TABLE compression_locks (session_id TEXT PRIMARY KEY, holder TEXT NOT NULL, acquired_at REAL NOT NULL,
  expires_at REAL NOT NULL);
"""
_NEWER = """
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE session_turn_leases (conversation_id TEXT PRIMARY KEY, holder TEXT NOT NULL, acquired_at REAL NOT NULL,
  expires_at REAL NOT NULL);
CREATE TRIGGER messages_message_uid_insert AFTER INSERT ON messages WHEN new.message_uid IS NULL BEGIN
  UPDATE messages SET message_uid = lower(hex(randomblob(16))) WHERE id = new.id; END;
CREATE TRIGGER messages_display_order_insert AFTER INSERT ON messages WHEN new.display_order IS NULL BEGIN
  UPDATE messages SET display_order = coalesce((SELECT display_order FROM messages
    WHERE session_id = new.session_id AND id <> new.id AND (active = 1 OR compacted = 1)
      AND display_identity = new.display_identity AND display_order IS NOT NULL
    ORDER BY display_order LIMIT 1), new.id) WHERE id = new.id; END;
CREATE TRIGGER messages_display_identity_update AFTER UPDATE OF role, content, timestamp ON messages
WHEN new.role IS NOT old.role OR new.content IS NOT old.content OR new.timestamp IS NOT old.timestamp BEGIN
  UPDATE messages SET display_identity = NULL, display_order = NULL WHERE id = new.id
    OR (session_id = old.session_id AND display_identity = old.display_identity AND (active = 1 OR compacted = 1)); END;
CREATE TRIGGER messages_display_identity_delete AFTER DELETE ON messages WHEN old.active = 1 OR old.compacted = 1 BEGIN
  UPDATE messages SET display_order = (SELECT min(peer.id) FROM messages peer
      WHERE peer.session_id = old.session_id AND (peer.active = 1 OR peer.compacted = 1)
        AND peer.display_identity = old.display_identity)
    WHERE session_id = old.session_id AND (active = 1 OR compacted = 1)
      AND display_identity = old.display_identity; END;
"""


def _inline(name: str, tokenize: str = "") -> str:
    """An index that keeps the texts itself."""
    text = "coalesce(new.content, '') || ' ' || coalesce(new.tool_name, '') || ' ' || coalesce(new.tool_calls, '')"
    put_in = f"INSERT INTO {name}(rowid, content) VALUES (new.id, {text});"
    take_out = f"DELETE FROM {name} WHERE rowid = old.id;"
    return f"""
CREATE VIRTUAL TABLE {name} USING fts5(content{tokenize});
CREATE TRIGGER {name}_insert AFTER INSERT ON messages BEGIN {put_in} END;
CREATE TRIGGER {name}_delete AFTER DELETE ON messages BEGIN {take_out} END;
CREATE TRIGGER {name}_update AFTER UPDATE ON messages BEGIN {take_out} {put_in} END;
"""


def _external(
    name: str,
    columns: Sequence[str],
    *,
    view: str,
    texts: str = "",
    only: str = "1",
    tokenize: str = "",
    marks: str = "fts_rebuild",
) -> str:
    """An index over a view, which triggers alone keep up.

    Args:
        columns: what it has of a message.
        view: the statement of the view.
        texts: what is put in, with `~` for the row; the columns as they are when empty.
        only: which messages are in it, with `~` for the row.
        tokenize: the option, with a comma before it.
        marks: how the marks begin that say how far a rebuild has come.
    """
    names = ", ".join(columns)
    given = texts or ", ".join(f"~{column}" for column in columns)
    built = (
        f"(~id > coalesce((SELECT CAST(value AS INTEGER) FROM state_meta WHERE key = '{marks}_high_water'), -1)"
        f" OR ~id <= coalesce((SELECT CAST(value AS INTEGER) FROM state_meta WHERE key = '{marks}_progress'), -1))"
    )

    def of(row: str, sql: str) -> str:
        return sql.replace("~", f"{row}.")

    put_in = f"INSERT INTO {name}(rowid, {names}) SELECT {of('new', f'~id, {given}')} WHERE {of('new', only)};"
    take_out = (
        f"INSERT INTO {name}({name}, rowid, {names})"
        f" SELECT 'delete', {of('old', f'~id, {given}')} WHERE {of('old', only)};"
    )
    return f"""
CREATE VIEW {name}_src AS {view};
CREATE VIRTUAL TABLE {name} USING fts5({names}, content='{name}_src', content_rowid='id'{tokenize});
CREATE TRIGGER {name}_insert AFTER INSERT ON messages WHEN {of("new", built)} BEGIN {put_in} END;
CREATE TRIGGER {name}_delete AFTER DELETE ON messages WHEN {of("old", built)} BEGIN {take_out} END;
CREATE TRIGGER {name}_update AFTER UPDATE OF {names}, role ON messages WHEN {of("old", built)} BEGIN
  {take_out} {put_in} END;
"""


_TRIGRAM = ", tokenize='trigram'"
_PEOPLE = (
    "source NOT IN ('cron', 'subagent') AND json_extract("
    "CASE WHEN json_valid(model_config) THEN model_config ELSE '{}' END, '$._delegate_from') IS NULL"
)
_CUT = "CASE WHEN ~role = 'tool' THEN substr(coalesce(~content, ''), 1, 8192) ELSE ~content END"

_INLINE = _inline("messages_fts") + _inline("messages_fts_trigram", _TRIGRAM)
_EXTERNAL = _external(
    "messages_fts",
    ("content", "tool_name", "tool_calls"),
    view=f"SELECT id, {_CUT.replace('~', '')} AS content, tool_name, tool_calls FROM messages",
    texts=f"{_CUT}, ~tool_name, ~tool_calls",
) + _external(
    "messages_fts_trigram",
    ("content", "tool_name"),
    view="SELECT m.id, m.role, m.content, m.tool_name FROM messages m JOIN sessions s ON s.id = m.session_id"
    f" WHERE m.role <> 'tool' AND {_PEOPLE}",
    only=f"~role <> 'tool' AND EXISTS (SELECT 1 FROM sessions WHERE id = ~session_id AND {_PEOPLE})",
    tokenize=_TRIGRAM,
)
PAIRS = _external(
    "messages_fts_cjk",
    ("content", "tool_name", "tool_calls"),
    view="SELECT id, role, content, tool_name, tool_calls FROM messages WHERE role <> 'tool'",
    only="~role <> 'tool'",
    tokenize=", tokenize='cjk_unicode61'",
    marks="fts_cjk_rebuild",
)
"""The index of pairs of CJK characters, which needs a tokenizer that plain SQLite does not have."""


def schema(shape: Shape) -> str:
    """All statements that make a database of a shape."""
    sessions, messages, more, index, version = {
        "0.13": (f"{_SESSIONS_OLD}, {_PARENT}", _MESSAGES_OLD, "", _INLINE, 11),
        "0.19": (f"{_SESSIONS_MID}, {_PARENT}", _MESSAGES_MID, _USAGE, _INLINE, 22),
        "0.22": (f"{_SESSIONS_NEW}, {_PARENT}, {_PROMPT}", _MESSAGES_NEW, _USAGE + _NEWER, _EXTERNAL, 31),
        "no index": (f"{_SESSIONS_MID}, {_PARENT}", _MESSAGES_MID, _USAGE, "", 22),
    }[shape]
    return (
        f"CREATE TABLE sessions ({sessions}); CREATE TABLE messages ({messages}); {_COMMON} {more} {index}"
        f" INSERT INTO schema_version VALUES ({version});"
    )
