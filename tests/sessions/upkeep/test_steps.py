"""The list of what was done: what it says after a restart, a crash, and damage."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.errors import Refused, Unreadable
from hermes_tui.home import data_dir
from hermes_tui.sessions.upkeep import steps as steps_module
from hermes_tui.sessions.upkeep.copies import FILE
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.steps import Cell, Steps
from tests.sessions.upkeep.conftest import MakeHome, home_of


def test_a_step_is_there_after_a_restart(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """What was done yesterday could not be taken back today."""
    world = make_home()
    world.session("s", "hello")
    keeper.rename("s", "One")
    keeper.rename("s", "Two")
    fresh = Keeper(home_of(hermes_home))
    assert [(step.kind, step.label, step.size) for step in fresh.undoable()] == [
        ("rename", "renaming to “One”", 0),
        ("rename", "renaming to “Two”", 0),
    ]
    assert fresh.undo().message == "Undone: renaming to “Two”."
    assert Keeper(home_of(hermes_home)).undo().message == "Undone: renaming to “One”."
    with pytest.raises(Refused) as refused:
        fresh.undo()
    assert (refused.value.code, refused.value.title) == ("nothing_to_undo", "Nothing to undo")


def test_a_torn_line_costs_itself_only(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """A crash in the midst of writing would take the whole list with it."""
    world = make_home()
    world.session("s", "hello")
    keeper.rename("s", "One")
    path = Steps(data_dir(hermes_home)).path
    with path.open("ab") as file:
        file.write(b'{"id": "torn", "at": 1, "ki')
    keeper.rename("s", "Two")
    with path.open("ab") as file:
        file.write(b'\xff\xfe\nnull\n[]\n{"id": "nobody", "state": "done"}\n{"id": 7}\n{"state": "undone"}\n"x"\n')
    assert [step.label for step in keeper.undoable()] == ["renaming to “One”", "renaming to “Two”"]
    keeper.undo()
    keeper.undo()
    assert world.rows("SELECT title FROM sessions") == [(None,)]


def test_a_step_that_a_crash_ended_is_taken_back_as_far_as_it_went(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """What was written down but never done would be reported as changed by somebody."""
    world = make_home()
    world.session("a", "hello", title="New")
    world.session("b", "hello")
    steps = Steps(data_dir(hermes_home))
    step = steps.begin("title", "titles of 2 conversations")
    steps.note(step, cells=[Cell("a", "title", None, "New")])
    steps.note(step, cells=[Cell("b", "title", None, "Never written")])
    change = keeper.undo()
    assert (set(change.done), change.failed) == ({"a", "b"}, ())
    assert world.rows("SELECT title FROM sessions") == [(None,), (None,)]
    assert keeper.undoable() == ()


def test_a_list_that_cannot_be_read_stops_every_change(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """A change would be made that cannot be taken back."""
    world = make_home()
    world.session("s", "hello", title="Old")
    path = Steps(data_dir(hermes_home)).path
    path.mkdir(parents=True)
    with pytest.raises(Unreadable) as failed:
        keeper.undoable()
    assert failed.value.code == "steps_unreadable"
    changes: tuple[Callable[[], object], ...] = (
        lambda: keeper.rename("s", "New"),
        lambda: keeper.archive(["s"], True),
        lambda: keeper.delete(keeper.plan(["s"])),
        lambda: keeper.undo(),
    )
    for change in changes:
        with pytest.raises(Unreadable):
            change()
    assert world.rows("SELECT title, archived FROM sessions") == [("Old", 0)]


def test_only_the_owner_reads_the_list(make_home: MakeHome, keeper: Keeper, hermes_home: Path) -> None:
    """Titles and deleted conversations would lie open to others."""
    make_home().session("s", "hello")
    keeper.rename("s", "Secret")
    steps = Steps(data_dir(hermes_home))
    assert stat.S_IMODE(steps.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(steps.folder.stat().st_mode) == 0o700
    assert not steps.path.is_relative_to(hermes_home)


def test_steps_of_two_homes_do_not_mix(make_home: MakeHome, keeper: Keeper, tmp_path: Path) -> None:
    """Undo in one profile would change another."""
    make_home().session("s", "hello")
    keeper.rename("s", "One")
    (tmp_path / "other").mkdir()
    assert Keeper(home_of(tmp_path / "other")).undoable() == ()


def test_a_step_may_be_forgotten(make_home: MakeHome, keeper: Keeper) -> None:
    """What is kept would grow for ever."""
    world = make_home()
    world.session("s", "hello")
    first = keeper.rename("s", "One").step
    second = keeper.rename("s", "Two").step
    keeper.forget([second, "nowhere"])
    assert [step.id for step in keeper.undoable()] == [first]
    assert keeper.undo().failed[0].id == "s"


def test_a_deletion_that_a_crash_ended_before_its_copy_is_no_step(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """Undo would complain about a copy that was never made, and stand in the way of the step before."""
    world = make_home()
    world.session("s", "hello")
    keeper.rename("s", "One")
    steps = Steps(data_dir(hermes_home))
    step = steps.begin("delete", "delete of 3 conversations")
    folder = steps.copy_folder(step)
    stages: tuple[Callable[[], object], ...] = (folder.parent.mkdir, folder.mkdir, (folder / FILE).touch)
    for stage in stages:
        stage()
        assert [step.kind for step in keeper.undoable()] == ["rename"]
    assert keeper.undo().message == "Undone: renaming to “One”."
    assert keeper.undoable() == ()
    assert world.rows("SELECT title FROM sessions") == [(None,)]


def test_what_a_crash_left_of_a_step_that_is_over_is_cleared(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path
) -> None:
    """Copies of what was deleted would lie about that nobody knows of."""
    world = make_home()
    for id in ("a", "b", "c"):
        world.session(id, "hello")
    steps = Steps(data_dir(hermes_home))
    kept = keeper.delete(keeper.plan(["a"])).step
    over = keeper.delete(keeper.plan(["b"])).step
    steps.end(over, "undone")
    (steps.folder / "copies" / "never begun").mkdir()
    keeper.delete(keeper.plan(["c"]))
    assert {path.name for path in (steps.folder / "copies").iterdir()} == {step.id for step in keeper.undoable()}
    assert kept in {step.id for step in keeper.undoable()}


def test_what_is_being_deleted_is_not_brought_back_meanwhile(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy would be taken away from under a deletion in another window."""
    make_home().session("a", "hello")
    keeper.rename("a", "One")
    monkeypatch.setattr(steps_module, "PATIENCE_SECONDS", 0.1)
    changes: tuple[Callable[[], object], ...] = (keeper.undo, lambda: keeper.delete(keeper.plan(["a"])))
    with Steps(data_dir(hermes_home)).alone():
        for change in changes:
            with pytest.raises(Refused) as refused:
                change()
            assert refused.value.code == "locked"
    keeper.undo()


def test_values_of_any_kind_are_put_back_as_they_were(make_home: MakeHome, keeper: Keeper) -> None:
    """A number would come back as a text, or a half character stop the list."""
    world = make_home("0.22")
    world.session("a", "hello", title='"quoted"\n\U0001f9d1 \ud7ff')
    world.session("b", "hello")
    world.run("UPDATE sessions SET archived = 1.5 WHERE id = 'b'")
    keeper.rename("a", "New")
    keeper.archive(["b"], True)
    keeper.undo()
    keeper.undo()
    assert world.rows("SELECT title, archived, typeof(archived) FROM sessions ORDER BY id") == [
        ('"quoted"\n\U0001f9d1 \ud7ff', 0, "integer"),
        (None, 1.5, "real"),
    ]
