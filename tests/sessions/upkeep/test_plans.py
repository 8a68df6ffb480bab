"""What deleting would do, said before anybody is asked; nothing is changed by it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hermes_tui.errors import NotFound
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.upkeep.deletion import Plan, plan_for
from hermes_tui.sessions.upkeep.in_use import leased, use_words
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.session_files import SessionFiles
from tests.cli.conftest import tree
from tests.sessions.upkeep.conftest import MakeHome
from tests.sessions.world import NOW, SHAPES, Shape, World

OVER = {"end_reason": "compression", "ended_at": 1000.0}


def family(world: World) -> World:
    """A conversation of two parts, its subagents, a branch, one that nobody marked; and somebody else."""
    world.session("a1", "hello", "hi there", title="Trip", started_at=900.0, **OVER)
    world.session("a2", "more", parent_session_id="a1", started_at=1000.0)
    world.session("run", "task", "done", "thanks", parent_session_id="a2", model_config='{"_delegate_from": "a2"}')
    world.session("nested", "sub", parent_session_id="run", model_config='{"_delegate_from": "run"}')
    world.session("branch", "off", parent_session_id="a1", title="Off", model_config='{"_branched_from": "a1"}')
    world.session("plain", "task", parent_session_id="a2", source="subagent")
    world.session("other", "hi")
    return world


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("asked", ["a1", "a2"])
def test_a_plan_names_what_goes_and_what_stays(make_home: MakeHome, keeper: Keeper, shape: Shape, asked: str) -> None:
    """A person would say yes to something else than what is done."""
    family(make_home(shape))
    plan = keeper.plan([asked])
    [doomed] = plan.doomed
    assert (doomed.id, doomed.parts, doomed.title) == ("a2", ("a1", "a2"), "Trip")
    assert set(doomed.delegates) == {"run", "nested"}
    assert doomed.ids == (*doomed.parts, *doomed.delegates)
    assert (doomed.messages, plan.messages) == (7, 7)
    assert plan.bytes == doomed.bytes == len("hellohi theremoretaskdonethankssub")
    assert {(other.id, other.kind) for other in plan.delegates} == {("run", "subagent"), ("nested", "subagent")}
    assert {(other.id, other.title, other.kind) for other in plan.surfacing} == {
        ("branch", "Off", "branch"),
        ("plain", "", "subagent"),
    }
    assert (plan.files, plan.left_alone, plan.missing, plan.slow) == ((), (), (), "")


def test_only_one_part_may_go(make_home: MakeHome, keeper: Keeper) -> None:
    """A part that was continued would take the rest with it, or the rest vanish from the list."""
    family(make_home())
    older = keeper.plan(["a1"], whole=False)
    assert [each.parts for each in older.doomed] == [("a1",)]
    assert (older.doomed[0].delegates, older.messages) == ((), 2)
    assert {(other.id, other.kind) for other in older.surfacing} == {("branch", "branch"), ("a2", "branch")}
    newer = keeper.plan(["a2"], whole=False)
    assert (newer.doomed[0].parts, set(newer.doomed[0].delegates)) == (("a2",), {"run", "nested"})
    assert [other.id for other in newer.surfacing] == ["plain"]
    both = keeper.plan(["a1", "a2"], whole=False)
    assert [each.parts for each in both.doomed] == [("a1",), ("a2",)]


def test_parts_of_one_conversation_are_one(make_home: MakeHome, keeper: Keeper) -> None:
    """It would be counted twice."""
    family(make_home())
    plan = keeper.plan(["a2", "a1", "other", "a2"])
    assert [each.id for each in plan.doomed] == ["a2", "other"]
    assert plan.messages == 8


def test_a_run_that_is_asked_for_itself_is_counted_once(make_home: MakeHome, keeper: Keeper) -> None:
    """What goes anyway would be said to go too."""
    family(make_home())
    plan = keeper.plan(["run", "a1"])
    assert {each.id: set(each.delegates) for each in plan.doomed} == {"run": {"nested"}, "a2": set()}
    assert (plan.messages, {other.id for other in plan.delegates}) == (7, {"nested"})


def test_what_is_gone_is_named(make_home: MakeHome, keeper: Keeper) -> None:
    """Deleting what somebody else has deleted would be an error."""
    family(make_home())
    plan = keeper.plan(["gone", "other", "gone too"])
    assert (plan.missing, [each.id for each in plan.doomed]) == (("gone", "gone too"), ["other"])


def test_many_are_the_same_as_few(make_home: MakeHome, keeper: Keeper) -> None:
    """From some number on they are read in another way."""
    world = family(make_home())
    for number in range(40):
        world.session(f"s{number}", "hello")
    many = keeper.plan(["a1", "gone", *(f"s{number}" for number in range(40))])
    few = keeper.plan(["a1", "gone"])
    assert [each for each in many.doomed if each.id == "a2"] == list(few.doomed)
    assert (many.missing, len(many.doomed)) == (("gone",), 41)
    assert many.surfacing == few.surfacing


@pytest.mark.parametrize("others", [0, 40])
def test_a_conversation_that_went_on_twice_keeps_the_other_end(
    make_home: MakeHome, keeper: Keeper, others: int
) -> None:
    """Another conversation than the one that is pointed at would go."""
    world = make_home()
    more = [world.session(f"s{number}") for number in range(others)]
    world.session("root", "hello", started_at=900.0, **OVER)
    world.session("stale", "a", parent_session_id="root", started_at=1000.0)
    world.session("tip", "b", parent_session_id="root", started_at=1001.0)
    world.session("stale2", "c", parent_session_id="stale", started_at=1002.0)
    world.run("UPDATE sessions SET end_reason = 'compression', ended_at = 1002 WHERE id = 'stale'")
    plan = keeper.plan(["tip", *more])
    assert plan.doomed[0].parts == ("root", "tip")
    assert [(other.id, other.kind) for other in plan.surfacing] == [("stale", "branch")]
    for asked in ("stale", "stale2"):
        plan = keeper.plan([asked, *more])
        assert (plan.doomed[0].parts, plan.surfacing) == (("stale", "stale2"), ())


@pytest.mark.parametrize("others", [0, 40])
def test_a_ring_of_parts_ends(make_home: MakeHome, keeper: Keeper, others: int) -> None:
    """Damaged parents would hang the question, or be said to be gone."""
    world = make_home()
    more = [world.session(f"s{number}") for number in range(others)]
    for id, parent in (("a", "c"), ("b", "a"), ("c", "b")):
        world.session(id, "x", parent_session_id=parent, started_at=1000.0, **OVER)
    doomed = keeper.plan(["b", *more]).doomed[0]
    assert sorted(doomed.parts) == ["a", "b", "c"]


def test_files_beside_the_database_are_named(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """A transcript on the disk would outlive its session, or go without a word."""
    family(make_home())
    (hermes_home / "sessions").mkdir()
    for name in ("a1.json", "session_run.json", "other.json", "branch.jsonl"):
        (hermes_home / "sessions" / name).touch()
    assert [path.name for path in keeper.plan(["a1"]).files] == ["a1.json", "session_run.json"]


def test_texts_of_every_kind_are_weighed(make_home: MakeHome, keeper: Keeper) -> None:
    """A picture would weigh nothing."""
    world = make_home("0.22")
    world.session("s")
    world.say("s", [{"type": "image_url", "image_url": {"url": "data:" + "A" * 50_000}}], tool_calls="[" + " " * 1000)
    world.say("s", None, reasoning="r" * 500, tool_name="t")
    assert 51_500 < keeper.plan(["s"]).bytes < 51_700


@pytest.mark.parametrize("wal", [False, True])
def test_planning_leaves_no_trace(make_home: MakeHome, keeper: Keeper, isolated_machine: Path, wal: bool) -> None:
    """A look at what would be would be a change."""
    world = family(make_home("0.22", wal=wal))
    world.close()
    before = tree(isolated_machine)
    keeper.plan(["a1", "other", "gone"])
    assert tree(isolated_machine) == before


def test_planning_can_be_given_up_and_says_how_far_it_is(make_home: MakeHome, keeper: Keeper) -> None:
    """With a hundred thousand sessions a person would wait for a question they no longer want."""
    world = make_home()
    ids = [world.session(f"s{number:03}", "hello") for number in range(120)]
    seen: list[tuple[int, int]] = []
    keeper.plan(ids, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(50, 120), (100, 120), (120, 120)]
    with pytest.raises(Interrupted):
        keeper.plan(ids, progress=lambda *_: seen.clear(), stopped=lambda: not seen)


def test_a_home_without_sessions_says_so(keeper: Keeper) -> None:
    """It would look like a conversation that is gone."""
    with pytest.raises(NotFound) as missing:
        keeper.plan(["a"])
    assert missing.value.code == "no_sessions"


def test_a_long_conversation_says_that_the_agent_waits(make_home: MakeHome, keeper: Keeper) -> None:
    """An agent in another window would seem to hang."""
    world = make_home()
    for id in ("long", "longer"):
        world.session(id)
        world.run("BEGIN")
        for _ in range(20):
            world.say(id, "word " * 20_000)
        world.run("COMMIT")
    world.session("short", "hello")
    assert "keep" not in keeper.plan(["short"]).slow
    assert keeper.plan(["long"]).slow.startswith("It is long: an agent that writes meanwhile waits for up to ")
    assert keeper.plan(["long", "short"]).slow.startswith("1 of them is long: ")
    assert keeper.plan(["long", "longer"]).slow.startswith("2 of them are long: ")


# Whether somebody is at work in it


def words(world: World, id: str, now: float) -> str:
    """Why a session may be in use."""
    with Database(world.path) as base:
        plan: Plan = plan_for(base, SessionFiles(world.path.parent), [id], now=now)
    return plan.doomed[0].in_use


def test_a_session_may_be_in_use_when_it_wrote_a_while_ago(make_home: MakeHome) -> None:
    """A person would delete what the agent in the other window goes on with."""
    world = make_home()
    world.session("open")
    world.say("open", "hi", timestamp=NOW)
    world.session("ended", ended_at=NOW)
    world.say("ended", "hi", timestamp=NOW)
    assert words(world, "open", NOW + 5) == "It is most likely in use: it wrote a moment ago."
    assert words(world, "open", NOW + 20 * 60) == "It may be in use: it wrote 20 min ago."
    assert words(world, "open", NOW + 3600) == ""
    assert words(world, "ended", NOW + 5) == ""


def test_a_session_is_in_use_while_its_subagent_writes(make_home: MakeHome) -> None:
    """A run of hours would be deleted under the agent's hands: who sent it out says nothing meanwhile."""
    world = make_home()
    world.session("a")
    world.say("a", "go", timestamp=NOW - 7200)
    world.session("run", parent_session_id="a", model_config='{"_delegate_from": "a"}')
    world.say("run", "at it", timestamp=NOW)
    assert words(world, "a", NOW + 120) != ""
    world.run("UPDATE sessions SET ended_at = ?", (NOW,))
    assert words(world, "a", NOW + 120) == ""


@pytest.mark.parametrize(("table", "column"), [("session_turn_leases", "conversation_id"),
                                               ("compression_locks", "session_id")])  # fmt: skip
def test_a_lease_says_that_an_agent_is_at_work(make_home: MakeHome, table: str, column: str) -> None:
    """Newer agents say so themselves, also for what wrote nothing for hours."""
    world = make_home("0.22")
    family(world)
    world.run("UPDATE sessions SET ended_at = 1000")
    for id in ("a1", "a2", "nested"):
        world.run(f"INSERT INTO {table} ({column}, holder, acquired_at, expires_at) VALUES (?, 'x', ?, ?)",
                  (id, NOW - 60, NOW + 60))  # fmt: skip
        assert words(world, "a2", NOW) == "An agent is at work in it right now."
        assert words(world, "a2", NOW + 61) == "", "what has expired says nothing"
        assert words(world, "other", NOW) == ""
        world.run(f"DELETE FROM {table}")
    with Database(world.path) as base:
        assert leased(base, [], NOW) == set()


def test_words_about_use_round_to_what_a_person_says() -> None:
    """0 min is no time."""
    assert use_words(at_work=False, open_=True, idle=59.9).endswith("a moment ago.")
    assert use_words(at_work=False, open_=True, idle=89).endswith("1 min ago.")
    assert use_words(at_work=False, open_=True, idle=-5).endswith("a moment ago.")
    assert use_words(at_work=True, open_=False, idle=9e9) == "An agent is at work in it right now."


def test_planning_many_is_quick(make_home: MakeHome, keeper: Keeper) -> None:
    """The question would come late."""
    world = make_home("0.22")
    world.run("BEGIN")
    ids = [world.session(f"s{number:04}", "hello", "there", title=f"T{number}") for number in range(1000)]
    world.run("COMMIT")
    began = time.thread_time()
    assert len(keeper.plan(ids).doomed) == 1000
    assert time.thread_time() - began < 1.0
