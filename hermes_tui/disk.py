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
from pathlib import Path
from typing import TextIO

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

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
CLOEXEC = getattr(os, "O_CLOEXEC", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)

OWNER_ONLY = 0o600
TEMP_NAME_BYTES = 200
"""So much of a file's name is in the name of its temp file, which must not be too long."""
STREAM_BYTES = 1 << 18


def reason(error: OSError) -> str:
    """The system's own words for an error, without the path: `Permission denied`."""
    return error.strerror or str(error) or type(error).__name__


def read_file(path: Path) -> tuple[bytes, os.stat_result] | None:
    """The bytes and status of a regular file, or None where there is none.

    Raises:
        Unreadable: the path exists but is a directory, a device, or cannot be opened or read.
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
        with open(handle, "rb", closefd=False) as stream:
            return stream.read(), status
    except OSError as error:
        raise _read_failure(path, error) from error
    finally:
        os.close(handle)


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
            if not _is_still(path, handle):
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


def _is_still(path: Path, handle: int) -> bool:
    try:
        there = path.stat(follow_symlinks=False)
    except OSError:
        return False
    ours = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def replace_file(path: Path, data: bytes, *, temp_name: str, mode: int = OWNER_ONLY) -> None:
    """Put `data` in the place of `path` in one step: temp file beside it, fsync, rename, fsync of the folder.

    A link is followed and stays; the file it leads to is replaced. The new file has `mode`, or keeps the
    old mode where that was stricter, and keeps its owner where the system allows it.

    Raises:
        Unreadable: the disk refused; the old file is untouched and no temp file is left.
    """
    target = Path(os.path.realpath(path))
    temp = target.with_name(temp_name)
    try:
        old = target.stat()
    except OSError:
        old = None
    if old is not None and not stat.S_IMODE(old.st_mode) & ~mode:
        mode = stat.S_IMODE(old.st_mode)
    try:
        handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | CLOEXEC | BINARY, OWNER_ONLY)
    except OSError as error:
        raise write_failure(target, error) from error
    try:
        try:
            _write_all(handle, data)
            _inherit(handle, mode, old)
            os.fsync(handle)
        finally:
            os.close(handle)
        temp.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise write_failure(target, error) from error
    sync_folder(target.parent)


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


@contextlib.contextmanager
def streamed_file(path: Path, *, overwrite: bool = False) -> Iterator[TextIO]:
    """A text file (UTF-8, 0600) that is written piece by piece and has its name only when the block has ended well.

    Half characters are written as backslash escapes. A link is followed and stays. Until the end the file is
    called `.NAME.part`; one that a killed process left is removed by the next that writes the same file.

    Raises:
        Refused: something has the name already and is not to be replaced, or cannot be.
        Unreadable: the disk refused; what stood there still does, and no temp file is left.
    """
    refuse_taken(path, overwrite=overwrite)
    target = Path(os.path.realpath(path)) if overwrite else path
    try:
        temp, handle = _part_file(target)
        # Windows renames no file that is open; elsewhere it stays locked until it has its name.
        held = os.dup(handle) if fcntl is not None else None
        try:
            with os.fdopen(handle, "w", STREAM_BYTES, "utf-8", "backslashreplace", "\n") as stream:
                yield stream
                stream.flush()
                os.fsync(handle)
            _put(temp, target, overwrite=overwrite)
        except BaseException:
            with contextlib.suppress(OSError):
                temp.unlink()
            raise
        finally:
            if held is not None:
                os.close(held)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        raise write_failure(path, error) from error
    sync_folder(target.parent)


def refuse_taken(path: Path, *, overwrite: bool) -> None:
    """See to it that a new file may get this name.

    Raises:
        Refused: something has it already and is not to be replaced, or cannot be.
    """
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise Refused(
            f"{path.name} cannot be the name of a file in this locale.",
            code="bad_name",
            hint="Give a name of plain letters, or set a locale with UTF-8.",
        ) from error
    if os.path.lexists(path) and not overwrite:
        raise _taken(path)
    if path.exists() and not path.is_file():
        raise Refused(f"{path} is a folder or a device, not a file.", code="not_regular", hint="Give another name.")


def _taken(path: Path) -> Refused:
    hint = "Give another name, or replace it with --force."
    return Refused(f"{path} is there already; it was left as it is.", code="exists", hint=hint)


def _part_file(target: Path) -> tuple[Path, int]:
    """A new file beside `target`, open and locked for as long as somebody writes it."""
    name = os.fsencode(target.name)[:TEMP_NAME_BYTES].decode(sys.getfilesystemencoding(), "ignore")
    for ending in ("part", f"{os.urandom(4).hex()}.part"):
        temp = target.with_name(f".{name}.{ending}")
        _clear(temp)
        try:
            handle = os.open(temp, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_FOLLOW | CLOEXEC | BINARY, OWNER_ONLY)
        except FileExistsError:
            continue  # somebody writes the same file at this moment
        if _claim(handle) is not False and _is_still(temp, handle):
            return temp, handle
        os.close(handle)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _claim(handle: int) -> bool | None:
    """Whether nobody else is at work on a temp file; None where the file system cannot say."""
    try:
        return None if fcntl is None else _try_lock(handle)
    except Unreadable:
        return None


def _clear(temp: Path) -> None:
    """Remove a temp file that nobody writes any more."""
    with contextlib.suppress(OSError):
        handle = os.open(temp, os.O_RDWR | NO_FOLLOW | CLOEXEC | NONBLOCK | BINARY)
        try:
            if _claim(handle):
                temp.unlink()
        finally:
            os.close(handle)


def _put(temp: Path, target: Path, *, overwrite: bool) -> None:
    """Give a finished file its name."""
    if overwrite:
        temp.replace(target)
        return
    try:
        os.link(temp, target)  # unlike a rename it fails where somebody was faster
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):  # this file system knows no second names
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        temp.rename(target)
    else:
        temp.unlink()


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


def append_line(path: Path, line: bytes, *, durable: bool) -> None:
    """Add one line to a log of ours (0600, folders 0700), in one write, so that two writers never mix.

    A line that an earlier crash left half written is closed first.

    Raises:
        Unreadable: the disk refused.
    """
    try:
        make_folder(path.parent)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_FOLLOW | CLOEXEC | BINARY, OWNER_ONLY)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n" if hasattr(os, "pread") else False
            _write_all(handle, (b"\n" if torn else b"") + line + b"\n")
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise write_failure(path, error) from error


def make_folder(path: Path) -> None:
    """Make a folder that only its owner may enter (0700), with its parents; fine when it is there.

    Raises:
        Unreadable: the disk refused.
    """
    missing = [path, *path.parents]
    missing = missing[: next((at for at, folder in enumerate(missing) if folder.exists()), len(missing))]
    try:
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True, mode=0o700)  # one by one: `parents=True` would leave those above open to all
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except OSError as error:
        raise write_failure(path, error) from error
