"""`hermes-tui demo` and `--demo`: something to look at, without touching anything of the person's."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.conftest import Run, tree


def test_demo_makes_a_home_and_says_how_to_open_it(run: Run, tmp_path: Path) -> None:
    """The directory is on stdout for scripts, the advice on stderr for people."""
    shown = run("demo", tmp_path / "new")
    assert (shown.code, shown.out) == (0, f"{tmp_path / 'new'}\n")
    assert f"hermes-tui --home {tmp_path / 'new'}" in shown.err
    assert run("memory", "list", "--home", tmp_path / "new", "--json").code == 0
    (tmp_path / "empty").mkdir()
    assert run("demo", tmp_path / "empty", "--json").json == {"ok": True, "home": str(tmp_path / "empty")}


def test_demo_refuses_a_directory_that_holds_something(run: Run, tmp_path: Path, hermes_home: Path) -> None:
    """A real home is never built over."""
    before = tree(hermes_home)
    shown = run("demo", hermes_home, "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "not_empty")
    assert tree(hermes_home) == before
    (tmp_path / "file").write_text("x")
    assert run("demo", tmp_path / "file").code == 1
    assert (tmp_path / "file").read_text() == "x"


def test_demo_option_works_in_a_home_of_its_own_that_goes_away(run: Run, isolated_machine: Path) -> None:
    """--demo with a command changes the demo home only, journal included, and cleans up."""
    shown = run("--demo", "memory", "add", "one more", "--store", "user", "--json")
    assert shown.code == 0
    assert shown.json["stores"][0]["entries"][-1]["text"] == "one more"
    home = Path(run("--demo", "memory", "list", "--json").json["home"])
    assert not home.exists()
    assert not home.parent.exists()
    assert tree(isolated_machine) == {}
    assert "HERMES_TUI_STATE_DIR" not in os.environ
