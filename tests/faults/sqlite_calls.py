"""The same for the calls that SQLite makes: its own table of system calls, and the syncing of a rollback journal."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import apsw

from tests.faults.shim import KILLED, Shim

_KINDS: dict[str, tuple[str, Any]] = {
    "open": ("open", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, use_errno=True)),
    "fcntl": ("lock", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, use_errno=True)),
    "ftruncate": ("truncate", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, use_errno=True)),
    "unlink": ("unlink", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, use_errno=True)),
}
_WRITE = ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t
for _name in ("pwrite", "pwrite64"):
    _KINDS[_name] = ("write", ctypes.CFUNCTYPE(*_WRITE, ctypes.c_int64, use_errno=True))
_KINDS["write"] = ("write", ctypes.CFUNCTYPE(*_WRITE, use_errno=True))
F_SETLK = 6
_kept: list[object] = []
"""What SQLite calls must not be freed."""


def install(shim: Shim, *, rollback: bool) -> None:
    """Put the shim before SQLite, for good.

    Args:
        shim: counts the calls.
        rollback: for a database without a write-ahead log, whose syncing can be made to fail, too.
    """
    system = apsw.VFS("faults-system", "unix")
    for name, (kind, form) in _KINDS.items():
        place = system.xGetSystemCall(name)
        if place:
            made = form(_counted(shim, name, kind, form(place)))
            _kept.append(made)
            system.xSetSystemCall(name, ctypes.cast(made, ctypes.c_void_p).value or 0)
    _kept.append(system)
    if rollback:
        _kept.append(_Syncing(shim))


def _counted(shim: Shim, name: str, kind: str, call: Callable[..., int]) -> Callable[..., int]:
    def made(*args: Any) -> int:
        ours = args[1] == F_SETLK if name == "fcntl" else not isinstance(args[0], bytes) or shim.covers(args[0])
        code = shim.code(shim.opening(args[1]) if name == "open" else kind) if ours else None
        if code is None:
            found = call(*args)
            ctypes.set_errno(ctypes.get_errno())
            return found
        if shim.how == "kill":
            if kind == "write":
                call(args[0], args[1], args[2] // 2, *args[3:])
            os._exit(KILLED)
        ctypes.set_errno(code)
        return -1

    return made


class _Syncing(apsw.VFS):
    def __init__(self, shim: Shim) -> None:
        super().__init__("faults", "unix", makedefault=True)
        self._shim = shim

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _File(self._shim, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, shim: Shim, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._shim = shim

    def xSync(self, flags: int) -> None:
        code = self._shim.code("fsync")
        if code is None:
            super().xSync(flags)
        elif self._shim.how == "kill":
            os._exit(KILLED)
        else:
            error = apsw.IOError()
            error.extendedresult = apsw.SQLITE_IOERR_FSYNC  # type: ignore[attr-defined]
            raise error
