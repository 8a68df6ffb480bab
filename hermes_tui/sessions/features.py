"""What a state.db has of all that one may have: tables, columns, indexes. Probed, never told by a version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Rows = Callable[..., list[tuple[Any, ...]]]

Layout = Literal["", "inline", "external"]


@dataclass(frozen=True, slots=True)
class Features:
    """What one database has."""

    sessions: frozenset[str]
    """Columns of the table of sessions."""
    messages: frozenset[str]
    """Columns of the table of messages."""
    schema_version: int | None
    words: Layout
    """How `messages_fts` keeps its text; empty when words cannot be looked up in it."""
    trigram: bool
    """Whether three characters anywhere in a text can be looked up."""
    trigram_partial: bool
    """Whether that index leaves out tool results, scheduled runs and subagents."""
    bigrams: bool
    """Whether two CJK characters can be looked up."""
    custom_tokenizer: bool
    """Whether an index is there that needs the agent's own tokenizer."""
    counted: bool
    """Whether the word index says which messages it has."""
    marked: bool
    """Whether there is a table of marks, such as how far a rebuild has come."""
    prompts_table: bool
    missing: tuple[str, ...]
    """What cannot be done with this database, in sentences."""


class Reader(Protocol):
    """Whatever reads a state.db: the reader that leaves no trace, or the writer within a change."""

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""

    def columns(self, table: str) -> frozenset[str]:
        """The columns a table has; empty when there is no such table."""

    def features(self) -> Features:
        """What this database has of all that one may have."""


def probe(rows: Rows) -> Features:
    """Look what is there.

    Args:
        rows: runs a query and gives all its rows.
    """
    objects = {
        str(name): str(sql or "") for name, sql in rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    }
    columns = {table: _columns(rows, table) for table in ("sessions", "messages") if table in objects}
    messages = columns.get("messages", frozenset())
    marks = _marks(rows) if "state_meta" in objects else {}
    missing: list[str] = []
    words = _words(rows, objects, marks, missing)
    trigram = _usable(rows, "messages_fts_trigram", objects) and "fts_stale" not in marks
    partial = trigram and "messages_fts_trigram_content" not in objects
    custom = "messages_fts_cjk" in objects
    if words and not trigram:
        missing.append("There is no index of parts of words; Chinese, Japanese and Thai are found by a plain scan.")
    if "active" not in messages:
        missing.append("This agent does not mark what was undone, so undone messages are shown like the others.")
    return Features(
        sessions=columns.get("sessions", frozenset()),
        messages=messages,
        schema_version=_schema_version(rows) if "schema_version" in objects else None,
        words=words,
        trigram=trigram,
        trigram_partial=partial,
        bigrams=custom and not marks.keys() & {"fts_cjk_stale", "fts_cjk_rebuild_high_water"},
        custom_tokenizer=custom,
        counted="messages_fts_docsize" in objects,
        marked="state_meta" in objects,
        prompts_table="system_prompts" in objects,
        missing=tuple(missing),
    )


def _columns(rows: Rows, table: str) -> frozenset[str]:
    return frozenset(str(row[0]) for row in rows("SELECT name FROM pragma_table_info(?)", (table,)))


def _marks(rows: Rows) -> dict[str, str]:
    found = rows("SELECT key, value FROM state_meta WHERE key LIKE 'fts%'")
    return {str(key): str(value) for key, value in found}


def _schema_version(rows: Rows) -> int | None:
    found = rows("SELECT version FROM schema_version LIMIT 1")
    return found[0][0] if found and isinstance(found[0][0], int) else None


def _words(rows: Rows, objects: dict[str, str], marks: dict[str, str], missing: list[str]) -> Layout:
    if "messages_fts" not in objects:
        missing.append("There is no search index, so search is a plain scan.")
        return ""
    if "fts_stale" in marks:
        missing.append("The search index is out of date (the agent has set it aside), so search is a plain scan.")
        return ""
    if not _usable(rows, "messages_fts", objects):
        missing.append("The search index is damaged, so search is a plain scan; `hermes sessions repair` rebuilds it.")
        return ""
    return "external" if "tool_name" in objects["messages_fts"] else "inline"


def _usable(rows: Rows, index: str, objects: dict[str, str]) -> bool:
    """Whether an index answers; one with lost tables or pages fails at once."""
    from hermes_tui.errors import Unreadable

    if index not in objects or f"{index}_data" not in objects:
        return False
    try:
        rows(f"SELECT rowid FROM {index} WHERE {index} MATCH '\"zzqx\"' LIMIT 1")
        rows(f"SELECT rowid FROM {index} WHERE {index} MATCH '\"the\"' ORDER BY rowid DESC LIMIT 1")
    except Unreadable as error:
        if error.code == "sessions_locked":
            raise
        return False
    return True


def unindexed(rows: Rows, features: Features) -> tuple[tuple[int, int], ...]:
    """Ranges of message ids (first, last) that the word index does not have, newest first.

    A rebuild may not have come to them yet, or they were written while nothing kept the index up.
    """
    (last,) = rows("SELECT max(id) FROM messages")[0]
    if last is None:
        return ()
    gaps: list[tuple[int, int]] = []
    if features.counted:
        (known,) = rows("SELECT max(id) FROM messages_fts_docsize")[0]
        if known is None or known < last:
            gaps.append(((known or 0) + 1, last))
    marks = _marks(rows) if features.marked else {}
    if "fts_rebuild_high_water" in marks:
        low, high = _number(marks.get("fts_rebuild_progress")), _number(marks["fts_rebuild_high_water"])
        if high > low:
            gaps.append((low + 1, min(high, last)))
    return tuple(gaps)


def _number(text: str | None) -> int:
    try:
        return int(text or 0)
    except ValueError:
        return 0


def names(columns: Sequence[str], there: frozenset[str], *, prefix: str = "") -> str:
    """A list of columns for a SELECT, with NULL in the place of those that the table does not have."""
    return ", ".join(f"{prefix}{name}" if name in there else f"NULL AS {name}" for name in columns)


def live(there: frozenset[str], prefix: str = "") -> str:
    """The condition of a message that the agent still has before it: not undone, not put away, not hidden.

    Args:
        there: the columns that messages have.
        prefix: what stands before their names, such as `m.`.
    """
    return _unhidden(f"{prefix}active IS NOT 0" if "active" in there else "1", there, prefix)


def kept(there: frozenset[str], prefix: str = "") -> str:
    """The same, with what a compaction put away: all that was said and not taken back."""
    if not {"active", "compacted"} <= there:
        return live(there, prefix)
    return _unhidden(f"({prefix}active IS NOT 0 OR {prefix}compacted = 1)", there, prefix)


def unhidden(there: frozenset[str]) -> str:
    """The condition of a message that a person saw."""
    return _unhidden("1", there, "")


def _unhidden(condition: str, there: frozenset[str], prefix: str) -> str:
    return f"{condition} AND {prefix}display_kind IS NOT 'hidden'" if "display_kind" in there else condition
