"""The conversations of the demo home, and the one that goes on while somebody looks."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.demo import build
from hermes_tui.demo.agent import SimulatedAgent
from hermes_tui.demo.conversations import read_conversations
from hermes_tui.home import HermesHome
from hermes_tui.text import visible

NOW = 1_800_000_000.0


@pytest.fixture
def demo(tmp_path: Path) -> HermesHome:
    """A demo home, built just now."""
    return HermesHome(build(tmp_path / "place" / "home"), "default", "--home")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> HermesHome:
    """A demo home that nobody writes to."""
    return HermesHome(build(tmp_path_factory.mktemp("shown") / "home"), "default", "--home")


def ask(home: HermesHome, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What the database answers."""
    with sqlite3.connect(f"file:{home.state_db}?mode=ro", uri=True) as connection:
        found = connection.execute(statement, values).fetchall()
    connection.close()
    return found


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every path under a folder with its bytes."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


# -- the conversations -----------------------------------------------------------------------------


def test_the_sessions_add_up(shown: HermesHome) -> None:
    """A list of sessions would show numbers that the messages contradict."""
    assert time.time() - check_sums(shown) > 60


def check_sums(shown: HermesHome) -> float:
    """Compare what is counted with what is there; returns the time of the newest message."""
    with sqlite3.connect(f"file:{shown.state_db}?mode=ro", uri=True) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert not connection.execute("PRAGMA foreign_key_check").fetchall()
        counted = connection.execute(
            "SELECT s.message_count = sum(active), s.started_at = min(timestamp),"
            " coalesce(s.ended_at > max(timestamp), 1),"
            " s.tool_call_count = sum(iif(active, coalesce(json_array_length(tool_calls), 0), 0))"
            " FROM sessions s JOIN messages ON session_id = s.id GROUP BY s.id"
        ).fetchall()
        times = [row[0] for row in connection.execute("SELECT timestamp FROM messages ORDER BY id")]
    connection.close()
    assert set(counted) == {(1, 1, 1, 1)}
    assert times == sorted(times), "messages are numbered as they are written"
    return float(times[-1])


def test_the_conversations_reach_over_two_years_and_many_places(shown: HermesHome) -> None:
    """Scrolling, filters and dates would have nothing to work on."""
    [(count, oldest, titled)] = ask(shown, "SELECT count(*), min(started_at), count(title) FROM sessions")
    assert 150 <= count <= 250
    assert 700 < (time.time() - oldest) / 86_400 < 750
    assert 0.6 < titled / count < 0.75
    sources = {source for (source,) in ask(shown, "SELECT DISTINCT source FROM sessions")}
    assert sources == {"cli", "tui", "telegram", "discord", "api_server", "cron", "subagent", "tool"}
    assert len(ask(shown, "SELECT DISTINCT model FROM sessions")) >= 5
    assert len(ask(shown, "SELECT DISTINCT cwd FROM sessions WHERE cwd IS NOT NULL")) >= 3
    monthly = ask(shown, "SELECT count(*) FROM sessions GROUP BY strftime('%Y-%m', started_at, 'unixepoch')")
    assert sum(month >= (4,) for month in monthly) >= 20, "no month is empty"


@pytest.mark.parametrize(
    "words",
    [
        *("webstuhl", "индиго", "展览", "展覧会", "한복", "nhuộm", "المعرض", "ครามค่ะ", "telar", "broderie", "comboio"),
        *("exhibition", "don't", "C#", "rm -rf", ".env", "a@b.com", "🍋", "§ 12"),
    ],
)
def test_there_is_something_to_find_in(words: str, shown: HermesHome) -> None:
    """A language or a hard spelling could not be tried in the search box."""
    assert ask(shown, "SELECT 1 FROM messages WHERE role <> 'tool' AND instr(lower(content), lower(?))", words)


@pytest.mark.parametrize("index", ["messages_fts", "messages_fts_trigram"])
def test_every_message_is_in_both_indexes(index: str, shown: HermesHome) -> None:
    """A search would miss what stands in the transcript."""
    assert ask(shown, f"SELECT count(*) FROM {index}") == ask(shown, "SELECT count(*) FROM messages")
    in_text = ask(shown, "SELECT id FROM messages WHERE instr(lower(content), 'exhibition') ORDER BY id")
    found = ask(shown, f"SELECT rowid FROM {index} WHERE {index} MATCH 'exhibition' ORDER BY rowid")
    assert len(in_text) > 12
    assert set(found) >= set(in_text if index.endswith("trigram") else found)
    assert ask(shown, f"SELECT 1 FROM {index} WHERE {index} MATCH 'skill_manage'"), "tool calls, too"


def test_a_demo_can_be_made_without_search_indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python whose SQLite is old would have no demo at all."""
    monkeypatch.setattr("hermes_tui.demo.sessions.INDEXES", {"messages_fts": ", tokenize = 'none such'"})
    home = HermesHome(build(tmp_path / "home"), "default", "--home")
    assert not ask(home, "SELECT 1 FROM sqlite_master WHERE name LIKE 'messages_fts%'")
    assert ask(home, "SELECT 1 FROM messages")


CHILDREN = "SELECT {} FROM sessions AS child JOIN sessions AS parent ON parent.id = child.parent_session_id WHERE {}"


@pytest.mark.parametrize(
    ("what", "least", "statement"),
    [
        ("lineages", 6, CHILDREN.format("child.id", "parent.end_reason = 'compression'")),
        (
            "a part begins with the summary",
            6,
            CHILDREN.format(
                "child.id",
                "parent.end_reason = 'compression' AND child.started_at >= parent.ended_at AND (SELECT content FROM"
                " messages WHERE session_id = child.id ORDER BY id LIMIT 1) LIKE '[CONTEXT COMPACTION%'",
            ),
        ),
        (
            "titles of parts are numbered",
            6,
            CHILDREN.format("child.id", "parent.end_reason = 'compression' AND child.title LIKE '% #_'"),
        ),
        (
            "a branch",
            1,
            CHILDREN.format("child.id", "json_extract(child.model_config, '$._branched_from') = parent.id"),
        ),
        (
            "a lineage with a helper and a branch",
            1,
            "SELECT parent_session_id FROM sessions WHERE instr(model_config, '_branched_from') INTERSECT"
            " SELECT parent_session_id FROM sessions WHERE instr(model_config, '_delegate_from') INTERSECT"
            " SELECT id FROM sessions WHERE parent_session_id IN (SELECT id FROM sessions"
            " WHERE end_reason = 'compression')",
        ),
        (
            "helpers that work inside their parent's time",
            5,
            CHILDREN.format(
                "child.id",
                "json_extract(child.model_config, '$._delegate_from') = parent.id AND child.source = 'subagent'"
                " AND child.started_at > parent.started_at AND child.ended_at < parent.ended_at",
            ),
        ),
        ("compacted in place", 6, "SELECT 1 FROM messages WHERE active = 0 AND compacted = 1"),
        ("rewound", 2, "SELECT 1 FROM messages WHERE active = 0 AND compacted = 0"),
        ("archived", 4, "SELECT 1 FROM sessions WHERE archived"),
        (
            "empty ghosts",
            5,
            "SELECT 1 FROM sessions WHERE title IS NULL AND message_count = 0"
            " AND id NOT IN (SELECT session_id FROM messages)",
        ),
        (
            "ghosts of more than a year ago",
            2,
            "SELECT 1 FROM sessions WHERE message_count = 0 AND started_at < unixepoch() - 366 * 86400",
        ),
        (
            "untitled ones that begin with a muddle of lines",
            4,
            "SELECT content FROM messages JOIN sessions s ON s.id = session_id WHERE title IS NULL AND source <> 'cron'"
            " GROUP BY s.id HAVING messages.id = min(messages.id) AND instr(content, char(10))",
        ),
        ("killed ones that never ended", 4, "SELECT 1 FROM sessions WHERE ended_at IS NULL"),
        (
            "one that goes on",
            1,
            "SELECT s.id FROM sessions s JOIN messages m ON session_id = s.id WHERE ended_at IS NULL"
            " GROUP BY s.id HAVING max(timestamp) > strftime('%s', 'now') - 300",
        ),
        *(
            (f"results of {tool}", least, f"SELECT 1 FROM messages WHERE role = 'tool' AND tool_name = '{tool}'")
            for tool, least in (("terminal", 30), ("read_file", 5), ("web_search", 3), ("memory", 20), ("patch", 1))
        ),
        ("staged writes", 15, "SELECT 1 FROM messages WHERE role = 'tool' AND instr(content, '\"staged\": true')"),
        ("memory that is full", 1, "SELECT 1 FROM messages WHERE tool_name = 'memory' AND instr(content, 'Memory at')"),
        ("several calls at once", 1, "SELECT 1 FROM messages WHERE json_array_length(tool_calls) > 1"),
        ("reasoning", 5, "SELECT 1 FROM messages WHERE role = 'assistant' AND reasoning <> ''"),
        (
            "a picture",
            1,
            "SELECT 1 FROM messages WHERE substr(CAST(content AS BLOB), 1, 6) = CAST(x'006a736f6e3a' AS BLOB)",
        ),
        ("a table", 10, "SELECT 1 FROM messages WHERE role = 'assistant' AND instr(content, '|---')"),
        ("code", 5, "SELECT 1 FROM messages WHERE role = 'assistant' AND instr(content, '```')"),
        ("a secret", 1, "SELECT 1 FROM messages WHERE role = 'tool' AND instr(content, 'OPENAI_API_KEY=sk-demo')"),
        (
            "an injected note before the first words",
            2,
            "SELECT min(id) FROM messages GROUP BY session_id HAVING content LIKE '[System note: %'",
        ),
        ("long conversations", 2, "SELECT 1 FROM sessions WHERE message_count >= 20"),
        ("conversations of four messages and more", 100, "SELECT 1 FROM sessions WHERE message_count >= 4"),
    ],
)
def test_the_conversations_show(what: str, least: int, statement: str, shown: HermesHome) -> None:
    """A state of the Sessions screen could only be seen by waiting for an agent to get into it."""
    assert len(ask(shown, statement)) >= least, what


def test_one_tool_output_is_long_and_no_key_is_a_real_one(shown: HermesHome) -> None:
    """Folding would have nothing to fold; and a demo must not train anybody to publish keys."""
    outputs = [
        json.loads(content).get("output", "")
        for (content,) in ask(shown, "SELECT content FROM messages WHERE tool_name = 'terminal' AND role = 'tool'")
    ]
    assert max(output.count("\n") for output in outputs) >= 400
    keys = [text for (text,) in ask(shown, "SELECT content FROM messages WHERE instr(content, 'sk-')")]
    assert all("sk-demo" in text for text in keys)


def test_every_tool_call_has_its_result(shown: HermesHome) -> None:
    """A transcript would show calls that hang."""
    calls = {
        (session, call["id"], call["function"]["name"])
        for session, written in ask(shown, "SELECT session_id, tool_calls FROM messages WHERE tool_calls IS NOT NULL")
        for call in json.loads(written)
        if isinstance(json.loads(call["function"]["arguments"]), dict)
    }
    results = ask(shown, "SELECT session_id, tool_call_id, tool_name FROM messages WHERE role = 'tool'")
    assert calls == set(results)
    assert len(calls) == len(results)


def test_no_conversation_repeats_another(shown: HermesHome) -> None:
    """Composed filler is recognised at once; jobs ask the same every time."""
    said = ask(
        shown,
        "SELECT content FROM messages JOIN sessions s ON s.id = session_id"
        " WHERE role IN ('user', 'assistant') AND content <> '' AND source NOT IN ('cron', 'subagent')"
        " AND s.id NOT IN (SELECT id FROM sessions WHERE instr(model_config, '_branched_from'))",
    )
    again = [text for (text,), count in Counter(said).items() if count > 1 and len(text) > 30]
    assert len(again) <= 1, "what one part of a lineage carries into the next"


def test_text_needs_no_escaping(shown: HermesHome) -> None:
    """A stray control character in a conversation would look like a fault of the screen."""
    for (text,) in ask(shown, "SELECT content FROM messages WHERE content <> ''"):
        plain = text.removeprefix("\x00json:").replace("\t", "").replace("\u200d", "")
        assert visible(plain) == plain


@pytest.mark.parametrize("zone", ["UTC", "Europe/Lisbon", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("day", range(0, 14, 3))
def test_the_order_holds_whenever_and_wherever_it_is_made(
    day: int, zone: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A conversation would be answered before it is asked, or lie in the future."""
    request.addfinalizer(time.tzset)
    monkeypatch.setenv("TZ", zone)
    request.addfinalizer(monkeypatch.undo)
    time.tzset()
    now = NOW + day * 86_400 + day * 3_600
    made = {found.key: found for found in read_conversations(now)}
    assert len({found.id for found in made.values()}) == len(made)
    for found in made.values():
        times = [message.at for message in found.messages]
        assert times == sorted(times)
        assert max([found.started_at, found.ended_at or 0, *times]) < now - 60
        parent = made[found.parent] if found.parent else None
        assert parent is None or found.started_at > parent.started_at
        if found.kind == "compression":
            assert parent is not None
            assert found.started_at >= (parent.ended_at or now)


# -- the live one ----------------------------------------------------------------------------------


def live_rows(home: HermesHome) -> list[tuple[str, str, int]]:
    """What the sessions that have not ended hold: role, text, and whether it counts."""
    with sqlite3.connect(f"file:{home.state_db}?mode=ro", uri=True) as connection:
        found = connection.execute(
            "SELECT role, content, active FROM messages WHERE session_id IN"
            " (SELECT session_id FROM messages GROUP BY session_id ORDER BY max(timestamp) DESC LIMIT 1) ORDER BY id"
        ).fetchall()
    connection.close()
    return found


def test_the_live_conversation_goes_on_line_by_line_and_ends(demo: HermesHome) -> None:
    """The tail of a transcript would have nothing to show, or a demo left open would fill up."""
    before = live_rows(demo)
    agent = SimulatedAgent(demo.path)
    pauses = []
    while (pause := agent.speak()) is not None:
        pauses.append(pause)
        assert len(live_rows(demo)) == len(before) + len(pauses)
    after = live_rows(demo)
    assert after[: len(before)] == before
    assert len(after) == len(before) + len(pauses) + 1 > len(before) + 40
    assert {role for role, _, _ in after[len(before) :]} == {"user", "assistant", "tool"}
    assert agent.speak() is None
    assert live_rows(demo) == after
    assert 10 < sum(pauses) / 60 < 60, "minutes"
    check_sums(demo)


def test_the_agent_talks_by_itself(demo: HermesHome) -> None:
    """Nobody would see the conversation go on."""
    before = live_rows(demo)
    agent = SimulatedAgent(demo.path, first_pause=0.0, pauses=(0.0, 0.01))
    agent.start()
    deadline = time.monotonic() + 5
    while live_rows(demo) == before:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    agent.stop()


def test_a_demo_opened_again_goes_on_where_it_stopped(demo: HermesHome) -> None:
    """The same lines would be said twice."""
    for _ in range(60):
        SimulatedAgent(demo.path).speak()
    texts = [(role, text) for role, text, _ in live_rows(demo) if text]
    assert len(texts) == len(set(texts))
    assert SimulatedAgent(demo.path).speak() is None


def test_a_line_waits_until_the_database_is_free(demo: HermesHome) -> None:
    """The demo's agent would stop whenever somebody reads, or make a reader wait."""
    agent = SimulatedAgent(demo.path)
    before = live_rows(demo)
    holder = sqlite3.connect(demo.state_db, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    assert agent.speak() == agent.speak() == 9.0
    assert time.monotonic() - began < 0.4
    holder.execute("ROLLBACK")
    assert live_rows(demo) == before
    reader = holder.execute("SELECT id FROM messages")
    reader.fetchone()
    assert agent.speak() == 9.0, "one that reads, too"
    reader.close()
    assert agent.speak() == 4.0
    holder.close()
    assert len(live_rows(demo)) == len(before) + 1


@pytest.mark.parametrize("how", ["gone", "a directory", "no database", "a link", "ended"])
def test_there_may_be_nothing_to_write_into(how: str, demo: HermesHome, tmp_path: Path) -> None:
    """Somebody playing with the demo's files would see the agent end, or another home written to."""
    outside = tmp_path / "outside.db"
    if how == "ended":
        with sqlite3.connect(demo.state_db) as connection:
            connection.execute("UPDATE sessions SET ended_at = 1 WHERE ended_at IS NULL")
        connection.close()
        shutil.copy(demo.state_db, outside)
    else:
        demo.state_db.rename(outside)
    if how == "a directory":
        demo.state_db.mkdir()
    elif how == "no database":
        demo.state_db.write_bytes(b"x" * 5_000)
    elif how == "a link":
        demo.state_db.symlink_to(outside)
    before = (tree(demo.path), outside.read_bytes())
    agent = SimulatedAgent(demo.path)
    assert agent.speak() == 9.0
    assert (tree(demo.path), outside.read_bytes()) == before


def test_what_is_said_is_found_by_the_search_index(demo: HermesHome) -> None:
    """A hit would be missing from the live session only."""

    def hits(words: str, index: str) -> int:
        with sqlite3.connect(f"file:{demo.state_db}?mode=ro", uri=True) as connection:
            statement = f"SELECT count(*) FROM {index} WHERE {index} MATCH ?"
            found: int = connection.execute(statement, (words,)).fetchone()[0]
        connection.close()
        return found

    before = [hits("trousers", "messages_fts"), hits("紺屋の", "messages_fts_trigram")]
    agent = SimulatedAgent(demo.path)
    while agent.speak() is not None:
        pass
    after = [hits("trousers", "messages_fts"), hits("紺屋の", "messages_fts_trigram")]
    assert all(later > earlier for earlier, later in zip(before, after, strict=True))
