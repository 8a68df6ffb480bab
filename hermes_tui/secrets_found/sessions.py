"""Secrets in state.db: titles, messages, and with all of them the stored prompts; the newest first."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_tui.secrets_found.allowance import Allowance
from hermes_tui.secrets_found.found import Found, Hit, Place, secrets_in
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.message_rows import by_bytes, json_list
from hermes_tui.sessions.messages import message_text
from hermes_tui.sessions.stored import exact_text, text_of
from hermes_tui.text import plural

IDS = 2_000
"""So many messages are measured at once."""
PIECE_BYTES = 1_000_000
"""So much text is read at once."""
QUICK_BYTES = 200_000
"""So much of one text is read when not all is wanted."""
OVERLAP_BYTES = 8_000
"""What two pieces of one text have in common, so that no secret is cut in two."""
TITLES = 500
_TEXTS = ("content", "tool_calls", "reasoning", "reasoning_content", "reasoning_details", "api_content")


def in_sessions(base: Database, allowance: Allowance) -> Iterator[Found]:
    """Those in titles and messages; in prompts only when all is to be looked through.

    Raises:
        Unreadable: the database cannot be read.
    """
    yield from _in_titles(base, allowance)
    yield from _in_messages(base, allowance)
    if allowance.cut:
        words = plural(allowance.cut, "long message was", "long messages were")
        allowance.left.append(f"{words} looked through to {QUICK_BYTES:,} bytes.")
    if allowance.deep:
        yield from _in_prompts(base)


def _in_titles(base: Database, allowance: Allowance) -> Iterator[Found]:
    last: int | None = None
    while not allowance.spent:
        rows = base.rows(
            "SELECT rowid, CAST(id AS BLOB), CAST(title AS BLOB) FROM sessions WHERE title IS NOT NULL"
            f" AND (?1 IS NULL OR rowid < ?1) ORDER BY rowid DESC LIMIT {TITLES}",
            (last,),
        )
        for rowid, id, title in rows:
            last = rowid
            for hit in secrets_in(text_of(title)):
                session = text_of(id)
                yield _found("session title", f"the title of session {session}", hit, base, session)
        if len(rows) < TITLES:
            return


def _in_messages(base: Database, allowance: Allowance) -> Iterator[Found]:
    columns = [name for name in _TEXTS if name in base.features().messages]
    size = " + ".join(f"coalesce(octet_length({name}), 0)" for name in columns)
    newest, oldest = base.rows("SELECT max(id), min(id) FROM messages")[0]
    if newest is None:
        return
    last = newest + 1
    total = newest - oldest + 1
    while last > oldest:
        if allowance.spent:
            allowance.left.append(
                f"Of about {total:,} messages the newest {newest + 1 - last:,} were looked through, and no prompts."
            )
            return
        rows = base.rows(f"SELECT id, {size} FROM messages WHERE id < ? ORDER BY id DESC LIMIT {IDS}", (last,))
        if not rows:
            return
        for ids in by_bytes([row[0] for row in rows], [row[1] for row in rows], PIECE_BYTES):
            yield from _in_some(base, ids, columns, allowance)
            last = ids[-1]
            allowance.tell(newest + 1 - last, total)
            if allowance.spent:
                break


def _in_some(base: Database, ids: list[int], columns: list[str], allowance: Allowance) -> Iterator[Found]:
    """The secrets of a few messages."""
    most = PIECE_BYTES if allowance.deep else QUICK_BYTES
    texts = ", ".join(
        f"CASE WHEN octet_length({name}) > {most} THEN substr(CAST({name} AS BLOB), 1, {most})"
        f" ELSE CAST({name} AS BLOB) END, coalesce(octet_length({name}), 0)"
        for name in columns
    )
    rows = base.rows(
        f"SELECT m.id, CAST(session_id AS BLOB), {texts} FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value",
        (json_list(ids),),
    )
    for id, session_id, *values in rows:
        told: set[tuple[str, str]] = set()
        session = text_of(session_id)
        for name, value, size in zip(columns, values[::2], values[1::2], strict=True):
            pieces = _pieces(base, id, name, value, size) if size > most and allowance.deep else [value]
            if size > most and not allowance.deep:
                allowance.cut += 1
            for piece in pieces:
                for hit in secrets_in(message_text(piece) if name == "content" else exact_text(piece)):
                    if (hit.name, hit.shown) not in told:
                        told.add((hit.name, hit.shown))
                        yield _found("message", f"message {id} of session {session}", hit, base, session, id)


def _pieces(base: Database, message_id: int, column: str, first: bytes, size: int) -> Iterator[bytes]:
    """A long text, a piece at a time."""
    yield first
    at = len(first) - OVERLAP_BYTES
    while at + OVERLAP_BYTES < size:
        rows = base.rows(
            f"SELECT substr(CAST({column} AS BLOB), ?, ?) FROM messages WHERE id = ?",
            (at + 1, PIECE_BYTES + OVERLAP_BYTES, message_id),
        )
        if not rows or not rows[0][0]:
            return
        yield rows[0][0]
        at += PIECE_BYTES


def _in_prompts(base: Database) -> Iterator[Found]:
    """Those in the prompts that sessions ran on: what was in memory is in them."""
    features = base.features()
    if "system_prompt" not in features.sessions:
        return
    shared = features.prompts_table and "system_prompt_hash" in features.sessions
    prompt = "coalesce(p.prompt, s.system_prompt)" if shared else "s.system_prompt"
    join = " LEFT JOIN system_prompts p ON p.hash = s.system_prompt_hash" if shared else ""
    for (rowid,) in base.rows("SELECT rowid FROM sessions ORDER BY rowid DESC"):
        sql = f"SELECT CAST(s.id AS BLOB), CAST({prompt} AS BLOB) FROM sessions s{join} WHERE s.rowid = ?"
        for id, text in base.rows(sql, (rowid,)):
            session = text_of(id)
            for hit in secrets_in(exact_text(text)):
                yield _found("prompt", f"the stored prompt of session {session}", hit, base, session)


def _found(place: Place, where: str, hit: Hit, base: Database, session: str, message: int = 0) -> Found:
    return Found(
        place,
        where,
        hit.shown,
        hit.kind,
        hit.name,
        str(base.path),
        session_id=session,
        message_id=message,
    )
