"""Runs inside an agent's own environment: an agent at work, writing message after message, each its own commit.

Arguments: how many messages, how many a second. First prints that it is ready and waits for a line on stdin; then
prints each message once it is committed, with when that was, and last what went wrong and how long each commit took.
"""

import json
import logging
import os
import sys
import time
from pathlib import Path

from hermes_state import SessionDB

COUNT, PER_SECOND = int(sys.argv[1]), float(sys.argv[2])
SESSIONS = ["20260201_090000_aaaaaa", "20260201_090001_bbbbbb"]
WORDS = ["harbour", "fjord", "glacier", "otter", "lighthouse", "ferry", "anchor"]


class Complaints(logging.Handler):
    """Keeps what the agent says about a locked database."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.said = []

    def emit(self, record):
        if "lock" in record.getMessage().lower():
            self.said.append(record.getMessage())


def say(answer):
    print(json.dumps(answer), flush=True)


complaints = Complaints()
logging.getLogger().addHandler(complaints)
logging.getLogger().setLevel(logging.DEBUG)
path = Path(os.environ["HERMES_HOME"]) / "state.db"
database = SessionDB(path)
for session in SESSIONS:
    if database.get_session(session) is None:
        database.create_session(session, "cli")
database.append_message(SESSIONS[0], "user", "The first message.")
complaints.said.clear()
(journal,) = database._conn.execute("PRAGMA journal_mode").fetchone()
say({"ready": True, "journal": journal})
sys.stdin.readline()

errors, took = [], []
began = time.monotonic()
for number in range(COUNT):
    pause = began + number / PER_SECOND - time.monotonic()
    if pause > 0:
        time.sleep(pause)
    session = SESSIONS[number % 10 == 9]
    role = ("user", "assistant")[number % 2]
    text = f"{WORDS[number % len(WORDS)]} stood at number-{number} of many, 项目 {number}"
    start = time.monotonic()
    try:
        message = database.append_message(session, role, text)
    except Exception as error:
        errors.append(f"{type(error).__name__}: {error}")
        continue
    end = time.monotonic()
    took.append(end - start)
    say({"number": number, "id": message, "session": session, "at": end})
lasted = time.monotonic() - began
database.close()
say({"done": True, "errors": errors, "complaints": complaints.said, "took": took, "lasted": lasted})
