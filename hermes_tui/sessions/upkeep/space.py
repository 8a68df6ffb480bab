"""Giving the space of deleted sessions back to the disk, which happens only when it is asked for by name."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from hermes_tui.errors import Refused, Unreadable
from hermes_tui.sessions.messages import size_words
from hermes_tui.sessions.upkeep.indexes import indexes
from hermes_tui.sessions.upkeep.writer import Writer


def vacuum(writer: Writer) -> tuple[int, int]:
    """Write the database anew without its holes, and move the write-ahead log into it.

    Returns:
        bytes of the file and its log before and after.

    Raises:
        Refused: the disk has no room for a second one meanwhile.
        Unreadable: somebody else has it open and reads or writes, or the disk refused.
    """
    before = _size(writer.path)
    room = shutil.disk_usage(writer.path.parent).free
    if room < before * 2:
        raise Refused(
            f"Writing {writer.path.name} anew needs {size_words(before * 2)} on the disk meanwhile;"
            f" {size_words(room)} are free.",
            code="disk_full",
            hint="Free some space and try again.",
        )
    try:
        for index in indexes(writer):
            # It has marks in the place of what was deleted, and keeps the words besides, until it is written anew.
            with suppress(Refused):
                writer.execute(f"INSERT INTO {index.name}({index.name}) VALUES('optimize')")
        writer.execute("VACUUM")
        _checkpoint(writer)
    except Unreadable as error:
        if error.code == "sessions_locked":
            error.hint = "Stop the agents of this home, then try again."
        raise
    return before, _size(writer.path)


def _checkpoint(writer: Writer) -> None:
    try:
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except Unreadable as error:
        if error.code == "sessions_locked":
            raise
        said = f"{writer.path} is written anew, but could not be made smaller: the disk refused."
        hint = "The next checkpoint does it; nothing is lost."
        raise Unreadable(said, code=error.code, hint=hint) from error


def _size(path: Path) -> int:
    found = 0
    for each in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            found += each.stat().st_size
    return found
