"""The gate is switched in config.yaml with every other byte kept."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.config.edit import set_gate
from hermes_tui.errors import Refused
from hermes_tui.home import resolve_home

CASES: dict[str, tuple[str, str]] = {
    "in its place, comment kept": (
        "# mine\nmemory:\n  # why\n  write_approval: no   # off for now\n  memory_char_limit: '4000'\nx: [1, 2]\n",
        "# mine\nmemory:\n  # why\n  write_approval: true   # off for now\n  memory_char_limit: '4000'\nx: [1, 2]\n",
    ),
    "the integer one becomes a real boolean": ("memory:\n  write_approval: 1\n", "memory:\n  write_approval: true\n"),
    "a key given twice, where the last one counts": (
        'memory: {}\nskills:\n- x\n"memory":\n    write_approval: "off"\n',
        'memory: {}\nskills:\n- x\n"memory":\n    write_approval: true\n',
    ),
    "on one line, which cannot be told apart safely": ("memory: {write_approval: off}\n", ""),
    "all on one line": ("{a: 1}\n", ""),
    "the section has other keys": (
        "memory:\n    # limits\n    memory_char_limit: 3000\n",
        "memory:\n    # limits\n    write_approval: true\n    memory_char_limit: 3000\n",
    ),
    "the section is empty": ("memory:   # nothing\nb: 1\n", "memory:   # nothing\n  write_approval: true\nb: 1\n"),
    "no section": ("a: 1", "a: 1\nmemory:\n  write_approval: true\n"),
    "only comments": ("# nothing here\n", "# nothing here\nmemory:\n  write_approval: true\n"),
    "empty file": ("", "memory:\n  write_approval: true\n"),
    "a null": ("memory:\n  write_approval:\n  provider: x\n", "memory:\n  write_approval: true\n  provider: x\n"),
    "Windows line ends": ("memory:\r\n  provider: x\r\n", "memory:\r\n  write_approval: true\r\n  provider: x\r\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_only_the_one_value_changes(hermes_home: Path, name: str) -> None:
    """Comments, order or quotes of a carefully kept file would be lost."""
    before, after = CASES[name]
    path = hermes_home / "config.yaml"
    path.write_bytes(before.encode())
    path.chmod(0o640)
    if not after:
        with pytest.raises(Refused):
            set_gate(resolve_home(), "memory", True)
        assert path.read_bytes() == before.encode()
        return
    assert set_gate(resolve_home(), "memory", True).write_approval
    assert path.read_bytes() == after.encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [child.name for child in hermes_home.iterdir() if child.is_file()] == ["config.yaml"]


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
