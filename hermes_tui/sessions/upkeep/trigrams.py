"""Texts taken apart into three characters, as the SQLite of today does or as the one before 3.48 did.

The old one stops at the first NUL, and messages with pictures begin with one. Whoever takes such a message out of
an index has to name the very tokens that were put in, or the index is hurt.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import apsw

NAME = "trigram"


@cache
def _blank() -> apsw.Connection:
    """A connection whose tokenizer is SQLite's own: asked for by name, the other one would find this one."""
    return apsw.Connection(":memory:")


class Trigrams:
    """What a connection takes texts apart with; registered before the first table that needs it is touched."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.old = False
        """Whether to stop at the first NUL."""
        connection.register_fts5_tokenizer(NAME, self._make)

    def _make(self, _connection: apsw.Connection, args: list[str]) -> Callable[..., Any]:
        today = _blank().fts5_tokenizer(NAME, args)

        def tokenize(utf8: bytes, reason: int, locale: str | None) -> Any:
            return today(utf8.partition(b"\0")[0] if self.old else utf8, reason, locale)

        return tokenize


def count(text: bytes, args: list[str], *, old: bool) -> int:
    """How many tokens a text has.

    Args:
        text: UTF-8.
        args: what the index was told besides the name of the tokenizer.
        old: whether to count as SQLite before 3.48 does.
    """
    today = _blank().fts5_tokenizer(NAME, args)
    return sum(1 for _ in today(text.partition(b"\0")[0] if old else text, apsw.FTS5_TOKENIZE_DOCUMENT, None))
