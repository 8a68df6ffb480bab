"""Runs inside an agent's own environment: stages and approves skill writes as the agent does.

Nothing of ours is imported here; HERMES_HOME says which home the agent works on. One JSON request a line in,
one JSON answer a line out.
"""

import contextlib
import json
import sys

from tools import skill_manager_tool as agent
from tools import write_approval


def manage(args):
    """What a conversation's call answers; with the gate on it is staged."""
    try:
        return json.loads(agent.skill_manage(**args))
    except Exception as error:
        return {"success": False, "raised": type(error).__name__, "error": str(error)}


def approve(payload):
    """What `/skills approve` runs for one record."""
    try:
        return json.loads(agent.apply_skill_pending(payload))
    except Exception as error:
        return {"success": False, "raised": type(error).__name__, "error": str(error)}


def answer(request):
    do = request["do"]
    if do == "manage":
        if request.get("review"):
            from tools import skill_provenance

            token = skill_provenance.set_current_write_origin("background_review")
            try:
                return {"result": manage(request["args"])}
            finally:
                skill_provenance.reset_current_write_origin(token)
        return {"result": manage(request["args"])}
    if do == "approve":
        return {"result": approve(request["payload"])}
    if do == "pending":
        return {"records": write_approval.list_pending("skills")}
    raise SystemExit(f"unknown request {do}")


def main() -> None:
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = answer(json.loads(line))
        print(json.dumps(found), flush=True)


main()
