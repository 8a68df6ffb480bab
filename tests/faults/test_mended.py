"""What a failing disk once did wrong, each without the shim."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.config.edit import set_setting, undo_setting
from hermes_tui.config.undo import ConfigUndo
from hermes_tui.disk import clear_temps, replace_file
from hermes_tui.errors import Conflict, HermesTuiError, NotFound, Unreadable
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.entries import join
from hermes_tui.memory.journal import Journal
from hermes_tui.pending.review import Review
from hermes_tui.providers.setup import apply_plan, plan_setup, undo_setup
from hermes_tui.sessions.upkeep import session_files
from hermes_tui.sessions.upkeep.keeper import Keeper
from tests.sessions.world import World


@pytest.fixture
def home(hermes_home: Path) -> HermesHome:
    """A home with two entries and a setting."""
    (hermes_home / "config.yaml").write_text("memory:\n  memory_char_limit: 500\n")
    (hermes_home / "memories" / "MEMORY.md").write_text(join(["one", "two"]))
    return HermesHome(hermes_home, "default", "default")


def refused(*_: object, **_more: object) -> None:
    """The disk."""
    raise Unreadable("The disk is full.", code="disk_full", hint="Nothing was changed.")


def test_a_temp_file_that_a_kill_has_left_blocks_no_write_and_is_cleared(tmp_path: Path) -> None:
    """No setting could be changed, or taken back, ever again."""
    path = tmp_path / "x.json"
    (tmp_path / ".x.json.tmp").write_text("half")
    replace_file(path, b"whole", temp_name=".x.json.tmp")
    (tmp_path / ".x.json.0123abcd.tui.tmp").write_text("half")
    (tmp_path / ".x.json.tui.tmp.mine").write_text("mine")
    clear_temps(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [".x.json.tui.tmp.mine", "x.json"]  # noqa: PTH208


def test_a_setting_that_cannot_be_taken_back_is_not_written(home: HermesHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """It said that nothing was changed, and had changed it."""
    before = home.config_path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("hermes_tui.config.undo.replace_file", refused)
        with pytest.raises(Unreadable):
            set_setting(home, "memory.memory_char_limit", 900)
    assert home.config_path.read_bytes() == before


def test_undo_of_settings_passes_over_what_was_never_written(home: HermesHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """It said that somebody else had changed the setting, for ever."""
    before = home.config_path.read_bytes()
    set_setting(home, "memory.memory_char_limit", 900)
    with monkeypatch.context() as patch:
        patch.setattr("hermes_tui.config.file_edit.replace_file", refused)
        patch.setattr(ConfigUndo, "forget", lambda _self, step: step)
        with pytest.raises(Unreadable):
            set_setting(home, "memory.user_char_limit", 700)
    assert undo_setting(home).key == "memory.memory_char_limit"
    assert home.config_path.read_bytes() == before
    with pytest.raises(NotFound):
        undo_setting(home)


def test_a_provider_that_was_set_up_halfway_is_taken_back_whole_also_after_another_try(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old key would be lost, or undo blame somebody else."""
    env = home.path / ".env"
    env.write_text("MEM0_API_KEY=old\n")
    plan = plan_setup(home, "mem0", {"api_key": "key-1234567890abcdef"})
    with monkeypatch.context() as patch:
        patch.setattr("hermes_tui.providers.setup._set", refused)
        patch.setattr("hermes_tui.providers.setup._put_back", refused)
        with pytest.raises(Unreadable, match="could not be taken back"):
            apply_plan(plan)
    assert "old" not in env.read_text()
    apply_plan(plan_setup(home, "mem0", {"api_key": "key-1234567890abcdef"}))
    undo_setup(home)
    assert env.read_text() == "MEM0_API_KEY=old\n"
    assert home.config_path.read_text() == "memory:\n  memory_char_limit: 500\n"


def test_a_change_whose_end_could_not_be_written_down_is_settled_before_the_next_one(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undo would take back the change before it."""
    store = MemoryStore(home, load_config(home))
    store.add("memory", "three")
    with monkeypatch.context() as patch:
        patch.setattr("hermes_tui.memory.journal.append_line", _only_durable)
        store.add("memory", "four")
    with pytest.raises(Conflict, match="finished now"):
        store.undo()
    store.undo()
    assert store.view("memory").texts == ["one", "two", "three"]


def _only_durable(path: Path, line: bytes, *, durable: bool) -> None:
    if not durable:
        refused()
    with path.open("ab") as file:
        file.write(line + b"\n")


def test_a_move_that_can_neither_end_nor_be_put_back_says_so_and_is_finished(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said that nothing was changed, with the entry in both stores."""
    store = Review(home, load_config(home))
    real, calls = replace_file, 0

    def once(path: Path, data: bytes, *, temp_name: str = "", mode: int = 0o600) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            refused()
        real(path, data, temp_name=temp_name, mode=mode)

    with monkeypatch.context() as patch:
        patch.setattr("hermes_tui.memory.store.replace_file", once)
        with pytest.raises(HermesTuiError, match="could not be taken back") as told:
            store.move([EntryRef("memory", 1, "one")], "user")
    assert "Nothing was changed" not in str(told.value)
    assert Journal(data_dir(home.path)).doubtful
    store.recover()
    assert (store.view("memory").texts, store.view("user").texts) == (["two"], ["one"])


def test_a_file_beside_a_session_that_could_not_be_seen_stays(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It went with the session, and no copy of it was kept."""
    world = World(home.state_db, age="new")
    world.session("s", "an otter", ended_at=1.0)
    world.close()
    (home.path / "sessions").mkdir()
    file = home.path / "sessions" / "s.json"
    file.write_text("dump")
    keeper = Keeper(home)
    plan = keeper.plan(["s"])
    answers = iter([False])
    real = session_files._is_plain
    monkeypatch.setattr(session_files, "_is_plain", lambda path: next(answers, True) and real(path))
    assert keeper.delete(plan).done == ("s",)
    assert file.read_text() == "dump"
