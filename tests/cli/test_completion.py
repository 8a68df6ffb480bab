"""What a shell completes: asked as a shell asks, and in every shell that is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_tui.cli.completion import SHELLS, VARIABLE
from tests.cli.conftest import Run

INSTALLED = [shell for shell in SHELLS if shutil.which(shell)]
IN_BASH = """
source "$1"
complete -p hermes-tui
COMP_WORDS=({words} "")
COMP_CWORD={place}
_hermes_tui_completion hermes-tui
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
IN_ZSH = """
autoload -U compinit && compinit -u -d "$2"
source "$1"
print -r -- $_comps[hermes-tui]
"""


def asked(line: str, shell: str = "bash") -> list[str]:
    """What is offered at the end of a line; an empty last word when it ends in a space."""
    words = line.split(" ")
    place = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    if shell == "fish":
        place["COMP_CWORD"] = words[-1]
    done = subprocess.run(
        [sys.executable, "-c", "from hermes_tui.cli.main import main; main()"],
        env={**os.environ, **place, VARIABLE: f"{shell}_complete"},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert not done.stderr
    return done.stdout.split()


def test_commands_options_themes_and_profiles_are_completed(hermes_home: Path, isolated_machine: Path) -> None:
    """Tab would offer the files of the folder one is in."""
    (hermes_home / "profiles" / "museum").mkdir(parents=True)
    themes = isolated_machine / ".config" / "hermes-tui" / "themes"
    themes.mkdir(parents=True)
    (themes / "hermes-mine.yaml").write_text("")
    assert asked("hermes-tui mem") == ["plain,memory"]
    assert {"plain,list", "plain,log"} <= set(asked("hermes-tui memory l"))
    assert "plain,--read-only" in asked("hermes-tui memory add --r")
    assert {"plain,hermes-dark", "plain,hermes-mine"} <= set(asked("hermes-tui --theme hermes-"))
    assert asked("hermes-tui --profile mu") == ["plain,museum"]
    assert asked("hermes-tui memory list --profile mu") == ["plain,museum"]
    assert asked(f"hermes-tui --home {hermes_home} memory copy --to-profile m") == ["plain,museum"]
    assert asked("hermes-tui --screen t") == ["plain,timeline"]
    assert asked("hermes-tui --home /tm") == ["dir,/tm"]
    assert asked("hermes-tui nonsense ") == asked("hermes-tui nonsense ")
    assert "memory" in asked("hermes-tui m", "fish")[0]
    assert "memory" in asked("hermes-tui mem", "zsh")


def test_a_tab_loads_nothing_that_it_does_not_need(hermes_home: Path) -> None:
    """Every tab would take a quarter of a second."""
    assert hermes_home.is_dir()
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('@', *sys.modules))\n"
        "from hermes_tui.cli.main import main; main()"
    )
    for line in ("hermes-tui mem", "hermes-tui --theme h", "hermes-tui --profile d"):
        place = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), VARIABLE: "bash_complete"}
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **place}, capture_output=True, text=True, check=True
        )
        loaded = done.stdout.rsplit("@", 1)[1].split()
        slow = ("textual", "rich", "yaml", "platformdirs", "asyncio", "hermes_tui.memory", "hermes_tui.cli.memory")
        assert not [name for name in loaded if name.startswith(slow)]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_own_lines(run: Run, shell: str) -> None:
    """The lines of one shell are an error in another."""
    shown = run("completion", shell)
    assert shown.code == 0
    assert {"bash": "complete -o nosort", "zsh": "compdef", "fish": "complete --no-files"}[shell] in shown.out
    assert VARIABLE in shown.out
    assert run("completion", "powershell").code == 2


@pytest.mark.parametrize("shell", INSTALLED)
def test_the_lines_work_in_the_shells_that_are_here(run: Run, tmp_path: Path, shell: str) -> None:
    """What the README says to put into a shell's file would be an error at every start."""
    lines = tmp_path / f"completion.{shell}"
    lines.write_text(run("completion", shell).out)
    program = tmp_path / "bin" / "hermes-tui"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m hermes_tui "$@"\n')
    program.chmod(0o755)
    scripts = {
        "bash": IN_BASH.format(words="hermes-tui sessions ex", place=2),
        "zsh": IN_ZSH,
        "fish": 'source $argv[1]; complete --do-complete "hermes-tui sessions ex"',
    }
    options = {"bash": ["--norc", "-c"], "zsh": ["-f", "-c"], "fish": ["--no-config", "-c"]}[shell]
    dashes = [] if shell == "fish" else ["shell"]
    done = subprocess.run(
        [shell, *options, scripts[shell], *dashes, str(lines), str(tmp_path / "dump")],
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr
    assert {"bash": "\nexport", "zsh": "_hermes_tui_completion", "fish": "export"}[shell] in done.stdout
