"""Runs inside an agent's own environment, of any version: a home's conversations, written as that version writes them.

Prints what the version has and does: schema, columns, what it lists, what its own search finds.
"""

import json
import os
import sqlite3
import sys
from pathlib import Path

from hermes_state import SessionDB

QUERIES = ["harbour", "docker-compose", "café", "数据库", "terminal", "lighthouse", "rewound"]
DESK = "20260102_090000_aaaaaa"
PICTURE = "20260103_090000_bbbbbb"
CHINESE = "20260104_090000_cccccc"
ROOT = "20260105_090000_dddddd"
TIP = "20260105_100000_eeeeee"
CRON = "cron_backup_20260106_030000"
INPLACE = "20260107_090000_ffffff"
REWOUND = "20260108_090000_abcabc"
ARCHIVED = "20260109_090000_defdef"


def desk(database):
    database.create_session(DESK, "cli", model="hermes-4", system_prompt="You are Hermes.")
    database.append_message(DESK, "user", "I don't know why docker-compose fails in the harbour office; mail a@b.com")
    arguments = json.dumps({"command": "docker compose ps"})
    call = {"id": "call_1", "type": "function", "function": {"name": "terminal", "arguments": arguments}}
    database.append_message(DESK, "assistant", "I will look.", tool_calls=[call], finish_reason="tool_calls")
    database.append_message(DESK, "tool", "NAME STATUS\nweb exited (1)", tool_name="terminal", tool_call_id="call_1")
    database.append_message(
        DESK, "assistant", "The web container ended: C# build, see .env at the café.", reasoning="hm"
    )
    database.set_session_title(DESK, "Harbour office")
    database.update_token_counts(DESK, input_tokens=1200, output_tokens=80, model="hermes-4", billing_provider="local")
    database.end_session(DESK, "cli_close")


def picture(database):
    database.create_session(PICTURE, "telegram", user_id="7")
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    database.append_message(PICTURE, "user", [{"type": "text", "text": "What is this lighthouse?"}, image])
    database.append_message(PICTURE, "assistant", "A lighthouse 🙂 near Bergen.")


def chinese(database):
    database.create_session(CHINESE, "cli")
    database.append_message(CHINESE, "user", "数据库的备份在哪里？项目今天要发布。")
    database.append_message(CHINESE, "assistant", "備份在 /srv/backup，명령을 실행했습니다. Готово.")
    database.set_session_title(CHINESE, "数据库备份")


def lineage(database):
    """A conversation that was compacted into a new session."""
    database.create_session(ROOT, "cli", model="hermes-4")
    database.append_message(ROOT, "user", "Plan the trip to the fjord, first part.")
    database.append_message(ROOT, "assistant", "Day one: the fjord by ferry.")
    database.set_session_title(ROOT, "Fjord trip")
    database.end_session(ROOT, "compression")
    database.create_session(TIP, "cli", model="hermes-4", parent_session_id=ROOT)
    database.append_message(TIP, "user", "[summary] The fjord trip so far.")
    database.append_message(TIP, "assistant", "Day two: the glacier, second part.")


def cron(database):
    database.create_session(CRON, "cron")
    database.append_message(CRON, "user", "Run the nightly backup.")
    database.append_message(CRON, "assistant", "The backup of the harbour went well.")


def in_place(database):
    """A conversation that was compacted inside its session, where the version can."""
    database.create_session(INPLACE, "cli")
    database.append_message(INPLACE, "user", "What did the otter say before?")
    database.append_message(INPLACE, "assistant", "The otter said nothing.")
    if hasattr(database, "archive_and_compact"):
        kept = [{"role": "user", "content": "[summary] About an animal."}, {"role": "assistant", "content": "Go on."}]
        database.archive_and_compact(INPLACE, kept)


def rewound(database):
    """A turn that was taken back, where the version can."""
    database.create_session(REWOUND, "tui")
    database.append_message(REWOUND, "user", "Keep this question.")
    database.append_message(REWOUND, "assistant", "It stays.")
    taken_back = database.append_message(REWOUND, "user", "This is rewound.")
    database.append_message(REWOUND, "assistant", "rewound too")
    if hasattr(database, "rewind_to_message"):
        database.rewind_to_message(REWOUND, taken_back)


def archived(database):
    """A conversation put away, where the version can."""
    database.create_session(ARCHIVED, "cli")
    database.append_message(ARCHIVED, "user", "Old matters of the harbour.")
    if hasattr(database, "set_session_archived"):
        database.set_session_archived(ARCHIVED, True)


def facts(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in tables}
    (version,) = connection.execute("SELECT version FROM schema_version").fetchone()
    connection.close()
    return {"schema": version, "columns": {name: columns[name] for name in ("sessions", "messages")}, "tables": tables}


path = Path(os.environ["HERMES_HOME"]) / "state.db"
database = SessionDB(path)
for write in (desk, picture, chinese, lineage, cron, in_place, rewound, archived):
    write(database)
listed = [
    {"id": row["id"], "title": row["title"], "preview": row["preview"], "source": row["source"]}
    for row in database.list_sessions_rich(limit=100)
]
found = {
    query: [[hit["session_id"], hit["id"]] for hit in database.search_messages(query, limit=100)] for query in QUERIES
}
database.close()
can = {
    name: hasattr(SessionDB, method)
    for name, method in (
        ("compact_in_place", "archive_and_compact"),
        ("rewind", "rewind_to_message"),
        ("archive", "set_session_archived"),
    )
}
print(json.dumps({**facts(path), "python": sys.version, "can": can, "listed": listed, "found": found}), flush=True)
