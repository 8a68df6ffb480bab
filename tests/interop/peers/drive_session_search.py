"""Runs inside an agent's own environment: builds a database of sessions, and answers calls of its search tool.

Nothing of ours is imported here; HERMES_HOME says which home the agent works on. One JSON request a line in,
one JSON answer a line out.
"""

import contextlib
import json
import os
import sys
from pathlib import Path

from hermes_state import SessionDB
from tools.session_search_tool import session_search

SPACING_SECONDS = 10

database = SessionDB(Path(os.environ["HERMES_HOME"]) / "state.db")


def keep(session):
    """One session as it is described, with its times moved to where they should be."""
    id, began = session["id"], session["began"]
    database.create_session(
        id,
        session.get("source", "cli"),
        model=session.get("model", "m1"),
        parent_session_id=session.get("parent"),
        model_config=session.get("config"),
    )
    set_value("UPDATE sessions SET started_at = ?, archived = ? WHERE id = ?", began, session.get("archived", 0), id)
    kept = []
    for place, message in enumerate(session["messages"], 1):
        role, content, extra = (*message, {})[:3]
        state = extra.pop("state", None)
        number = database.append_message(id, role, content, **extra)
        kept.append(number)
        set_value("UPDATE messages SET timestamp = ? WHERE id = ?", began + place * SPACING_SECONDS, number)
        if state is not None:
            set_value("UPDATE messages SET active = 0, compacted = ? WHERE id = ?", int(state == "compacted"), number)
    if session.get("title"):
        database.set_session_title(id, session["title"])
    if session.get("ended"):
        database.end_session(id, session["ended"])
        set_value("UPDATE sessions SET ended_at = ? WHERE id = ?", began + 1_000, id)
    return kept


def set_value(sql, *values):
    database._conn.execute(sql, values)
    database._conn.commit()


def answer(request):
    if request["do"] == "keep":
        return {"kept": [keep(session) for session in request["sessions"]]}
    if request["do"] == "call":
        return {"result": json.loads(session_search(**request["args"], db=database))}
    raise SystemExit(f"unknown request {request}")


def main() -> None:
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = answer(json.loads(line))
        print(json.dumps(found), flush=True)


main()
