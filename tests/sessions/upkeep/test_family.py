"""Which sessions go together, also where parents and markers are not what they should be."""

from __future__ import annotations

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.upkeep.family import batches, children, compacted_together, delegates
from tests.sessions.upkeep.conftest import MakeHome
from tests.sessions.world import SHAPES, Shape, World


@pytest.fixture
def family(make_home: MakeHome) -> World:
    """A conversation with subagents of every kind, some of them odd."""
    world = make_home("0.22")
    world.session("a", "hello")
    world.session("run", parent_session_id="a", model_config='{"_delegate_from": "a"}')
    world.session("nested", parent_session_id="run", model_config='{"x": [1], "_delegate_from": "run"}')
    world.session("by marker", model_config='{"_delegate_from": "nested"}')
    world.session("orphaned", parent_session_id="a", model_config='{"_delegate_from": "__orphaned__"}')
    world.session("by parent", parent_session_id="orphaned", model_config='{"_delegate_from": "gone"}')
    world.session("plain", parent_session_id="a")
    world.session("branch", parent_session_id="a", model_config='{"_branched_from": "a"}')
    world.session("malformed", parent_session_id="a", model_config='{"_delegate_from": "a"')
    world.session("list", parent_session_id="a", model_config='["_delegate_from", "a"]')
    world.session("null", parent_session_id="a", model_config='{"_delegate_from": null}')
    world.session("deep", parent_session_id="a", model_config='{"x": {"_delegate_from": "a"}}')
    world.session("number", model_config='{"_delegate_from": 7}')
    world.session("of branch", parent_session_id="branch", model_config='{"_delegate_from": "branch"}')
    world.session("stranger", model_config='{"_delegate_from": "nobody"}')
    return world


def test_the_runs_of_subagents_are_found_by_their_mark_and_nothing_else_is(family: World) -> None:
    """A branch would be deleted with what it left, or the run of a run stay behind."""
    with Database(family.path) as base:
        assert delegates(base, ["a"]) == {
            **dict.fromkeys(("run", "nested", "by marker", "orphaned", "by parent"), "a"),
        }
        assert delegates(base, ["a", "nested", "branch"]) == {
            **dict.fromkeys(("run", "orphaned", "by parent"), "a"),
            "by marker": "nested",
            "of branch": "branch",
        }
        assert delegates(base, ["7", "nobody", "nowhere"]) == {"stranger": "nobody"}
        assert delegates(base, []) == {}


def test_marks_that_lead_in_a_circle_end(make_home: MakeHome) -> None:
    """The search would never end, or a session be taken for its own child."""
    world = make_home("0.22")
    world.session("a", model_config='{"_delegate_from": "c"}', parent_session_id="c")
    world.session("b", model_config='{"_delegate_from": "a"}', parent_session_id="a")
    world.session("c", model_config='{"_delegate_from": "b"}', parent_session_id="b")
    world.session("self", model_config='{"_delegate_from": "self"}', parent_session_id="self")
    with Database(world.path) as base:
        assert delegates(base, ["a"]) == {"b": "a", "c": "a"}
        assert delegates(base, ["a", "c"]) == {"b": "a"}
        assert delegates(base, ["self"]) == {}
        assert children(base, ["a"]) == {"b": "a"}
        assert children(base, ["self"]) == {}


def test_children_are_those_that_name_a_parent(family: World) -> None:
    """Sessions that will stand alone would not be named beforehand."""
    with Database(family.path) as base:
        found = children(base, ["a", "run", "nested", "by marker", "orphaned", "by parent"])
        assert found == dict.fromkeys(("plain", "branch", "malformed", "list", "null", "deep"), "a")


@pytest.mark.parametrize("shape", SHAPES)
def test_thousands_at_once(make_home: MakeHome, shape: Shape) -> None:
    """More than one statement takes would fail."""
    world = make_home(shape)
    world.run("BEGIN")
    for number in range(1500):
        world.session(f"s{number}", end_reason="compression", started_at=1.0, ended_at=1.0)
        world.session(f"t{number}", parent_session_id=f"s{number}", started_at=2.0)
        world.session(f"d{number}", parent_session_id=f"t{number}", model_config=f'{{"_delegate_from": "t{number}"}}')
    world.run("COMMIT")
    with Database(world.path) as base:
        tips = [f"t{number}" for number in range(1500)]
        assert compacted_together(base, tips) == {f"{kind}{n}": f"t{n}" for n in range(1500) for kind in "st"}
        assert delegates(base, tips) == {f"d{n}": f"t{n}" for n in range(1500)}
        assert len(children(base, tips)) == 1500
    assert sum(len(some) for some in batches(map(str, range(1001)))) == 1001


def test_a_table_without_parents_has_no_families(make_home: MakeHome) -> None:
    """A database of before would be an error."""
    world = make_home("no index")
    world.run("DROP INDEX idx_sessions_parent")
    world.run("CREATE TABLE plain (id TEXT PRIMARY KEY, source TEXT NOT NULL, started_at REAL NOT NULL)")
    world.run("INSERT INTO plain VALUES ('a', 'cli', 1), ('b', 'cli', 2)")
    world.run("PRAGMA foreign_keys = OFF")
    world.run("DROP TABLE sessions")
    world.run("ALTER TABLE plain RENAME TO sessions")
    with Database(world.path) as base:
        assert compacted_together(base, ["a"]) == {"a": "a"}
        assert delegates(base, ["a"]) == {}
        assert children(base, ["a"]) == {}
