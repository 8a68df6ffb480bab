"""One look at the demo home: how soon a key shows, what it costs to wait for nothing, what memory is held."""

from __future__ import annotations

import random
import statistics
import time

from tests.bench.keys import cursor
from tests.bench.report import Row, percentile
from tests.bench.terminal import Terminal
from tests.bench.world import FLOOR, HERMES_TUI, PYTHON, World, entries_of, landmark

IDLE_PERCENT = 1.0
SETTLE_SECONDS = 6.0
KEY_P95_MS = 50
"""What a key is meant to take; for information so far."""


def sitting(world: World, presses: int, idle_seconds: float) -> list[Row]:
    """The app open on the demo home, from its first card on."""
    home = world.demo()
    environ = world.environ(home)
    with Terminal([PYTHON, FLOOR], environ) as terminal:
        terminal.wait_for(lambda screen: "memory item 0" in screen.text, "the floor's list")
        terminal.listen(1.0)
        floor_megabytes = terminal.resident_megabytes()
    with Terminal([HERMES_TUI], environ) as terminal:
        terminal.wait_for(lambda screen: landmark(home, "MEMORY.md") in screen.text, "a card")
        terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
        terminal.listen(1.0)
        megabytes = terminal.resident_megabytes()
        keys = _key_to_effect(terminal, presses, len(entries_of(home, "MEMORY.md")))
        waiting = _idle(terminal, idle_seconds)
    return [waiting, keys, Row("memory held after start (RSS)", megabytes, "MB", floor_megabytes)]


def _key_to_effect(terminal: Terminal, presses: int, last: int) -> Row:
    """One key at a time: down to the last entry and up again."""
    dice = random.Random(11)
    delays: list[float] = []
    step = 1
    while len(delays) < presses:
        here = cursor(terminal.screen)
        step = 1 if here == 1 else -1 if here == last else step
        goal = here + step
        sent = terminal.send("j" if step == 1 else "k")
        shown = terminal.wait_for(lambda screen, goal=goal: cursor(screen) == goal, f"entry {goal}")  # type: ignore[misc]
        delays.append((shown - sent) / 1e6)
        terminal.listen(dice.uniform(0.05, 0.15))
    note = f"{presses} keys, median {statistics.median(delays):.1f}, slowest {max(delays):.1f}; aim {KEY_P95_MS} ms"
    return Row("key to effect: p95", percentile(delays, 0.95), "ms", note=note)


def _idle(terminal: Terminal, seconds: float) -> Row:
    """Processor time while nothing happens."""
    terminal.listen(SETTLE_SECONDS)
    before, began, frames = terminal.cpu_seconds(), time.monotonic(), terminal.screen.frames
    terminal.listen(seconds)
    used = terminal.cpu_seconds() - before
    passed = time.monotonic() - began
    note = f"{used * 1000:.0f} ms in {passed:.0f} s; {terminal.screen.frames - frames} frames drawn"
    return Row("idle, of one processor", 100 * used / passed, "%", None, IDLE_PERCENT, note=note)
