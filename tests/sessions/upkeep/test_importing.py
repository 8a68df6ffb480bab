"""Sessions from files: exactly as they were, or as new ones, whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_tui.errors import Refused
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.export.lossless import write_session
from hermes_tui.sessions.upkeep.importing import Imported, check_file, foreseen, import_sessions
from hermes_tui.sessions.upkeep.writer import Writer
from tests.sessions.upkeep.conftest import MakeHome, check, dump, finds
from tests.sessions.world import SHAPES, Age, Shape, World

OURS: Age = "old" if sqlite3.sqlite_version_info < (3, 48) else "new"
"""How the SQLite takes texts apart that has written the databases here."""
PICTURE = "\x00json:" + json.dumps([{"type": "text", "text": "the lighthouse"}, {"type": "image_url"}])


def export(world: World, *ids: str, **wanted: Any) -> Path:
    """Write sessions into a file."""
    path = world.path.with_name("sessions.jsonl")
    base = Database(world.path)
    with path.open("w", encoding="utf-8", newline="") as file:
        for id in ids:
            write_session(base, id, file.write, **wanted)
    base.close()
    return path


def bring_in(world: World, path: Path, **how: Any) -> Imported:
    """Import a file."""
    with Writer(world.path) as writer:
        return import_sessions(writer, path, **how)


def delete(world: World, *ids: str) -> None:
    """As an agent does it: children stand alone, unused prompts go."""
    for id in ids:
        world.run("UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id = ?", (id,))
        world.run("DELETE FROM messages WHERE session_id = ?", (id,))
        world.run("DELETE FROM sessions WHERE id = ?", (id,))
    if world.rows("SELECT 1 FROM sqlite_master WHERE name = 'session_model_usage'"):
        world.run("DELETE FROM session_model_usage WHERE session_id NOT IN (SELECT id FROM sessions)")
    if world.rows("SELECT 1 FROM sqlite_master WHERE name = 'system_prompts'"):
        used = "(system_prompt_hash = hash OR tool_names = hash)"
        world.run(f"DELETE FROM system_prompts WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE {used})")


def lines(path: Path, *sessions: Any) -> Path:
    """A file with these sessions, one a line."""
    path.write_text("".join(json.dumps(session) + "\n" for session in sessions), encoding="utf-8")
    return path


def texts(world: World, id: str) -> list[Any]:
    """The contents of a session's messages, in order."""
    return [row[0] for row in world.rows("SELECT content FROM messages WHERE session_id = ? ORDER BY id", (id,))]


ODD: Iterable[Any] = (
    *(None, "", "plain", "ü\x85\u2028", "a\x00b", "\x00\x1f\x7f", "12", "1e5", "null", "[]", "{}", "[1,2]", "[1, 2]"),
    *(PICTURE, "\x00json:[1,2]", "\x00json:{bad", "\x00json:5", "\x00json:", "\x00json:[NaN]", "\x00json:[1e999]"),
    *("\x00json:" + json.dumps(["\ud83d"]), '\x00json:["😀"]', '\x00json:"\\u0000json:[1]"', '\x00json:{"a":1,"a":2}'),
    *("\x00json:" + "[" * 500 + "]" * 500, "\x00json:[99999999999999999999]", b"", b"blob\xff\x00"),
    *(5, -(2**63), 2**62, 5.5, 1e300, 5e-324, float("inf"), float("-inf")),
)


def is_kept(value: Any) -> bool:
    """Whether every SQLite keeps it: newer ones make a number of `0\x00` in a column of numbers, older ones a text."""
    number, zero, _rest = value.partition("\x00") if isinstance(value, str) else ("", "", "")
    try:
        float(number)
    except ValueError:
        return True
    return not zero


VALUES = (
    st.sampled_from(list(ODD))
    | st.text(max_size=20).filter(is_kept)
    | st.integers(-(2**63), 2**63 - 1)
    | st.binary(max_size=8)
)
BAD_TEXT = b"bad \xff \xed\xa0\x80"


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_is_stored_comes_back_as_it_was(tmp_path_factory: Any, shape: Shape, data: st.DataObject) -> None:
    """Deleting and taking back would not leave every row equal to before."""
    world = World(tmp_path_factory.mktemp("odd") / "state.db", shape)
    columns = {
        table: [row[0] for row in world.rows("SELECT name FROM pragma_table_info(?)", (table,))]
        for table in ("sessions", "messages", "session_model_usage")
    }
    kept = {"id", "session_id", "parent_session_id", "system_prompt_hash", "model", "task", "billing_provider"}

    def odd(table: str, *left_out: str) -> dict[str, Any]:
        some = data.draw(st.sets(st.sampled_from(columns[table]), max_size=8)) - kept - {*left_out}
        return {name: value for name in some if (value := data.draw(VALUES)) is not None}

    world.session("stays", "the harbour")
    for number in range(3):
        id = f"s{number}"
        world.session(id, **{**odd("sessions"), "title": data.draw(st.none() | st.just(f"title {number}"))})
        if columns["session_model_usage"]:
            world.use(id, f"m{number}", **odd("session_model_usage"))
        if shape == "0.22":
            world.prompt(f"prompt {number // 2}", id)
    world.run("UPDATE sessions SET parent_session_id = 's0' WHERE id = 's2'")
    world.run("UPDATE sessions SET parent_session_id = 's2' WHERE id = 'stays'")
    for number in range(data.draw(st.integers(0, 12))):
        row = {"role": "user", **odd("messages", "content")}
        message = world.say(f"s{number % 3}", data.draw(VALUES), **row)
        if data.draw(st.integers(0, 5)) == 0:
            world.run("UPDATE messages SET content = CAST(? AS TEXT) WHERE id = ?", (BAD_TEXT, message))
        if shape == "0.22" and data.draw(st.booleans()):
            world.run("UPDATE messages SET message_uid = NULL, display_order = NULL WHERE id = ?", (message,))
    before = dump(world.path)
    path = export(world, "s0", "s1", "s2")
    delete(world, "s0", "s1", "s2")
    world.close()
    imported = bring_in(world, path, exact=True)
    assert imported.imported == ("s0", "s1", "s2")
    assert dump(world.path) == before
    check(world.path, OURS)


@pytest.mark.parametrize("wal", [True, False])
@pytest.mark.parametrize("shape", ["0.13", "0.19", "0.22"])
def test_what_comes_back_is_found_again(make_home: MakeHome, shape: Shape, wal: bool) -> None:
    """It would be in the list, and in no search."""
    world = make_home(shape, wal=wal)
    world.session("s", "the lighthouse", "and the harbour", title="Sea", model="m")
    world.say("s", "taken back: anchor", active=0)
    world.use("s")
    before, found = dump(world.path), finds(world.path, "anchor")
    path = export(world, "s")
    delete(world, "s")
    assert finds(world.path, "anchor") == []
    bring_in(world, path, exact=True)
    assert dump(world.path) == before
    assert finds(world.path, "anchor") == found
    assert len(finds(world.path, "ghtho", "messages_fts_trigram")) == 1
    check(world.path)


def test_nothing_comes_back_to_ids_that_are_taken(make_home: MakeHome) -> None:
    """Another session's messages would be overwritten, or half of it would come."""
    world = make_home("0.19")
    world.session("s", "one", "two")
    path = export(world, "s")
    delete(world, "s")
    world.run("INSERT INTO messages (id, session_id, role, timestamp) SELECT 2, 'x', 'user', 1 WHERE 0")
    world.session("other")
    world.run("INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (2, 'other', 'user', 'mine', 1)")
    before = dump(world.path)
    with pytest.raises(Refused) as caught:
        bring_in(world, path, exact=True)
    assert caught.value.code == "ids_taken"
    assert dump(world.path) == before


@pytest.mark.parametrize("how", [{"masked": True}, {"prompts_only": True}])
def test_only_what_was_kept_whole_comes_back_exactly(make_home: MakeHome, how: dict[str, bool]) -> None:
    """A mask would be put in the place of what was said."""
    world = make_home("0.19")
    world.session("s", "one", "two")
    path = export(world, "s", **how)
    delete(world, "s")
    with pytest.raises(Refused) as caught:
        bring_in(world, path, exact=True)
    assert caught.value.code == "not_exact"
    assert bring_in(world, path).imported == ("s",)


def test_a_copy_that_breaks_off_gives_back_what_it_has_whole(make_home: MakeHome) -> None:
    """After a power cut while deleting, nothing of what was deleted could be brought back."""
    world = make_home("0.19")
    world.session("a", "one", "two")
    world.session("b", "three", "four")
    before = dump(world.path)
    path = export(world, "a", "b")
    path.write_bytes(path.read_bytes()[:-40])
    delete(world, "a")
    assert bring_in(world, path, exact=True).imported == ("a",)
    assert dump(world.path) == before
    with pytest.raises(Refused):
        bring_in(world, path)


def test_a_title_that_was_given_away_meanwhile_gets_a_number(make_home: MakeHome) -> None:
    """A deleted session could never come back."""
    world = make_home("0.19")
    world.session("s", "one", title="Sea")
    path = export(world, "s")
    delete(world, "s")
    world.session("other", title="Sea")
    assert bring_in(world, path, exact=True).retitled == (("s", "Sea", "Sea #2"),)
    assert world.rows("SELECT title FROM sessions WHERE id = 's'") == [("Sea #2",)]


# As new sessions


@pytest.mark.parametrize("into", SHAPES)
@pytest.mark.parametrize("of", SHAPES)
def test_a_session_comes_into_a_database_of_any_age(tmp_path: Path, of: Shape, into: Shape) -> None:
    """A person with two computers has two agents."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    old, new = World(tmp_path / "a/state.db", of), World(tmp_path / "b/state.db", into)
    calls = json.dumps([{"id": "c", "function": {"name": "terminal", "arguments": "{}"}}] * 2)
    old.session("s", "one", model="m", title="Sea", cwd="/x", input_tokens=7, archived=1)
    old.say("s", "undone", active=0)
    old.say("s", PICTURE, role="assistant", tool_calls=calls, reasoning="hm")
    old.say("s", "compacted", active=0, compacted=1)
    old.use("s")
    new.session("other", "here first")
    path = export(old, "s")
    imported = bring_in(new, path)
    assert imported.imported == ("s",)
    if into == "0.13" != of:
        assert texts(new, "s") == ["one", PICTURE], "what was undone would be said again"
    else:
        assert texts(new, "s") == ["one", "undone", PICTURE, "compacted"]
    if "0.13" not in (of, into):
        states = new.rows("SELECT active, compacted FROM messages WHERE session_id = 's' ORDER BY id")
        assert states == [(1, 0), (0, 0), (1, 0), (0, 1)]
        assert new.rows("SELECT cwd, archived FROM sessions WHERE id = 's'") == [("/x", 1)]
    assert new.rows("SELECT title, model, source, input_tokens FROM sessions WHERE id = 's'") == [
        ("Sea", "m", "cli", 7)
    ]
    live = 2 if of != "0.13" else 4
    assert new.rows("SELECT message_count, tool_call_count FROM sessions WHERE id = 's'") == [(live, 2)]
    old.close()
    new.close()
    check(tmp_path / "b/state.db", OURS)


def test_messages_get_new_ids_in_the_order_in_which_they_were_written(make_home: MakeHome) -> None:
    """What was compacted would come after what followed it."""
    world = make_home("0.19")
    world.session("s")
    for number in range(6):
        world.say("s", f"m{number}", active=number % 2)
    path = export(world, "s")
    delete(world, "s")
    world.session("other", "x", "y")
    bring_in(world, path)
    assert texts(world, "s") == [f"m{number}" for number in range(6)]
    (least,) = world.rows("SELECT min(id) FROM messages WHERE session_id = 's'")[0]
    assert least > 8


def test_what_is_there_already_stays_as_it_is(make_home: MakeHome) -> None:
    """An old file would undo what was said since."""
    world = make_home("0.22")
    world.session("s", "one")
    path = export(world, "s")
    world.say("s", "two")
    before = dump(world.path)
    assert bring_in(world, path) == Imported((), ("s",), (), 0, 0)
    assert dump(world.path) == before


def test_a_session_comes_without_its_life_elsewhere(make_home: MakeHome, tmp_path: Path) -> None:
    """A chat of another computer would be answered from here."""
    world = make_home("0.22")
    path = lines(
        tmp_path / "a.jsonl",
        {
            "id": "s",
            "source": "telegram",
            "user_id": "7",
            "last_activity_at": 5.0,
            "system_prompt": "You are Hermes.",
            "tool_names": "x",
            "message_count": 99,
            "pinned": True,
            "started_at": "12.5",
            "model_config": {"a": 1},
            "messages": None,
        },
    )
    bring_in(world, path)
    row = world.rows(
        "SELECT source, last_activity_at, tool_names, message_count, pinned, started_at, model_config, prompt"
        " FROM sessions s JOIN system_prompts p ON p.hash = s.system_prompt_hash WHERE id = 's'"
    )
    assert row == [("telegram", None, None, 0, 1, 12.5, '{"a": 1}', "You are Hermes.")]


def test_what_a_file_does_not_say_is_made_up_as_an_agent_would(make_home: MakeHome, tmp_path: Path) -> None:
    """A short file of another program could not be imported."""
    world = make_home("0.19")
    messages = [{"role": "user", "content": "a", "tool_calls": '[{"id": 1}]'}, {"role": "tool", "content": [1, "ü"]}]
    path = lines(tmp_path / "a.jsonl", {"id": 5, "messages": messages}, {"id": "b", "messages": messages, "title": ""})
    bring_in(world, path)
    assert world.rows("SELECT id, source, title, tool_call_count FROM sessions ORDER BY id") == [
        ("5", "import", None, 1),
        ("b", "import", None, 1),
    ]
    (first, second), *_ = [world.rows("SELECT timestamp FROM messages ORDER BY id")[:2]]
    assert time.time() - 60 < first[0] < second[0] < time.time() + 1
    assert texts(world, "5") == ["a", '\x00json:[1, "\\u00fc"]']


def test_half_characters_do_not_keep_a_session_out(make_home: MakeHome, tmp_path: Path) -> None:
    """Text scraped from the web has them, and no database takes them."""
    world = make_home("0.19")
    session = {
        "id": "s",
        "title": "a\ud83d",
        "messages": [{"role": "user", "content": "b\ude00", "tool_name": "\ud800"}],
    }
    bring_in(world, lines(tmp_path / "a.jsonl", session))
    assert world.rows("SELECT title FROM sessions") == [("a\ufffd",)]
    assert world.rows("SELECT content, tool_name FROM messages") == [("b\ufffd", "\ufffd")]


def test_a_taken_title_gets_the_next_number_and_stays_short_enough(make_home: MakeHome, tmp_path: Path) -> None:
    """One taken title would keep the whole file out."""
    world = make_home("0.19")
    world.session("a", title="Sea")
    world.session("b", title="Sea #7")
    long = "x" * 100
    world.session("c", title=long)
    path = lines(
        tmp_path / "a.jsonl", {"id": "1", "title": "Sea"}, {"id": "2", "title": "Sea"}, {"id": "3", "title": long}
    )
    expected = (("1", "Sea", "Sea #8"), ("2", "Sea", "Sea #9"), ("3", long, "x" * 97 + " #2"))
    base = Database(world.path)
    assert foreseen(base, check_file(path)).retitled == expected
    base.close()
    assert bring_in(world, path, dry_run=True).retitled == expected
    assert bring_in(world, path).retitled == expected
    titles = {row[0] for row in world.rows("SELECT title FROM sessions")}
    assert {"Sea #8", "Sea #9", "x" * 97 + " #2"} < titles


def test_parents_are_found_wherever_they_are_and_make_no_circle(make_home: MakeHome, tmp_path: Path) -> None:
    """A conversation would fall apart, or the list would never end."""
    world = make_home("0.19")
    world.session("here")
    path = lines(
        tmp_path / "a.jsonl",
        {"id": "child of one to come", "parent_session_id": "late"},
        {"id": "late", "parent_session_id": "here"},
        {"id": "child of one gone", "parent_session_id": "gone"},
        {"id": "x", "parent_session_id": "y"},
        {"id": "y", "parent_session_id": "x"},
        {"id": "own", "parent_session_id": "own"},
    )
    imported = bring_in(world, path)
    assert imported.detached == 1
    parents = dict(world.rows("SELECT id, parent_session_id FROM sessions"))
    assert parents["child of one to come"] == "late"
    assert parents["late"] == "here"
    assert parents["child of one gone"] is None
    assert (parents["x"], parents["y"]) == (None, "x")
    assert parents["own"] is None
    assert world.rows("PRAGMA foreign_key_check") == []


def test_a_rehearsal_changes_nothing_and_says_what_would_come(make_home: MakeHome, tmp_path: Path) -> None:
    """A preview that is not what happens then is worse than none."""
    world = make_home("0.19")
    world.session("there")
    message = {"role": "user", "content": "x"}
    sessions = [{"id": "there"}, {"id": "new", "messages": [message] * 3, "parent_session_id": "gone"}]
    path = lines(tmp_path / "a.jsonl", *sessions)
    before = dump(world.path)
    rehearsed = bring_in(world, path, dry_run=True)
    assert dump(world.path) == before
    assert rehearsed == bring_in(world, path) == Imported(("new",), ("there",), (), 1, 3)


# Whole or not at all


def big(tmp_path: Path, sessions: int, messages: int) -> Path:
    """A file with some long sessions."""
    message = {"role": "user", "content": "the harbour " * 5}
    return lines(tmp_path / "big.jsonl", *({"id": f"s{n}", "messages": [message] * messages} for n in range(sessions)))


def test_a_stop_leaves_no_half_session(make_home: MakeHome, tmp_path: Path) -> None:
    """What was stopped would look like a conversation that was lost."""
    world = make_home("0.19")
    done: list[int] = []
    imported = bring_in(
        world,
        big(tmp_path, 4, 1_000),
        progress=lambda so_far, _: done.append(so_far),
        stopped=lambda: bool(done) and done[-1] >= 2_500,
    )
    assert imported.stopped
    assert imported.imported == ("s0", "s1")
    assert world.rows("SELECT session_id, count(*) FROM messages GROUP BY 1") == [("s0", 1_000), ("s1", 1_000)]
    assert world.rows("SELECT id FROM sessions") == [("s0",), ("s1",)]
    check(world.path)


def test_a_kill_leaves_no_half_session(make_home: MakeHome, tmp_path: Path) -> None:
    """The agent would resume a conversation without its end."""
    world = make_home("0.19", wal=True)
    path = big(tmp_path, 3, 800)
    world.close()
    child = os.fork()
    if child == 0:
        bring_in(world, path, progress=lambda done, _: os.kill(os.getpid(), signal.SIGKILL) if done >= 1_500 else None)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    check(world.path)
    base = Database(world.path)
    assert base.rows("SELECT session_id, count(*) FROM messages GROUP BY 1") == [("s0", 800)]
    base.close()
    assert bring_in(world, path).imported == ("s1", "s2")


def test_small_sessions_come_together_and_long_ones_alone(
    make_home: MakeHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of small ones would take minutes; the agent would wait for all of them."""
    world = make_home("0.19")
    changes: list[int] = []
    transaction = Writer.transaction

    def counted(writer: Writer) -> Any:
        changes.append(1)
        return transaction(writer)

    monkeypatch.setattr(Writer, "transaction", counted)
    monkeypatch.setattr("hermes_tui.sessions.upkeep.importing.TOGETHER_SECONDS", 60)
    bring_in(world, big(tmp_path, 100, 2))
    assert len(changes) == 1
    world.run("DELETE FROM messages")
    world.run("DELETE FROM sessions")
    bring_in(world, big(tmp_path, 3, 150))
    assert len(changes) == 4


def test_a_file_that_is_wrong_in_one_place_brings_nothing(make_home: MakeHome, tmp_path: Path) -> None:
    """Half of a file would be there, and the mended file would be skipped."""
    world = make_home("0.19")
    before = dump(world.path)
    path = lines(tmp_path / "a.jsonl", {"id": "good"}, {"id": "bad", "messages": [{"role": "user"}, {"role": 5}]})
    with pytest.raises(Refused) as caught:
        bring_in(world, path)
    assert caught.value.code == "import_invalid"
    assert "Line 2, session bad: messages[1].role is no text" in caught.value.message
    assert dump(world.path) == before


def test_ids_of_messages_may_be_anything_a_file_says(make_home: MakeHome, tmp_path: Path) -> None:
    """Only in our own files they say what came first."""
    world = make_home("0.19")
    messages = [{"id": id, "role": "user", "content": str(id)} for id in (5, 5, -1, "x", None)]
    bring_in(world, lines(tmp_path / "a.jsonl", {"id": "s", "messages": messages}))
    assert texts(world, "s") == ["5", "5", "-1", "x", "None"]


@pytest.mark.parametrize("name", ["id", "title", "source", "parent_session_id"])
def test_half_characters_in_what_is_looked_up_are_replaced_too(make_home: MakeHome, tmp_path: Path, name: str) -> None:
    """The import would break off with a traceback when it asks whether they are there."""
    world = make_home("0.19")
    path = tmp_path / "half.jsonl"
    path.write_text(json.dumps({"id": "s", "source": "cli", "started_at": 1, name: "t\udcb2", "messages": []}))
    assert bring_in(world, path, dry_run=True).imported == bring_in(world, path).imported
    (row,) = world.rows("SELECT id, title, source FROM sessions")
    assert "\udcb2" not in str(row)
