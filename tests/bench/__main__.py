"""Measure everything in one run, print it, and fail when a budget is broken by more than noise."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.bench.effects import effects
from tests.bench.first_second import STARTS, first_second
from tests.bench.keys import scrolling
from tests.bench.living import disk_to_screen
from tests.bench.million import AGENTS, Line
from tests.bench.past import past
from tests.bench.report import NOISE, Row, as_json, machine, table
from tests.bench.searching import searching
from tests.bench.sitting import sitting
from tests.bench.starting import commands, first_paint
from tests.bench.tailing import tailing
from tests.bench.world import World


@dataclass(frozen=True, slots=True)
class Effort:
    """How often each thing is measured."""

    paints: int
    commands: int
    writes: int
    gaps: tuple[float, float]
    """The least and the most seconds between two writes."""
    idle_seconds: float
    starts: int
    """Ways to start of which every frame is looked at."""
    keys: int
    presses: int
    """Of each key that is measured on each screen."""
    messages: int
    """Written by an agent while somebody follows."""
    searches: int
    """Of each agent's database with a million messages; making one takes three minutes, so that few runs have none."""
    sessions: int
    """Of which the timeline is made."""
    timelines: int
    """How often it is opened."""


FULL = Effort(
    paints=15,
    commands=25,
    writes=100,
    gaps=(0.15, 0.5),
    idle_seconds=20,
    starts=len(STARTS),
    keys=120,
    presses=20,
    messages=400,
    searches=54,
    sessions=50_000,
    timelines=5,
)
SMOKE = Effort(
    paints=3,
    commands=3,
    writes=8,
    gaps=(0.15, 0.3),
    idle_seconds=4,
    starts=1,
    keys=10,
    presses=1,
    messages=50,
    searches=0,
    sessions=500,
    timelines=1,
)
FAILURES = (RuntimeError, OSError, subprocess.SubprocessError)
SMOKE_NOISE = 1.5
"""How far over its budget a measure may be where few are taken, on a machine that does other things besides."""


def measures(effort: Effort, agents: dict[Line, str]) -> dict[str, Callable[[World], list[Row]]]:
    """What to run, in order, by the names that `--only` takes."""
    found = {
        "paint": lambda world: first_paint(world, effort.paints),
        "commands": lambda world: commands(world, effort.commands),
        "disk": lambda world: disk_to_screen(world, effort.writes, effort.gaps, agents),
        "scrolling": scrolling,
        "second": lambda world: first_second(world, effort.starts),
        "effects": lambda world: effects(world, effort.presses),
        "sitting": lambda world: sitting(world, effort.keys, effort.idle_seconds),
        "tailing": lambda world: tailing(world, agents, effort.messages),
        "search": lambda world: searching(world, agents, effort.searches),
        "timeline": lambda world: past(world, effort.sessions, effort.timelines),
    }
    if not effort.searches:
        del found["search"]
    return found


def run_twice_if_broken(measure: Callable[[World], list[Row]], root: Path, noise: float) -> list[Row]:
    """The rows of a measure; what fails or is over its budget is measured again: anything may happen once.

    Raises:
        RuntimeError, OSError, subprocess.SubprocessError: it could not be measured either time.
    """

    def rows(name: str) -> list[Row]:
        return [replace(row, noise=noise) for row in measure(World(root / name))]

    try:
        first = rows("first")
    except FAILURES:
        traceback.print_exc()
    else:
        if not any(row.broken for row in first):
            return first
    return rows("again")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few runs and wide bounds: whether the measures work")
    parser.add_argument("--only", nargs="+", choices=tuple(measures(FULL, {})), help="these measures alone")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    given = parser.parse_args()
    if not Path("/proc/self/stat").exists():
        parser.error("processor time and memory are read from /proc, which this system does not have")
    agents = {name: os.environ[variable] for name, variable in AGENTS.items() if os.environ.get(variable)}
    began = time.monotonic()
    facts = machine()
    rows: list[Row] = []
    failed: list[str] = []
    noise = SMOKE_NOISE if given.smoke else NOISE
    with tempfile.TemporaryDirectory(prefix="hermes-tui-bench-") as folder:
        for name, measure in measures(SMOKE if given.smoke else FULL, agents).items():
            if given.only and name not in given.only:
                continue
            try:
                found = run_twice_if_broken(measure, Path(folder).resolve() / name, noise)
            except FAILURES:  # the others are worth having
                traceback.print_exc()
                failed.append(name)
                continue
            rows += found
            for row in found:
                print(f"measured: {row.name}", file=sys.stderr)
    if given.json:
        print(json.dumps({**as_json(rows, facts, noise), "failed": failed}, indent=2))
    else:
        print("\n".join(f"{name}: {value}" for name, value in facts.items()))
        print(f"\n{table(rows)}\n\nA budget is broken when it is exceeded by more than {noise:.0%}, twice in a row.")
        if failed:
            print(f"Not measured, for the reasons above: {', '.join(failed)}.")
        print(f"Taken in {time.monotonic() - began:.0f} s.")
    return int(bool(failed) or any(row.broken for row in rows))


if __name__ == "__main__":
    sys.exit(main())
