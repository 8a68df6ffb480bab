"""Every frame of the first second: none may be empty, in part or as a whole, or in other colours than the theme's."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hermes_tui.ui.themes import load_theme
from tests.bench.report import Row
from tests.bench.screen import Screen
from tests.bench.terminal import Terminal
from tests.bench.world import HERMES_TUI, World

SIZES = ((120, 36), (80, 24))
SECONDS = 1.0
LEAVE_SECONDS = 0.8
EMPTY_SHARE = 0.9
"""From so many rows without a word on, a screen is empty."""
DARK_THEME, LIGHT_THEME = "hermes-dark", "hermes-light"


class ColouredScreen(Screen):
    """A screen that knows which ground each cell has, and when the app's own screen was asked for."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.entered = False
        """Whether the app's screen is up rather than the shell's."""
        self.grounds = [[""] * columns for _ in range(rows)]
        self._ground = ""

    def _print(self, text: str) -> None:
        row, first = self._y, self._x
        super()._print(text)
        for x in range(first, min(self._x, self.columns)):
            self.grounds[row][x] = self._ground

    def _control(self, args: str, middle: str, final: str) -> None:
        super()._control(args, middle, final)
        if final == "m":
            self._ground = _ground_of(args, self._ground)
        elif args == "?1049" and final in "hl":
            self.entered = final == "h"
        elif final == "J":
            self.grounds = [[""] * self.columns for _ in range(self.rows)]


def _ground_of(args: str, before: str) -> str:
    parts = args.split(";")
    if "48" in parts:
        at = parts.index("48")
        return "#" + "".join(f"{int(part):02x}" for part in parts[at + 2 : at + 5])
    return before if args and parts[0] != "0" else ""


class Start(NamedTuple):
    """A way to start."""

    name: str
    keys: str
    """Pressed at the start before, so that it is remembered."""
    theme: str


STARTS = (
    Start("as ever", "1q", DARK_THEME),
    Start("left on Sessions", "3q", DARK_THEME),
    Start("left on Timeline", "4q", DARK_THEME),
    Start("with a light theme", "1q", LIGHT_THEME),
)


def first_second(world: World, starts: int) -> list[Row]:
    """How many frames show less than they should, in the first of the ways to start."""
    home = world.demo()
    environ = world.environ(home)
    settings = Path(environ["XDG_CONFIG_HOME"]) / "hermes-tui/settings.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    rows = []
    for start in STARTS[:starts]:
        settings.write_text(f"theme: {start.theme}\n", encoding="utf-8")
        ground = str(load_theme(start.theme).background).lower()
        with Terminal([HERMES_TUI], environ) as terminal:
            terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
            for key in start.keys:
                terminal.listen(LEAVE_SECONDS)
                terminal.send(key)
            terminal.ended()
        for columns, lines in SIZES:
            frames = _frames(environ, columns, lines, ground)
            bad = [frame for frame in frames if frame]
            note = "; ".join(dict.fromkeys(bad)) or f"{len(frames)} frames, all whole"
            name = f"first second at {columns}x{lines}, {start.name}: frames not whole"
            rows.append(Row(name, len(bad), "", None, 0, exact=True, note=note))
    settings.unlink()
    return rows


def _frames(environ: dict[str, str], columns: int, lines: int, ground: str) -> Sequence[str]:
    """What is wrong with each frame, in words; nothing where nothing is."""
    found: list[str] = []
    screen = ColouredScreen(columns, lines)

    def note(_at: int) -> bool:
        if screen.entered:
            found.append(_fault(screen, ground))
        return False

    with Terminal([HERMES_TUI], environ, screen=screen) as terminal:
        began = time.monotonic()
        terminal.listen(15.0, lambda _at: note(_at) or bool(found))
        terminal.listen(max(0.5, SECONDS - (time.monotonic() - began)), note)
    return found


def _fault(screen: ColouredScreen, ground: str) -> str:
    rows = screen.lines
    if not rows[0].strip() or not rows[-1].strip():
        return "no top or bottom line"
    if sum(not any(char.isalnum() for char in row) for row in rows) > EMPTY_SHARE * len(rows):
        return "nearly empty"
    if any(not cell for row in screen.grounds for cell in row):
        return "cells without a colour"
    return "" if any(ground in row for row in screen.grounds) else "not in the theme's colours"
