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


def stage(store, args, origin):
    """A call made from the given origin; with the gate on (or from a review) it is staged."""
    from tools import skill_provenance

    token = skill_provenance.set_current_write_origin(origin)
    try:
        return call(store, args)
    finally:
        skill_provenance.reset_current_write_origin(token)


def stage_replace(store, args):
    """A record as the newer line staged it while its tool still offered replace: gated, and pinned."""
    payload = {"action": "replace", **{name: args.get(name) for name in ("target", "content", "old_text")}}
    return json.loads(agent._gate_or_stage(store, "replace in memory", args.get("content") or "", payload))


def command(words):
    """What `/memory …` answers in a chat; without a live agent it works on a store fresh from disk."""
    from hermes_cli.write_approval_commands import handle_pending_subcommand

    try:
        return handle_pending_subcommand("memory", words, memory_store=agent.load_on_disk_store())
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"


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
            sys.stdin.readline()
            released = time.time()
        return {"released": released}
    if do == "stage":
        fresh = agent.load_on_disk_store()
        if request["args"].get("action") == "replace" and request.get("by_force"):
            return {"result": stage_replace(fresh, request["args"])}
        return {"result": stage(fresh, request["args"], request["origin"])}
    if do == "stage_raw":
        from tools import write_approval

        return write_approval.stage_write("memory", request["payload"], summary="x", origin="foreground")
    if do == "stage_many":
        calls = [{"action": "add", "target": "memory", "content": text} for text in request["texts"]]
        return {"ids": [call(store, args).get("pending_id") for args in calls]}
    if do == "command":
        return {"text": command(request["words"]), "files": files()}
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
