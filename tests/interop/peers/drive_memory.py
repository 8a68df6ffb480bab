"""Runs inside an agent's own environment: one JSON request a line in, one JSON answer a line out.

Nothing of ours is imported here; HERMES_HOME says which home the agent works on.
"""

import hashlib
import json
import os
import sys
import time
from pathlib import Path

from tools import memory_tool as agent

HOME = Path(os.environ["HERMES_HOME"])


def files() -> dict:
    found = {}
    for name in ("MEMORY.md", "USER.md"):
        path = HOME / "memories" / name
        found[name] = path.read_bytes().decode("latin-1") if path.exists() else None
    return found


def call(store, args):
    names = ("action", "target", "content", "old_text", "operations")
    given = {name: args[name] for name in names if name in args}
    if "new_text" in args:
        given["new_text"] = args["new_text"]
    try:
        return json.loads(agent.memory_tool(store=store, **given))
    except Exception as error:
        return {"raised": type(error).__name__, "text": str(error)}


def replace(store, args):
    """What the newer line no longer offers as a tool, but still does for records staged earlier."""
    return store.replace(args.get("target", "memory"), args.get("old_text") or "", args.get("content") or "")


def answer(store, request):
    do = request["do"]
    if do == "tool":
        return {"result": call(store, request["args"]), "files": files()}
    if do == "replace":
        return {"result": replace(store, request["args"]), "files": files()}
    if do == "new_turn":
        store.reset_consolidation_failures()
        return {}
    if do == "prompt":
        fresh = agent.load_on_disk_store()
        return {"blocks": {name: fresh.format_for_system_prompt(name) for name in ("memory", "user")}}
    if do == "add_many":
        results = []
        for text in request["texts"]:
            store.reset_consolidation_failures()
            results.append(call(store, {"action": "add", "target": "memory", "content": text}).get("success"))
        return {"results": results}
    if do == "hold":
        with store._file_lock(HOME / "memories" / "MEMORY.md"):
            print(json.dumps({"held": True}), flush=True)
            time.sleep(request["seconds"])
        return {"released": time.time()}
    if do == "pending":
        from tools import write_approval

        return {"records": write_approval.list_pending("memory")}
    if do == "approve":
        from tools import write_approval

        record = write_approval.get_pending("memory", request["id"])
        return {"result": agent.apply_memory_pending(record["payload"], store), "files": files()}
    raise SystemExit(f"unknown request {do}")


def main() -> None:
    store = agent.load_on_disk_store()
    print(json.dumps({"ready": True, "sha": hashlib.sha256(b"").hexdigest()[:8]}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(store, json.loads(line))), flush=True)


main()
