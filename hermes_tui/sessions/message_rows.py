"""Rows of the table of messages as messages, whatever columns the table has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.messages import (
    Message,
    State,
    kind_of,
    message_text,
    ordered,
    searched,
    tool_calls,
)
from hermes_tui.sessions.some_matches import first_matches
from hermes_tui.sessions.stored import exact_text, text_of

SHOWN_BYTES = 262_144
"""So much of one content is read to be shown; the rest is a key away."""
TEXT_BYTES = 2_000_000
"""Texts of one statement, together."""
EVERY_BYTE = 2**32 - 1

TIME_SQL = "CASE typeof(timestamp) WHEN 'text' THEN CAST(timestamp AS BLOB) ELSE timestamp END"
"""A time that is text comes as bytes: it need not be any text that can be decoded."""

_BODY = ("tool_calls", "reasoning", "reasoning_content", "tool_name", "tool_call_id", "display_kind")


def state_sql(has: frozenset[str]) -> str:
    """SQL for the state of a message; what an older database has no column for never happened."""
    cases = ["WHEN display_kind = 'hidden' THEN 4"] if "display_kind" in has else []
    if "active" in has:
        cases.append("WHEN coalesce(active, 1) <> 0 THEN 1")
        cases += ["WHEN coalesce(compacted, 0) <> 0 THEN 2"] if "compacted" in has else []
        cases.append("WHEN 1 THEN 3")
    return f"CASE {' '.join(cases)} ELSE 1 END" if cases else "1"


def json_list(values: Sequence[object]) -> str:
    """Values for `json_each`, which takes any number of them."""
    return json.dumps(list(values))


def read_messages(base: Database, ids: Sequence[int], most_bytes: int = SHOWN_BYTES) -> tuple[Message, ...]:
    """Messages with their texts, in the order of `ids`; those that are gone are left out.

    Args:
        base: the database.
        ids: which.
        most_bytes: so much of a content is read; of one in parts all, since a part of JSON is none.
    """
    has = base.features().messages
    # SQL's own length and substr end at a NUL; bytes do not.
    cut = (
        f"CASE WHEN octet_length(content) > {int(most_bytes)} AND substr(CAST(content AS BLOB), 1, 6) <>"
        f" x'006A736F6E3A' THEN substr(CAST(content AS BLOB), 1, {int(most_bytes)}) ELSE CAST(content AS BLOB) END"
    )
    columns = ", ".join(f"CAST({name} AS BLOB)" if name in has else "NULL" for name in _BODY)
    marked = "_compressed_summary" if "_compressed_summary" in has else "0"
    rows = base.rows(
        f"SELECT m.id, CAST(session_id AS BLOB), CAST(role AS BLOB), {state_sql(has)}, {TIME_SQL},"
        f" coalesce(octet_length(content), 0), {marked}, {cut}, {columns}"
        " FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value",
        (json_list(ids),),
    )
    return ordered([_message(*row) for row in rows], ids)


def _message(
    message_id: int, session_id: object, role: object, state: int, stamp: object, size: int, marked: object,
    content: object, calls: object, reasoning: object, thoughts: object, tool: object, call_id: object, note: object,
) -> Message:  # fmt: skip
    text, read = message_text(content), len(content) if isinstance(content, bytes) else size
    said = exact_text(note).strip()
    return Message(
        id=message_id,
        session_id=text_of(session_id),
        role=exact_text(role),
        state=State(state),
        timestamp=moment(stamp),
        text=text,
        calls=tool_calls(calls),
        reasoning=exact_text(reasoning) or exact_text(thoughts),
        tool_name=exact_text(tool),
        tool_call_id=exact_text(call_id),
        kind=kind_of(text, said, marked=bool(marked)),
        note=said,
        size=size,
        unread=max(0, size - read),
    )


def count_matches(base: Database, ids: Sequence[int], matcher: Matcher) -> list[tuple[int, int]]:
    """Those of some messages that hold what is looked for, and how often, up to `MOST_MATCHES` in each text."""
    has = base.features().messages
    others = " OR ".join(
        f"octet_length({name}) > 2" for name in ("tool_calls", "reasoning", "reasoning_content") if name in has
    )
    rows = base.rows(
        f"SELECT m.id, CAST(content AS BLOB), {others or '0'} FROM json_each(?) j"
        " CROSS JOIN messages m ON m.id = j.value",
        (json_list(ids),),
    )
    # To decode a message takes longer than to look through its text, and few have what is looked for.
    likely = [
        message_id for message_id, content, more in rows if more or first_matches(matcher, message_text(content), 1)
    ]
    del rows
    found: list[tuple[int, int]] = []
    for message in read_messages(base, likely, EVERY_BYTE) if likely else ():
        count = sum(len(first_matches(matcher, text)) for text in searched(message))
        if count:
            found.append((message.id, count))
    return found


def by_bytes(ids: Sequence[int], sizes: Sequence[int], most_bytes: int = TEXT_BYTES) -> Iterator[list[int]]:
    """`ids` in bunches whose texts are no more than `most_bytes` together, or of one message."""
    bunch: list[int] = []
    total = 0
    for message_id, size in zip(ids, sizes, strict=True):
        if bunch and total + size > most_bytes:
            yield bunch
            bunch, total = [], 0
        bunch.append(message_id)
        total += size
    if bunch:
        yield bunch
