"""What a session was at one moment, and whether it still is while it is written out slice by slice."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from hermes_tui.errors import Conflict, NotFound
from hermes_tui.sessions.export.stored_json import Stored
from hermes_tui.sessions.export.stored_rows import (
    Outline,
    Stopped,
    columns_of,
    message_ids,
    message_rows,
    newer_ids,
    outline,
    stored_rows,
)
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.stored import text_of

TRIES = 50
"""So often a session is looked at again that an agent changes at this very moment."""

Table = tuple[tuple[str, ...], list[tuple[Stored, ...]]]
"""Columns, and rows of them."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A session at one moment."""

    id: str
    version: object
    """None where nobody else can change anything."""
    row: dict[str, Stored]
    prompt: Stored
    """The system prompt where the row has only its hash."""
    tools: Stored
    """The names of the tools where the row has only their hash."""
    usage: Table
    children: tuple[str, ...]
    """Sessions that name this one as their parent."""
    store: str | None
    """What the database calls itself."""
    columns: tuple[str, ...]
    """Of the messages."""
    messages: Outline


def look(base: Reader, session_id: str, stopped: Stopped) -> Seen:
    """See what a session is now; messages that come later are not part of it.

    Raises:
        NotFound: there is none.
        Conflict: an agent changes it all the time.
        Interrupted: `stopped` said so.
    """
    version = _version(base)
    columns, usage_columns = columns_of(base, "sessions"), columns_of(base, "session_model_usage")
    ids = message_ids(base, session_id, stopped)
    for _ in range(TRIES):
        row = _row(base, session_id, columns)
        ids.extend(newer_ids(base, session_id, ids[-1] if ids else 0))
        usage = _usage(base, session_id, usage_columns)
        if _row(base, session_id, columns) == row:
            break
    else:
        raise changed(session_id)
    of = dict(zip(columns, row, strict=True))
    message_columns = columns_of(base, "messages")
    return Seen(
        id=session_id,
        version=version,
        row=of,
        prompt=_shared_text(base, of.get("system_prompt_hash")),
        tools=_shared_text(base, of.get("tool_names")),
        usage=(usage_columns, usage),
        children=_children(base, session_id) if "parent_session_id" in of else (),
        store=_store(base),
        columns=message_columns,
        messages=outline(base, ids, message_columns, stopped),
    )


def _version(base: Reader) -> object:
    """What is another value after every commit; None within a change of ours, where nobody else can commit."""
    version = getattr(base, "version", None)
    return version() if version is not None else None


def _row(base: Reader, session_id: str, columns: Sequence[str]) -> tuple[Stored, ...]:
    rows = stored_rows(base, columns, "FROM sessions t WHERE id = ?", (session_id,))
    if not rows:
        raise NotFound(f"There is no session {session_id}.", code="no_such_session")
    return rows[0]


def _usage(base: Reader, session_id: str, columns: Sequence[str]) -> list[tuple[Stored, ...]]:
    if not columns:
        return []
    return stored_rows(base, columns, "FROM session_model_usage t WHERE session_id = ? ORDER BY rowid", (session_id,))


def _shared_text(base: Reader, key: Stored) -> Stored:
    """A text that is stored once for all sessions that have it."""
    if not isinstance(key, str) or not base.columns("system_prompts"):
        return None
    rows = stored_rows(base, ("prompt",), "FROM system_prompts t WHERE hash = ?", (key,))
    return rows[0][0] if rows else None


def _children(base: Reader, session_id: str) -> tuple[str, ...]:
    rows = base.rows(
        "SELECT CAST(id AS BLOB) FROM sessions WHERE parent_session_id = ? ORDER BY started_at, id", (session_id,)
    )
    return tuple(text_of(row[0]) for row in rows)


def _store(base: Reader) -> str | None:
    if not base.columns("state_meta"):
        return None
    rows = base.rows("SELECT CAST(value AS BLOB) FROM state_meta WHERE key = 'store_instance_id'")
    return text_of(rows[0][0]) if rows else None


def changed(session_id: str) -> Conflict:
    """The error of a session that is another one now."""
    return Conflict(
        f"Session {session_id} was changed while it was read.",
        code="session_changed",
        hint="Try again when its agent has come to rest.",
    )


@dataclass(slots=True)
class Watch:
    """What was read of a session, to see at the end whether it all belonged together."""

    base: Reader
    seen: Seen
    _read: list[tuple[array[int], int]] = field(default_factory=list)

    def rows(self, ids: Sequence[int]) -> list[tuple[Stored, ...]]:
        """The messages with these ids.

        Raises:
            Conflict: they are not there any more.
        """
        columns = self.seen.columns
        rows = message_rows(self.base, columns, ids)
        at, owner = columns.index("id"), columns.index("session_id")
        if [row[at] for row in rows] != list(ids) or any(row[owner] != self.seen.id for row in rows):
            raise changed(self.seen.id)
        if self.seen.version is not None:
            self._read.append((array("q", ids), hash(tuple(rows))))
        return rows

    def check(self, stopped: Stopped) -> None:
        """Look whether everything that was read was there at the same time; new messages do not count.

        Raises:
            Conflict: it was not.
        """
        seen = self.seen
        if seen.version is None or _version(self.base) == seen.version:
            return
        # What is now as it was when it was read has been so in between, so all of it was so when the last was read.
        last = seen.messages.ids[-1] if seen.messages.ids else 0
        ids = array("q", [each for each in message_ids(self.base, seen.id, stopped) if each <= last])
        if outline(self.base, ids, seen.columns, stopped) != seen.messages:
            raise changed(seen.id)
        for read, digest in self._read:
            if hash(tuple(message_rows(self.base, seen.columns, read))) != digest:
                raise changed(seen.id)
