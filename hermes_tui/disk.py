"""The few ways this program touches files: read whole, lock as the agent locks, replace whole, append a line."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import stat
import sys
import time
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path

from hermes_tui.errors import Refused, Unreadable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

WaitNotice = Callable[[str, float], None]
"""Called while a lock is held by someone else: the lock's file name and the seconds waited so far."""

LOCK_NOTICE_SECONDS = 1.0
"""A wait shorter than this is not worth a word."""
LOCK_TIMEOUT_SECONDS = 60.0
"""After this the write gives up: nothing was written, the person decides."""
LOCK_POLL_SECONDS = (0.002, 0.02)
"""Bounds of the random pause between two tries, so that waiters do not march in step."""

HAS_LOCKS = fcntl is not None
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
CLOEXEC = getattr(os, "O_CLOEXEC", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)

OWNER_ONLY = 0o600
TEMP_ENDING = ".tui.tmp"
"""Of temp files that nobody knows by name."""
MOST_BYTES = 1 << 28
"""A longer file is not read whole: it is none of an agent's and none of ours, and would not fit into the memory."""
TEMP_NAME_BYTES = 200
"""So much of a file's name is in the name of its temp file, which must not be too long."""


def reason(error: OSError) -> str:
    """The system's own words for an error, without the path: `Permission denied`."""
    return error.strerror or str(error) or type(error).__name__


def read_file(path: Path) -> tuple[bytes, os.stat_result] | None:
    """The bytes and status of a regular file, or None where there is none.

    Raises:
        Unreadable: the path exists but is a directory, a device, too large, or cannot be opened or read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | CLOEXEC | NONBLOCK | BINARY)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise Unreadable(
            f"{path} cannot be read: a file stands where its folder should be.",
            code="not_a_directory",
            hint="Move that file away and try again.",
        ) from error
    except OSError as error:
        raise _read_failure(path, error) from error
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise Unreadable(
                f"{path} is a directory, not a file.",
                code="is_directory",
                hint="Move it away; the agent will make the file anew.",
            )
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(f"{path} is not a regular file.", code="not_regular", hint="Move it away and try again.")
        if status.st_size > MOST_BYTES:
            raise Unreadable(
                f"{path} is larger than {MOST_BYTES >> 20} MiB, which no such file is.",
                code="too_large",
                hint="Move it away and try again.",
            )
        with open(handle, "rb", closefd=False) as stream:
            return stream.read(), status
    except OSError as error:
        raise _read_failure(path, error) from error
    finally:
        os.close(handle)


def open_regular(path: Path) -> BufferedReader:
    """A regular file, open to be read; anything else is an `OSError`, and nobody waits for the other end of a FIFO."""
    handle = os.open(path, os.O_RDONLY | CLOEXEC | NONBLOCK | BINARY)
    try:
        require_regular(handle)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def require_regular(handle: int) -> None:
    """Say no, as the system would, to a folder, a FIFO or a device."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "It is not a regular file")


def is_link(path: Path) -> bool:
    """Whether a path is a link, as far as the disk tells."""
    try:
        return path.is_symlink()
    except OSError:
        return False


def _read_failure(path: Path, error: OSError) -> Unreadable:
    hint = "Try again; if it stays, check the disk."
    if error.errno in (errno.EACCES, errno.EPERM):
        hint = f"Give yourself access (chmod u+rw {path}) and try again."
    elif error.errno == errno.ELOOP:
        hint = "The link points at itself; remove it."
    return Unreadable(f"{path} cannot be read: {reason(error)}.", code="unreadable", hint=hint)


@contextlib.contextmanager
def locked(path: Path, *, on_wait: WaitNotice | None = None, timeout: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold the exclusive lock that the agent takes on the same file; made 0600, never emptied, never removed.

    Args:
        path: the lock file, such as `MEMORY.md.lock`.
        on_wait: told about a wait, first after one second and then about once a second.
        timeout: seconds after which the wait is given up.

    Raises:
        Refused: somebody else held the lock for longer than `timeout`, or the lock file is a link.
        Unreadable: the lock file cannot be opened or made.
    """
    started = time.monotonic()
    next_notice = LOCK_NOTICE_SECONDS
    while True:
        handle = _open_lock(path)
        try:
            while not _try_lock(handle):
                waited = time.monotonic() - started
                if waited >= timeout:
                    raise Refused(
                        f"{path.name} has been held by another process for {waited:.0f} s; nothing was written.",
                        code="locked",
                        hint="Wait for the agent to finish its write, then try again.",
                    )
                if on_wait is not None and waited >= next_notice:
                    on_wait(path.name, waited)
                    next_notice = waited + 1.0
                time.sleep(random.uniform(*LOCK_POLL_SECONDS))
            if not is_still(path, handle):
                continue  # the folder was replaced while we waited: lock what stands there now
            try:
                yield
            finally:
                _unlock(handle)
            return
        finally:
            os.close(handle)


def _open_lock(path: Path) -> int:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW | CLOEXEC | NONBLOCK | BINARY, OWNER_ONLY)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused(
                f"The lock file {path} is a link, which could lead anywhere; nothing was written.",
                code="lock_is_link",
                hint="Remove the link; the lock file is made anew.",
            ) from error
        if error.errno == errno.EACCES and path.exists():
            raise Unreadable(
                f"The lock file {path} cannot be opened: {reason(error)}.",
                code="no_permission",
                hint=f"Nothing was changed. Give yourself access to it (chmod u+rw {path}).",
            ) from error
        raise write_failure(path, error) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Refused(
            f"The lock file {path} is not a regular file; nothing was written.",
            code="lock_is_link",
            hint="Remove it; the lock file is made anew.",
        )
    return handle


def _try_lock(handle: int) -> bool:
    if fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                return False
            raise Unreadable(
                f"This file system cannot lock files: {reason(error)}.",
                code="no_locks",
                hint="Move the home to a local disk, or stop the agent before editing.",
            ) from error
        return True
    import msvcrt  # Windows: the byte that the agent locks

    os.lseek(handle, 0, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    return True


def _unlock(handle: int) -> None:
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)
        return
    import msvcrt

    os.lseek(handle, 0, os.SEEK_SET)
    with contextlib.suppress(OSError):
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]


def is_still(path: Path, handle: int) -> bool:
    """Whether an open file still has this name."""
    try:
        there = path.stat(follow_symlinks=False)
    except OSError:
        return False
    ours = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def replace_file(path: Path, data: bytes, *, temp_name: str = "", mode: int = OWNER_ONLY, follow: bool = True) -> None:
    """Put `data` in the place of `path` in one step: temp file beside it, fsync, rename, fsync of the folder.

    A link is followed and stays, and the file it leads to is replaced; unless `follow`, as with files of our own
    where nobody but an attacker puts a link: then the link itself makes way. The new file has `mode`, or keeps the
    old mode where that was stricter, and keeps its owner where the system allows it. A temp file that a killed
    process has left is in nobody's way; `clear_temps` knows those that have no name of their own.

    Raises:
        Unreadable: the disk refused; the old file is untouched and no temp file is left.
    """
    target = Path(os.path.realpath(path)) if follow else path
    try:
        old = target.stat(follow_symlinks=follow)
    except OSError:
        old = None
    if old is not None and stat.S_ISLNK(old.st_mode):
        old = None
    if old is not None and not stat.S_IMODE(old.st_mode) & ~mode:
        mode = stat.S_IMODE(old.st_mode)
    try:
        temp, handle = _temp_file(target, temp_name)
    except OSError as error:
        raise write_failure(target, error) from error
    try:
        try:
            _write_all(handle, data)
            _inherit(handle, mode, old)
            os.fsync(handle)
            if fcntl is not None:
                temp.replace(target)  # while it is locked, or somebody might take it for one that was left
        finally:
            os.close(handle)
        if fcntl is None:
            temp.replace(target)  # Windows renames no file that is open
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise write_failure(target, error) from error
    sync_folder(target.parent)


def _temp_file(target: Path, name: str) -> tuple[Path, int]:
    """A new file beside `target`, open, and locked for as long as somebody writes it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | CLOEXEC | BINARY
    while True:
        temp = target.with_name(name or f".{short_name(target)}.{os.urandom(4).hex()}{TEMP_ENDING}")
        try:
            handle = os.open(temp, flags, OWNER_ONLY)
        except FileExistsError:
            clear_temp(temp)
            handle = os.open(temp, flags, OWNER_ONLY)
        claim(handle)
        if name or is_still(temp, handle):
            return temp, handle
        os.close(handle)  # somebody took it for one that was left, or it cannot be told
        with contextlib.suppress(OSError):
            temp.unlink()


def short_name(target: Path) -> str:
    """As much of a file's name as goes into that of its temp file."""
    return os.fsencode(target.name)[:TEMP_NAME_BYTES].decode(sys.getfilesystemencoding(), "ignore")


def claim(handle: int) -> bool | None:
    """Whether nobody else is at work on a temp file; None where the file system cannot say."""
    try:
        return None if fcntl is None else _try_lock(handle)
    except Unreadable:
        return None


def clear_temp(temp: Path) -> None:
    """Remove a temp file that nobody writes any more."""
    with contextlib.suppress(OSError):
        handle = os.open(temp, os.O_RDWR | NO_FOLLOW | CLOEXEC | NONBLOCK | BINARY)
        try:
            if claim(handle):
                temp.unlink()
        finally:
            os.close(handle)


def clear_temps(folder: Path) -> None:
    """Remove the temp files in a folder that killed processes of ours have left; those at work are left alone."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(TEMP_ENDING):
                clear_temp(folder / entry.name)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _inherit(handle: int, mode: int, old: os.stat_result | None) -> None:
    if not hasattr(os, "fchmod"):
        return
    if old is not None and hasattr(os, "fchown"):
        new = os.fstat(handle)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            with contextlib.suppress(OSError):
                os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, mode)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` outlast a power cut; silently less on systems that cannot."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_failure(path: Path, error: OSError) -> Unreadable:
    """The error a person sees when the disk refuses a write to `path`."""
    hint = "Nothing was changed. Check the disk and try again."
    code = "write_failed"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        code, hint = "disk_full", "Nothing was changed. Free some space and try again."
    elif error.errno == errno.EROFS:
        code, hint = "read_only_disk", "Nothing was changed. The disk is mounted read-only."
    elif error.errno in (errno.EACCES, errno.EPERM):
        code, hint = "no_permission", f"Nothing was changed. Give yourself write access to {path.parent}."
    elif error.errno in (errno.EEXIST, errno.ENOTDIR):
        hint = "Nothing was changed. Something that is no folder stands there, or a link that leads nowhere."
    elif error.errno == errno.ENOENT:
        hint = f"Nothing was changed. The folder {path.parent} does not exist."
    elif error.errno in (errno.EBUSY, errno.EXDEV):
        hint = "Nothing was changed. The file is a mount point and cannot be replaced in one step; mount its folder."
    return Unreadable(f"{path} cannot be written: {reason(error)}.", code=code, hint=hint)


def is_mounted_read_only(path: Path) -> bool:
    """Whether nobody can write there, whatever the rights; False where the system does not tell."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except (AttributeError, OSError):
        return False


@contextlib.contextmanager
def refusals(path: Path) -> Iterator[None]:
    """What the system refuses within is told as a failure to write `path`."""
    try:
        yield
    except OSError as error:
        raise write_failure(path, error) from error


def append_line(path: Path, line: bytes, *, durable: bool) -> None:
    """Add one line to a log of ours (0600, folders 0700), in one write, so that two writers never mix.

    A line that an earlier crash left half written is closed first.

    Raises:
        Unreadable: the disk refused.
    """
    with refusals(path):
        make_folder(path.parent)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_FOLLOW | CLOEXEC | NONBLOCK | BINARY
        handle = os.open(path, flags, OWNER_ONLY)
        try:
            require_regular(handle)
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n" if hasattr(os, "pread") else False
            _write_all(handle, (b"\n" if torn else b"") + line + b"\n")
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)


def make_folder(path: Path) -> None:
    """Make a folder that only its owner may enter (0700), with its parents; fine when it is there.

    Raises:
        Unreadable: the disk refused.
    """
    with refusals(path):
        missing = [path, *path.parents]
        missing = missing[: next((at for at, folder in enumerate(missing) if folder.exists()), len(missing))]
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True, mode=0o700)  # one by one: `parents=True` would leave those above open to all
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
