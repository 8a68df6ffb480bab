"""The command itself: help at once, one line without a home, options on either side, exit codes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_tui import __version__
from tests.cli.conftest import Run, tree
from tests.sessions.world import World

SLOW_MODULES = (
    "yaml",
    "textual",
    "rich",
    "platformdirs",
    "watchfiles",
    "hermes_tui.memory",
    "hermes_tui.ui",
    "importlib.metadata",
    "asyncio",
    "sqlite3",
)
PYTHON = [sys.executable, "-m", "hermes_tui"]


def modules_loaded_by(*words: str) -> set[str]:
    code = (
        "import sys, hermes_tui.cli.main as main\n"
        f"try: main.cli.main({list(words)!r})\n"
        "except SystemExit as leaving: assert not leaving.code, leaving.code\n"
        "print('\\n@' + ' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rsplit("@", 1)[1].split())


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["count"], ["count", "--json"]])
def test_quick_commands_load_nothing_slow(hermes_home: Path, words: list[str]) -> None:
    """--help, --version and count answer before a person notices; a shell prompt may call count."""
    assert hermes_home.is_dir()
    loaded = modules_loaded_by(*words)
    assert not {name for name in loaded if name.startswith(SLOW_MODULES)}
    if "--json" not in words:
        assert "json" not in loaded
    assert "dataclasses" not in loaded


def test_version_is_printed(run: Run) -> None:
    """--version names the program and its version."""
    assert run("--version").out == f"hermes-tui, version {__version__}\n"


def test_help_lists_every_command_and_each_has_its_own(run: Run) -> None:
    """--help is complete, and what it lists exists."""
    shown = run("--help")
    assert shown.code == 0
    for name in ("memory", "pending", "tool", "count", "profiles", "info", "doctor", "demo"):
        assert f"\n  {name} " in shown.out
        assert run(name, "--help").code == 0


def test_without_a_home_one_line_says_so_and_nothing_is_created(run: Run, isolated_machine: Path) -> None:
    """A first start on a machine without Hermes explains itself and leaves no trace."""
    shown = run()
    assert (shown.code, shown.out) == (1, "")
    assert shown.err.count("\n") == 1
    assert str(isolated_machine / ".hermes") in shown.err
    assert "the default" in shown.err
    assert "--demo" in shown.err
    assert tree(isolated_machine) == {}


@pytest.mark.parametrize("words", [["memory", "list"], ["count"], ["tool", "memory", "{}"], ["memory", "add", "x"]])
def test_commands_without_a_home_name_the_rule_that_chose_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Whoever set HERMES_HOME wrongly sees that it was HERMES_HOME."""
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "nowhere"))
    shown = run(*words, "--json")
    assert shown.code == 1
    assert shown.json["ok"] is False
    assert shown.json["error"]["code"] == "no_home"
    assert "HERMES_HOME" in shown.json["error"]["message"]
    assert str(tmp_path / "nowhere") in shown.err
    assert not (tmp_path / "nowhere").exists()


def test_home_that_is_a_file_cannot_be_read(run: Run, tmp_path: Path) -> None:
    """A file where the home should be is told apart from no home."""
    (tmp_path / "file").write_text("")
    shown = run("count", "--home", tmp_path / "file", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (3, "not_a_directory")


def test_screen_needs_a_terminal(run: Run, hermes_home: Path) -> None:
    """Started from a script, the screen says what to use instead of drawing into a pipe."""
    shown = run("--home", hermes_home)
    assert (shown.code, shown.out) == (2, "")
    assert "terminal" in shown.err
    assert "memory list" in shown.err


@pytest.mark.parametrize(
    ("term", "elsewhere"), [("dumb", ""), ("xterm", "stderr"), ("xterm", "stdin"), ("xterm", "stdout")]
)
def test_a_terminal_that_cannot_draw_is_a_sentence(hermes_home: Path, term: str, elsewhere: str) -> None:
    """TERM=dumb, as in an editor's shell, is not sent escape sequences, and a screen nobody sees is not opened."""
    leader, follower = pty.openpty()
    streams = {name: subprocess.PIPE if name == elsewhere else follower for name in ("stdin", "stdout", "stderr")}
    try:
        done = subprocess.run(
            [*PYTHON, "--home", str(hermes_home)],
            **streams,  # type: ignore[call-overload]
            env={**os.environ, "TERM": term},
            check=False,
            timeout=20,
        )
        said = done.stderr if elsewhere == "stderr" else os.read(leader, 65536)
    finally:
        os.close(follower)
        os.close(leader)
    assert done.returncode == 2
    assert b"TERM=dumb" in said
    assert b"\x1b" not in said
    assert said.count(b"\n") == 1


def test_options_may_stand_before_or_after_the_command(run: Run, hermes_home: Path, tmp_path: Path) -> None:
    """--home and --json work on either side; the later one wins."""
    (hermes_home / "pending" / "memory").mkdir(parents=True)
    (hermes_home / "pending" / "memory" / "a1b2c3d4.json").write_text("{}")
    assert run("--home", hermes_home, "count").out == "1\n"
    assert run("count", "--home", hermes_home).out == "1\n"
    assert run("--home", tmp_path / "x", "count", "--home", hermes_home).out == "1\n"


def test_home_profile_and_demo_exclude_each_other(run: Run, hermes_home: Path) -> None:
    """Two answers to one question are refused instead of guessed."""
    shown = run("--home", hermes_home, "count", "--profile", "work", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (2, "usage")
    assert "--home and --profile" in shown.err


@pytest.mark.parametrize(
    "words", [["nope"], ["count", "--nope"], ["memory", "list", "--store", "x"], ["memory", "add"]]
)
def test_wrong_usage_exits_with_2_in_both_forms(run: Run, words: list[str]) -> None:
    """A typo is told apart from a refusal, and is JSON when JSON was asked for."""
    plain = run(*words)
    assert (plain.code, plain.out) == (2, "")
    assert "--help" in plain.err
    asked = run(*words, "--json")
    assert asked.code == 2
    assert asked.json["error"]["code"] == "usage"


def test_marker_that_names_no_profile_is_an_error_with_a_hint(run: Run, hermes_home: Path) -> None:
    """A profile that is gone is named, in words and in JSON."""
    (hermes_home / "active_profile").write_text("gone\n")
    shown = run("memory", "list", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "no_profile")
    assert "hermes profile use default" in shown.json["error"]["hint"]


def test_reader_that_goes_away_ends_the_command_quietly(memory_file: Path) -> None:
    """`hermes-tui memory list | head -1` prints one line and no traceback."""
    memory_file.write_text("\n§\n".join(f"entry {number} {'x' * 500}" for number in range(2000)))
    done = subprocess.run(
        f"{' '.join(PYTHON)} memory list | head -1; {' '.join(PYTHON)} memory list --json | head -c 10",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("MEMORY.md")
    assert done.stdout.endswith('{"ok": tru')


def test_json_is_utf8_whatever_the_locale(memory_file: Path) -> None:
    """A script reads the same bytes under LC_ALL=C and in a Latin-1 terminal."""
    memory_file.write_text("naïve 日本")
    done = subprocess.run(
        [*PYTHON, "memory", "list", "--store", "memory", "--json"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        check=True,
    )
    assert json.loads(done.stdout.decode("utf-8"))["stores"][0]["entries"][0]["text"] == "naïve 日本"
    plain = subprocess.run(
        [*PYTHON, "memory", "list", "--store", "memory"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        check=True,
    )
    assert "naïve \\u65e5".encode("latin-1") in plain.stdout


def test_titles_and_names_of_files_survive_a_locale_that_is_not_utf8(hermes_home: Path, tmp_path: Path) -> None:
    """A title would be stored in pieces, and a conversation with an emoji in its title could not be exported."""
    world = World(hermes_home / "state.db", "0.22")
    world.session("e1", "hello", title="Trip 🚀 Ü")
    env = {**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    def run(*words: str) -> subprocess.CompletedProcess[bytes]:
        command = [*PYTHON, "sessions", *words, "--json"]
        return subprocess.run(command, capture_output=True, env=env, cwd=tmp_path, check=False)

    exported = json.loads(run("export", "e1", "--format", "html").stdout)
    assert [Path(path).name for path in exported["files"]] == ["Trip-2026-09-10-e1.html"]
    assert json.loads(run("rename", "e1", "Ünï 🚀").stdout)["title"] == "Ünï 🚀"
    assert world.rows("SELECT title FROM sessions") == [("Ünï 🚀",)]
    assert run("rename", "e1", os.fsdecode(b"\xff\xfe")).returncode == 2
    world.close()
