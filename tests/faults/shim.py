"""The calls that touch the disk, counted; one of them fails, or the process ends there as if it were killed."""

from __future__ import annotations

import builtins
import errno
import fcntl
import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

How = Literal["EIO", "ENOSPC", "EACCES", "EINTR", "dead", "kill"]
"""Once, but for a disk that is full, and so takes nothing more, and one that is dead, and so does nothing more."""

KILLED = 137
NEEDS_SPACE = frozenset({"make", "write", "mkdir", "link", "fsync"})
"""What a disk that is full may refuse."""
_LASTING = ("ENOSPC", "dead")
_BY_PATH = {
    "open": "open",
    "replace": "rename",
    "rename": "rename",
    "unlink": "unlink",
    "remove": "unlink",
    "mkdir": "mkdir",
    "rmdir": "unlink",
    "link": "link",
    "chmod": "chmod",
    "scandir": "list",
    "listdir": "list",
    "stat": "stat",
    "lstat": "stat",
}
"""Functions of `os` that are given a path, and what kind of call each is."""


@dataclass(slots=True)
class Shim:
    """Counts the calls within a folder, and lets one fail.

    Args:
        root: the folder; calls for other paths are none of ours.
        at: the number of the call that fails, from 1; 0 for none.
        how: how it fails.
    """

    root: Path
    at: int = 0
    how: How = "EIO"
    calls: list[str] = field(default_factory=list)
    """The kind of each call so far."""
    _armed: bool = False
    _handles: set[int] = field(default_factory=set)
    """Open files of the folder."""

    @contextmanager
    def armed(self) -> Iterator[None]:
        """Calls within are counted."""
        self._armed = True
        try:
            yield
        finally:
            self._armed = False

    def reach(self, kind: str, *, partly: Callable[[], object] | None = None) -> None:
        """A call is about to be made.

        Args:
            kind: what it is.
            partly: does half of it, for a write that breaks off.

        Raises:
            OSError: it fails.
        """
        code = self.code(kind)
        if code is None:
            return
        if partly and self.how in ("kill", "ENOSPC"):
            partly()
        if self.how == "kill":
            os._exit(KILLED)
        raise OSError(code, os.strerror(code))

    def code(self, kind: str) -> int | None:
        """Count a call; the number of the error it ends with, or None."""
        if not self._armed:
            return None
        self.calls.append(kind)
        number = len(self.calls)
        if self.how == "ENOSPC" and kind not in NEEDS_SPACE:
            return None
        lasts = self.how in _LASTING and kind != "lock"  # locks are the system's, and no disk has a part in them
        if not self.at or number < self.at or (number > self.at and not lasts):
            return None
        return errno.EIO if self.how in ("dead", "kill") else int(getattr(errno, self.how))

    @staticmethod
    def opening(flags: int) -> str:
        """What kind of call it is to open a file so."""
        return "make" if flags & os.O_CREAT else "open"

    def covers(self, path: object) -> bool:
        """Whether a path, or what a name stands beside, is in the folder."""
        if isinstance(path, int):
            return path in self._handles
        name = os.fsdecode(path) if isinstance(path, bytes | str | os.PathLike) else ""
        return name.startswith(str(self.root))

    def install(self) -> None:
        """Put itself before the calls of this process, for good: it is one that was forked for a single point."""
        for name, kind in _BY_PATH.items():
            setattr(os, name, self._by_path(getattr(os, name), kind))
        for name in ("fsync", "fchmod"):
            setattr(os, name, self._by_handle(getattr(os, name), {"fchmod": "chmod"}.get(name, name)))
        os.write = self._write(os.write)
        os.fdopen = self._fdopen(os.fdopen)
        builtins.open = self._open(builtins.open)
        io.open = builtins.open
        fcntl.flock = self._by_handle(fcntl.flock, "lock")
        self._hurry()

    def _hurry(self) -> None:
        """Nobody waits: the clock goes on by as much as was to be waited."""
        clock, slept = time.monotonic, 0.0

        def sleep(seconds: Any) -> None:
            nonlocal slept
            slept += float(seconds)

        time.sleep = sleep
        time.monotonic = lambda: clock() + slept

    def _by_path(self, call: Callable[..., Any], kind: str) -> Callable[..., Any]:
        def made(path: Any = ".", *args: Any, **more: Any) -> Any:
            if self.covers(path) or any(key.endswith("dir_fd") and more[key] is not None for key in more):
                self.reach(self.opening(args[0]) if kind == "open" else kind)
            found = call(path, *args, **more)
            if kind == "open" and self.covers(path):
                self._handles.add(found)
            return found

        return made

    def _by_handle(self, call: Callable[..., Any], kind: str) -> Callable[..., Any]:
        def made(handle: Any, *args: Any) -> Any:
            if self.covers(handle):
                self.reach(kind)
                if kind == "fsync":
                    return None  # no test pulls the plug
            return call(handle, *args)

        return made

    def _write(self, call: Callable[[int, Any], int]) -> Callable[[int, Any], int]:
        def made(handle: int, data: Any) -> int:
            if self.covers(handle):
                self.reach("write", partly=lambda: call(handle, data[: len(data) // 2]))
            return call(handle, data)

        return made

    def _open(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def made(path: Any, *args: Any, **more: Any) -> Any:
            if self.covers(path):
                self.reach("read")
            return call(path, *args, **more)

        return made

    def _fdopen(self, call: Callable[..., Any]) -> Callable[..., Any]:
        shim = self

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                view = memoryview(data)
                shim.reach("write", partly=lambda: io.FileIO.write(self, view[: len(view) // 2]))
                return super().write(data)

            def truncate(self, size: int | None = None) -> int:
                shim.reach("truncate")
                return super().truncate(size)

        def made(handle: int, mode: str = "r", buffering: int = -1, encoding: str | None = None, *more: Any) -> Any:
            if not self.covers(handle) or mode[0] == "r":
                return call(handle, mode, buffering, encoding, *more)
            raw = Raw(handle, mode.replace("b", ""))
            packed = io.BufferedWriter(raw, buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE)
            return packed if "b" in mode else io.TextIOWrapper(packed, encoding, *more)

        return made
