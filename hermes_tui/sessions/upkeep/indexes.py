"""What the search indexes need, so that taking a message out of them does not hurt them.

An index forgets a message by the words that are in it; where they are not the words that were put in, it is hurt
without a sound. So before messages go, it is looked whether their numbers of words are those that the index noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_tui.errors import Refused
from hermes_tui.sessions import bigrams
from hermes_tui.sessions.failures import REPAIR
from hermes_tui.sessions.upkeep import trigrams
from hermes_tui.sessions.upkeep.writer import Writer

SAMPLED_ROWS = 20_000
"""So many of the newest messages are looked at to see how the agent's SQLite takes texts apart."""

_OPTION = r"(?:^|[,(\s]){}\s*=\s*'((?:[^']|'')*)'"


@dataclass(frozen=True, slots=True)
class Index:
    """One search index over messages."""

    name: str
    columns: tuple[str, ...]
    source: str
    """The table or view that has the texts, under the same names of columns; its own when it keeps them itself."""
    key: str
    """The column of `source` that has a message's id."""
    tokenizer: str
    args: tuple[str, ...]
    external: bool
    """Whether the texts are elsewhere, so that taking out one that is not in it would hurt it."""


def indexes(writer: Writer) -> tuple[Index, ...]:
    """The indexes that triggers on messages keep up."""
    triggers = writer.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'messages'")
    kept_up = " ".join(str(row[0]) for row in triggers)
    tables = writer.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%fts5%'")
    return tuple(
        _index(writer, str(name), str(sql))
        for name, sql in tables
        if re.search(rf"\b{re.escape(str(name))}\b", kept_up)
    )


def _index(writer: Writer, name: str, sql: str) -> Index:
    columns = tuple(str(row[0]) for row in writer.rows("SELECT name FROM pragma_table_info(?)", (name,)))
    content = _option(sql, "content")
    tokenizer, *args = (_option(sql, "tokenize") or "unicode61").split()
    own = tuple(f"c{number}" for number in range(len(columns)))
    return Index(
        name=name,
        columns=columns if content else own,
        source=content or f"{name}_content",
        key=(_option(sql, "content_rowid") or "rowid") if content else "id",
        tokenizer=tokenizer,
        args=tuple(args),
        external=bool(content),
    )


def _option(sql: str, name: str) -> str:
    found = re.search(_OPTION.format(name), sql)
    return found[1].replace("''", "'") if found else ""


def old_ones(writer: Writer, session_ids: Sequence[str]) -> list[int]:
    """The messages of some sessions that have to be taken out as SQLite before 3.48 put them in.

    Raises:
        Refused: an index does not have what it should, so that it would be hurt.
    """
    these = f"m.session_id IN ({', '.join('?' * len(session_ids))})"
    found: set[int] = set()
    for index in indexes(writer):
        if index.external:
            _check_all_there(writer, index, these, session_ids)
        if index.tokenizer == trigrams.NAME:
            texts = " || ".join(f"coalesce(CAST(v.{column} AS BLOB), x'')" for column in index.columns)
            read = _sized(writer, index, f"{these} AND instr({texts}, x'00') > 0", session_ids)
            found.update(id for id, old in read if old)
        elif index.tokenizer == bigrams.NAME:
            for _ in _sized(writer, index, these, session_ids):
                pass  # it is read for what it may raise
    return sorted(found)


def takes_apart_as_before(writer: Writer) -> bool | None:
    """Whether the SQLite of this home's agent stops at a NUL, as far as its newest messages tell; None if none does."""
    newest = "m.id > (SELECT max(id) FROM messages) - ? AND substr(CAST(m.content AS BLOB), 1, 1) = x'00'"
    for index in indexes(writer):
        if index.tokenizer == trigrams.NAME:
            try:
                newest_first = f"{newest} ORDER BY m.id DESC LIMIT 1"
                told = [old for _, old in _sized(writer, index, newest_first, (SAMPLED_ROWS,))]
            except Refused:
                return None
            return told[0] if told else None
    return None


def _check_all_there(writer: Writer, index: Index, these: str, session_ids: Sequence[str]) -> None:
    """What an index keeps up by triggers alone has to have every message that a trigger would take out."""
    mark = "fts_cjk_rebuild_high_water" if index.tokenizer == bigrams.NAME else "fts_rebuild_high_water"
    if writer.columns("state_meta") and writer.rows("SELECT 1 FROM state_meta WHERE key = ?", (mark,)):
        raise Refused(
            "The agent is building its search index anew, and what is not in it yet cannot be taken out.",
            code="index_refused",
            hint="Let the agent finish (hermes sessions optimize-storage), then try again.",
        )
    (lacking,) = writer.rows(
        f"SELECT count(*) FROM messages m JOIN {index.source} v ON v.{index.key} = m.id"
        f" LEFT JOIN {index.name}_docsize d ON d.id = m.id WHERE {these} AND d.id IS NULL",
        session_ids,
    )[0]
    if lacking:
        raise Refused(
            f"The search index {index.name} does not have {lacking:,} of these messages, so it would be hurt.",
            code="index_refused",
            hint=REPAIR,
        )


def _sized(writer: Writer, index: Index, where: str, values: Sequence[object]) -> Iterator[tuple[int, bool]]:
    """Messages in an index, each with whether it was taken apart the old way.

    Raises:
        Refused: neither way gives the number of words that the index has noted.
    """
    columns = ", ".join(f"CAST(v.{column} AS BLOB)" for column in index.columns)
    rows = writer.rows(
        f"SELECT m.id, d.sz, {columns} FROM messages m JOIN {index.source} v ON v.{index.key} = m.id"
        f" JOIN {index.name}_docsize d ON d.id = m.id WHERE {where}",
        values,
    )
    for id, size, *texts in rows:
        yield id, _is_old(index, id, _numbers(bytes(size)), [bytes(text or b"") for text in texts])


def _is_old(index: Index, id: int, noted: list[int], texts: Sequence[bytes]) -> bool:
    if index.tokenizer == bigrams.NAME:
        if noted == [sum(1 for _ in bigrams.tokens(text.decode("utf-8", errors="replace"))) for text in texts]:
            return False
    else:
        for old in (False, True):
            if noted == [trigrams.count(text, list(index.args), old=old) for text in texts]:
                return old
    raise Refused(
        f"The search index {index.name} has other words for message {id} than it says, so it would be hurt.",
        code="index_refused",
        hint=REPAIR,
    )


def _numbers(blob: bytes) -> list[int]:
    """SQLite's own numbers of one to nine bytes, one after another."""
    found, value, length = [], 0, 0
    for byte in blob:
        length += 1
        if length == 9:
            value = value << 8 | byte
        else:
            value = value << 7 | byte & 0x7F
            if byte & 0x80:
                continue
        found.append(value)
        value = length = 0
    return found
