"""The timeline of fifty thousand sessions: how soon it is there, the first time and the next, and whether keys wait."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from hermes_tui.home import data_dir
from hermes_tui.memory.entries import FILE_NAMES, STORES
from tests.bench.million import Line, bench_folder
from tests.bench.remembered import make_past, stores_file
from tests.bench.report import Row
from tests.bench.screen import Screen
from tests.bench.terminal import Terminal
from tests.bench.world import DELIMITER, HERE, HERMES_TUI, PYTHON, World

FIRST_MS = 1_000
BUILD_SECONDS = 60
CACHED_MS = 300
STALL_P95_MS, STALL_P99_MS, STALL_MS = 20, 50, 100
WHOLE_SECONDS = 120.0
CALM_SECONDS = 1.8
CARDS = re.compile(r"MEMORY\.md · \d+ entries.*USER\.md", re.DOTALL)
TITLE = re.compile(r"Changes · [1-9][\d,]* · [\d,]+ session")


def past(world: World, sessions: int, rounds: int) -> list[Row]:
    """Everything about the timeline, on databases in the forms that both lines of the agent leave."""
    rows: list[Row] = []
    for line in get_args(Line):
        home = _home(world, line, sessions)
        environ = world.environ(home) | {"HERMES_TUI_STATE_DIR": str(world.root / "state")}
        kept = data_dir(home, environ) / "history"
        rows += _cold(line, sessions, environ, kept, rounds)
        rows += _building(line, home, environ, kept)
        rows += _cached(line, home, environ, rounds)
    return rows


def _home(world: World, line: Line, sessions: int) -> Path:
    """A home with such a past."""
    path = make_past(line, sessions, bench_folder())
    held = json.loads(stores_file(path).read_text("utf-8"))
    home = world.root / f"past-{line}"
    (home / "memories").mkdir(parents=True, mode=0o700)
    (home / "config.yaml").write_text("{}\n", "utf-8")
    (home / "state.db").symlink_to(path)
    for store in STORES:
        (home / "memories" / FILE_NAMES[store]).write_text(DELIMITER.join(held[store]), "utf-8")
    return home


def _rows_shown(screen: Screen) -> bool:
    """Whether there are changes on the screen."""
    return TITLE.search(screen.text) is not None


def _key_to_rows(environ: Mapping[str, str], after: float = 0.0) -> float:
    """Milliseconds from the key to the first rows, so many seconds after the first cards."""
    with Terminal([HERMES_TUI], environ) as terminal:
        terminal.wait_for(lambda screen: CARDS.search(screen.text) is not None, "the cards")
        terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
        terminal.listen(after)
        sent = terminal.send("4")
        shown = terminal.wait_for(_rows_shown, "a row of the timeline")
    return (shown - sent) / 1e6


def _cold(line: Line, sessions: int, environ: Mapping[str, str], kept: Path, rounds: int) -> list[Row]:
    """With nothing known yet."""
    times = []
    for _ in range(rounds):
        shutil.rmtree(kept, ignore_errors=True)
        times.append(_key_to_rows(environ))
    name = f"{line} key to the first rows, {sessions:,} sessions, nothing known"
    note = f"{rounds} times, slowest {max(times):.0f}"
    return [Row(name, statistics.median(times), "ms", None, FIRST_MS, note=note)]


def _building(line: Line, home: Path, environ: Mapping[str, str], kept: Path) -> list[Row]:
    """The whole of it: alone on one processor, and with the screen up."""
    shutil.rmtree(kept, ignore_errors=True)
    stalls = _run("stalls", home, environ)
    shutil.rmtree(kept, ignore_errors=True)
    built = _run("build", home, environ)
    size = sum(path.stat().st_size for path in kept.iterdir()) / 1e6
    what = f"{built['sessions']:,} sessions, {built['blocks']:,} blocks, {built['calls']:,} calls"
    note = f"{what}, {built['changes']:,} changes"
    late = f"built in {stalls['seconds']:.1f} s, with the screen up"
    idle = f"of the same app at rest: {stalls['idle']:.0f} ms"
    return [
        Row(f"{line} whole history, on one processor", built["wall"], "s", None, BUILD_SECONDS, note=note),
        Row(f"{line} event loop late meanwhile: p95", stalls["p95"], "ms", None, STALL_P95_MS, note=late),
        Row(f"{line} event loop late meanwhile: p99", stalls["p99"], "ms", None, STALL_P99_MS),
        Row(f"{line} event loop late meanwhile: worst", stalls["worst"], "ms", None, STALL_MS, note=idle),
        Row(f"{line} kept of it on disk", size, "MB"),
        Row(f"{line} memory while building, at most", built["megabytes"], "MB"),
    ]


def _cached(line: Line, home: Path, environ: Mapping[str, str], rounds: int) -> list[Row]:
    """The next start."""
    found = [_run("cached", home, environ) for _ in range(rounds)]
    everything = statistics.median(each["all"] for each in found)
    parts = (f"{statistics.median(each[part] for each in found):.0f}" for part in ("load", "timeline"))
    # Before history is read without a key, and after what it needs is loaded.
    shown = [_key_to_rows(environ, CALM_SECONDS) for _ in range(rounds)]
    at_once = statistics.median(_key_to_rows(environ) for _ in range(rounds))
    note = f"{rounds} times, slowest {max(shown):.0f}; {at_once:.0f} right after the first cards"
    return [
        Row(f"{line} timeline from what is kept", everything, "ms", None, CACHED_MS, note=" + ".join(parts)),
        Row(f"{line} key to rows from what is kept", statistics.median(shown), "ms", None, CACHED_MS, note=note),
    ]


def _run(what: str, home: Path, environ: Mapping[str, str]) -> dict[str, float]:
    answered = subprocess.run(
        [PYTHON, "-m", "tests.bench.timed_past", what, str(home)],
        env=environ, cwd=HERE.parents[1], capture_output=True, text=True, timeout=2 * WHOLE_SECONDS, check=False,
    )  # fmt: skip
    if answered.returncode:
        raise RuntimeError(f"{what} failed: {answered.stderr[-2_000:]}")
    found: dict[str, float] = json.loads(answered.stdout.splitlines()[-1])
    return found
