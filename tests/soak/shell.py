"""A terminal with a shell in it, in which a person starts the app, leaves it for a while and comes back."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.bench.screen import Screen
from tests.bench.terminal import COLUMNS, ROWS, Terminal

PROMPT = "here$ "
KILL_LINE = "\x15"
"""What takes away what was typed so far: keys that were meant for the app."""
LONGEST_TYPED = 200
RECENT_BYTES = 1 << 15
_MODE = re.compile(rb"\x1b\[\?(1049|1000|1003|1006|2004|25)([hl])")
_LONGEST_MODE = 12


class RawScreen(Screen):
    """A screen that also keeps the last bytes it was sent, and the modes it was put into."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.recent = b""
        self.modes: dict[bytes, bytes] = {}
        self.bytes = 0
        """How many it was sent in all."""

    def feed(self, data: bytes) -> None:
        """Take output in."""
        seam = self.recent[-_LONGEST_MODE:] + data
        for mode, state in _MODE.findall(seam):
            self.modes[mode] = state
        self.recent = (self.recent + data)[-RECENT_BYTES:]
        self.bytes += len(data)
        super().feed(data)

    def take_size(self, columns: int, rows: int) -> None:
        """Be of another size: empty until the program has drawn again."""
        self.columns, self.rows = columns, rows
        self._grid = [[" "] * columns for _ in range(rows)]
        self._x = self._y = 0


class Shell(Terminal):
    """A shell with job control, and the app in it."""

    screen: RawScreen

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
            {**environ, "PS1": PROMPT},
            screen=RawScreen(COLUMNS, ROWS),
        )
        self.wait_for_prompt()
        self.before = termios.tcgetattr(self._handle)

    def __enter__(self) -> Self:
        return self

    def wait_for_prompt(self, seconds: float = 20.0) -> None:
        """Until the shell has the terminal again."""
        self.wait_for(lambda _screen: self.has_prompt, "the prompt", seconds)

    @property
    def has_prompt(self) -> bool:
        """Whether the shell waits for a command: the app has ended, or was suspended."""
        left = self.screen.modes.get(b"1049", b"l") == b"l"
        return left and PROMPT.encode() in self.screen.recent[-LONGEST_TYPED:]

    def run(self, words: Sequence[str]) -> None:
        """Type a command."""
        self.screen.recent = b""
        self.send(KILL_LINE + " ".join(words) + "\n")

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the app draws everything again."""
        if (columns, rows) == (self.screen.columns, self.screen.rows):
            return
        self.screen.take_size(columns, rows)
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def children(self) -> list[int]:
        """The processes that the shell has started and that are still there."""
        return [int(found) for found in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    def child(self) -> int:
        """The only one."""
        (found,) = self.children
        return found

    @property
    def given_back(self) -> bool:
        """Whether the terminal is as it was: no alternate screen, no mouse, a cursor, and echo."""
        off = all(self.screen.modes.get(mode, b"l") == b"l" for mode in (b"1049", b"1000", b"1003", b"1006"))
        seen = self.screen.modes.get(b"25", b"h") == b"h"
        return off and seen and termios.tcgetattr(self._handle)[3] == self.before[3]


def alive(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
