"""Deleting and bringing back: every row as it was, and every index with just what is there."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import Refused, Unreadable
from hermes_tui.home import data_dir
from hermes_tui.sessions.upkeep import erasing
from hermes_tui.sessions.upkeep.copies import FILE
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.pruning import Pruned
from tests.sessions.upkeep.conftest import MakeHome, check, dump, finds, home_of, indexes
from tests.sessions.world import SHAPES, Shape, World

PICTURE = [{"type": "text", "text": "a picture of an otter"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
OVER = {"end_reason": "compression", "ended_at": 1000.0}


def fill(world: World) -> World:
    """Conversations with everything that one may have."""
    world.session("a1", "an otter asks", "an otter answers", title="Otters", started_at=900.0, **OVER)
    world.session("a2", "otters again", parent_session_id="a1", started_at=1000.0, title="Otters #2")
    call = '[{"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": "{\\"otter\\": 1}"}}]'
    world.say("a2", None, role="assistant", tool_calls=call, reasoning="otters think", finish_reason="tool_calls")
    world.say("a2", "otter output 項目進展", role="tool", tool_name="terminal", tool_call_id="c1", tool_call_uids="[]")
    world.say("a2", PICTURE)
    world.say("a2", PICTURE, role="tool", tool_name="vision")
    world.say("a2", "compacted otter", active=0, compacted=1)
    world.say("a2", "taken back otter", active=0)
    world.say("a2", "otter " * 3000, role="tool", tool_name="read_file")
    world.say("a2", b"\x00\xff otter", display_kind="hidden")
    world.say("a2", "", role="assistant", token_count=7, timestamp=5)
    world.say("a2", 1.5, timestamp="2026-01-01")
    world.session("run", "otter task", parent_session_id="a2", source="subagent",
                  model_config='{"_delegate_from": "a2"}')  # fmt: skip
    world.session("nested", "otter subtask", parent_session_id="run", model_config='{"_delegate_from": "run"}')
    world.session("branch", "otter branch", parent_session_id="a1", model_config='{"_branched_from": "a1"}')
    world.session("plain", "otter plain", parent_session_id="a2", source="subagent", model_config="{bad")
    world.session("other", "an otter elsewhere", title="Kept")
    world.session("cron_1", "otter cron", source="cron")
    world.session("empty")
    for id in ("a1", "a2", "run", "other"):
        world.use(id, "m1", actual_cost_usd=0.1)
        world.use(id, "m2", task="title_generation", last_seen=None)
    if "system_prompt_hash" in {row[0] for row in world.rows("SELECT name FROM pragma_table_info('sessions')")}:
        world.prompt("You are an otter.", "a1", "a2", "other")
        world.prompt("Only mine.", "run")
        tools = world.prompt('["terminal"]')
        world.run("UPDATE sessions SET tool_names = ? WHERE id IN ('a2', 'nested')", (tools,))
    return world


def ids(world: World) -> set[str]:
    """The sessions that are there."""
    return {row[0] for row in world.rows("SELECT id FROM sessions")}


def copies(home: Path) -> list[Path]:
    """The folders of what deleting keeps."""
    folder = data_dir(home) / "sessions" / "copies"
    return sorted(folder.iterdir()) if folder.is_dir() else []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wal", [False, True])
def test_a_conversation_is_deleted_and_everything_comes_back(
    make_home: MakeHome, keeper: Keeper, shape: Shape, wal: bool
) -> None:
    """Undo would bring back half of it, or search find what is gone, or not find what is back."""
    world = fill(make_home(shape, wal=wal))
    check(world.path)
    before = dump(world.path)
    found = {name: finds(world.path, "otter", name) for name in indexes(world.path)}
    change = keeper.delete(keeper.plan(["a1"]))
    assert (change.done, change.failed, change.stopped) == (("a2",), (), False)
    assert change.message == "Deleted 1 conversation."
    assert ids(world) == {"branch", "plain", "other", "cron_1", "empty"}
    left = {id for (id,) in world.rows("SELECT DISTINCT session_id FROM messages")}
    assert left == {"branch", "plain", "other", "cron_1"}
    check(world.path)
    for name, was in found.items():
        there = {id for (id,) in world.rows("SELECT id FROM messages")}
        assert finds(world.path, "otter", name) == [id for id in was if id in there]
    if shape in ("0.19", "0.22"):
        assert {id for (id,) in world.rows("SELECT session_id FROM session_model_usage")} == {"other"}
    if shape == "0.22":
        assert {text for (text,) in world.rows("SELECT prompt FROM system_prompts")} == {"You are an otter."}
    assert world.rows("SELECT parent_session_id FROM sessions WHERE id IN ('branch', 'plain')") == [(None,), (None,)]
    back = keeper.undo()
    assert (set(back.done), back.failed) == ({"a1", "a2", "run", "nested"}, ())
    assert back.message == "Undone: delete of 1 conversation. 4 sessions brought back."
    assert dump(world.path) == before
    check(world.path)
    for name, was in found.items():
        assert finds(world.path, "otter", name) == was
    assert keeper.undoable() == ()


@pytest.mark.parametrize("shape", SHAPES)
def test_everything_is_deleted_and_comes_back(
    make_home: MakeHome, keeper: Keeper, shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parents and children that go one after the other would not find each other again."""
    monkeypatch.setattr(erasing, "BATCH_SECONDS", 0.0)
    monkeypatch.setattr("hermes_tui.sessions.upkeep.writer.REST_SECONDS", 0.0)
    monkeypatch.setattr("hermes_tui.sessions.upkeep.writer.OTHERS_REST_SECONDS", 0.0)
    world = fill(make_home(shape))
    before = dump(world.path)
    everything = sorted(ids(world))
    for order in (everything, everything[::-1]):
        change = keeper.delete(keeper.plan(order))
        assert (change.failed, ids(world)) == ((), set())
        for table, rows in dump(world.path).items():
            assert rows == [] or table in ("schema_version", "state_meta"), table
        check(world.path)
        keeper.undo()
        assert dump(world.path) == before
        check(world.path)


def test_one_part_is_deleted_and_comes_back(make_home: MakeHome, keeper: Keeper) -> None:
    """The parts that stay would lose their place in the conversation."""
    world = fill(make_home("0.22"))
    before = dump(world.path)
    keeper.delete(keeper.plan(["a1"], whole=False))
    assert {"a2", "run", "branch"} <= ids(world)
    keeper.undo()
    assert dump(world.path) == before


def test_parts_deleted_in_two_steps_come_back_in_two(make_home: MakeHome, keeper: Keeper) -> None:
    """The second step would not find the parent that the first has deleted."""
    world = fill(make_home("0.22"))
    before = dump(world.path)
    keeper.delete(keeper.plan(["a1"], whole=False))
    between = dump(world.path)
    keeper.delete(keeper.plan(["a2", "branch"]))
    keeper.undo()
    assert dump(world.path) == between
    keeper.undo()
    assert dump(world.path) == before


def test_undo_works_after_a_restart(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """What was deleted yesterday would be lost today."""
    world = fill(make_home())
    before = dump(world.path)
    keeper.delete(keeper.plan(["a1", "other"]))
    fresh = Keeper(home_of(hermes_home))
    [step] = fresh.undoable()
    assert (step.kind, step.label) == ("delete", "delete of 2 conversations")
    assert step.size > 500
    fresh.undo()
    assert dump(world.path) == before
    assert copies(hermes_home) == []


def test_the_copy_is_there_before_anything_goes_and_can_be_read_by_anybody(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """What undo needs would be known to undo only, or lie open to others."""
    fill(make_home("0.22"))
    step = keeper.delete(keeper.plan(["a1"])).step
    [folder] = copies(hermes_home)
    assert folder.name == step
    path = folder / FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert [line["id"] for line in lines] == ["a1", "a2", "run", "nested"]
    assert [message["content"] for message in lines[0]["messages"]] == ["an otter asks", "an otter answers"]
    keeper.forget([step])
    assert copies(hermes_home) == []


def test_files_go_and_come_back(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """Transcripts beside the database would stay behind, or be lost."""
    fill(make_home())
    folder = hermes_home / "sessions"
    folder.mkdir()
    for name in ("a1.json", "session_run.json", "request_dump_a2_20260101_100000_000001.json", "other.json"):
        (folder / name).write_bytes(name.encode() * 1000)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    change = keeper.delete(keeper.plan(["a1"]))
    assert [path.name for path in folder.iterdir()] == ["other.json"]
    assert change.message == "Deleted 1 conversation."
    assert keeper.undoable()[-1].size > 50_000
    keeper.undo()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_that_cannot_go_is_counted(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be said to be gone."""
    world = fill(make_home())
    (hermes_home / "sessions").mkdir()
    (hermes_home / "sessions" / "a1.json").touch()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "no")

    plan = keeper.plan(["a1"])
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        change = keeper.delete(plan)
    assert change.message == "Deleted 1 conversation. 1 file could not be removed."
    assert "a1" not in ids(world)


@pytest.mark.parametrize(
    "writing",
    [
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('run', 'user', 'news', 5000.0)",
        "DELETE FROM messages WHERE id = (SELECT min(id) FROM messages WHERE session_id = 'a1')",
    ],
)
def test_what_was_written_to_since_the_plan_is_left_alone(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path, writing: str
) -> None:
    """What the agent said meanwhile would go unread."""
    world = fill(make_home("0.22"))
    plan = keeper.plan(["a1", "other"])
    world.run(writing)
    before = dump(world.path)
    change = keeper.delete(plan)
    assert [failure.id for failure in change.failed] == ["a2"]
    assert change.failed[0].reason == "It was written to since you looked, and is left alone."
    assert change.done == ("other",)
    assert change.message == "Deleted 1 conversation. 1 conversation left alone."
    assert {"a1", "a2", "run", "nested"} <= ids(world)
    keeper.undo()
    assert dump(world.path) == before
    assert copies(hermes_home) == []


WRITINGS: dict[str, str] = {
    "a message": "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a2', 'user', 'news', 5000.0)",
    "an edit": "UPDATE messages SET content = content || ' and more' WHERE session_id = 'a1'",
    "taken back": "UPDATE messages SET active = 0 WHERE session_id = 'a1'",
    "a title": "UPDATE sessions SET title = 'New' WHERE id = 'a2'",
    "an end": "UPDATE sessions SET ended_at = 7000.0 WHERE id = 'a2'",
    "a message less": "DELETE FROM messages WHERE id = (SELECT min(id) FROM messages WHERE session_id = 'a1')",
    "in a run": "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('nested', 'user', 'x', 5000.0)",
}


@pytest.mark.parametrize("writing", WRITINGS)
@pytest.mark.parametrize("shape", ["0.19", "0.22"])
def test_what_is_written_to_while_its_copy_is_made_is_left_alone(
    make_home: MakeHome, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, writing: str, shape: Shape
) -> None:
    """The copy would lack what was said last."""
    world = fill(make_home(shape))
    plan = keeper.plan(["a1", "other"])
    real = erasing.Eraser._keep

    def keep(eraser: erasing.Eraser, going: Any) -> Any:
        found = real(eraser, going)
        world.run(WRITINGS[writing])
        return found

    monkeypatch.setattr(erasing.Eraser, "_keep", keep)
    change = keeper.delete(plan)
    assert [failure.id for failure in change.failed] == ["a2"]
    assert (change.done, {"a1", "a2", "run", "nested"} <= ids(world)) == (("other",), True)
    check(world.path)


def test_what_is_deleted_already_is_said_to_be(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """Deleting twice, here and in the agent, would be an error."""
    world = fill(make_home())
    plan = keeper.plan(["other", "empty"])
    world.run("DELETE FROM messages WHERE session_id = 'other'")
    world.run("DELETE FROM sessions WHERE id = 'other'")
    change = keeper.delete(plan)
    assert change.message == "Deleted 1 conversation. 1 conversation was already deleted."
    assert [(failure.id, failure.reason) for failure in change.failed] == [("other", "It was deleted already.")]
    again = keeper.delete(plan)
    assert (again.message, again.done, again.step) == ("2 conversations were already deleted.", (), "")
    gone = keeper.delete(keeper.plan(["other"]))
    assert (gone.message, gone.step) == ("1 conversation was already deleted.", "")
    assert len(copies(hermes_home)) == len(keeper.undoable()) == 1


def test_a_stop_comes_between_two_batches(make_home: MakeHome, keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prune of an hour could not be stopped, or would leave something half deleted."""
    world = make_home()
    for number in range(30):
        world.session(f"s{number:02}", "hello otter", "hi")
    before = dump(world.path)
    monkeypatch.setattr(erasing, "BATCH_SESSIONS", 5)
    seen: list[tuple[int, int]] = []
    plan = keeper.plan(sorted(ids(world)))
    change = keeper.delete(
        plan, progress=lambda done, total: seen.append((done, total)), stopped=lambda: len(seen) >= 2
    )
    assert change.stopped
    assert change.message == f"Deleted {len(change.done)} conversations. Stopped."
    assert len(ids(world)) == 30 - len(change.done)
    assert seen[-1] == (len(change.done), 30)
    assert world.rows("SELECT count(*) FROM messages") == [(2 * len(ids(world)),)]
    assert keeper.undoable()[-1].label == f"delete of {len(change.done)} conversations"
    assert len(keeper.undo().done) == len(change.done)
    assert dump(world.path) == before


def test_what_fails_before_anything_went_is_no_step(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undo would bring back what was never gone, instead of what was changed before."""
    world = fill(make_home())
    keeper.rename("other", "New")
    before = dump(world.path)

    def refuse(*_: object) -> None:
        raise Unreadable("The disk is full.", code="disk_full")

    with monkeypatch.context() as patched:
        patched.setattr(erasing, "_delete", refuse)
        with pytest.raises(Unreadable):
            keeper.delete(keeper.plan(["a1"]))
    assert dump(world.path) == before
    assert ([step.kind for step in keeper.undoable()], copies(hermes_home)) == (["rename"], [])


def test_what_fails_after_some_went_can_be_taken_back(
    make_home: MakeHome, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was deleted until then would be lost."""
    monkeypatch.setattr(erasing, "BATCH_SECONDS", 0.0)
    world = fill(make_home())
    before = dump(world.path)
    real, calls = erasing._delete, []

    def refuse(*args: Any) -> None:
        calls.append(args)
        if len(calls) == 2:
            raise Unreadable("The disk is full.", code="disk_full")
        real(*args)

    with monkeypatch.context() as patched:
        patched.setattr(erasing, "_delete", refuse)
        change = keeper.delete(keeper.plan(["other", "a1"]))
    assert change.message == "Deleted 1 of 2 conversations, then no more: The disk is full."
    assert (change.done, [failure.id for failure in change.failed]) == (("other",), ["a2"])
    assert keeper.undoable()[-1].label == "delete of 1 conversation"
    assert "other" not in ids(world)
    assert "a1" in ids(world)
    keeper.undo()
    assert dump(world.path) == before


def test_a_stop_before_the_first_is_nothing(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """An empty step would stand in the way of the one before."""
    world = fill(make_home())
    before = dump(world.path)
    change = keeper.delete(keeper.plan(["a1"]), stopped=lambda: True)
    assert (change.done, change.step, change.stopped) == ((), "", True)
    assert (dump(world.path), keeper.undoable(), copies(hermes_home)) == (before, (), [])


def test_a_stopped_undo_goes_on_where_it_stopped(make_home: MakeHome, keeper: Keeper) -> None:
    """What was not brought back yet would be lost."""
    world = make_home()
    for number in range(20):
        world.session(f"s{number:02}", *["hello otter"] * 20)
    before = dump(world.path)
    keeper.delete(keeper.plan(sorted(ids(world))))
    seen: list[int] = []
    first = keeper.undo(progress=lambda done, _: seen.append(done), stopped=lambda: len(seen) > 12)
    assert 0 < len(ids(world)) < 20
    assert first.stopped
    assert len(keeper.undoable()) == 1
    check(world.path)
    keeper.undo()
    assert dump(world.path) == before


def test_undo_gives_a_title_that_is_taken_the_next_number(make_home: MakeHome, keeper: Keeper) -> None:
    """The session would not come back at all, or another one lose its title."""
    world = make_home()
    world.session("a", "hello", title="Trip")
    keeper.delete(keeper.plan(["a"]))
    world.session("b", "hi", title="Trip")
    change = keeper.undo()
    assert dict(world.rows("SELECT id, title FROM sessions")) == {"a": "Trip #2", "b": "Trip"}
    assert "“Trip #2”" in change.message


def test_undo_gives_a_session_that_was_begun_anew_what_it_had_before(make_home: MakeHome, keeper: Keeper) -> None:
    """What the agent wrote under the same id since would be lost, or what was there before."""
    world = fill(make_home())
    keeper.delete(keeper.plan(["a1"]))
    world.session("run", "written since")
    change = keeper.undo()
    assert set(change.done) == {"a1", "a2", "run", "nested"}
    texts = world.rows("SELECT content FROM messages WHERE session_id = 'run' ORDER BY id")
    assert texts == [("otter task",), ("written since",)]
    check(world.path)


def test_undo_leaves_alone_what_was_never_deleted(
    make_home: MakeHome, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left alone is in the copy too, and the agent may have changed it since."""
    world = fill(make_home())
    plan = keeper.plan(["a1", "other"])
    real = erasing.Eraser._keep

    def keep(eraser: erasing.Eraser, going: Any) -> Any:
        found = real(eraser, going)
        world.run("UPDATE messages SET content = 'edited' WHERE session_id = 'a1'")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(erasing.Eraser, "_keep", keep)
        assert keeper.delete(plan).done == ("other",)
    world.run("UPDATE sessions SET title = 'Newer' WHERE id = 'a1'")
    change = keeper.undo()
    assert change.done == ("other",)
    assert "4 sessions were there already." in change.message
    assert world.rows("SELECT title FROM sessions WHERE id = 'a1'") == [("Newer",)]
    assert {row[0] for row in world.rows("SELECT content FROM messages WHERE session_id = 'a1'")} == {"edited"}
    check(world.path)


def test_undo_without_its_copy_says_so_and_goes_on_to_the_one_before(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """A copy that somebody removed would block undo for ever."""
    world = fill(make_home())
    keeper.rename("other", "New")
    keeper.delete(keeper.plan(["a1"]))
    for path in copies(hermes_home)[0].iterdir():
        path.unlink()
    with pytest.raises(Refused) as refused:
        keeper.undo()
    assert refused.value.code == "copy_missing"
    keeper.undo()
    assert world.rows("SELECT title FROM sessions WHERE id = 'other'") == [("Kept",)]


def test_undo_of_a_copy_that_breaks_off_brings_back_what_is_whole(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """A bad disk would cost all instead of the last."""
    world = fill(make_home())
    keeper.delete(keeper.plan(["a1", "other"]))
    [folder] = copies(hermes_home)
    path = folder / FILE
    with gzip.open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    packed = gzip.compress(b"".join(lines[:2])) + gzip.compress(b"".join(lines[2:]))[:-40]
    path.write_bytes(packed)
    change = keeper.undo()
    assert {"a1", "a2"} <= set(change.done)
    assert {"a1", "a2"} <= ids(world)
    check(world.path)


def test_pruning_deletes_what_its_plan_says(make_home: MakeHome, keeper: Keeper) -> None:
    """What was to be left alone would go."""
    world = make_home("0.22")
    for number in range(20):
        world.session(f"s{number:02}", "hello", started_at=1000.0 * number, pinned=int(number == 3), ended_at=1.0)
    world.run("UPDATE messages SET timestamp = 86400")
    before = dump(world.path)
    plan = keeper.plan_prune(Pruned(older_than_days=90))
    assert (len(plan.doomed), len(plan.left_alone)) == (19, 1)
    change = keeper.delete(plan)
    assert (len(change.done), ids(world)) == (19, {"s03"})
    keeper.undo()
    assert dump(world.path) == before


def test_an_empty_plan_does_nothing(make_home: MakeHome, keeper: Keeper) -> None:
    """It would be a step that cannot be taken back."""
    fill(make_home())
    change = keeper.delete(replace(keeper.plan(["other"]), doomed=()))
    assert (change.done, change.step, keeper.undoable()) == ((), "", ())


def test_ids_of_any_kind_are_deleted_and_come_back(make_home: MakeHome, keeper: Keeper) -> None:
    """An id is text of any kind; a quote or a wildcard would take others with it."""
    world = make_home("0.22")
    odd = ["it's", 'a"b', "%", "_", "a_b", "../x", "ünï", "日本", "x\ny", "[bold]", "{}", "?1", "0", "1e3"]
    for id in odd:
        world.session(id, f"otter {id}")
    before = dump(world.path)
    for id in odd:
        keeper.delete(keeper.plan([id]))
        assert ids(world) == set(odd) - {id}
        keeper.undo()
    assert dump(world.path) == before


def test_a_conversation_is_never_deleted_without_its_copy(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """The data directory is full or not ours: nothing may go then."""
    world = fill(make_home())
    before = dump(world.path)
    plan = keeper.plan(["a1"])
    folder = data_dir(hermes_home) / "sessions"
    folder.mkdir(parents=True)
    (folder / "copies").write_text("in the way")
    with pytest.raises(Unreadable):
        keeper.delete(plan)
    assert dump(world.path) == before


@pytest.mark.parametrize("shape", SHAPES)
def test_what_an_agent_began_anew_after_a_deletion_gets_its_messages_back(
    make_home: MakeHome, keeper: Keeper, shape: Shape
) -> None:
    """An agent that has the conversation open writes on under the same id; undo would drop the old messages."""
    world = make_home(shape)
    world.session("open", "otters", "They swim.", title="About otters")
    world.session("other", "geese")
    keeper.delete(keeper.plan(["open", "other"]))
    world.session("open", "and what do they eat")
    change = keeper.undo()
    assert set(change.done) == {"open", "other"}
    assert "1 session that an agent had begun anew has again what it had before" in change.message
    said = world.connection.execute("SELECT content FROM messages WHERE session_id = 'open' ORDER BY id").fetchall()
    assert [row[0] for row in said] == ["otters", "They swim.", "and what do they eat"]
    (facts,) = world.connection.execute("SELECT title, message_count FROM sessions WHERE id = 'open'").fetchall()
    assert facts == ("About otters", 3)
    check(world.path)
    assert keeper.undoable() == ()


def test_a_kept_file_whose_place_is_taken_is_named_and_stays(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """It would be thrown away with the copy, and is nowhere else."""
    world = make_home()
    world.session("s", "otters")
    folder = hermes_home / "sessions"
    folder.mkdir(exist_ok=True)
    (folder / "s.jsonl").write_text("old")
    keeper.delete(keeper.plan(["s"]))
    (folder / "s.jsonl").write_text("new")
    change = keeper.undo()
    assert "Something else has the place of s.jsonl" in change.message
    assert (folder / "s.jsonl").read_text() == "new"
    (kept,) = data_dir(hermes_home).rglob("s.jsonl")
    assert kept.read_text() == "old"
