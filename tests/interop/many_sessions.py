"""A home with thousands of short conversations and some long ones, in an agent's own schema."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from tests.bench.conversations import FIRST, LAST, SECONDS_BETWEEN, Conversations, Session
from tests.bench.million import Line, empty_database, fill

SHORT, LONG = (4, 16), 200
LONG_SHARE = 0.01
MESSAGES_EACH = 12
"""On average, nearly."""
SEED = 5


class Many(Conversations):
    """Conversations of ten messages, one in a hundred of two hundred."""

    def __init__(self, sessions: int) -> None:
        super().__init__(sessions * MESSAGES_EACH, SEED)
        self.sizes = Random(SEED)
        self.pause = (LAST - FIRST - self.total * SECONDS_BETWEEN) / sessions * 0.9

    def _start(self, going: list[Session]) -> Session:
        session = super()._start(going)
        session.left = LONG if self.sizes.random() < LONG_SHARE else self.sizes.randint(*SHORT)
        session.compacts_after = 0
        return session

    def _picture(self) -> str:
        return self.writer.text(2, 20)  # a real one would have been put into the index by another SQLite

    def _end(self, session: Session) -> list[Any]:
        session.parts_left = 0
        return super()._end(session)


def build(line: Line, sessions: int, path: Path) -> None:
    """Make such a database; about so many sessions."""
    empty_database(line, path)
    fill(path, Many(sessions))
