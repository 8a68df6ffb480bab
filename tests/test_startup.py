"""What starting loads: counted, so that no machine is too slow or too busy for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hermes_tui.demo import build
from hermes_tui.home import HermesHome
from tests.bench.world import landmark

ROOT = Path(__file__).parents[1]
HEAVY = {
    *("asyncio", "dataclasses", "importlib.metadata", "json", "logging", "platformdirs", "rich", "ruamel", "sqlite3"),
    *("ssl", "subprocess", "tempfile", "textual", "watchfiles", "yaml"),
}
"""Packages that no command of a shell prompt needs, if click does not bring them."""
ALWAYS = {"hermes_tui", "hermes_tui.cli", "hermes_tui.cli.main", "hermes_tui.cli.context", "hermes_tui.errors"}
COUNT = {"hermes_tui.cli.count", "hermes_tui.cli.output", "hermes_tui.home", "hermes_tui.pending"}
COMMANDS = {
    "count": ALWAYS | COUNT | {"hermes_tui.pending.queue"},
    "--help": ALWAYS,
    "--version": ALWAYS,
}
"""The modules of ours that each may load."""
AFTER_THE_FIRST_FRAME = (
    *("hermes_tui.cli", "hermes_tui.clipboard", "hermes_tui.demo", "hermes_tui.external_editor", "hermes_tui.watch"),
    *("hermes_tui.ui.dialogs", "hermes_tui.ui.palette", "hermes_tui.ui.memory.edits", "hermes_tui.ui.memory.preview"),
    *("hermes_tui.memory.batch", "hermes_tui.memory.conflict", "hermes_tui.memory.editing"),
    *("hermes_tui.memory.journal", "hermes_tui.memory.prompt", "hermes_tui.memory.store", "hermes_tui.memory.tool"),
    *("hermes_tui.memory.worddiff", "hermes_tui.redaction", "hermes_tui.sessions"),
    *("hermes_tui.ui.pending.screen", "hermes_tui.ui.sessions", "hermes_tui.ui.timeline", "hermes_tui.ui.transcript"),
    "hermes_tui.history",
)
"""What only a key or a change on disk needs."""
LIBRARIES = {
    *("yaml", "_yaml", "cython_runtime"),
    *("hashlib", "_hashlib", "_blake2", "encodings", "gc", "_ctypes", "textual"),
}
"""Packages from which the first frame may need more than a plain Textual app does."""


@dataclass(frozen=True, slots=True)
class FirstFrame:
    """What a process had loaded and opened when its first cards were drawn."""

    modules: frozenset[str]
    opened: tuple[Path, ...]


def python(code: str, **environ: str) -> str:
    """What a fresh interpreter prints for `code`."""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "120", "LINES": "36", **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def modules_after(code: str, home: Path) -> set[str]:
    """The modules that are loaded when `code` ends."""
    listing = "import atexit, sys; atexit.register(lambda: print(*sys.modules))"
    return set(python(f"{listing}\n{code}", HERMES_HOME=str(home)).splitlines()[-1].split())


def first_frame(code: str, shows: str, home: Path) -> FirstFrame:
    """Run an app until it draws `shows`."""
    driver = "tests.bench.first_frame:Recorder"
    found = json.loads(python(code, HERMES_HOME=str(home), TEXTUAL_DRIVER=driver, FIRST_FRAME_SHOWS=shows))
    return FirstFrame(frozenset(found["modules"]), tuple(map(Path, found["opened"])))


@pytest.fixture
def demo_home(tmp_path: Path) -> Path:
    """The demo home, with cards of every kind and writes that wait."""
    path = tmp_path / "home"
    build(path)
    return path


@pytest.fixture
def ours(demo_home: Path) -> FirstFrame:
    """The app on the demo home."""
    code = "from hermes_tui.home import resolve_home\nfrom hermes_tui.ui.running import run\nrun(resolve_home())"
    return first_frame(code, landmark(demo_home, "MEMORY.md"), demo_home)


@pytest.mark.parametrize("word", COMMANDS)
def test_what_runs_in_a_shell_prompt_loads_only_what_it_needs(word: str, demo_home: Path) -> None:
    """Every prompt of a shell would come a quarter of a second late."""
    click = modules_after("import click", demo_home)
    code = f"import sys; sys.argv = ['hermes-tui', '{word}']\nfrom hermes_tui.cli.main import main\nmain()"
    added = modules_after(code, demo_home) - click
    assert {module for module in added if module.startswith("hermes_tui")} <= COMMANDS[word]
    assert not added & HEAVY


def test_the_first_frame_waits_for_nothing_that_only_a_key_needs(ours: FirstFrame) -> None:
    """The screen would stay black longer, for dialogs that nobody has opened."""
    early = {
        module
        for module in ours.modules
        if f"{module}.".startswith(tuple(f"{name}." for name in AFTER_THE_FIRST_FRAME))
    }
    assert not early


def test_the_first_frame_loads_little_that_a_plain_textual_app_does_not(ours: FirstFrame, demo_home: Path) -> None:
    """A library of 80 ms would slip into the start of the app."""
    floor = first_frame("from tests.bench.floor import Floor\nFloor().run()", "memory item 0", demo_home)
    added = {module.split(".")[0] for module in ours.modules - floor.modules}
    assert {name for name in added if not name.startswith(("_cython", "hermes_tui"))} <= LIBRARIES
    assert "watchfiles" not in ours.modules


def test_the_first_frame_reads_one_theme_one_stylesheet_and_both_stores_once(ours: FirstFrame, demo_home: Path) -> None:
    """Themes that nobody has chosen would be parsed at every start, 4 ms each."""
    names = [path.name for path in ours.opened]
    themes = [path.name for path in ours.opened if path.suffix == ".yaml" and demo_home not in path.parents]
    assert len(themes) == 1
    assert sum(name.endswith(".tcss") for name in names) == 1
    assert [names.count(name) for name in ("config.yaml", "MEMORY.md", "USER.md")] == [1, 1, 1]


def test_looking_opens_nothing_of_the_home_but_what_is_shown(ours: FirstFrame, demo_home: Path) -> None:
    """The first frame would wait for files that are not on it, such as a large state.db."""
    inside = {path.relative_to(demo_home) for path in ours.opened if demo_home in path.parents}
    assert {path.parts[0] for path in inside} <= {".env", "config.yaml", "memories", "pending"}
    assert HermesHome(demo_home, "default", "--home").state_db not in ours.opened


def test_a_screen_that_is_drawn_elsewhere_needs_no_terminal(demo_home: Path) -> None:
    """In a browser there would be nothing but a word about terminals."""
    code = "import sys; sys.argv = ['hermes-tui']\nfrom hermes_tui.cli.main import main\nmain()"
    assert first_frame(code, landmark(demo_home, "MEMORY.md"), demo_home).modules
