"""Archive and pins: whole conversations, and back."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_tui.errors import NotFound, Refused
from hermes_tui.sessions.upkeep import keeper as keeping
from hermes_tui.sessions.upkeep import undoing
from hermes_tui.sessions.upkeep.keeper import Keeper
from tests.sessions.upkeep.conftest import MakeHome, check, dump
from tests.sessions.world import Shape, World


def values(world: World, column: str) -> dict[str, Any]:
    """A column of all sessions."""
    return dict(world.rows(f"SELECT id, {column} FROM sessions ORDER BY id"))


def conversation(world: World) -> None:
    """Three parts, one part that nobody went on with, a branch, a subagent's run; and somebody else."""
    over = {"end_reason": "compression", "ended_at": 2000.0}
    world.session("a1", "hello", started_at=1000.0, **over)
    world.session("a2", "more", started_at=2000.0, parent_session_id="a1", **over)
    world.session("a3", "most", started_at=3000.0, parent_session_id="a2")
    world.session("a2b", "left", started_at=2001.0, parent_session_id="a1", end_reason="ws_orphan_reap")
    world.session("branch", "off", parent_session_id="a1", model_config='{"_branched_from": "a1"}')
    world.session("run", "task", parent_session_id="a3", source="subagent", model_config='{"_delegate_from": "a3"}')
    world.session("other", "hi")


@pytest.mark.parametrize("shape", ["0.19", "0.22", "no index"])
@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize(
    ("asked", "together"),
    [("a1", {"a1", "a2", "a3", "a2b"}), ("a3", {"a1", "a2", "a3"}), ("a2b", {"a1", "a2b"}), ("branch", {"branch"})],
)
def test_a_whole_conversation_is_archived_and_comes_back(
    make_home: MakeHome, keeper: Keeper, shape: Shape, wal: bool, asked: str, together: set[str]
) -> None:
    """An older part would stand up in the list in the place of the one that was put away; or a branch go with it."""
    world = make_home(shape, wal=wal)
    conversation(world)
    before = dump(world.path)
    change = keeper.archive([asked], True)
    assert (change.done, change.failed, change.message) == ((asked,), (), "Archived 1 conversation.")
    assert {id for id, archived in values(world, "archived").items() if archived} == together
    back = keeper.archive([asked], False)
    assert back.message == "Taken out of the archive: 1 conversation."
    assert not any(values(world, "archived").values())
    keeper.undo()
    assert sum(values(world, "archived").values()) == len(together)
    keeper.undo()
    assert dump(world.path) == before
    check(world.path)


@pytest.mark.parametrize("verb", ["archive", "pin"])
def test_many_at_once_say_how_far_they_are_stop_between_two_batches_and_come_back(
    make_home: MakeHome, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """Half a minute for a hundred thousand: nobody would know whether anything happens, or could stop it."""
    world = make_home("0.22")
    names = [f"s{number:02}" for number in range(12)]
    for name in names:
        world.session(name, "hi")
    before = dump(world.path)
    for module in (keeping, undoing):
        monkeypatch.setattr(module, "CHUNK", 3)
    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))

    change = getattr(keeper, verb)(names, True, progress=note, stopped=lambda: len(seen) >= 2)
    assert (change.stopped, change.done, seen) == (True, tuple(names[:6]), [(3, 12), (6, 12)])
    assert change.message.endswith("6 conversations. Stopped.")
    assert keeper.undoable()[-1].label == f"{verb} of 6 conversations"

    del seen[:]
    half = keeper.undo(progress=note, stopped=lambda: len(seen) >= 1)
    assert (half.stopped, seen) == (True, [(3, 6)])
    assert half.message == "3 conversations put back. Stopped; undo goes on with it."
    keeper.undo()
    assert dump(world.path) == before
    assert not keeper.undoable()


def test_what_a_person_archives_is_not_brought_back_by_the_agents_sweep(make_home: MakeHome, keeper: Keeper) -> None:
    """The agent brings back what its own sweep put away."""
    world = make_home("0.22")
    world.session("s", "hello", archived=1, auto_archived=1)
    keeper.archive(["s"], True)
    assert values(world, "auto_archived") == {"s": 0}
    keeper.undo()
    assert values(world, "auto_archived") == {"s": 1}


@pytest.mark.parametrize("shape", ["0.13", "0.19", "no index"])
def test_an_agent_without_pins_says_so(make_home: MakeHome, keeper: Keeper, shape: Shape) -> None:
    """A column would be added to the agent's table, or nothing would happen without a word."""
    world = make_home(shape)
    world.session("s", "hello")
    with pytest.raises(Refused) as refused:
        keeper.pin(["s"], True)
    assert refused.value.code == "not_supported"
    assert keeper.undoable() == ()


def test_an_agent_without_an_archive_says_so(make_home: MakeHome, keeper: Keeper) -> None:
    """The same for the oldest."""
    make_home("0.13").session("s", "hello")
    with pytest.raises(Refused) as refused:
        keeper.archive(["s"], True)
    assert refused.value.code == "not_supported"


def test_pinning_shows_what_was_hidden_but_for_the_chat_of_a_bot(make_home: MakeHome, keeper: Keeper) -> None:
    """A pinned conversation would be in no list; a bot would lose its chat."""
    world = make_home("0.22")
    conversation(world)
    world.run("UPDATE sessions SET hidden = 1 WHERE id LIKE 'a%'")
    world.session("bot", "hello", title="Bot Chat", hidden=1)
    before = dump(world.path)
    change = keeper.pin(["a3", "bot"], True)
    assert change.done == ("a3", "bot")
    assert {id for id, pinned in values(world, "pinned").items() if pinned} == {"a1", "a2", "a3", "bot"}
    assert {id for id, hidden in values(world, "hidden").items() if hidden} == {"a2b", "bot"}
    keeper.pin(["a3"], False)
    assert {id for id, pinned in values(world, "pinned").items() if pinned} == {"bot"}
    keeper.undo()
    keeper.undo()
    assert dump(world.path) == before


def test_of_many_those_that_cannot_be_are_listed_and_the_others_done(make_home: MakeHome, keeper: Keeper) -> None:
    """One that is gone would keep all others from being archived."""
    world = make_home()
    for number in range(120):
        world.session(f"s{number:03}", "hello")
    asked = [f"s{number:03}" for number in range(0, 120, 2)]
    change = keeper.archive([*asked[:30], "gone", *asked[30:], "gone too"], True)
    assert change.done == tuple(asked)
    assert [failure.id for failure in change.failed] == ["gone", "gone too"]
    assert change.message == "Archived 60 conversations. 2 conversations not."
    assert sum(values(world, "archived").values()) == 60
    assert len(keeper.undo().done) == 60
    assert not any(values(world, "archived").values())


def test_one_that_is_gone_is_an_error(make_home: MakeHome, keeper: Keeper) -> None:
    """Nothing would have happened, and nothing said."""
    make_home().session("s", "hello")
    with pytest.raises(NotFound):
        keeper.archive(["gone"], True)


def test_a_ring_of_sessions_is_archived_as_one(make_home: MakeHome, keeper: Keeper) -> None:
    """Parents that lead in a circle would never end."""
    world = make_home("0.22")
    over = {"end_reason": "compression", "ended_at": 1.0, "started_at": 5.0}
    world.session("a", "hello", parent_session_id="c", **over)
    world.session("b", "hello", parent_session_id="a", **over)
    world.session("c", "hello", parent_session_id="b", **over)
    world.session("self", "hello", parent_session_id="self", **over)
    keeper.archive(["b"], True)
    assert values(world, "archived") == {"a": 1, "b": 1, "c": 1, "self": 0}
    keeper.pin(["self"], True)
    assert values(world, "pinned") == {"a": 0, "b": 0, "c": 0, "self": 1}
    keeper.rename("c", "Ring")
    assert values(world, "title")["c"] == "Ring"


def test_undo_leaves_alone_what_somebody_changed_since(make_home: MakeHome, keeper: Keeper) -> None:
    """What the agent, or the person in another window, decided later would be lost."""
    world = make_home("0.22")
    for id in ("a", "b", "c", "d"):
        world.session(id, "hello", title=f"Title {id}")
    keeper.archive(["a", "b", "c", "d"], True)
    world.run("UPDATE sessions SET archived = 0 WHERE id = 'b'")
    world.run("UPDATE sessions SET archived = 7 WHERE id = 'c'")
    world.run("DELETE FROM messages WHERE session_id = 'd'")
    world.run("DELETE FROM sessions WHERE id = 'd'")
    change = keeper.undo()
    assert set(change.done) == {"a", "b"}
    assert {failure.id: failure.reason for failure in change.failed} == {
        "c": "It was changed since, and is left as it is.",
        "d": "It is not there any more.",
    }
    assert values(world, "archived") == {"a": 0, "b": 0, "c": 7}


def test_a_title_and_where_it_came_from_are_put_back_together(make_home: MakeHome, keeper: Keeper) -> None:
    """The agent would write over a name of the person's that it takes for one of its own."""
    world = make_home("0.22")
    world.session("a", "hello", title="Made up", title_source="derived")
    keeper.rename("a", "New")
    world.run("UPDATE sessions SET title = 'Newer' WHERE id = 'a'")
    assert [failure.id for failure in keeper.undo().failed] == ["a"]
    assert (values(world, "title"), values(world, "title_source")) == ({"a": "Newer"}, {"a": "user"})


def test_undo_of_a_title_that_is_taken_meanwhile_says_whose_it_is_now(make_home: MakeHome, keeper: Keeper) -> None:
    """Taking a rename back would end in an error of the database, again and again."""
    world = make_home("0.22")
    world.session("a", "hello", title="Trip")
    world.session("b", "hello")
    keeper.rename("a", "Journey")
    world.run("UPDATE sessions SET title = 'Trip' WHERE id = 'b'")
    change = keeper.undo()
    assert [failure.id for failure in change.failed] == ["a"]
    assert values(world, "title") == {"a": "Journey", "b": "Trip"}
    assert keeper.undoable() == ()


def test_a_read_only_keeper_changes_nothing(make_home: MakeHome, keeper: Keeper) -> None:
    """--read-only would be a word."""
    world = make_home()
    world.session("s", "hello", title="Old")
    keeper.archive(["s"], True)
    before = dump(world.path)
    still = Keeper(keeper.home, read_only=True)
    for change in (
        lambda: still.rename("s", "New"),
        lambda: still.entitle({"s": "New"}),
        lambda: still.archive(["s"], False),
        lambda: still.pin(["s"], True),
        lambda: still.delete(still.plan(["s"])),
        lambda: still.undo(),
        lambda: still.forget([still.undoable()[-1].id]),
        lambda: still.vacuum(),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert refused.value.code == "read_only"
    assert dump(world.path) == before
    assert len(still.undoable()) == 1
