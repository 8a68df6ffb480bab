"""Files that are written piece by piece, and have their name only when they are whole."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from hermes_tui.disk import (
    BINARY,
    CLOEXEC,
    HAS_LOCKS,
    NO_FOLLOW,
    OWNER_ONLY,
    claim,
    clear_temp,
    is_still,
    refusals,
    short_name,
    sync_folder,
    write_failure,
)
from hermes_tui.errors import Refused

STREAM_BYTES = 1 << 18


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
        held = os.dup(handle) if HAS_LOCKS else None
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
    with refusals(path):
        if os.path.lexists(path) and not overwrite:
            raise _taken(path)
        if path.exists() and not path.is_file():
            raise Refused(f"{path} is a folder or a device, not a file.", code="not_regular", hint="Give another name.")


def _taken(path: Path) -> Refused:
    hint = "Give another name, or replace it with --force."
    return Refused(f"{path} is there already; it was left as it is.", code="exists", hint=hint)


def _part_file(target: Path) -> tuple[Path, int]:
    """A new file beside `target`, open and locked for as long as somebody writes it."""
    for ending in ("part", f"{os.urandom(4).hex()}.part"):
        temp = target.with_name(f".{short_name(target)}.{ending}")
        clear_temp(temp)
        try:
            handle = os.open(temp, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_FOLLOW | CLOEXEC | BINARY, OWNER_ONLY)
        except FileExistsError:
            continue  # somebody writes the same file at this moment
        if claim(handle) is not False and is_still(temp, handle):
            return temp, handle
        os.close(handle)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


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
        with contextlib.suppress(OSError):  # the file is there; the next that writes it removes its other name
            temp.unlink()
