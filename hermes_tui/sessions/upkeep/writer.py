"""The one connection that writes to state.db: whole changes, short ones, and nothing that was not asked for."""

from __future__ import annotations

import errno
import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from hermes_tui import disk
from hermes_tui.errors import HermesTuiError, Refused, Unreadable
from hermes_tui.sessions import bigrams
from hermes_tui.sessions.database import Row
from hermes_tui.sessions.failures import REPAIR, checked_inode, failure, quoted
from hermes_tui.sessions.features import Features, probe
from hermes_tui.sessions.upkeep.trigrams import Trigrams
from hermes_tui.text import plural

PATIENCE_SECONDS = 10.0
"""How long a change waits for its turn."""
LONG_PATIENCE_SECONDS = 60.0
"""The same once something is done that more belongs to: an agent that merges a large index writes for ten seconds."""
PAUSE_SECONDS = (0.02, 0.15)
"""Bounds of the random pause between two tries, as the agent makes them, so that waiters do not march in step."""
REST_SECONDS = 0.02
"""Between two changes of many, at least."""
OTHERS_REST_SECONDS = 0.13
"""The same while somebody else writes: SQLite looks again every tenth of a second when it waits for long."""
OTHERS_SECONDS = 10.0
"""Who has committed something within this time is taken to go on."""
CACHE_KIB = 64 * 1024
"""A change that does not fit is written early, and keeps readers out for longer."""


class Writer:
    """Changes a state.db as its agent would: in transactions, with its triggers, keys and locks.

    It never makes a database, a table or an index, never moves the write-ahead log into the file, and
    does not change how the file is written. One thread at a time.

    Args:
        path: the home's state.db.
        patience: seconds to wait while somebody else writes, until something is done.

    Raises:
        NotFound: there is no such file, or it is empty.
        Unreadable: it is no database with sessions, or the disk refused.
    """

    def __init__(self, path: Path, *, patience: float | None = None) -> None:
        self.path = path
        self.patience = PATIENCE_SECONDS if patience is None else patience
        self._inode = checked_inode(path)
        self._version: object = None
        # It begins as if somebody might be writing, and soon knows better.
        self._others_wrote = time.monotonic() - OTHERS_SECONDS + 1.0
        self._features: Features | None = None
        self._tables: dict[str, frozenset[str]] = {}
        try:
            self._connection = apsw.Connection(
                f"file:{quoted(path)}?mode=rw", flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
            )
        except apsw.Error as error:
            raise write_failure(path, error) from error
        self._connection.set_busy_timeout(0)
        self.rows("SELECT 1 FROM sqlite_master LIMIT 1")  # or a lock would be taken for an SQLite without indexes
        bigrams.register(self._connection)
        self.trigrams = Trigrams(self._connection)
        self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        self._connection.wal_autocheckpoint(0)
        self.execute("PRAGMA foreign_keys = ON")
        self.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; a change that was not finished is taken back."""
        self._connection.close(True)  # what the disk refuses now says nothing about what was committed

    def execute(self, sql: str, values: Sequence[object] = ()) -> None:
        """Run a statement.

        Raises:
            Unreadable: SQLite could not do it.
            Refused: a rule of the database forbids it.
        """
        self.rows(sql, values)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """All rows of a query; waits while somebody else writes.

        Raises:
            Unreadable: SQLite could not do it.
            Refused: a rule of the database forbids it.
        """
        until = time.monotonic() + self.patience
        while True:
            try:
                return self._connection.execute(sql, tuple(values)).fetchall()
            except (apsw.BusyError, apsw.LockedError) as error:
                # Within a transaction waiting would be in vain: it holds the lock that is asked for.
                if self._connection.in_transaction or time.monotonic() >= until:
                    raise write_failure(self.path, error) from error
                time.sleep(random.uniform(*PAUSE_SECONDS))
            except apsw.Error as error:
                raise write_failure(self.path, error) from error

    @property
    def changes(self) -> int:
        """How many rows the last statement changed, without those that triggers changed."""
        return self._connection.changes()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: what is done within is either there altogether at the end, or not at all.

        Raises:
            NotFound: the file is not there any more.
            Refused: another one has taken its place, or a rule of the database forbids the change.
            Unreadable: somebody else wrote all the time, or the disk refused.
        """
        self._check_place()
        self.features()  # asked within a change, an index that is damaged would end it
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._commit()
            self.patience = max(self.patience, LONG_PATIENCE_SECONDS)
        except BaseException:
            with suppress(apsw.Error):
                self._connection.execute("ROLLBACK")
            raise

    def _commit(self) -> None:
        until = time.monotonic() + self.patience
        while True:
            try:
                self._connection.execute("COMMIT")
                return
            except apsw.BusyError as error:  # with a rollback journal the readers have to leave first
                if time.monotonic() >= until:
                    raise write_failure(self.path, error) from error
                time.sleep(random.uniform(0.001, 0.01))
            except apsw.Error as error:
                raise write_failure(self.path, error) from error

    def give_way(self, held: float) -> None:
        """Leave the database to others after a change of many: for as long as it was held, and long enough to be seen.

        Args:
            held: seconds for which nobody else could write.
        """
        version, now = self.rows("PRAGMA data_version")[0][0], time.monotonic()
        if self._version is not None and version != self._version:
            self._others_wrote = now
        self._version = version
        time.sleep(max(held, OTHERS_REST_SECONDS if now - self._others_wrote < OTHERS_SECONDS else REST_SECONDS))

    def _check_place(self) -> None:
        """A file that was put in the place of the one that is open would not get what is written."""
        if checked_inode(self.path) != self._inode:
            raise Refused(
                f"Another file has taken the place of {self.path} meanwhile; nothing was changed.",
                code="sessions_replaced",
                hint="Look at it and do it again.",
            )

    def columns(self, table: str) -> frozenset[str]:
        """The columns a table has; empty when there is no such table."""
        if table not in self._tables:
            found = self.rows("SELECT name FROM pragma_table_info(?)", (table,))
            self._tables[table] = frozenset(str(row[0]) for row in found)
        return self._tables[table]

    def features(self) -> Features:
        """What this database has of all that one may have."""
        if self._features is None:
            self._features = probe(self._read)
        return self._features

    def _read(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """The same as `rows`, for what is only looked at: what cannot be done with an index is no rule then."""
        try:
            return self.rows(sql, values)
        except Refused as error:
            raise Unreadable(error.message, code=error.code, hint=error.hint) from error

    def let_checkpoint(self) -> None:
        """Let the write-ahead log move into the file at the end, as SQLite does when nobody else has it open."""
        self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)

    @property
    def bare(self) -> apsw.Connection:
        """The connection itself, for what SQLite offers beside SQL."""
        return self._connection


@contextmanager
def told_as_cut_off(done: int, what: str) -> Iterator[None]:
    """What fails within is told as the end of a change of many, of which so many were done before."""
    try:
        yield
    except HermesTuiError as error:
        if not done:
            raise
        said = error.message.partition(" Nothing was")[0].partition("; nothing was")[0].rstrip(".")
        words = f"{said}. Before that, {plural(done, what)} {'was' if done == 1 else 'were'} done."
        raise type(error)(
            words, code=error.code, hint="What is done stays so; the same again goes on with it."
        ) from error


def write_failure(path: Path, error: apsw.Error) -> HermesTuiError:
    """What SQLite said when it was to write, as a sentence with a way on."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return Unreadable(
            f"{path} is locked by another process that writes; nothing was changed.",
            code="sessions_locked",
            hint="Try again in a moment; if it stays, see which agent is at work in this home.",
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError | apsw.CantOpenError):
        if disk.is_mounted_read_only(path):
            return disk.write_failure(path, OSError(errno.EROFS, os.strerror(errno.EROFS)))
        return Unreadable(
            f"{path} cannot be written; nothing was changed.",
            code="sessions_readonly",
            hint=f"Give yourself write access to it and to {path.parent}.",
        )
    if isinstance(error, apsw.FullError):
        return Unreadable(
            f"{path} cannot be written: the disk is full. Nothing was changed.",
            code="disk_full",
            hint="Free some space and try again.",
        )
    said = str(error)
    if isinstance(error, apsw.CorruptError):
        return Unreadable(f"{path} or its search index is damaged: {said}. Nothing was changed.",
                          code="sessions_corrupt", hint=REPAIR)  # fmt: skip
    if isinstance(error, apsw.ConstraintError):
        return Refused(f"A rule of the database forbids it: {said}. Nothing was changed.", code="constraint",
                       hint="Look at the sessions again, then try once more.")  # fmt: skip
    if isinstance(error, apsw.SQLError) and ("fts" in said or "tokenizer" in said or "no such" in said):
        return Refused(
            f"The search index of {path} cannot be kept up: {said}. Nothing was changed.",
            code="index_refused",
            hint=REPAIR,
        )
    return failure(path, error)
