"""Runs inside an agent's own environment: keeps conversations as the agent keeps them, and searches them as it does.

One JSON request a line in, one JSON answer a line out. HERMES_HOME says which home the agent works on.
"""

import contextlib
import json
import os
import sys
from pathlib import Path

from hermes_state import SessionDB


def keep(database, sessions):
    """Write all conversations; what was rewound or compacted in place is marked so afterwards."""
    database._conn.execute("PRAGMA synchronous=OFF")
    put_away = []
    for session in sessions:
        parent = {"parent_session_id": session["parent"]} if session["parent"] else {}
        if session["parent"]:
            database.end_session(session["parent"], "compression")
        database.create_session(session["id"], session["source"], **parent)
        for message in session["messages"]:
            row = database.append_message(
                session["id"],
                message["role"],
                message["content"],
                tool_name=message.get("tool_name"),
                tool_calls=message.get("tool_calls"),
                tool_call_id=message.get("tool_call_id"),
            )
            if message["state"] != "live":
                put_away.append((int(message["state"] == "compacted"), row))
        if session["title"]:
            database.set_session_title(session["id"], session["title"])
        if session["archived"]:
            database.set_session_archived(session["id"], True)
    database._conn.executemany("UPDATE messages SET active = 0, compacted = ? WHERE id = ?", put_away)
    database._conn.commit()


def main():
    database = SessionDB(Path(os.environ["HERMES_HOME"]) / "state.db")
    for line in sys.stdin:
        request = json.loads(line)
        with contextlib.redirect_stdout(sys.stderr):
            if "keep" in request:
                keep(database, request["keep"])
                answer = {}
            else:
                found = [database.search_messages(text, limit=1_000_000) for text in request["search"]]
                answer = {"found": [[row["id"] for row in rows] for rows in found]}
        print(json.dumps(answer), flush=True)
    database.close()


main()
