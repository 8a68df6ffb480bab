"""How long until there is something to see: the app's first frame, and the commands that only print."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.report import Row, spread
from tests.bench.terminal import Terminal
from tests.bench.world import FLOOR, HERMES_TUI, PYTHON, World, landmark

FIRST_PAINT_RATIO = 1.35
COMMAND_RATIO = 1.5
COMMANDS = {"count": ["count"], "--help": ["--help"], "--version": ["--version"]}


def first_paint(world: World, rounds: int) -> list[Row]:
    """From starting the process to the frame in which both lists have content, on the demo home."""
    home = world.demo()
    environ = world.environ(home)
    marks = {
        "floor": ("memory item 0", "user item 0"),
        "ours": (landmark(home, "MEMORY.md"), landmark(home, "USER.md")),
    }
    commands: dict[str, list[str | Path]] = {"floor": [PYTHON, FLOOR], "ours": [HERMES_TUI]}
    paints: dict[str, list[float]] = {"floor": [], "ours": []}
    costs: dict[str, list[float]] = {"floor": [], "ours": []}
    for turn in range(rounds + 1):
        for who in ("floor", "ours") if turn % 2 else ("ours", "floor"):
            took, cost = paint(commands[who], environ, marks[who])
            if turn:  # the first of each fills the caches
                paints[who].append(took)
                costs[who].append(cost)
    floor, ours = (statistics.median(paints[who]) for who in ("floor", "ours"))
    cpu = statistics.median(costs["ours"]) / statistics.median(costs["floor"])
    note = f"middle half {spread(paints['floor'])} and {spread(paints['ours'])} ms; processor time {cpu:.2f} x"
    return [Row("first paint", ours, "ms", floor, FIRST_PAINT_RATIO, note=note)]


def paint(command: Sequence[str | Path], environ: Mapping[str, str], marks: Sequence[str]) -> tuple[float, float]:
    """Milliseconds to the first frame that shows all of `marks`, and of processor time until then."""
    with Terminal(command, environ) as terminal:
        at = terminal.wait_for(lambda screen: all(mark in screen.text for mark in marks), repr(marks))
    assert terminal.usage is not None
    return (at - terminal.started) / 1e6, (terminal.usage.ru_utime + terminal.usage.ru_stime) * 1000


def commands(world: World, rounds: int) -> list[Row]:
    """From starting the process to its end, for what a shell prompt or a hurried person runs."""
    environ = world.environ(world.demo())
    lines: dict[str, list[str]] = {"floor": [str(PYTHON), "-c", "import click"]}
    lines.update({name: [str(HERMES_TUI), *words] for name, words in COMMANDS.items()})
    walls: dict[str, list[float]] = {name: [] for name in lines}
    costs: dict[str, list[float]] = {name: [] for name in lines}
    names = list(lines)
    for turn in range(rounds + 1):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            wall, cost = _run(lines[name], environ)
            if turn:
                walls[name].append(wall)
                costs[name].append(cost)
    floor, floor_cost = statistics.median(walls["floor"]), statistics.median(costs["floor"])
    rows = []
    for name in COMMANDS:
        cpu = statistics.median(costs[name]) / floor_cost
        note = f"middle half {spread(walls['floor'])} and {spread(walls[name])} ms; processor time {cpu:.2f} x"
        rows.append(Row(f"hermes-tui {name}", statistics.median(walls[name]), "ms", floor, COMMAND_RATIO, note=note))
    return rows


def _run(command: list[str], environ: Mapping[str, str]) -> tuple[float, float]:
    """Milliseconds a command takes, on the clock and of processor time."""
    started = time.monotonic_ns()
    pid = os.posix_spawn(command[0], command, environ, file_actions=_QUIET)
    _, status, usage = os.wait4(pid, 0)
    ended = time.monotonic_ns()
    if status:
        raise RuntimeError(f"{' '.join(command)} failed")
    return (ended - started) / 1e6, (usage.ru_utime + usage.ru_stime) * 1000


_QUIET = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1)]
