"""Reading state.db: read-only, in short statements, on a current SQLite."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.failures import checked_inode, failure, foreign, quoted
from hermes_tui.sessions.features import Features, probe
from hermes_tui.sessions.scoring import register

BUSY_TIMEOUT_MS = 100
PATIENCE_SECONDS = 5.0
"""How long a reading waits for a database that somebody else keeps locked."""
PAUSE_SECONDS = 0.05
JOURNAL_BYTE = 18
"""Where the file says how it is written."""
ROLLBACK_JOURNAL = b"\x01"
"""What it says there when readers and writers shut each other out with locks."""

Row = tuple[Any, ...]
Result = TypeVar("Result")


class Interrupted(HermesTuiError):
    """A reading was told to stop."""

    def __init__(self) -> None:
        super().__init__("The reading was stopped.", code="interrupted")


class Database:
    """A reader that leaves no trace: nothing is written, and nothing is made beside the file.

    Opening a database in WAL mode makes two files beside it, also read-only, unless the agent has it
    open and they are there. So while nobody has it open it is read as immutable, and each answer
    counts only if the file has not moved meanwhile; otherwise it is asked again the ordinary way.
    Every query is fetched whole, so that no reading blocks the agent's writing. A file that takes
    the place of the one that was opened is opened in its turn. Any thread may call, one at a time.

    Args:
        path: the home's state.db.
        patience: seconds to wait while somebody else keeps it locked.

    Raises:
        NotFound: there is no such file, or it is empty.
        Unreadable: it is no file, no database, or the disk refused.
    """

    def __init__(self, path: Path, *, patience: float = PATIENCE_SECONDS) -> None:
        self.path = path
        self.patience = patience
        self._lock = threading.RLock()
        self._stopped = False
        self._over = False
        self._scoring = False
        self._open()

    def _open(self) -> None:
        self._tables: dict[str, frozenset[str]] = {}
        self._features: Features | None = None
        self._inode = checked_inode(self.path)
        self._still: tuple[int, int, int] | None = None
        # Asked once: a journal that appears in between would leave an immutable reading that is never checked.
        calm = _nobody_writes(self.path)
        self._connection = self._connect("immutable=1" if calm else "mode=ro")
        if calm and not self._locks_enough():
            self._still = _stamp(self.path)

    def _connect(self, mode: str) -> apsw.Connection:
        try:
            connection = apsw.Connection(
                f"file:{quoted(self.path)}?{mode}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            )
        except apsw.Error as error:
            raise failure(self.path, error) from error
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        self._scores = False
        return connection

    def _locks_enough(self) -> bool:
        """Whether the file that was opened as immutable can be read with locks and leave nothing beside it."""
        try:
            if self.journal() == "wal":
                return False
        except apsw.Error:
            return False
        self._connection.close()
        self._connection = self._connect("mode=ro")
        return True

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """All rows of a query.

        Raises:
            NotFound: the file is gone.
            Unreadable: SQLite could not read it, also after a few tries.
            Interrupted: `interrupt` was called meanwhile.
        """
        with self._lock:
            if self._over:
                raise Interrupted
            self._stopped = False
            self._follow()
            if self._still is not None:
                try:
                    found = self._fetch(sql, values)
                except apsw.InterruptError:
                    raise Interrupted from None
                except apsw.Error as error:
                    if self._calm:
                        raise failure(self.path, error) from error
                else:
                    if self._calm:
                        return found
                self._reopen()
            return self._retried(lambda: self._fetch(sql, values))

    @property
    def _calm(self) -> bool:
        """Whether the file is still as it was when it was opened as immutable."""
        return _nobody_writes(self.path) and _stamp(self.path) == self._still

    def _follow(self) -> None:
        """Look at the file that has the name now."""
        try:
            status = self.path.stat()
            inode = status.st_ino if status.st_size else 0
        except OSError:
            inode = 0
        if inode != self._inode:
            self._inode = -1  # whatever comes next, this one is closed
            self._connection.close()
            self._open()

    def _reopen(self) -> None:
        self._connection.close()
        self._still = None
        self._features = None
        self._connection = self._connect("mode=ro")

    def _fetch(self, sql: str, values: Sequence[object]) -> list[Row]:
        if self._scoring and not self._scores:
            register(self._connection)
            self._scores = True
        cursor = self._connection.execute(sql, tuple(values))
        try:
            return cursor.fetchall()
        except UnicodeDecodeError:
            return self._fetch_bytes(sql, values, len(cursor.get_description()))

    def _fetch_bytes(self, sql: str, values: Sequence[object], width: int) -> list[Row]:
        """The same rows, with U+FFFD for what is not UTF-8 in a text."""
        columns = [f"c{number}" for number in range(width)]
        pairs = ", ".join(
            f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
            for name in columns
        )
        wrapped = f"WITH q({', '.join(columns)}) AS ({sql}) SELECT {pairs} FROM q"
        rows: list[Row] = self._connection.execute(wrapped, tuple(values)).fetchall()
        return [
            tuple(
                bytes(value).decode("utf-8", errors="replace") if kind == "text" else value
                for kind, value in zip(row[::2], row[1::2], strict=True)
            )
            for row in rows
        ]

    def journal(self) -> str:
        """How the file says that it is written, `wal` or `delete`; a reader that leaves no trace would not notice."""
        with self._lock:
            _, head = self._connection.read("main", 0, 0, JOURNAL_BYTE + 1)
        return "delete" if head[JOURNAL_BYTE:] == ROLLBACK_JOURNAL else "wal"

    def _retried(self, read: Callable[[], Result]) -> Result:
        until = time.monotonic() + self.patience
        while True:
            try:
                return read()
            except apsw.InterruptError:
                raise Interrupted from None
            except (apsw.BusyError, apsw.LockedError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError) as error:
                if self._stopped:
                    raise Interrupted from None
                if time.monotonic() >= until:
                    raise failure(self.path, error) from error
                time.sleep(PAUSE_SECONDS)
            except apsw.Error as error:
                raise failure(self.path, error) from error

    def columns(self, table: str) -> frozenset[str]:
        """The columns a table has; empty when there is no such table."""
        if table not in self._tables:
            found = self.rows("SELECT name FROM pragma_table_info(?)", (table,))
            self._tables[table] = frozenset(str(row[0]) for row in found)
        return self._tables[table]

    def features(self) -> Features:
        """What this database has of all that one may have.

        Raises:
            Unreadable: it holds no sessions at all, or cannot be read.
        """
        with self._lock:
            if self._features is None:
                features = probe(self.rows)
                if features.custom_tokenizer:
                    from hermes_tui.sessions import bigrams  # loaded here: hardly a database needs it

                    bigrams.register(self._connection)
                if not features.sessions or not features.messages:
                    raise foreign(self.path, "messages" if features.sessions else "sessions")
                self._features = features
            return self._features

    def let_score(self) -> None:
        """From now on, queries may use the function that says how well a message matches."""
        self._scoring = True

    def version(self) -> object:
        """A value that is another one after every commit, of whoever; cheap enough to ask ten times a second.

        Raises:
            NotFound: the file is gone.
            Unreadable: SQLite could not read it.
        """
        if self._still is not None and self._calm:
            return self._still
        (counter,) = self.rows("PRAGMA data_version")[0]
        return self._inode, id(self._connection), counter

    def interrupt(self) -> None:
        """Stop the statement that runs, if one does; for another thread to call."""
        self._stopped = True
        with suppress(apsw.ConnectionClosedError):  # while another file takes the place of the one that was open
            self._connection.interrupt()

    @property
    def opened(self) -> bool:
        """Whether it was not closed yet."""
        return not self._over

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection, once what runs in another thread has ended; whoever asks after that is interrupted."""
        with self._lock:
            self._over = True
            self._connection.close(True)  # what the disk refuses now says nothing about what was read


def _nobody_writes(path: Path) -> bool:
    """Whether none of the files is there that SQLite keeps beside a database while it is open for writing."""
    try:
        if path.is_symlink():
            path = path.resolve()
        return not any(path.with_name(path.name + ending).exists() for ending in ("-wal", "-journal"))
    except OSError:
        return False


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
