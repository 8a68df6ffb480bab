"""`hermes-tui sessions`: what it lists, finds and shows, and what it says when it cannot."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hermes_tui.cli.sessions as group
from hermes_tui.text import cells
from tests.cli.conftest import Run, tree
from tests.nasty import NASTY
from tests.sessions.world import SHAPES, Shape, World

SECRET = "sk-proj-abcdefghijklmnop1234567890"
LIST_KEYS = [
    *("id", "title", "title_source", "preview", "source", "model", "started_at", "last_active", "messages"),
    *("lineage", "archived"),
]
RESULT_KEYS = ["session_id", "title", "last_active", "hits"]
HIT_KEYS = ["session_id", "message_id", "role", "timestamp", "snippet"]


@pytest.fixture
def world(hermes_home: Path) -> Iterator[World]:
    """A home's database with conversations of every kind."""
    made = World(hermes_home / "state.db")
    made.session("20260101_100000_aaaaaa", "how do I rotate logs?", "With logrotate.", title="Rotating logs")
    made.session("20260102_100000_bbbbbb", "a docker question", "Use docker.", source="telegram")
    made.session(
        "20260103_100000_cccccc",
        "first half about docker",
        "yes",
        title="Halves",
        end_reason="compression",
        ended_at=1.0,
    )
    made.session("20260104_100000_dddddd", "second half", "ok", parent_session_id="20260103_100000_cccccc")
    made.session("20260105_100000_eeeeee", "nightly docker", "done", source="cron")
    made.session("20260106_100000_ffffff", "docker for a task", "done", source="subagent")
    made.session("20260107_100000_111111", "old docker", "ok", archived=1, title="Old things")
    made.session("20260108_100000_222222")
    made.session("20260109_100000_333333", f"my key is {SECRET}", "Noted.", title="Keys")
    yield made
    made.close()


def ids(rows: list[dict[str, Any]], key: str = "id") -> list[str]:
    """The last six characters of each id."""
    return [row[key][-6:] for row in rows]


@pytest.mark.usefixtures("world")
def test_the_last_active_conversation_comes_first_and_what_is_left_out_is_counted(run: Run) -> None:
    """Twelve parts of one conversation, empty ones and nightly runs would be in the way of what is looked for."""
    shown = run("sessions", "list", "--json")
    assert shown.code == 0
    assert ids(shown.json["sessions"]) == ["333333", "dddddd", "bbbbbb", "aaaaaa"]
    assert shown.json["hidden"] == {"cron": 1, "subagent": 1, "archived": 1, "empty": 1}
    assert (shown.json["more"], shown.json["total"]) == (False, 4)
    for row in shown.json["sessions"]:
        assert list(row)[: len(LIST_KEYS)] == LIST_KEYS
    halves = shown.json["sessions"][1]
    assert ids([{"id": part} for part in halves["lineage"]]) == ["cccccc", "dddddd"]
    assert (halves["title"], halves["messages"], halves["title_source"]) == ("Halves", 4, None)
    asked = shown.json["sessions"][2]
    assert (asked["title"], asked["title_source"], asked["source"]) == ("A docker question", "derived", "telegram")
    plain = run("sessions", "list")
    assert "20260104_100000_dddddd" in plain.out
    assert "2 parts" in plain.out
    assert "4 of 4 conversations. Left out: 1 archived, 1 scheduled, 1 empty, 1 of subagents" in plain.err


@pytest.mark.usefixtures("world")
def test_options_of_the_list_let_more_or_less_through(run: Run) -> None:
    """What is hidden could not be reached from a script."""

    def listed(*words: str) -> list[str]:
        return ids(run("sessions", "list", "--json", *words).json["sessions"])

    assert listed("--source", "telegram") == ["bbbbbb"]
    assert listed("--source", "cron") == ["eeeeee"]
    assert listed("--source", "telegram", "--source", "nowhere") == ["bbbbbb"]
    assert listed("--archived", "only") == ["111111"]
    assert "111111" in listed("--archived")
    assert set(listed("--hidden")) == {"333333", "dddddd", "bbbbbb", "aaaaaa", "eeeeee", "ffffff", "222222"}
    assert len(listed("--all", "--limit", "1")) == 8
    few = run("sessions", "list", "--json", "--limit", "1").json
    assert (ids(few["sessions"]), few["more"], few["total"]) == (["333333"], True, 4)
    assert run("sessions", "list", "--limit", "0").code == 2


def test_columns_hold_on_any_script_and_nothing_reaches_the_terminal(run: Run, world: World) -> None:
    """A title could clear the screen, or push the next column away."""
    for place, text in enumerate([*NASTY.values(), "日本語のタイトル🎉 é", "x" * 500]):
        said = text.encode("utf-8", "replace").decode().replace("\x00", "")
        world.session(f"nasty-{place:04}", said or "-", title=f"{place} {said}")
    shown = run("sessions", "list", "--all")
    lines = shown.out.splitlines()
    assert len(lines) == 8 + len(NASTY) + 2
    assert all(cells(line) <= 140 for line in lines)
    assert not set(shown.out) & {"\x1b", "\r", "\x9b", "\u202e", "\x07"}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_age_of_database_lists_finds_and_shows(run: Run, hermes_home: Path, shape: Shape) -> None:
    """After an update of the agent, or before one, nothing would be found any more."""
    made = World(hermes_home / "state.db", shape)
    made.session("s1", "where is the blue folder", "On the shelf.", title="Folders")
    made.close()
    assert run("sessions", "list", "--json").json["sessions"][0]["title"] == "Folders"
    assert run("sessions", "search", "blue", "--json").json["results"][0]["hits"][0]["message_id"] == 1
    assert run("sessions", "show", "Folders", "--json").json["messages"][1]["text"] == "On the shelf."
    assert run("sessions", "stats", "--json").json["messages"] == 2
    assert run("tool", "session_search", '{"query": "blue"}').json["count"] == 1
    if shape == "no index":
        assert "no search index" in run("sessions", "search", "blue").err


@pytest.mark.usefixtures("world")
def test_search_answers_with_conversations_and_their_best_lines(run: Run) -> None:
    """Scripts would have to read the database themselves."""
    shown = run("sessions", "search", "docker", "--json").json
    assert list(shown)[1:4] == ["query", "sort", "results"]
    assert (shown["query"], shown["sort"], shown["more"]) == ("docker", "newest", False)
    assert ids(shown["results"], "session_id") == ["111111", "dddddd", "bbbbbb"]
    assert shown["hidden"] == {"cron": 1, "subagent": 1}
    for result in shown["results"]:
        assert list(result)[: len(RESULT_KEYS)] == RESULT_KEYS
        for hit in result["hits"]:
            assert list(hit)[: len(HIT_KEYS)] == HIT_KEYS
    [hit] = shown["results"][1]["hits"]
    assert hit["session_id"].endswith("cccccc")
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["docker"]
    plain = run("sessions", "search", "docker")
    assert "first half about ‹docker›" in plain.out
    assert "3 conversations. Left out: 1 scheduled, 1 of subagents" in plain.err


@pytest.mark.usefixtures("world")
def test_options_and_filter_words_narrow_and_widen_a_search(run: Run) -> None:
    """A search could not be pointed at last week's telegram talk."""

    def found(*words: str) -> list[str]:
        return ids(run("sessions", "search", "--json", *words).json["results"], "session_id")

    assert found("docker", "source:telegram") == ["bbbbbb"]
    assert found("docker source:cron") == ["eeeeee"]
    assert found("docker", "archived:no") == ["dddddd", "bbbbbb"]
    assert found("docker", "--hidden") == ["111111", "ffffff", "eeeeee", "dddddd", "bbbbbb"]
    assert sorted(found("docker", "--all", "--limit", "1")) == sorted(found("docker", "--hidden"))
    assert found("docker", "--sort", "relevance")[0] in ("bbbbbb", "111111")
    assert found("rotating") == ["aaaaaa"]
    assert found("20260102_100000_bbbbbb") == ["bbbbbb"]
    assert found("zzzz") == []
    few = run("sessions", "search", "docker", "--limit", "2", "--json").json
    assert (len(few["results"]), few["more"]) == (2, True)
    assert run("sessions", "search", "docker", "--limit", "2").err.startswith("2 conversations, and more")
    assert "is no date" in run("sessions", "search", "docker", "after:never").err
    assert run("sessions", "search", "").code == 2
    assert run("sessions", "search", "after:never").code == 0
    assert "after:never is no date" in run("sessions", "search", "after:never").err
    assert run("sessions", "search").code == 2


@pytest.mark.usefixtures("world")
def test_looser_reading_is_said(run: Run) -> None:
    """Results would seem to have words that they do not have."""
    shown = run("sessions", "search", "rotate", "nowhere", "--json").json
    assert (ids(shown["results"], "session_id"), shown["reading"]) == (["aaaaaa"], "any of the words")
    assert "any of the words" in run("sessions", "search", "rotate", "nowhere").err


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("20260104_100000_dddddd", "dddddd"),
        ("20260103_100000_cccccc", "dddddd"),
        ("20260101", "aaaaaa"),
        ("Rotating logs", "aaaaaa"),
        ("rotating LOGS", "aaaaaa"),
        ("Halves", "dddddd"),
        ("Bug hunt", "bug001"),
        ("bug hunt", "bug002"),
        ("Chapter", "chap10"),
        ("20260101 ", ""),
        ("Rotating", ""),
        ("", ""),
    ],
)
def test_a_conversation_is_named_by_id_title_or_the_beginning_of_an_id(
    run: Run, world: World, name: str, id: str
) -> None:
    """One would get the talk of somebody else, or none."""
    world.session("bug001", "x", title="Bug hunt")
    world.session("bug002", "x", title="bug hunt")
    world.session("bug009", "x", title="Bug hunt #notes")
    world.session("chap02", "x", title="Chapter #2")
    world.session("chap10", "x", title="Chapter #10")
    shown = run("sessions", "show", name, "--json")
    if id:
        assert shown.json["session"]["id"].endswith(id)
    else:
        assert (shown.code, shown.json["error"]["code"]) == (1, "no_such_session")


def test_a_name_that_several_have_lists_them(run: Run, world: World) -> None:
    """Nobody could know which one was shown."""
    shown = run("sessions", "show", "202601", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "ambiguous_session")
    assert "20260101_100000_aaaaaa, 20260102_100000_bbbbbb" in shown.json["error"]["message"]
    world.session("t1", "x", title="Tide")
    world.session("t2", "x", title="TIDE")
    shown = run("sessions", "show", "tide", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "ambiguous_session")
    assert "t1" in shown.err
    assert "t2" in shown.err


@pytest.mark.usefixtures("world")
def test_a_transcript_has_all_parts_in_order(run: Run) -> None:
    """What was said before the compaction would look lost."""
    shown = run("sessions", "show", "Halves", "--json").json
    texts = [message["text"] for message in shown["messages"]]
    assert texts == ["first half about docker", "yes", "second half", "ok"]
    assert [part["id"][-6:] for part in shown["parts"]] == ["cccccc", "dddddd"]
    plain = run("sessions", "show", "Halves").out
    assert plain.index("part 2 of 2") < plain.index("second half")
    parts = run("sessions", "show", "Halves", "--parts")
    assert [line.split()[1][-6:] for line in parts.out.splitlines() if "ended:" in line or " 2 messages" in line] == [
        "cccccc",
        "dddddd",
    ]
    assert "second half" not in parts.out
    assert run("sessions", "show", "Halves", "--parts", "--json").json["messages"] == []


@pytest.mark.usefixtures("world")
def test_a_transcript_can_begin_and_end_anywhere(run: Run) -> None:
    """A hit of a search could not be read in its place."""
    shown = run("sessions", "show", "Halves", "--from", "6", "--limit", "2", "--json").json
    assert ([message["id"] for message in shown["messages"]], shown["more"]) == ([6, 7], True)
    assert run("sessions", "show", "Halves", "--from", "7", "--json").json["more"] is False
    assert "There is more" in run("sessions", "show", "Halves", "--limit", "1").err
    wrong = run("sessions", "show", "Halves", "--from", "1", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (1, "no_such_message")
    assert run("sessions", "show", "Halves", "--from", "1").out == ""


def test_secrets_are_masked_unless_they_are_asked_for(run: Run, world: World) -> None:
    """A transcript in a bug report would give the keys away."""
    call = (
        f'[{{"id": "c", "function": {{"name": "terminal", "arguments": "{{\\"command\\": \\"login {SECRET}\\"}}"}}}}]'
    )
    world.say("20260109_100000_333333", "", role="assistant", tool_calls=call, reasoning=f"use {SECRET}")
    world.say("20260109_100000_333333", f"OPENAI_API_KEY={SECRET}", role="tool", tool_name="terminal")
    for words in (["show", "Keys"], ["show", "Keys", "--json"]):
        shown = run("sessions", *words)
        assert SECRET not in shown.out
        assert "sk-pro...7890" in shown.out
        assert SECRET in run("sessions", *words, "--reveal").out
    assert run("sessions", "show", "Keys", "--json").json["masked"] == 4
    assert "4 secrets masked; --reveal shows them." in run("sessions", "show", "Keys").err
    assert run("sessions", "show", "Keys", "--reveal").err == ""


def test_secrets_in_what_is_listed_and_found_are_masked_too(run: Run, world: World) -> None:
    """Whoever looks over one's shoulder would read the key beside the word that was looked for."""
    world.session("named", f"API_KEY={SECRET} in the otter file", "ok", title=f"Key {SECRET}")
    for words in (["list"], ["search", "otter"], ["search", "mnop"], ["search", "Key"]):
        shown = run("sessions", *words)
        assert "mnop" not in shown.out
        assert "sk-pro...7890" in shown.out
    assert SECRET in run("sessions", "search", "otter", "--reveal").out
    (found,) = run("sessions", "search", "otter", "--json").json["results"]
    assert SECRET in found["title"]  # a program gets what is there


def test_what_was_undone_is_left_out_and_what_was_compacted_is_marked(run: Run, world: World) -> None:
    """A person would read what they took back, or miss what the agent no longer sees."""
    world.say("20260101_100000_aaaaaa", "taken back", active=0)
    world.say("20260101_100000_aaaaaa", "out of sight", active=0, compacted=1)
    shown = run("sessions", "show", "Rotating logs", "--json").json
    assert [message["state"] for message in shown["messages"]] == ["live", "live", "compacted"]
    assert "compacted" in run("sessions", "show", "Rotating logs").out
    assert "taken back" in run("sessions", "show", "Rotating logs", "--all").out


def test_a_transcript_of_anything_is_text(run: Run, world: World) -> None:
    """A tool's output could take over the terminal."""
    for text in NASTY.values():
        world.say("20260101_100000_aaaaaa", text.encode("utf-8", "surrogatepass"), role="tool", tool_name="t")
    world.say("20260101_100000_aaaaaa", [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {}}])
    world.say("20260101_100000_aaaaaa", b"\x00\xff")
    world.say("20260101_100000_aaaaaa", "odd", tool_calls="{not json", timestamp="never")
    shown = run("sessions", "show", "Rotating logs")
    assert shown.code == 0
    assert not set(shown.out) & {"\x1b", "\r", "\x9b", "\u202e", "\x07", "\x00"}
    assert len(run("sessions", "show", "Rotating logs", "--json").json["messages"]) == len(NASTY) + 5


def test_totals_say_what_they_cover(run: Run, world: World) -> None:
    """A number that leaves out half of it would be taken for all."""
    world.say("20260101_100000_aaaaaa", "taken back", active=0)
    shown = run("sessions", "stats", "--json").json
    assert (shown["conversations"], shown["sessions"], shown["messages"]) == (8, 9, 17)
    assert "undone or compacted" in shown["covers"]
    assert shown["sources"][0] == {"source": "cli", "sessions": 6, "messages": 11}
    assert sum(row["messages"] for row in shown["sources"]) == 17
    assert shown["kinds"] == {"chat": 5, "cron": 1, "subagent": 1, "empty": 1}
    database = shown["database"]
    assert (database["state"], database["schema_version"], database["journal"]) == ("ok", 22, "delete")
    assert database["index"] == "word index (inline), trigram index"
    assert database["size"] > 4096
    plain = run("sessions", "stats").out
    assert "8 conversations of 9 sessions, 17 messages." in plain
    assert "schema 22 · journal delete" in plain


EVERY = [["list"], ["search", "docker"], ["show", "Keys"], ["stats"]]
WORDS = [
    *([*words, json] for words in (["sessions", *each] for each in EVERY) for json in ("--json", "")),
    ["tool", "session_search", '{"query": "docker"}'],
]


def without_blanks(words: list[str]) -> list[str]:
    """The words that are not empty."""
    return [word for word in words if word]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_home_without_sessions_says_so(run: Run, hermes_home: Path, words: list[str]) -> None:
    """A script could not tell it from a home in which nothing matches."""
    for make in (None, lambda: (hermes_home / "state.db").touch()):
        if make:
            make()
        shown = run(*without_blanks(words))
        assert shown.code == 1
        assert "There are no sessions" in shown.out + shown.err
        if "--json" in words:
            assert shown.json["error"]["code"] == "no_sessions"


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
@pytest.mark.parametrize("damage", ["noise", "noise inside", "cut off", "a folder", "another database"])
def test_what_cannot_be_read_is_a_sentence(run: Run, world: World, damage: str, words: list[str]) -> None:
    """A damaged file would look like an empty one, or end in a traceback."""
    path = world.path
    world.close()
    data = path.read_bytes()
    if damage == "noise":
        path.write_bytes(os.urandom(8192))
    elif damage == "noise inside":
        path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    elif damage == "cut off":
        path.write_bytes(data[:5000])
    elif damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        path.unlink()
        sqlite3.connect(path).execute("CREATE TABLE other (id)").connection.close()
    shown = run(*without_blanks(words))
    assert shown.code == 3
    assert "state.db" in shown.out + shown.err
    assert "Traceback" not in shown.out + shown.err
    if "--json" in words:
        assert shown.json["ok"] is False


LOCK = (
    "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute('BEGIN EXCLUSIVE');"
    " print('locked', flush=True); sys.stdin.read()"
)


def test_a_locked_database_is_busy_and_not_empty(run: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the agent writes, all conversations would seem to be gone."""
    monkeypatch.setattr(group, "PATIENCE_SECONDS", 0.1)
    world.close()
    command = [sys.executable, "-c", LOCK, str(world.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"locked\n"
        shown = run("sessions", "list", "--json")
        assert writer.stdin is not None
        writer.stdin.close()
    assert (shown.code, shown.json["error"]["code"]) == (3, "sessions_locked")


def test_text_that_is_no_utf8_and_arguments_that_are_no_text_are_no_traceback(run: Run, world: World) -> None:
    """One odd title would take all others with it."""
    world.run("UPDATE sessions SET title = CAST(x'ff41' AS TEXT) WHERE title = 'Keys'")
    for words in ("list", "stats", "search docker", "show 20260109"):
        shown = run("sessions", *words.split())
        assert shown.code in (0, 3), shown.err
        assert "Traceback" not in shown.err
        assert run("tool", "session_search", '{"query": "docker"}').code in (0, 3)
    world.run("UPDATE sessions SET title = 'Keys' WHERE title = CAST(x'ff41' AS TEXT)")
    assert run("sessions", "show", "\udcff").code == 1
    assert run("sessions", "search", "docker \udcff").code == 0
    assert run("sessions", "list", "--source", "\udcff").code == 0
    assert run("tool", "session_search", '{"session_id": "\\udcff"}').code == 1
    assert run("tool", "session_search", '{"query": "docker \\udcff"}').code == 0


@pytest.mark.parametrize("wal", [False, True])
def test_looking_at_sessions_leaves_no_trace(run: Run, hermes_home: Path, isolated_machine: Path, wal: bool) -> None:
    """Reading would leave files beside the database, or wake up a watcher."""
    made = World(hermes_home / "state.db", wal=wal)
    made.session("s1", "docker", "ok", title="Keys")
    made.close()
    before = tree(isolated_machine)
    for words in [*WORDS, ["info"], ["doctor"]]:
        assert run(*without_blanks(words)).code in (0, 1)
    assert tree(isolated_machine) == before


def test_info_and_doctor_tell_how_the_database_is(run: Run, world: World) -> None:
    """A bug report would not say which agent wrote it, nor why search is slow."""
    assert run("info", "--json").json["sessions"]["schema_version"] == 22
    assert "schema 22 · journal delete · word index (inline), trigram index" in run("info").out
    [check] = [row for row in run("doctor", "--json").json["checks"] if row["id"] == "sessions"]
    assert check["status"] == "ok"
    assert "9 sessions, schema 22, journal delete" in check["message"]
    world.run("INSERT INTO state_meta VALUES ('fts_stale', '1')")
    rows = [row for row in run("doctor", "--json").json["checks"] if row["id"] == "sessions"]
    assert ("warn", True) in {(row["status"], "out of date" in row["message"]) for row in rows}
    world.close()
    world.path.write_bytes(os.urandom(8192))
    shown = run("doctor", "--json")
    assert shown.code == 1
    [check] = [row for row in shown.json["checks"] if row["id"] == "sessions"]
    assert (check["status"], "damaged" in check["message"]) == ("problem", True)
    assert run("info", "--json").json["sessions"]["state"] == "damaged"
    world.path.unlink()
    assert run("info", "--json").json["sessions"]["state"] == "missing"
    assert "There are no sessions yet" in run("doctor").out


@pytest.mark.usefixtures("world")
def test_sessions_in_damaged_pages_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would be missing from the list without a word."""
    from hermes_tui.sessions.listing import SessionIndex

    real = SessionIndex.load

    def load(index: SessionIndex, *told: Any) -> None:
        real(index, *told)
        index.lost = 12

    monkeypatch.setattr(SessionIndex, "load", load)
    words = "12 sessions lie in damaged pages of state.db."
    assert words in run("sessions", "list").err
    assert words in run("sessions", "list", "--json").json["missing"]
