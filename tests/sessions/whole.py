"""A conversation read from its first message to its last."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.messages import Message
from hermes_tui.sessions.transcript import TranscriptReader, messages_of


def all_messages(base: Database, session_id: str) -> Iterator[tuple[Message, ...]]:
    """A whole conversation with all its texts, oldest first, some hundred messages at a time."""
    reader = TranscriptReader(base, session_id)
    for part in reader.all_ids(reader.facts().ids):
        yield from messages_of(reader, part)
