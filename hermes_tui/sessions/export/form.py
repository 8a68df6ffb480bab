"""What every readable format can do: the pieces of a file, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hermes_tui.sessions.export.head import Head
from hermes_tui.sessions.messages import Message


class Form(Protocol):
    """Turns conversations into text, piece by piece; nothing of it is kept."""

    def opening(self, titles: Sequence[str]) -> str:
        """What the file begins with; the titles of all conversations in it are known by then."""

    def head(self, head: Head, number: int) -> str:
        """What a conversation begins with, the first being number 0."""

    def border(self, words: str) -> str:
        """What stands between two parts of a conversation."""

    def message(self, message: Message) -> str:
        """A message."""

    def ending(self, head: Head) -> str:
        """What a conversation ends with."""

    def closing(self) -> str:
        """What the file ends with."""
