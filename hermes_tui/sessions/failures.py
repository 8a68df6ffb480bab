"""What can be wrong with a state.db, as errors with a way on."""

from __future__ import annotations

import stat
from pathlib import Path

import apsw

from hermes_tui.disk import is_link
from hermes_tui.errors import NotFound, Unreadable

REPAIR = "Stop the agent and run `hermes sessions repair`, which makes a backup first."


def checked_inode(path: Path) -> int:
    """The inode of a database that can be opened.

    Raises:
        NotFound: there is no such file, or it is empty.
        Unreadable: it is no file, or the disk refused.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if is_link(path):
            raise Unreadable(
                f"{path} is a link to {path.readlink()}, which is not there.",
                code="sessions_unreadable",
                hint="Is a disk not mounted?",
            ) from None
        raise NotFound(f"There are no sessions: {path} does not exist.", code="no_sessions") from None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.", code="sessions_unreadable") from error
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(f"{path} is not a file.", code="sessions_unreadable")
    if status.st_size == 0:
        # Not even to be opened: SQLite deletes a journal that it finds beside an empty file.
        raise NotFound(
            f"There are no sessions: {path} is empty (0 bytes).",
            code="no_sessions",
            hint="The agent makes its tables when it starts the next time.",
        )
    return status.st_ino


def quoted(path: Path) -> str:
    """A path as a part of an SQLite address."""
    from urllib.parse import quote

    return quote(str(path.resolve()))


def failure(path: Path, error: apsw.Error) -> Unreadable:
    """What SQLite said, as a sentence with a way on."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return Unreadable(
            f"{path} is locked by another process.",
            code="sessions_locked",
            hint="It is read again when the writer is done; nothing was changed.",
        )
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return Unreadable(
            f"{path} is damaged: {error}.",
            code="sessions_corrupt",
            hint=REPAIR,
        )
    if isinstance(error, apsw.ReadOnlyError):
        return Unreadable(
            f"{path} was left in the middle of a write, which only the agent may take back.",
            code="sessions_unfinished",
            hint="Start the agent once, or run `hermes sessions list`; then it can be read.",
        )
    if isinstance(error, apsw.CantOpenError) and (log := _log_of(path)):
        return Unreadable(
            f"{path} has a log beside it, {log.name}, that is read only where files can be made in its folder.",
            code="sessions_unreadable",
            hint=f"Copy both files, {path.name} and {log.name}, to a folder of your own, and open it with --home.",
        )
    if isinstance(error, apsw.SQLError) and str(error).startswith("no such table"):
        return foreign(path, str(error).rpartition(" ")[2])
    return Unreadable(f"{path} cannot be read: {error}.", code="sessions_unreadable", hint="Try again in a moment.")


def _log_of(path: Path) -> Path | None:
    """The log of a database in WAL mode when the file that goes with it, which readers would make, is not there."""
    try:
        real = path.resolve()
        log, shared = (real.with_name(f"{real.name}-{ending}") for ending in ("wal", "shm"))
        return log if log.exists() and not shared.exists() else None
    except (OSError, RuntimeError):
        return None


def foreign(path: Path, table: str) -> Unreadable:
    """The error of a database that has none of the agent's tables."""
    return Unreadable(
        f"{path} is a database, but not one with sessions: it has no table {table}.",
        code="sessions_foreign",
        hint="Check the home with hermes-tui info.",
    )
