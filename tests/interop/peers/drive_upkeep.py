"""Runs inside an agent's own environment: builds homes, changes their sessions and uses them, as the agent does.

One JSON request a line in, one JSON answer a line out; each says which home it is about, and opens it anew.
"""

import contextlib
import json
import logging
import select
import sqlite3
import sys
import time
from pathlib import Path

from hermes_state import SessionDB

ROOT, MIDDLE, TIP = "20260101_090000_aaaaaa", "20260101_100000_bbbbbb", "20260101_110000_cccccc"
IN_PLACE, BRANCH, RUN, NESTED = "20260102_090000_dddddd", "20260102_100000_eeeeee", "sub_1", "sub_2"
PICTURE, CHINESE, PLAIN, CRON = "20260103_090000_ffffff", "20260104_090000_111111", "plain_child", "cron_x_20260105"
NUMBERED, FIRST, GHOST = "20260106_090000_222222", "20260106_080000_333333", "20260107_090000_444444"
OLD, OTHER = "20250101_090000_555555", "20260108_090000_666666"
PROMPT = "You are Hermes. " * 50
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def tool_turn(database, session, number):
    arguments = json.dumps({"command": f"docker compose ps # {number}"})
    call = {"id": f"call_{number}", "type": "function", "function": {"name": "terminal", "arguments": arguments}}
    database.append_message(session, "assistant", "I will look.", tool_calls=[call], finish_reason="tool_calls",
                            reasoning="otter thoughts", reasoning_details=[{"type": "text", "text": "hm"}])  # fmt: skip
    database.append_message(session, "tool", f"otter status {number}\n" + "line\n" * 2000, tool_name="terminal",
                            tool_call_id=f"call_{number}")  # fmt: skip


def talk(database, session, *texts):
    for number, text in enumerate(texts):
        database.append_message(session, ("user", "assistant")[number % 2], text, token_count=number)


def begin(database, session, source="cli", parent=None, config=None, prompt=PROMPT):
    database.create_session(session, source, model="hermes-4", parent_session_id=parent, model_config=config,
                            system_prompt=prompt)  # fmt: skip


def use(database, session):
    database.update_token_counts(session, input_tokens=1200, output_tokens=80, model="hermes-4",
                                 billing_provider="local", actual_cost_usd=0.1)  # fmt: skip
    database.record_auxiliary_usage(session, "title_generation", model="small", input_tokens=5)


def build(database):
    """Conversations with everything that one may have."""
    begin(database, ROOT)
    talk(database, ROOT, "Where does the otter live?", "The otter lives in the fjord.")
    tool_turn(database, ROOT, 1)
    database.set_session_title(ROOT, "Otters")
    use(database, ROOT)
    database.end_session(ROOT, "compression")
    begin(database, MIDDLE, parent=ROOT)
    talk(database, MIDDLE, "[summary] the otter so far", "Go on about the otter.")
    database.end_session(MIDDLE, "compression")
    begin(database, TIP, parent=MIDDLE)
    talk(database, TIP, "And the otter now?", "It sleeps.")
    tool_turn(database, TIP, 2)
    use(database, TIP)
    begin(database, RUN, "subagent", TIP, {"_delegate_from": TIP}, prompt="You count otters.")
    talk(database, RUN, "Count the otter families.", "Seven.")
    use(database, RUN)
    begin(database, NESTED, "subagent", RUN, {"_delegate_from": RUN})
    talk(database, NESTED, "Count the otter pups.", "Twelve.")
    begin(database, BRANCH, parent=ROOT, config={"_branched_from": ROOT})
    talk(database, BRANCH, "What if the otter were a seal?", "Then it would be a seal.")
    database.set_session_title(BRANCH, "Otters #2")
    begin(database, PLAIN, "subagent", TIP)
    talk(database, PLAIN, "An otter task without a mark.", "Done.")
    begin(database, IN_PLACE)
    talk(database, IN_PLACE, "What did the otter say before?", "The otter said nothing.")
    kept = [{"role": "user", "content": "[summary] About an otter."}, {"role": "assistant", "content": "Go on."}]
    database.archive_and_compact(IN_PLACE, kept)
    begin(database, PICTURE, "telegram")
    database.append_message(PICTURE, "user", [{"type": "text", "text": "What is this otter?"}, IMAGE])
    database.append_message(PICTURE, "assistant", "An otter 🙂 near Bergen.")
    database.append_message(PICTURE, "tool", [{"type": "text", "text": "an otter tool picture"}, IMAGE],
                            tool_name="vision", tool_call_id="call_9")  # fmt: skip
    taken_back = database.append_message(PICTURE, "user", "This otter is taken back.")
    database.rewind_to_message(PICTURE, taken_back)
    begin(database, CHINESE)
    talk(database, CHINESE, "数据库的备份在哪里？otter 项目今天要发布。", "備份在 /srv/backup。")
    database.set_session_title(CHINESE, "数据库备份")
    begin(database, CRON, "cron")
    talk(database, CRON, "Run the nightly otter backup.", "Done.")
    begin(database, FIRST)
    talk(database, FIRST, "otter plans", "fine")
    database.set_session_title(FIRST, "Plans 100%_")
    begin(database, NUMBERED)
    talk(database, NUMBERED, "more otter plans", "fine")
    database.set_session_title(NUMBERED, "Plans 100%_ #7")
    begin(database, GHOST)
    database.set_session_title(GHOST, "Ghost")
    database.end_session(GHOST, "cli_close")
    begin(database, OLD)
    talk(database, OLD, "an old otter matter", "long ago")
    database.end_session(OLD, "cli_close")
    begin(database, OTHER)
    talk(database, OTHER, "an otter of today", "yes")
    use(database, OTHER)


def settle(database):
    """Times that are the same in every run, as far as they matter here."""
    year_ago = time.time() - 400 * 86400
    for sql in (
        "UPDATE sessions SET started_at = ? WHERE id = ?",
        "UPDATE sessions SET ended_at = ? + 60 WHERE id = ?",
        "UPDATE messages SET timestamp = ? + 30 WHERE session_id = ?",
    ):
        database._conn.execute(sql, (year_ago, OLD))
    columns = {row[1] for row in database._conn.execute("PRAGMA table_info(sessions)")}
    if "last_activity_at" in columns:
        database._conn.execute("UPDATE sessions SET last_activity_at = NULL WHERE id = ?", (OLD,))
    database._conn.commit()


def checked(path):
    """What SQLite of this interpreter says about the database and its indexes."""
    connection = sqlite3.connect(path)
    found = {
        "integrity": [row[0] for row in connection.execute("PRAGMA integrity_check")],
        "foreign": [list(row) for row in connection.execute("PRAGMA foreign_key_check")],
        "version": sqlite3.sqlite_version,
    }
    names = [row[0] for row in connection.execute(
        "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")]  # fmt: skip
    found["indexes"] = {}
    for name in names:
        try:
            connection.execute(f"INSERT INTO {name}({name}, rank) VALUES('integrity-check', 1)")
            found["indexes"][name] = "ok"
        except sqlite3.Error as error:
            found["indexes"][name] = str(error)
    connection.close()
    return found


def used(database, words, resumed):
    """What the agent lists, finds and opens; and that it goes on in a session."""
    listed = database.list_sessions_rich(limit=1000)
    found = {word: sorted(hit["id"] for hit in database.search_messages(word, limit=1000)) for word in words}
    texts = {row["id"]: len(database.get_messages(row["id"])) for row in listed}
    titles = {row["title"]: database.resolve_session_by_title(row["title"]) for row in listed if row["title"]}
    went_on = {}
    for session in resumed:
        if database.get_session(session) is None:
            continue
        tip = database.get_compression_tip(session) or session
        database.reopen_session(tip)
        before = len(database.get_messages_as_conversation(tip))
        message = database.append_message(tip, "user", f"zugzwang in {session}")
        after = len(database.get_messages_as_conversation(tip))
        hits = [hit["id"] for hit in database.search_messages("zugzwang", limit=1000)]
        went_on[session] = {"tip": tip, "more": after - before, "found": message in hits}
    return {
        "listed": [[row["id"], row["title"]] for row in listed],
        "found": found,
        "texts": texts,
        "titles": titles,
        "went_on": went_on,
    }


def call(database, request):
    """One of the agent's own methods."""
    kwargs = dict(request.get("kwargs", {}))
    if "sessions_dir" in kwargs:
        kwargs["sessions_dir"] = Path(kwargs["sessions_dir"])
    try:
        return {"result": getattr(database, request["name"])(*request.get("args", []), **kwargs)}
    except ValueError as error:
        return {"error": str(error)}


def clean(texts):
    """What the agent makes of titles."""
    found = []
    for text in texts:
        try:
            found.append(SessionDB.sanitize_title(text) or "")
        except ValueError as error:
            found.append({"error": str(error)})
    return found


def answer(request):
    if request["do"] == "clean":
        return {"titles": clean(request["texts"])}
    path = Path(request["home"]) / "state.db"
    if request["do"] == "check":
        return checked(path)
    database = SessionDB(path)
    try:
        if request["do"] == "build":
            build(database)
            settle(database)
            return {"journal": database._conn.execute("PRAGMA journal_mode").fetchone()[0]}
        if request["do"] == "open":
            return {"listed": len(database.list_sessions_rich(limit=1000))}
        if request["do"] == "use":
            return used(database, request["words"], request.get("resumed", []))
        if request["do"] == "call":
            return call(database, request)
        raise SystemExit(f"unknown request {request}")
    finally:
        database.close()


class Complaints(logging.Handler):
    """Keeps what the agent says about a locked database."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.said = []

    def emit(self, record):
        if "lock" in record.getMessage().lower():
            self.said.append(record.getMessage())


class Timed:
    """How long the agent merges its index: it does that by itself once in a thousand writes, whoever else is there."""

    def __init__(self, database):
        self.spent = 0.0
        for name in ("_try_optimize_fts", "_try_incremental_merge_fts"):
            if hasattr(database, name):
                setattr(database, name, self.timed(getattr(database, name)))

    def timed(self, method):
        def measured(*args, **kwargs):
            start = time.monotonic()
            try:
                return method(*args, **kwargs)
            finally:
                self.spent += time.monotonic() - start

        return measured


def write(home, per_second):
    """Writes turns without end, until a line comes; says how long each took, when it began, and what went wrong."""
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    database = SessionDB(Path(home) / "state.db")
    sessions = [f"20991231_23595{number}_aaaaaa" for number in range(3)]
    for session in sessions:
        begin(database, session)
    complaints.said.clear()
    print(json.dumps({"ready": True}), flush=True)
    sys.stdin.readline()
    merging = Timed(database)
    took, errors = [], []
    began = time.monotonic()
    while not select.select([sys.stdin], [], [], 0)[0]:
        number = len(took) + len(errors)
        pause = began + number / per_second - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        start, merging.spent = time.monotonic(), 0.0
        try:
            database.append_message(sessions[number % 3], ("user", "assistant")[number % 2], f"zugzwang {number}")
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")
            continue
        took.append([start, time.monotonic() - start - merging.spent, merging.spent])
    written = sum(len(database.get_messages(session)) for session in sessions)
    database.close()
    print(json.dumps({"took": took, "errors": errors, "complaints": complaints.said, "written": written}), flush=True)


def main():
    if sys.argv[1:2] == ["write"]:
        write(sys.argv[2], float(sys.argv[3]))
        return
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = answer(json.loads(line))
        print(json.dumps(found), flush=True)


main()
