"""Texts taken apart into three characters, as the SQLite of today does or as the one before 3.48 did.

The old one stops at the first NUL, and messages with pictures begin with one. Whoever takes such a message out of
an index has to name the very tokens that were put in, or the index is hurt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import apsw

NAME = "trigram"
PIECE_BYTES = 65_536
"""Texts are taken apart in pieces of this length: all tokens of five megabytes at once take one gigabyte."""
SHARED_CHARS = 2
"""So much of a piece stands in the next one too, so that no three characters are missed."""

Token = tuple[Any, ...]

_threads = threading.local()


def _blank() -> apsw.Connection:
    """A connection whose tokenizer is SQLite's own: asked for by name, the other one would find this one."""
    if not hasattr(_threads, "blank"):
        _threads.blank = apsw.Connection(":memory:")
    blank: apsw.Connection = _threads.blank
    return blank


class Trigrams:
    """What a connection takes texts apart with; registered before the first table that needs it is touched."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.old = False
        """Whether to stop at the first NUL."""
        connection.register_fts5_tokenizer(NAME, self._make)

    def _make(self, _connection: apsw.Connection, args: list[str]) -> Callable[..., Any]:
        today = _blank().fts5_tokenizer(NAME, args)

        def tokenize(utf8: bytes, reason: int, locale: str | None) -> Any:
            text = utf8.partition(b"\0")[0] if self.old else utf8
            return today(text, reason, locale) if len(text) <= PIECE_BYTES else _in_pieces(today, text, reason, locale)

        return tokenize


def count(text: bytes, args: list[str], *, old: bool) -> int:
    """How many tokens a text has.

    Args:
        text: UTF-8.
        args: what the index was told besides the name of the tokenizer.
        old: whether to count as SQLite before 3.48 does.
    """
    today = _blank().fts5_tokenizer(NAME, args)
    known = text.partition(b"\0")[0] if old else text
    return sum(1 for _ in _in_pieces(today, known, apsw.FTS5_TOKENIZE_DOCUMENT, None))


def _in_pieces(today: Callable[..., Any], text: bytes, reason: int, locale: str | None) -> Iterator[Token]:
    # NULs are passed over as if they were not there; where a token stands is not kept by an index, only its number.
    text = text.replace(b"\0", b"")
    start = 0
    while start + PIECE_BYTES < len(text):
        end = _begin_of_char(text, start + PIECE_BYTES)
        for first, last, *words in today(text[start:end], reason, locale):
            yield start + first, start + last, *words
        start = end
        for _ in range(SHARED_CHARS):
            start = _begin_of_char(text, start - 1)
    for first, last, *words in today(text[start:], reason, locale):
        yield start + first, start + last, *words


def _begin_of_char(text: bytes, at: int) -> int:
    """Where the character begins that a byte belongs to."""
    while text[at] & 0xC0 == 0x80:
        at -= 1
    return at
