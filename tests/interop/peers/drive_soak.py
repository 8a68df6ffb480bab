"""Runs inside an agent's own environment: an agent at work, who tells every write of a memory file exactly.

One JSON request a line in, one JSON answer a line out. HERMES_HOME says which home the agent works on.
"""

import contextlib
import hashlib
import json
import os
import sys
import time
from pathlib import Path

from hermes_state import SessionDB
from tools import memory_tool as agent
from tools import skill_provenance

HOME = Path(os.environ["HERMES_HOME"])
FILES = {"MEMORY.md": "memory", "USER.md": "user"}
writes = []


def tell_write(event, args):
    """Note what a file is and what it is to be, just before it is replaced: the agent holds its lock then."""
    if event != "os.rename" or Path(os.fsdecode(args[1])).name not in FILES:
        return
    target = Path(os.fsdecode(args[1]))
    old = target.read_bytes() if target.exists() else b""
    new = Path(os.fsdecode(args[0])).read_bytes()
    writes.append(
        {
            "store": FILES[target.name],
            "at": time.time(),
            "before": hashlib.sha256(old).hexdigest(),
            "after": hashlib.sha256(new).hexdigest(),
            "old": parts(old),
            "new": parts(new),
        }
    )


def parts(data):
    return [part.strip() for part in data.decode().split("\n§\n") if part.strip()]


def remember(store, args, origin):
    """A call of the memory tool; with the gate on it is staged."""
    names = ("action", "target", "content", "old_text", "new_text", "operations")
    token = skill_provenance.set_current_write_origin(origin)
    if hasattr(store, "reset_consolidation_failures"):
        store.reset_consolidation_failures()
    try:
        return json.loads(agent.memory_tool(store=store, **{name: args[name] for name in names if name in args}))
    finally:
        skill_provenance.reset_current_write_origin(token)


def say(database, session, messages):
    for message in messages:
        database.append_message(session, **message)
    return len(messages)


def answer(store, database, request):
    do = request["do"]
    if do == "remember":
        writes.clear()
        result = remember(store, request["args"], request["origin"])
        return {"result": result, "writes": list(writes)}
    if do == "begin":
        facts = {"model": "hermes-4", "system_prompt": "You are Hermes."}
        database.create_session(request["session"], request["source"], **facts)
        said = say(database, request["session"], request["messages"])
        if request.get("title"):
            database.set_session_title(request["session"], request["title"])
        return {"said": said}
    if do == "say":
        return {"said": say(database, request["session"], request["messages"])}
    if do == "end":
        database.end_session(request["session"], "cli_close")
        return {}
    if do == "look":
        fresh = agent.load_on_disk_store()
        found = database.search_messages(request["search"], limit=1_000_000) if request.get("search") else []
        return {
            "entries": {"memory": list(fresh.memory_entries), "user": list(fresh.user_entries)},
            "sessions": database.session_count(),
            "messages": database.message_count(),
            "found": sorted({row["session_id"] for row in found}),
        }
    raise SystemExit(f"unknown request {do}")


def main():
    store = agent.load_on_disk_store()
    database = SessionDB(HOME / "state.db")
    sys.addaudithook(tell_write)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            try:
                found = answer(store, database, json.loads(line))
            except Exception as error:
                found = {"raised": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)
    database.close()


main()
