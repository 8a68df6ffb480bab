"""From a pending write to the words that led to it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.evidence import Evidence, find_evidence
from hermes_tui.ui.dialogs.conversation import ConversationDialog

START = 1_700_000_000.0


@pytest.fixture
def database(hermes_home: Path) -> Path:
    """A state.db as the agent keeps it: two conversations side by side, one of which staged a write."""
    path = hermes_home / "state.db"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, started_at REAL)")
    base.execute(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT,"
        " tool_name TEXT, timestamp REAL)"
    )
    base.executemany("INSERT INTO sessions VALUES (?, ?, ?)", [("s1", "Tea", START), ("s2", None, START)])
    staged = json.dumps({"success": True, "staged": True, "pending_id": "8529eaff"})
    rows = [
        ("s1", "user", "\x00json:" + json.dumps([{"type": "text", "text": "I like tea"}, {"type": "image"}]), None, 10),
        ("s2", "user", "the id 8529eaff is mentioned here", None, 11),
        ("s1", "assistant", "Noted.", None, 12),
        ("s1", "tool", staged, "memory", 13),
        ("s2", "tool", "output that names 8529eaff too", "terminal", 14),
        ("s2", "assistant", "done", None, 15),
    ]
    base.executemany(
        "INSERT INTO messages (session_id, role, content, tool_name, timestamp) VALUES (?, ?, ?, ?, ?)",
        [(*row[:4], START + row[4]) for row in rows],
    )
    base.commit()
    base.close()
    return path


def found(path: Path, *, created: float | None = START + 13, review: bool = False) -> Evidence:
    """The evidence for the record of this file."""
    evidence = find_evidence(path, "8529eaff", created, from_review=review)
    assert evidence is not None
    return evidence


@pytest.mark.parametrize("created", [START + 13, START, START + 9e6, None])
def test_the_tool_result_leads_to_its_conversation(database: Path, created: float | None) -> None:
    """One would decide without knowing what was said; a mere mention of the id would mislead."""
    evidence = found(database, created=created)
    assert (evidence.certainty, evidence.session_id, evidence.title) == ("exact", "s1", "Tea")
    assert [turn.role for turn in evidence.turns] == ["user", "assistant", "tool"]
    assert evidence.turns[0].text == "I like tea\n[image]"


def test_a_message_that_only_calls_tools_says_which(database: Path) -> None:
    """It would be said to be nothing, just before the write that came of it."""
    assert found(database).turns[1].calls == (), "a database from before there were calls beside the words"
    base = sqlite3.connect(database)
    base.execute("ALTER TABLE messages ADD COLUMN tool_calls TEXT")
    secret = "ghp_" + "x1Y2" * 9
    calls = [
        {"function": {"name": "memory", "arguments": json.dumps({"action": "add", "content": "Likes tea"})}},
        {"function": {"name": "terminal", "arguments": json.dumps({"command": f"login {secret}\n[b]ls"})}},
    ]
    base.execute("UPDATE messages SET content = '', tool_calls = ? WHERE id = 3", (json.dumps(calls),))
    base.commit()
    base.close()
    said = ConversationDialog(found(database)).paper().text
    assert "calls memory  add\ncalls terminal  login ghp_x1...x1Y2 …\n" in said
    assert "(nothing)" not in said
    assert secret not in said


def test_a_review_leads_to_the_conversation_before_it_as_likely(database: Path) -> None:
    """A guess would be shown as a fact."""
    evidence = found(database, created=START + 60, review=True)
    assert (evidence.certainty, evidence.session_id) == ("likely", "s2")
    for created in (START + 9e6, START - 60):
        assert find_evidence(database, "8529eaff", created, from_review=True) is None
    assert find_evidence(database, "ffffffff", START + 60) is None


def test_looking_leaves_the_database_as_it_is(database: Path) -> None:
    """Evidence would change the agent's file."""
    before = (database.read_bytes(), sorted(path.name for path in database.parent.iterdir()))
    found(database)
    assert (database.read_bytes(), sorted(path.name for path in database.parent.iterdir())) == before


def test_a_missing_or_broken_database_is_said(hermes_home: Path) -> None:
    """The dialog would be empty, or the app would stop."""
    path = hermes_home / "state.db"
    with pytest.raises(NotFound):
        find_evidence(path, "x", None)
    path.write_bytes(b"random bytes " * 400)
    with pytest.raises(Unreadable, match="is damaged"):
        find_evidence(path, "x", None)


def test_a_large_database_is_searched_around_the_time(database: Path) -> None:
    """One key would wait for seconds in years of sessions."""
    base = sqlite3.connect(database)
    base.executemany(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s2', 'tool', ?, ?)",
        ((f"row {number}", START + 100 + number) for number in range(30_000)),
    )
    base.commit()
    base.close()
    assert found(database).session_id == "s1"
    assert found(database, created=START + 29_000).session_id == "s1"


def test_a_closed_wal_database_gets_no_files_beside_it_and_an_open_one_is_read_live(database: Path) -> None:
    """Looking would leave files in the home, or miss what the agent has just written."""
    writer = sqlite3.connect(database)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.close()
    beside = sorted(path.name for path in database.parent.iterdir())
    assert found(database).session_id == "s1"
    assert sorted(path.name for path in database.parent.iterdir()) == beside
    reader = Database(database)
    assert reader.rows("SELECT count(*) FROM messages") == [(6,)]
    writer = sqlite3.connect(database)
    writer.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', 'new', 1)")
    writer.commit()
    assert reader.rows("SELECT count(*) FROM messages") == [(7,)]
    reader.close()
    writer.close()
