"""The app as a process on a pseudo terminal: what it does to a real one."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

PATIENCE_SECONDS = 60.0
ENTERS = b"\x1b[?1049h"
LEAVES = b"\x1b[?1049l"
RUN = "import sys; sys.argv[0] = 'hermes-tui'; from hermes_tui.cli.main import main; main()"
SHELL = """
import fcntl, os, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.environ["PS1"] = "here$ "
os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
"""
"""A shell that a terminal belongs to, with job control."""


class PtyApp:
    """`hermes-tui` on a terminal of its own; `first` is Python that runs before it, `words` are further arguments."""

    def __init__(
        self,
        home: Path,
        scratch: Path,
        *,
        first: str = "",
        words: tuple[str, ...] = (),
        size: tuple[int, int] = (120, 36),
        **environ: str,
    ) -> None:
        self.output = b""
        self.asked_at = 0
        """How much it had drawn when something was last asked of it."""
        self.code: int | None = None
        self.state = scratch / "state"
        master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.master, self.slave = master, slave
        self.resize(*size)
        env = {key: value for key, value in os.environ.items() if key not in ("EDITOR", "VISUAL", "TEXTUAL_DRIVER")}
        env |= {"TERM": "xterm-256color", "HOME": str(scratch), "HERMES_TUI_STATE_DIR": str(self.state), **environ}
        self.pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", *self.program(first, ["--home", str(home), *words])],
            env,
            file_actions=[(os.POSIX_SPAWN_DUP2, slave, fd) for fd in (0, 1, 2)],
            setsid=True,
        )

    def program(self, first: str, words: list[str]) -> list[str]:
        """What Python runs, with its arguments."""
        return [f"{first}\n{RUN}", *words]

    def __enter__(self) -> PtyApp:
        self.until(lambda: ENTERS in self.output and b"Help" in self.output, "the first frame")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        for fd in (self.master, self.slave):
            os.close(fd)

    def read(self) -> None:
        """Take what it has drawn."""
        while select.select([self.master], [], [], 0.02)[0]:
            self.output += os.read(self.master, 65536)

    def send(self, data: bytes) -> None:
        """Send bytes as a terminal does, in one write."""
        self.asked_at = len(self.output)
        os.write(self.master, data)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.asked_at = len(self.output)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Read until something is so."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.read()
            assert time.monotonic() < end, f"never: {what}; the end of the output: {self.output[-2000:]!r}"

    def shows(self, words: str) -> None:
        """Wait until words are drawn, now or at any time since something was last asked of it."""
        self.until(lambda: words.encode() in self.output[self.asked_at :], words)

    def signal(self, number: int) -> int:
        """Send a signal; the exit code."""
        self.asked_at = len(self.output)
        os.kill(self.pid, number)
        return self.wait()

    def wait(self) -> int:
        """The exit code, once there is one."""

        def over() -> bool:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            return bool(pid)

        self.until(over, "the end")
        self.read()
        assert self.code is not None
        return self.code

    @property
    def given_back(self) -> bool:
        """Whether the terminal is as it was: no alternate screen, no mouse, and echo."""
        modes = all(self.output.rfind(b"\x1b[?%bl" % mode) > self.output.rfind(b"\x1b[?%bh" % mode)
                    for mode in (b"1049", b"1000", b"1003", b"1006", b"2004"))  # fmt: skip
        return modes and termios.tcgetattr(self.slave)[3] == self.before[3]


class PtyShell(PtyApp):
    """A shell with job control, in which a person starts `hermes-tui`."""

    def program(self, first: str, words: list[str]) -> list[str]:
        """The shell; the app is started with `start`."""
        self.line = shlex.join([sys.executable, "-c", f"{first}\n{RUN}", *words])
        return [SHELL]

    def __enter__(self) -> PtyShell:
        self.until(lambda: b"here$ " in self.output, "a prompt")
        return self

    def start(self) -> None:
        """Start the app, as a person would."""
        self.send(self.line.encode() + b"\n")
        self.until(lambda: ENTERS in self.output and b"Help" in self.output[self.output.find(ENTERS) :], "a frame")
