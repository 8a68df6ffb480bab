"""The gate is switched in config.yaml with every other byte kept."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.config.edit import set_gate, set_setting, undo_setting, unset_setting
from hermes_tui.config.splice import with_word
from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import resolve_home
from tests.config.files import CASES, Case


def apply(case: Case) -> None:
    """Make the change of a case."""
    if case.value is None:
        unset_setting(resolve_home(), case.key)
    else:
        set_setting(resolve_home(), case.key, case.value)


@pytest.mark.parametrize("name", CASES)
def test_only_the_one_value_changes(hermes_home: Path, name: str) -> None:
    """Comments, order or quotes of a carefully kept file would be lost."""
    case = CASES[name]
    path = hermes_home / "config.yaml"
    path.write_bytes(case.before.encode())
    path.chmod(0o640)
    if case.after is None:
        with pytest.raises(Refused):
            apply(case)
    else:
        apply(case)
    assert path.read_bytes().decode() == (case.before if case.after is None else case.after)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [child.name for child in hermes_home.iterdir() if child.is_file()] == ["config.yaml"]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.after not in (None, case.before)])
def test_a_change_is_taken_back_to_what_the_file_said(hermes_home: Path, name: str) -> None:
    """One would have to remember how it was spelled."""
    case = CASES[name]
    path = hermes_home / "config.yaml"
    path.write_bytes(case.before.encode())
    apply(case)
    undo_setting(resolve_home())
    assert path.read_bytes().decode() == case.before
    with pytest.raises(NotFound):
        undo_setting(resolve_home())


def test_the_gate_goes_off_again_and_the_other_one_is_left_alone(hermes_home: Path) -> None:
    """Switching one gate would switch the other."""
    (hermes_home / "config.yaml").write_text("skills:\n  write_approval: true\n")
    home = resolve_home()
    set_gate(home, "memory", True)
    config = set_gate(home, "memory", False)
    assert (config.write_approval, config.skills_write_approval) == (False, True)


def test_a_file_that_does_not_parse_is_never_written(hermes_home: Path) -> None:
    """The whole file would be replaced, as the agent's own command does."""
    path = hermes_home / "config.yaml"
    path.write_text("memory: [oops\n")
    with pytest.raises(Refused) as caught:
        set_gate(resolve_home(), "memory", True)
    assert caught.value.code == "config_invalid"
    assert path.read_text() == "memory: [oops\n"


def test_a_managed_setting_is_said_and_left(hermes_home: Path, isolated_machine: Path) -> None:
    """One would believe the gate is on while the administrator's file keeps it off."""
    managed = isolated_machine / "managed"
    managed.mkdir()
    (managed / "config.yaml").write_text("memory:\n  write_approval: false\n")
    with pytest.raises(Refused) as caught:
        set_gate(resolve_home(), "memory", True)
    assert caught.value.code == "managed"
    assert not (hermes_home / "config.yaml").exists()


def test_a_link_stays_a_link(hermes_home: Path, tmp_path: Path) -> None:
    """A dotfiles repository would lose its file."""
    real = tmp_path / "config.yaml"
    real.write_text("a: 1\n")
    (hermes_home / "config.yaml").symlink_to(real)
    set_gate(resolve_home(), "skills", True)
    assert (hermes_home / "config.yaml").is_symlink()
    assert "write_approval: true" in real.read_text()
    assert load_config(resolve_home()).skills_write_approval


@pytest.mark.parametrize("how", ["variable", "marker"])
def test_a_home_of_a_package_manager_is_not_written(
    hermes_home: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The package manager would write over it, or refuse to go on."""
    if how == "variable":
        monkeypatch.setenv("HERMES_MANAGED", "nixos")
    else:
        (hermes_home / ".managed").touch()
    with pytest.raises(Refused) as caught:
        set_gate(resolve_home(), "memory", True)
    assert caught.value.code == "managed"
    assert not (hermes_home / "config.yaml").exists()


def test_a_change_is_taken_back_beside_what_others_wrote_since(hermes_home: Path) -> None:
    """Taking back one setting would take back what the agent wrote elsewhere in the file."""
    path = hermes_home / "config.yaml"
    path.write_text("memory:\n  memory_char_limit: 2_200 # mine\n")
    set_setting(resolve_home(), "memory.memory_char_limit", 4000)
    path.write_text(path.read_text() + "model: x\n")
    undo_setting(resolve_home())
    assert path.read_text() == "memory:\n  memory_char_limit: 2_200 # mine\nmodel: x\n"


def test_two_of_our_programs_that_change_settings_wait_for_each_other(hermes_home: Path) -> None:
    """One of them would be told to try again, though nobody else had the file."""
    home = resolve_home()
    assert home.path == hermes_home
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda limit: set_setting(home, "memory.memory_char_limit", limit), range(1001, 1013)))
    for _ in range(12):
        undo_setting(home)
    assert not home.config_path.exists()


def test_what_somebody_else_set_since_is_not_taken_back(hermes_home: Path) -> None:
    """Their value would be gone without a word."""
    path = hermes_home / "config.yaml"
    set_setting(resolve_home(), "memory.memory_char_limit", 4000)
    path.write_text("memory:\n  memory_char_limit: 5000\n")
    with pytest.raises(Conflict):
        undo_setting(resolve_home())
    assert path.read_text() == "memory:\n  memory_char_limit: 5000\n"


def test_a_read_only_file_is_left_alone(hermes_home: Path) -> None:
    """The folder may be written, so the file's own mode would not protect it."""
    path = hermes_home / "config.yaml"
    path.write_text("a: 1\n")
    path.chmod(0o444)
    with pytest.raises(Refused) as caught:
        set_gate(resolve_home(), "memory", True)
    assert caught.value.code == "config_readonly"
    assert path.read_text() == "a: 1\n"


def test_a_file_that_was_written_in_between_is_not_written_over(
    hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the agent wrote a moment ago would be lost."""
    path = hermes_home / "config.yaml"
    path.write_text("a: 1\n")

    def with_word_slowly(text: str, keys: tuple[str, ...], word: str) -> str:
        path.write_text("a: 2\n")
        return with_word(text, keys, word)

    monkeypatch.setattr("hermes_tui.config.file_edit.with_word", with_word_slowly)
    with pytest.raises(Conflict):
        set_gate(resolve_home(), "memory", True)
    assert path.read_text() == "a: 2\n"


def test_what_somebody_else_set_while_one_decided_is_not_written_over(hermes_home: Path) -> None:
    """Their change would be gone, and nobody would know."""
    path = hermes_home / "config.yaml"
    path.write_text("memory:\n  memory_char_limit: 1800\n")
    with pytest.raises(Conflict) as caught:
        set_setting(resolve_home(), "memory.memory_char_limit", 1500, seen=2200)
    assert "it is 1800 now" in caught.value.message
    set_setting(resolve_home(), "memory.memory_char_limit", 1500, seen=1800)
    assert path.read_text() == "memory:\n  memory_char_limit: 1500\n"


REASONS = {
    "memory: &m\n  provider: x\nother: *m\n": "other.write_approval would change with it",
    "x:\n  prompt: |\n    hello": "x.prompt would change with it",
    "memory:\n  write_approval: !!str false\n": "its value has a tag",
}


@pytest.mark.parametrize("text", REASONS)
def test_a_refusal_says_why(hermes_home: Path, text: str) -> None:
    """One would have to find out oneself what is wrong with the file."""
    (hermes_home / "config.yaml").write_text(text)
    with pytest.raises(Refused) as caught:
        set_gate(resolve_home(), "memory", True)
    assert REASONS[text] in caught.value.message
