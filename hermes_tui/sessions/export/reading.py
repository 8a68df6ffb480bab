"""Reading messages with all their texts, so few at a time that a conversation of any size takes little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hermes_tui.sessions.database import Row
from hermes_tui.sessions.message_rows import EVERY_BYTE, by_bytes, json_list, read_messages
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.salvage import salvaged
from hermes_tui.sessions.transcript import TranscriptReader

SLICE = 400
MOST_BYTES = 1_000_000
"""Bytes of all texts of one statement together, if it is not a single message that has more."""
LOST = "(This message lies in a damaged part of the database and cannot be read.)"
_TEXTS = ("content", "tool_calls", "reasoning", "reasoning_content")

Some = tuple[tuple[Message, ...], int]
"""Some messages, and how many could not be read because the file is damaged there."""


def messages_of(reader: TranscriptReader, ids: Sequence[int]) -> Iterator[Some]:
    """Messages in order, as they are asked for; what was deleted meanwhile is left out."""
    for start in range(0, len(ids), SLICE):
        some = ids[start : start + SLICE]
        for bunch in by_bytes(some, _sizes(reader, some), MOST_BYTES):
            yield _read(reader, bunch)


def _read(reader: TranscriptReader, ids: Sequence[int]) -> Some:
    lost: list[int] = []

    def read(some: Sequence[int]) -> tuple[Message, ...]:
        return read_messages(reader.base, some, EVERY_BYTE)

    def lose(id: int) -> tuple[Message, ...]:
        lost.append(id)
        return (Message(id, reader.session_id, "", State.UNKNOWN, None, LOST),)

    return tuple(message for some in salvaged(read, ids, lose) for message in some), len(lost)


def _sizes(reader: TranscriptReader, ids: Sequence[int]) -> list[int]:
    """Bytes of each message with all its texts."""
    has = reader.base.features().messages
    size = " + ".join(f"coalesce(octet_length({name}), 0)" for name in _TEXTS if name in has)

    def read(some: Sequence[int]) -> list[Row]:
        return reader.base.rows(
            f"SELECT m.id, {size or '0'} FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value",
            (json_list(some),),
        )

    known = {id: size for rows in salvaged(read, ids, lambda _: []) for id, size in rows}
    return [known.get(id, 0) for id in ids]
