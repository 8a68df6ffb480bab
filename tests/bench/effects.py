"""One key at a time on every screen of the demo home: how soon what it does is on the screen."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import NamedTuple

from tests.bench.keys import cursor
from tests.bench.report import Row, percentile
from tests.bench.screen import Screen
from tests.bench.terminal import Terminal
from tests.bench.world import HERMES_TUI, World

P95_MS = 50
ENTER, ESCAPE, BACKSPACE, CTRL_P = "\r", "\x1b", "\x7f", "\x10"
RIGHT, LEFT = "\x1b[C", "\x1b[D"

Shows = Callable[[Screen], bool]


class Press(NamedTuple):
    """A key that is measured, and what leads back to where it was pressed."""

    name: str
    key: str
    shown: Shows
    """Whether its effect is on the screen."""
    back: str
    came_back: Shows


class Place(NamedTuple):
    """A place in the app, and the keys that are pressed there."""

    way: tuple[tuple[str, Shows], ...]
    """Keys that lead there from the Memory screen, each with what it shows."""
    presses: tuple[Press, ...]
    home: tuple[tuple[str, Shows], ...]
    """Keys that lead back to the Memory screen."""


def says(*words: str) -> Shows:
    """Whether all of these are on the screen."""
    return lambda screen: all(word in screen.text for word in words)


def lacks(words: str) -> Shows:
    """Whether these are not on the screen."""
    return lambda screen: words not in screen.text


def heads(words: str) -> Shows:
    """Whether a frame has such a title."""
    return lambda screen: any(f"─ {words}" in line for line in screen.lines)


def no_head(words: str) -> Shows:
    """Whether none has."""
    return lambda screen: not heads(words)(screen)


def on_row(number: int) -> Shows:
    """Whether the cursor of a list is on a row of the screen."""
    return lambda screen: screen.lines[number].startswith("│ ▌")


def bar_in(first: int, last: int) -> Shows:
    """Whether the strong bar of a cursor is between two columns."""
    return lambda screen: any("▌" in line[first:last] for line in screen.lines[1:-1])


MEMORY, PENDING, SESSIONS, TIMELINE = heads("MEMORY.md"), heads("Pending"), heads("Sessions"), heads("Changes")
LETTERS = says(" a ", " b ")
DIALOGS = (
    Press("? help", "?", heads("Keys"), ESCAPE, no_head("Keys")),
    Press("ctrl+p palette", CTRL_P, says("Search for commands"), ESCAPE, lacks("Search for commands")),
)

PLACES: dict[str, Place] = {
    "memory": Place(
        (),
        (
            Press("j", "j", lambda screen: cursor(screen) == 2, "k", lambda screen: cursor(screen) == 1),
            Press("tab", "\t", bar_in(60, 120), "\t", bar_in(0, 60)),
            Press("2 Pending", "2", PENDING, "1", MEMORY),
            Press("3 Sessions", "3", says("─ Sessions", "messages"), "1", MEMORY),
            Press("4 Timeline", "4", says("─ Changes", "came"), "1", MEMORY),
            Press("e editor", "e", heads("Edit MEMORY.md"), ESCAPE, no_head("Edit MEMORY.md")),
            Press("p prompt", "p", heads("What the next session"), ESCAPE, no_head("What the next session")),
            Press("v view", "v", heads("Entry 1 of"), ESCAPE, no_head("Entry 1 of")),
            Press("/ filter", "/", says("enter Results"), ESCAPE, lacks("enter Results")),
            *DIALOGS,
        ),
        (),
    ),
    "editor": Place(
        (("e", heads("Edit MEMORY.md")),),
        (Press("a letter", "x", says("265 characters"), BACKSPACE, says("264 characters")),),
        ((ESCAPE, no_head("Edit MEMORY.md")),),
    ),
    "filter": Place(
        (("/", says("enter Results")),),
        (Press("a letter", "z", says("/ z"), BACKSPACE, lacks("/ z")),),
        ((ESCAPE, lacks("enter Results")),),
    ),
    "pending": Place(
        (("2", PENDING),),
        (
            Press("j", "j", on_row(4), "k", on_row(2)),
            Press("tab", "\t", lambda screen: not on_row(2)(screen), "\t", on_row(2)),
            Press("f show only", "f", heads("Show only"), ESCAPE, no_head("Show only")),
            *DIALOGS,
        ),
        (("1", MEMORY),),
    ),
    "sessions": Place(
        (("3", says("─ Sessions", "messages")),),
        (
            Press("j", "j", on_row(6), "k", on_row(4)),
            Press("p preview", "p", lambda screen: not on_row(4)(screen), "p", on_row(4)),
            Press("/ search", "/", says("enter To the list"), ESCAPE, lacks("enter To the list")),
            Press("enter transcript", ENTER, says("─ Transcript ·", "assistant"), ESCAPE, SESSIONS),
            Press("f filters", "f", heads("Filters"), ESCAPE, no_head("Filters")),
            *DIALOGS,
        ),
        (("1", MEMORY),),
    ),
    "search": Place(
        (("3", says("─ Sessions", "messages")), ("/", says("enter To the list"))),
        (Press("a letter", "b", says("/ b"), BACKSPACE, says("/ words that were said")),),
        ((ESCAPE, lacks("enter To the list")), ("1", MEMORY)),
    ),
    "transcript": Place(
        (("3", says("─ Sessions", "messages")), (ENTER, says("─ Transcript ·", "assistant")), ("g", says("· 1 of"))),
        (
            Press("J next message", "J", says("· 2 of"), "K", says("· 1 of")),
            Press("/ find", "/", says("enter Results"), ESCAPE, lacks("enter Results")),
            Press("z fold all", "z", says("▾"), "z", lacks("▾")),
        ),
        ((ESCAPE, SESSIONS), ("1", MEMORY)),
    ),
    "timeline": Place(
        (("4", says("─ Changes", "came")),),
        (
            Press("left", LEFT, says("change 69 of"), RIGHT, says("change 70 of")),
            Press("w chart", "w", says("usage over time"), "w", lacks("usage over time")),
            Press("b story", "b", says("The story of"), ESCAPE, lacks("The story of")),
        ),
        (("1", MEMORY),),
    ),
}


def effects(world: World, presses: int) -> list[Row]:
    """Each key so often, at the pace of somebody who looks."""
    home = world.demo()
    dice = random.Random(5)
    measured: dict[str, list[float]] = {}
    first: dict[str, float] = {}
    with Terminal([HERMES_TUI], world.environ(home)) as terminal:
        terminal.wait_for(lambda screen: cursor(screen) == 1, "the first card")
        terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
        terminal.listen(1.5)
        for name, place in PLACES.items():
            for key, shown in place.way:
                _go(terminal, key, shown, name)
            for press in place.presses:
                # The first time loads what a key needs, and is told apart.
                what = f"{name}, {press.name}"
                first[what], *measured[what] = _delays(terminal, what, press, presses + 1, dice)
            for key, shown in place.home:
                _go(terminal, key, shown, f"back from {name}")
    every = [delay for delays in measured.values() for delay in delays]
    note = (
        f"{len(every)} presses of {len(measured)} keys, median {statistics.median(every):.1f}, slowest {max(every):.1f}"
    )
    rows = [Row("key to effect, all screens: p95", percentile(every, 0.95), "ms", None, P95_MS, note=note)]
    for what, delays in measured.items():
        note = f"median {statistics.median(delays):.1f}, the first time {first[what]:.1f}"
        rows.append(Row(f"  {what}: p95", percentile(delays, 0.95), "ms", note=note))
    return rows


def _go(terminal: Terminal, key: str, shown: Shows, what: str) -> None:
    terminal.send(key)
    terminal.wait_for(shown, what)
    terminal.listen(0.4)


def _delays(terminal: Terminal, what: str, press: Press, presses: int, dice: random.Random) -> list[float]:
    delays: list[float] = []
    for _ in range(presses):
        queued = terminal.queued_seconds()
        sent = terminal.send(press.key)
        took = (terminal.wait_for(press.shown, what) - sent) / 1e6
        # What other programs took away says something about them.
        delays.append(took - (terminal.queued_seconds() - queued) * 1000)
        terminal.listen(dice.uniform(0.08, 0.15))
        terminal.send(press.back)
        terminal.wait_for(press.came_back, f"back from {what}")
        terminal.listen(dice.uniform(0.08, 0.15))
    return delays
