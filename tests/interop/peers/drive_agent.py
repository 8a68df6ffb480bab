"""Runs inside an agent's own environment: a whole agent that is talked to, one JSON request a line in, one answer out.

HERMES_HOME says which home it works on; the model it asks is a server on this machine.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

from hermes_state import SessionDB
from run_agent import AIAgent

HOME = Path(os.environ["HERMES_HOME"])


class Chat:
    """One agent and its conversation, put together as the chat of the command line does."""

    def __init__(self, database, request):
        session = request.get("session")
        self.history = []
        if session:
            database.reopen_session(session)
            self.history = database.get_messages_as_conversation(session)
        self.agent = AIAgent(
            base_url=request["url"],
            api_key="none",
            provider="custom",
            model=request.get("model", "small"),
            session_id=session,
            session_db=database,
            platform="cli",
            quiet_mode=True,
            enabled_toolsets=["memory"],
            max_iterations=8,
            skip_context_files=True,
        )

    def turn(self, text):
        self.history = self.agent.run_conversation(text, conversation_history=self.history)["messages"]
        for thread in threading.enumerate():
            if thread.name == "bg-review":
                thread.join(60)

    def compact(self):
        before = len(self.history)
        self.history, _ = self.agent._compress_context(self.history, None, approx_tokens=100_000, force=True)
        return {"compacted": len(self.history) < before}


def command(words):
    """What `/memory …` answers in a chat."""
    from hermes_cli.write_approval_commands import handle_pending_subcommand
    from tools import memory_tool

    return handle_pending_subcommand("memory", words, memory_store=memory_tool.load_on_disk_store())


def main():
    database = SessionDB(HOME / "state.db")
    chat = None
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        do = request["do"]
        answer = {}
        if do == "open":
            chat = Chat(database, request)
        elif do == "turn":
            chat.turn(request["text"])
        elif do == "compact":
            answer = chat.compact()
        elif do == "end":
            database.end_session(chat.agent.session_id, "cli_close")
        elif do == "command":
            answer = {"text": command(request["words"])}
        elif do == "delete":
            database.delete_session(request["session"])
        else:
            raise SystemExit(f"unknown request {do}")
        session = chat.agent.session_id if chat else None
        print(json.dumps({"session": session, "at": time.time(), **answer}), flush=True)


main()
