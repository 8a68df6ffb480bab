"""Runs inside an agent's own environment: makes sessions, exports and imports them, and says what it reads of them.

One JSON request a line in, one JSON answer a line out; each says which home it is about, and opens it anew.
"""

import contextlib
import json
import os
import sqlite3
import sys
from pathlib import Path

from hermes_state import SessionDB

ROOT, TIP = "20260101_090000_aaaaaa", "20260101_100000_bbbbbb"
ODD, PLACE, REWOUND = "20260102_090000_cccccc", "20260103_090000_dddddd", "20260104_090000_eeeeee"
CRON = "cron_backup_20260105_030000"
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def make(database):
    database.create_session(ROOT, "cli", model="hermes-4", system_prompt="You are Hermes. ü")
    database.append_message(ROOT, "user", "Plan the trip to the fjord.")
    call = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls -la\\nü"}'}}
    database.append_message(
        ROOT,
        "assistant",
        "Looking.",
        tool_calls=[call, {**call, "id": "c2"}],
        finish_reason="tool_calls",
        reasoning="hm",
        reasoning_content="hm hm",
        reasoning_details=[{"type": "text", "text": "deep", "n": 1.5}],
        codex_reasoning_items=[{"id": "r1"}],
    )
    database.append_message(ROOT, "tool", "total 0\x1b[0m", tool_name="terminal", tool_call_id="c1", token_count=7)
    database.append_message(ROOT, "assistant", "Done: \u2028 no new line \x85.")
    database.set_session_title(ROOT, "Fjord trip")
    database.update_token_counts(ROOT, input_tokens=1200, output_tokens=80, model="hermes-4", billing_provider="local")
    database.end_session(ROOT, "compression")
    database.create_session(TIP, "cli", model="hermes-4", parent_session_id=ROOT)
    database.append_message(TIP, "user", "[summary] The fjord so far.")
    database.append_message(TIP, "assistant", "Day two: the glacier.")
    database.create_session(ODD, "telegram", user_id="7")
    database.append_message(ODD, "user", [{"type": "text", "text": "What is this lighthouse? ü 🙂"}, IMAGE])
    database.append_message(ODD, "user", "a\x00b nul \ud83d half 数据库备份")
    database.append_message(ODD, "assistant", "")
    database.append_message(ODD, "assistant", None)
    database.append_message(ODD, "user", {"type": "text", "text": "an object"})
    database.create_session(PLACE, "cli")
    database.append_message(PLACE, "user", "What did the otter say before?")
    database.append_message(PLACE, "assistant", "The otter said nothing.")
    database.archive_and_compact(
        PLACE, [{"role": "user", "content": "[summary] an animal."}, {"role": "assistant", "content": "Go on."}]
    )
    database.create_session(REWOUND, "tui")
    database.append_message(REWOUND, "user", "Keep this.")
    database.append_message(REWOUND, "assistant", "It stays.")
    taken_back = database.append_message(REWOUND, "user", "This is undone.")
    database.append_message(REWOUND, "assistant", "undone too")
    database.rewind_to_message(REWOUND, taken_back)
    database.create_session(CRON, "cron")
    database.append_message(CRON, "user", "Run the nightly harbour backup.")
    database.set_session_archived(CRON, True)
    return {}


def export(database, file, every_row=False):
    sessions = database.export_all(include_inactive=True) if every_row else database.export_all()
    lines = [json.dumps(session, ensure_ascii=False) + "\n" for session in sessions]
    Path(file).write_text("".join(lines), encoding="utf-8")
    return {}


def bring_in(database, file):
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return database.import_sessions([json.loads(line) for line in lines])


def read(database):
    """What an agent reads of all sessions, and whether all is well with the file."""
    found = {}
    for (session_id,) in database._conn.execute("SELECT id FROM sessions ORDER BY id").fetchall():
        session = database.get_session(session_id)
        found[session_id] = {
            "title": session["title"],
            "source": session["source"],
            "model": session["model"],
            "parent": session["parent_session_id"],
            "prompt": session["system_prompt"],
            "counted": session["message_count"],
            "counts": [session["tool_call_count"], session["input_tokens"]],
            "ended": [session["ended_at"], session["end_reason"]],
            "archived": session["archived"],
            "live": [message(row) for row in database.get_messages(session_id)],
            "all": [message(row) for row in database.get_messages(session_id, include_inactive=True)],
            "resumed": [
                [turn["role"], turn.get("content")] for turn in database.get_messages_as_conversation(session_id)
            ],
        }
    words = ("fjord", "lighthouse", "otter", "harbour", "数据库")
    searched = {word: sorted({hit["session_id"] for hit in database.search_messages(word)}) for word in words}
    return {
        "sessions": found,
        "searched": searched,
        "listed": sorted(row["id"] for row in database.list_sessions_rich(limit=100)),
        "sound": sound(),
        "old_sqlite": sqlite3.sqlite_version_info < (3, 48),
    }


def message(row):
    """A message without what is of its place: ids, and what the agent makes up for itself."""
    left_out = ("id", "session_id", "display_order", "message_uid", "tool_call_uids", "tool_call_uid")
    return {name: value for name, value in row.items() if name not in left_out and value is not None}


def sound():
    connection = sqlite3.connect(Path(os.environ["HERMES_HOME"]) / "state.db")
    found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    found += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
    for index in ("messages_fts", "messages_fts_trigram"):
        try:
            connection.execute(f"INSERT INTO {index}({index}, rank) VALUES('integrity-check', 1)")
        except sqlite3.Error as error:
            found.append(f"{index}: {error}")
    connection.close()
    return found


def go_on(database):
    """Write into every session, as somebody who resumes it."""
    for (session_id,) in database._conn.execute("SELECT id FROM sessions WHERE end_reason IS NULL").fetchall():
        database.append_message(session_id, "user", "zugzwang once more")
    return {"found": len(database.search_messages("zugzwang", limit=100)), "sound": sound()}


DOES = {"make": make, "export": export, "import": bring_in, "read": read, "go on": go_on}


def answer(request):
    os.environ["HERMES_HOME"] = request["home"]
    database = SessionDB(Path(request["home"]) / "state.db")
    try:
        return DOES[request["do"]](database, *request["words"])
    finally:
        database.close()


def main():
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = answer(json.loads(line))
        print(json.dumps(found), flush=True)


main()
