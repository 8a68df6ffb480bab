"""Runs inside an agent's own environment: uses the home's database as an agent does, and says what came of it.

The arguments are words to look for. Prints one line of JSON.
"""

import json
import os
import sqlite3
import sys
from pathlib import Path

from hermes_state import SessionDB

path = Path(os.environ["HERMES_HOME"]) / "state.db"
connection = sqlite3.connect(path)
(check,) = connection.execute("PRAGMA quick_check").fetchone()
(messages,) = connection.execute("SELECT count(*) FROM messages").fetchone()
share = {
    word: connection.execute("SELECT count(*) FROM messages_fts WHERE messages_fts MATCH ?", (word,)).fetchone()[0]
    / messages
    for word in sys.argv[1:]
}
connection.close()

database = SessionDB(path)
found = {word: len(database.search_messages(word, limit=100_000)) for word in sys.argv[1:]}
listed = database.list_sessions_rich(limit=10_000)
database.append_message(listed[0]["id"], "user", "zugzwang once more")
answer = {
    "check": check,
    "messages": messages,
    "share": share,
    "found": found,
    "listed": len(listed),
    "continued": sum(bool(row.get("_lineage_root_id")) for row in listed),
    "found_after_writing": len(database.search_messages("zugzwang", limit=100)),
}
database.close()
print(json.dumps(answer), flush=True)
