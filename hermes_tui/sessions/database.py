"""Reading state.db: read-only, in short statements, on a current SQLite."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import apsw

from hermes_tui.errors import NotFound, Unreadable

BUSY_TIMEOUT_MS = 1_000
RETRIES = 5
RETRY_SECONDS = 0.05
JSON_MARK = "\x00json:"
"""How the agent marks a message that is not plain text."""

Row = tuple[Any, ...]
Result = TypeVar("Result")


class Database:
    """A reader that leaves no trace: nothing is written, and nothing is made beside the file.

    Opening a database in WAL mode makes two files beside it, also read-only, unless the agent has it
    open and they are there. So while nobody has it open it is read as immutable, and each answer
    counts only if the file has not moved meanwhile; otherwise it is asked again the ordinary way.
    Every query is fetched whole, so that no reading blocks the agent's writing.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NotFound(f"There are no sessions: {path} does not exist.", code="no_sessions")
        self.path = path
        self._tables: dict[str, frozenset[str]] = {}
        self._still = _stamp(path) if _nobody_writes(path) else None
        self._connection = self._open()

    def _open(self) -> apsw.Connection:
        mode = "mode=ro" if self._still is None else "immutable=1"
        try:
            connection = apsw.Connection(
                f"file:{_quoted(self.path)}?{mode}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            )
        except apsw.Error as error:
            raise _unreadable(self.path, error) from error
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        return connection

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """All rows of a query.

        Raises:
            Unreadable: SQLite could not read the file, also after a few tries.
        """
        if self._still is not None:
            try:
                found = self._fetch(sql, values)
            except apsw.Error:
                found = None
            if found is not None and _nobody_writes(self.path) and _stamp(self.path) == self._still:
                return found
            self.close()
            self._still = None
            self._connection = self._open()
        return self._retried(lambda: self._fetch(sql, values))

    def _fetch(self, sql: str, values: Sequence[object]) -> list[Row]:
        return self._connection.execute(sql, tuple(values)).fetchall()

    def columns(self, table: str) -> frozenset[str]:
        """The columns a table has; empty when there is no such table."""
        if table not in self._tables:
            found = self.rows("SELECT name FROM pragma_table_info(?)", (table,))
            self._tables[table] = frozenset(str(row[0]) for row in found)
        return self._tables[table]

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def _retried(self, read: Callable[[], Result]) -> Result:
        for attempt in range(RETRIES):
            try:
                return read()
            except (apsw.BusyError, apsw.IOError, apsw.CantOpenError) as error:
                if attempt == RETRIES - 1:
                    raise _unreadable(self.path, error) from error
                time.sleep(RETRY_SECONDS * (attempt + 1))
            except apsw.Error as error:
                raise _unreadable(self.path, error) from error
        raise AssertionError("the loop above returns or raises")


def _nobody_writes(path: Path) -> bool:
    """Whether none of the files is there that SQLite keeps beside a database while it is open for writing."""
    return not any(path.with_name(path.name + ending).exists() for ending in ("-wal", "-journal"))


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(str(path.resolve()))


def _unreadable(path: Path, error: apsw.Error) -> Unreadable:
    return Unreadable(
        f"{path} cannot be read: {error}.", code="sessions_unreadable", hint="Try again while the agent is calm."
    )


def plain_text(content: object) -> str:
    """What a message says, as text: lists of parts joined, other media named in brackets."""
    if content is None:
        return ""
    if isinstance(content, bytes):
        content = content.decode("utf-8", errors="replace")
    if not isinstance(content, str):
        return str(content)
    if not content.startswith(JSON_MARK):
        return content
    try:
        parts = json.loads(content[len(JSON_MARK) :])
    except (ValueError, RecursionError):
        return content[len(JSON_MARK) :]
    return "\n".join(_part(part) for part in (parts if isinstance(parts, list) else [parts]))


def _part(part: object) -> str:
    if isinstance(part, dict):
        text = part.get("text")
        return text if isinstance(text, str) else f"[{part.get('type', 'part')}]"
    return str(part)
