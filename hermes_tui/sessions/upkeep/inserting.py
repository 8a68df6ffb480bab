"""Rows of sessions put into a database, also exactly as they once were, whatever its triggers make of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hermes_tui.errors import Refused
from hermes_tui.sessions.export.stored_json import Stored
from hermes_tui.sessions.export.stored_rows import bound, columns_of, message_rows, name_sql
from hermes_tui.sessions.message_rows import json_list
from hermes_tui.sessions.upkeep.incoming_rows import StoredRow
from hermes_tui.sessions.upkeep.writer import Writer

BUNCH_MESSAGES = 200
BUNCH_CHARS = 1_000_000
LONG_VALUE = 100_000
"""A text that is longer is not read again to see whether it is as it should be."""

_SHARED = {"system_prompt": "system_prompt_hash", "tool_names": "tool_names"}
"""Texts of a session that some databases store once for all, and the columns that have their hashes."""


def bunches(messages: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Messages in lists that do not take much memory."""
    bunch: list[dict[str, Any]] = []
    size = 0
    for message in messages:
        bunch.append(message)
        size += sum(len(value) for value in message.values() if isinstance(value, str))
        if len(bunch) >= BUNCH_MESSAGES or size >= BUNCH_CHARS:
            yield bunch
            bunch, size = [], 0
    if bunch:
        yield bunch


class Inserter:
    """Puts rows in, within changes of the writer."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.shares = bool(writer.columns("system_prompts"))
        """Whether prompts are stored once for all sessions."""
        self._columns: dict[str, tuple[str, ...]] = {}

    def columns(self, table: str) -> tuple[str, ...]:
        """The columns of a table in their order; empty when there is no such table."""
        if table not in self._columns:
            self._columns[table] = columns_of(self.writer, table)
        return self._columns[table]

    def prompts(self, row: StoredRow, facts: Mapping[str, Any], *, exact: bool) -> None:
        """Store the texts that a session shares with others, the way this database does, and refer to them."""
        if exact:
            self._exact_prompts(row, facts)
            return
        prompt = facts.get("system_prompt")
        if not isinstance(prompt, str):
            return
        if self.shares and "system_prompt_hash" in self.columns("sessions"):
            prompt = prompt.encode("utf-8", errors="replace").decode()
            key = hashlib.sha256(prompt.encode()).hexdigest()
            self._share(key, prompt)
            row["system_prompt_hash"] = key
        elif "system_prompt" in self.columns("sessions"):
            row["system_prompt"] = prompt.encode("utf-8", errors="replace").decode()

    def _exact_prompts(self, row: StoredRow, facts: Mapping[str, Any]) -> None:
        for name, column in _SHARED.items():
            key, text = row.get(column), facts.get(name)
            if not self.shares or not isinstance(key, str):
                continue
            if isinstance(text, str) and text != key:
                self._share(key, text)
            elif column != name and not self.writer.rows("SELECT 1 FROM system_prompts WHERE hash = ?", (key,)):
                row[column] = None  # it referred to nothing, which the keys of the database do not allow

    def _share(self, key: str, text: str) -> None:
        self.writer.execute("INSERT OR IGNORE INTO system_prompts (hash, prompt) VALUES (?, ?)", (key, text))

    def session(self, row: StoredRow) -> None:
        """A session."""
        self._insert("INSERT INTO sessions", row)

    def usage(self, row: StoredRow) -> None:
        """What a session cost with one model."""
        self._insert("INSERT OR IGNORE INTO session_model_usage", row)

    def message(self, row: StoredRow) -> None:
        """A message; it gets the next id."""
        self._insert("INSERT INTO messages", row)

    def count(self, session_id: str, live: int, calls: int) -> None:
        """Say how many messages a session has in sight, and how many calls are in them."""
        counters = {"message_count": live, "tool_call_count": calls}
        known = {name: value for name, value in counters.items() if name in self.columns("sessions")}
        if known:
            self._set("sessions", known, "id", session_id)

    def restore(self, rows: Sequence[StoredRow]) -> None:
        """Messages exactly as they were, with their ids.

        Raises:
            Refused: other messages have the ids, or a trigger does not let them be as they were.
        """
        ids = [row["id"] for row in rows]
        taken = self.writer.rows(
            "SELECT m.id FROM json_each(?) j JOIN messages m ON m.id = j.value LIMIT 1", (json_list(ids),)
        )
        if taken:
            raise Refused(
                f"Message {taken[0][0]} of another session has taken the place of one that is to come back.",
                code="ids_taken",
                hint="What was kept of it can still be imported, as a file; its messages get new ids then.",
            )
        for row in rows:
            self._insert("INSERT INTO messages", row)
        differing = self._differing(rows, ids)
        for row, wrong in differing:
            self._set("messages", wrong, "id", row["id"])
        if differing and self._differing(rows, ids):
            raise Refused(
                "A trigger of the database does not let messages be as they were.",
                code="not_restored",
                hint="What was kept of them can still be imported, as a file.",
            )

    def _differing(self, rows: Sequence[StoredRow], ids: Sequence[Any]) -> list[tuple[StoredRow, StoredRow]]:
        """Rows that are not stored as they should be, with what is wrong with each."""
        long = {name for row in rows for name, value in row.items() if _length(value) > LONG_VALUE}
        columns = [name for name in dict.fromkeys(name for row in rows for name in row) if name not in long]
        found = []
        for row, stored in zip(rows, message_rows(self.writer, columns, ids), strict=True):
            wrong = {
                name: row[name]
                for name, value in zip(columns, stored, strict=True)
                if name in row and not _same(row[name], value)
            }
            if wrong:
                found.append((row, wrong))
        return found

    def _insert(self, verb: str, row: StoredRow) -> None:
        marks, values = _bound(row.values())
        self.writer.execute(f"{verb} ({', '.join(map(name_sql, row))}) VALUES ({', '.join(marks)})", values)

    def _set(self, table: str, row: Mapping[str, Stored], key: str, of: Stored) -> None:
        marks, values = _bound(row.values())
        pairs = ", ".join(f"{name_sql(name)} = {mark}" for name, mark in zip(row, marks, strict=True))
        self.writer.execute(f"UPDATE {table} SET {pairs} WHERE {key} = ?", (*values, of))


def _bound(values: Iterable[Stored]) -> tuple[list[str], list[object]]:
    pairs = [bound(value) for value in values]
    return [mark for mark, _ in pairs], [value for _, value in pairs]


def _length(value: Stored) -> int:
    return len(value) if isinstance(value, str | bytes) else 0


def _same(one: Stored, other: Stored) -> bool:
    return type(one) is type(other) and one == other
