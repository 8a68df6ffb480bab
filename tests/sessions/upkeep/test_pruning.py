"""Pruning: which conversations match, which stay all the same, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import NotFound
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.upkeep.deletion import Plan
from hermes_tui.sessions.upkeep.pruning import Pruned, plan_prune
from hermes_tui.sessions.upkeep.session_files import SessionFiles
from tests.sessions.upkeep.conftest import MakeHome
from tests.sessions.world import NOW, World

DAY = 86_400.0


def old(world: World, id: str, days: float, *, messages: int = 2, **columns: Any) -> str:
    """A conversation that was active last so many days ago, and began a day before."""
    at = NOW - days * DAY
    world.session(id, **{"started_at": at - DAY, "message_count": messages, **columns})
    for number in range(messages):
        world.say(id, f"message {number}", timestamp=at - (messages - 1 - number))
    return id


def plan(world: World, wanted: Pruned, **more: Any) -> Plan:
    """What pruning would do now."""
    with Database(world.path) as base:
        return plan_prune(base, SessionFiles(world.path.parent), wanted, now=NOW, **more)


def going(world: World, wanted: Pruned) -> set[str]:
    """The conversations that would go."""
    return {each.id for each in plan(world, wanted).doomed}


@pytest.fixture
def world(make_home: MakeHome) -> World:
    """Conversations of every age and kind."""
    made = make_home("0.22")
    old(made, "new", 3, source="cli", title="Cooking", model="claude-opus", cwd="/work/app", ended_at=NOW)
    old(made, "mid", 40, source="telegram", title="cooking rice", model="gpt-5", cwd="/work/app/sub", messages=8)
    old(made, "old", 100, source="cron", model="GPT-4", cwd="/work/application", end_reason="cron_complete")
    old(made, "filed", 200, title="Old 100%", archived=1, end_reason="new_session", cwd="/work/app")
    old(made, "windows", 1, cwd="C:\\work\\app", archived=2, title="W")
    old(made, "empty", 120, messages=0)
    old(made, "titled empty", 121, messages=0, title="Plans")
    return made


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({"older_than_days": 90}, {"old", "empty", "titled empty"}),
    ({"older_than_days": 0}, {"new", "mid", "old", "empty", "titled empty"}),
    ({"older_than_days": 40.01}, {"old", "empty", "titled empty"}),
    ({"older_than_days": 39.99}, {"mid", "old", "empty", "titled empty"}),
    ({"before": NOW - 50 * DAY}, {"old", "empty", "titled empty"}),
    ({"before": NOW - 40 * DAY}, {"old", "empty", "titled empty"}),
    ({"after": NOW - 50 * DAY}, {"new", "mid"}),
    ({"after": NOW - 40 * DAY}, {"new", "mid"}),
    ({"after": NOW - 110 * DAY, "before": NOW - 10 * DAY}, {"mid", "old"}),
    ({"older_than_days": 90, "before": NOW - 110 * DAY}, {"empty", "titled empty"}),
    ({"sources": {"telegram"}}, {"mid"}),
    ({"sources": {"telegram", "cron", "nowhere"}}, {"mid", "old"}),
    ({"sources": {"CRON"}}, set()),
    ({"title": "COOK"}, {"new", "mid"}),
    ({"title": "100%", "archived": "only"}, {"filed"}),
    ({"title": "%"}, set()),
    ({"model": "gpt"}, {"mid", "old"}),
    ({"cwd": "/work/app"}, {"new", "mid"}),
    ({"cwd": "/work/app/"}, {"new", "mid"}),
    ({"cwd": "/work/ap"}, set()),
    ({"cwd": "/"}, {"new", "mid", "old"}),
    ({"cwd": "C:\\work\\"}, {"windows"}),
    ({"cwd": "C:"}, {"windows"}),
    ({"end_reason": "cron_complete"}, {"old"}),
    ({"end_reason": "cron"}, set()),
    ({"min_messages": 3}, {"mid"}),
    ({"min_messages": 2, "max_messages": 2}, {"new", "old"}),
    ({"max_messages": 0}, {"empty", "titled empty"}),
    ({"empty_only": True}, {"empty"}),
    ({"archived": "only"}, {"filed", "windows"}),
    ({"archived": "also", "older_than_days": 90}, {"old", "filed", "empty", "titled empty"}),
    ({"model": "gpt", "cwd": "/work/app", "older_than_days": 30}, {"mid"}),
    ({"model": "gpt", "sources": {"cli"}}, set()),
]


@pytest.mark.parametrize(("conditions", "expected"), FILTERS, ids=range(len(FILTERS)))
def test_a_filter_takes_just_what_it_says(world: World, conditions: dict[str, Any], expected: set[str]) -> None:
    """What a person meant to keep would be deleted."""
    if expected == {"windows"}:
        conditions = {**conditions, "archived": "only"}
    given = {**conditions, "sources": frozenset(conditions.get("sources", ()))}
    assert going(world, Pruned(**given)) == expected


def test_each_condition_counts_as_one() -> None:
    """A command without conditions would be taken for one with, and delete everything."""
    assert not Pruned().anything
    assert not Pruned(archived="only", include_pinned=True, include_large=True).anything
    conditions: list[dict[str, Any]] = [
        *({name: 0.0} for name in ("older_than_days", "before", "after")),
        *({name: "x"} for name in ("title", "model", "cwd", "end_reason")),
        *({name: 0} for name in ("min_messages", "max_messages")),
        {"sources": frozenset({"cli"})},
        {"empty_only": True},
    ]
    assert all(Pruned(**condition).anything for condition in conditions)


def test_age_is_that_of_the_last_activity_and_not_of_the_beginning(world: World) -> None:
    """A conversation of years that went on yesterday would go."""
    world.session("long-lived", started_at=NOW - 900 * DAY)
    world.say("long-lived", "still here", timestamp=NOW - 2 * DAY)
    assert "long-lived" not in going(world, Pruned(older_than_days=90))
    old(world, "noted", 300, last_activity_at=NOW - 5 * DAY)
    old(world, "nonsense", 300, last_activity_at="soon")
    assert "noted" not in going(world, Pruned(older_than_days=90))
    assert "nonsense" in going(world, Pruned(older_than_days=90))
    assert "noted" in going(world, Pruned(older_than_days=4))


def test_a_conversation_goes_as_a_whole_or_not_at_all(make_home: MakeHome) -> None:
    """The first parts of a conversation that goes on today would be gone."""
    world = make_home("0.22")
    old(world, "a1", 300, end_reason="compression", ended_at=NOW - 300 * DAY)
    old(world, "a2", 3, parent_session_id="a1", started_at=NOW - 300 * DAY)
    old(world, "b1", 300, end_reason="compression", ended_at=NOW - 300 * DAY, title="Found")
    old(world, "b2", 200, parent_session_id="b1", started_at=NOW - 300 * DAY)
    assert going(world, Pruned(older_than_days=90)) == {"b2"}
    assert plan(world, Pruned(older_than_days=90)).doomed[0].parts == ("b1", "b2")
    assert going(world, Pruned(title="found")) == {"b2"}
    assert going(world, Pruned(min_messages=4)) == {"a2", "b2"}


def test_what_is_pinned_stays_unless_it_is_asked_for(world: World) -> None:
    """A person has said that it is to be kept."""
    world.run("UPDATE sessions SET pinned = 1 WHERE id = 'old'")
    old(world, "p1", 300, end_reason="compression", ended_at=NOW - 300 * DAY, pinned=1)
    old(world, "p2", 200, parent_session_id="p1", started_at=NOW - 300 * DAY, title="Whole")
    found = plan(world, Pruned(older_than_days=90))
    assert {(each.id, each.reason) for each in found.left_alone} == {("old", "It is pinned."), ("p2", "It is pinned.")}
    assert "Whole" in {each.title for each in found.left_alone}
    assert {each.id for each in found.doomed} == {"empty", "titled empty"}
    assert found.messages == 0
    too = plan(world, Pruned(older_than_days=90, include_pinned=True))
    assert {each.id: each.pinned for each in too.doomed} == {
        **{"old": True, "p2": True},
        **{"empty": False, "titled empty": False},
    }
    assert too.left_alone == ()


def test_what_may_be_in_use_stays(world: World) -> None:
    """The agent in another window would lose what it writes in."""
    world.session("live", started_at=NOW - 60)
    world.say("live", "hello", timestamp=NOW - 30)
    world.session("just begun", started_at=NOW - 30)
    world.run("INSERT INTO session_turn_leases VALUES ('old', 'x', ?, ?)", (NOW - 5, NOW + 60))
    found = plan(world, Pruned(older_than_days=0))
    assert {each.id: each.reason for each in found.left_alone} == {
        "live": "It is most likely in use: it wrote a moment ago.",
        "just begun": "It is most likely in use: it wrote a moment ago.",
        "old": "An agent is at work in it right now.",
    }
    assert not {"live", "just begun", "old"} & {each.id for each in found.doomed}
    assert {"live", "just begun", "old"}.isdisjoint(going(world, Pruned(older_than_days=0, include_pinned=True)))
    assert going(world, Pruned(empty_only=True)) == {"empty"}


def test_what_a_subagent_still_works_for_does_not_match(world: World) -> None:
    """Who sent it out has said nothing for days."""
    old(world, "patient", 10)
    world.session("run", parent_session_id="patient", model_config='{"_delegate_from": "patient"}', ended_at=NOW)
    world.say("run", "at it", timestamp=NOW - DAY)
    assert "patient" not in going(world, Pruned(older_than_days=5))
    assert "patient" in going(world, Pruned(older_than_days=0.5))


def test_long_ones_stay_while_an_agent_is_at_work(make_home: MakeHome) -> None:
    """The agent's write would wait for longer than it has patience."""
    world = make_home("0.22")
    old(world, "long", 200, messages=1)
    world.run("BEGIN")
    for _ in range(20):
        world.say("long", "word " * 20_000, timestamp=NOW - 200 * DAY)
    world.run("COMMIT")
    old(world, "short", 200)
    assert going(world, Pruned(older_than_days=90)) == {"long", "short"}, "nobody is at work"
    old(world, "busy", 0.001)
    found = plan(world, Pruned(older_than_days=90))
    assert {each.id for each in found.doomed} == {"short"}
    [left] = found.left_alone
    assert left.id == "long"
    assert left.reason.startswith("It is long: the agent that is at work here would wait for about 0.")
    assert going(world, Pruned(older_than_days=90, include_large=True)) == {"long", "short"}


def test_what_does_not_go_is_not_weighed(world: World, hermes_home: Path) -> None:
    """The preview would count what stays."""
    (hermes_home / "sessions").mkdir()
    (hermes_home / "sessions" / "old.json").touch()
    old(world, "kept run", 100, parent_session_id="old", model_config='{"_delegate_from": "old"}')
    world.run("UPDATE sessions SET pinned = 1 WHERE id IN ('old', 'kept run')")
    found = plan(world, Pruned(sources=frozenset({"cron"})))
    assert (found.doomed, found.files, found.messages, found.bytes, found.delegates) == ((), (), 0, 0, ())
    assert len(found.left_alone) == 1


def test_pruning_can_be_given_up(world: World) -> None:
    """A person would wait for a question they no longer want."""
    with pytest.raises(Interrupted):
        plan(world, Pruned(older_than_days=0), stopped=lambda: True)


@pytest.mark.parametrize("shape", ["0.13", "0.19", "no index"])
def test_agents_that_know_less_are_pruned_too(make_home: MakeHome, shape: Any) -> None:
    """A column that is not there would be an error, or match everything."""
    world = make_home(shape)
    old(world, "old", 100, cwd="/work", source="cli", title="T")
    old(world, "new", 1, cwd="/work", source="cli")
    assert going(world, Pruned(older_than_days=90)) == {"old"}
    assert going(world, replace(Pruned(older_than_days=90), cwd="/work")) == (set() if shape == "0.13" else {"old"})
    assert going(world, Pruned(archived="only", older_than_days=0)) == set()


def test_no_sessions_at_all_is_said(hermes_home: Path) -> None:
    """It would look as if nothing matched."""
    with pytest.raises(NotFound):
        Database(hermes_home / "state.db")
