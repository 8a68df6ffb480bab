"""A program in a real terminal: its screen as it changes, the keys sent to it, and what it costs the system."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import resource
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from tests.bench.screen import Screen

COLUMNS, ROWS = 120, 36
READ_BYTES = 1 << 16
SYNCHRONISED_FRAMES = "2026"
"""The one mode this terminal says it has, as current terminals do; a frame counts when its end has come."""


class Terminal:
    """One process on a pseudo terminal of its own."""

    def __init__(
        self, command: Sequence[str | Path], environ: Mapping[str, str], *, screen: Screen | None = None
    ) -> None:
        words = [str(word) for word in command]
        self.screen = screen or Screen(COLUMNS, ROWS)
        self.usage: resource.struct_rusage | None = None
        """What it cost, once it has ended."""
        self.started = time.monotonic_ns()
        """When it was started, in nanoseconds of the clock that all processes share."""
        self.pid, self._handle = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", self.screen.rows, self.screen.columns, 0, 0))
                os.execve(words[0], words, dict(environ))
            finally:
                os._exit(127)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """End it at once."""
        if self.usage is None:
            os.kill(self.pid, signal.SIGKILL)
            _, _, self.usage = os.wait4(self.pid, 0)
            os.close(self._handle)

    def ended(self, seconds: float = 5.0) -> None:
        """Wait until it has ended by itself."""
        with contextlib.suppress(RuntimeError):
            self.listen(seconds)

    def send(self, keys: str) -> int:
        """Type; when that was, in nanoseconds."""
        now = time.monotonic_ns()
        os.write(self._handle, keys.encode())
        return now

    def listen(self, seconds: float, done: Callable[[int], bool] = lambda _at: False) -> int | None:
        """Follow the screen; `done` is asked at each whole frame, with the time that frame came.

        Returns:
            The time at which `done` said yes, in nanoseconds; None when it never did.
        """
        until = time.monotonic() + seconds
        while True:
            wait = until - time.monotonic()
            ready, _, _ = select.select([self._handle], [], [], max(0.0, wait))
            if not ready:
                return None
            try:
                data = os.read(self._handle, READ_BYTES)
            except OSError:
                data = b""
            at = time.monotonic_ns()
            if not data:
                raise RuntimeError(f"the program ended; its screen:\n{self.screen.text}")
            self.screen.feed(data)
            self._answer()
            if not self.screen.in_frame and done(at):
                return at

    def wait_for(self, shown: Callable[[Screen], bool], what: str, seconds: float = 15.0) -> int:
        """The time at which the screen shows something, in nanoseconds."""
        if not self.screen.in_frame and shown(self.screen):
            return time.monotonic_ns()
        at = self.listen(seconds, lambda _at: shown(self.screen))
        if at is None:
            raise RuntimeError(f"{what} was not shown within {seconds:g} s; the screen:\n{self.screen.text}")
        return at

    def _answer(self) -> None:
        for mode in self.screen.questions:
            state = 2 if mode == SYNCHRONISED_FRAMES else 0
            os.write(self._handle, f"\x1b[?{mode};{state}$y".encode())
        self.screen.questions.clear()

    # What it costs

    def cpu_seconds(self) -> float:
        """Processor time so far, all its threads and ended children together."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")

    def queued_seconds(self) -> float:
        """How long it and we were ready to run so far, while other programs had the processors."""
        return sum(_queued(pid) for pid in (self.pid, os.getpid()))

    def resident_megabytes(self) -> float:
        """Memory it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024


def _queued(pid: int) -> float:
    """The same of the first thread of one process; nothing where the system does not tell."""
    path = Path(f"/proc/{pid}/schedstat")
    return int(path.read_text().split()[1]) / 1e9 if path.exists() else 0.0
