"""Runs inside an agent's own environment: a conversation in which the agent stages a write, kept as the agent keeps it.

Prints the session's id and the pending write's id.
"""

import json
import os
from pathlib import Path

from hermes_state import SessionDB
from tools import memory_tool as agent

home = Path(os.environ["HERMES_HOME"])
database = SessionDB(home / "state.db")
database.create_session("20260101_100000_abcdef", "cli")
database.create_session("20260101_100500_fedcba", "telegram")
database.append_message("20260101_100000_abcdef", "user", "I have moved: my desk is in Bergen now.")
database.append_message("20260101_100500_fedcba", "user", "What is the weather like?")
arguments = {"action": "add", "target": "user", "content": "Works in Bergen"}
call = {"id": "call_1", "type": "function", "function": {"name": "memory", "arguments": json.dumps(arguments)}}
database.append_message("20260101_100000_abcdef", "assistant", "I will remember that.", tool_calls=[call])
result = agent.memory_tool(store=agent.load_on_disk_store(), **arguments)
database.append_message("20260101_100000_abcdef", "tool", result, tool_name="memory", tool_call_id="call_1")
database.append_message("20260101_100500_fedcba", "assistant", "Rain until the evening.")
print(json.dumps({"session": "20260101_100000_abcdef", "pending": json.loads(result)["pending_id"]}), flush=True)
database.close()
