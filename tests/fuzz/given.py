"""What the bytes of an input stand for: pieces with the byte 0xFF between them, which no text holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

BETWEEN = b"\xff"
Each = TypeVar("Each")


def split(data: bytes, count: int) -> list[bytes]:
    """So many pieces; those that are not there are empty, and the last has all that is left."""
    pieces = data.split(BETWEEN, count - 1)
    return pieces + [b""] * (count - len(pieces))


def joined(*pieces: str | bytes) -> bytes:
    """The input that has these pieces."""
    return BETWEEN.join(each if isinstance(each, bytes) else each.encode("utf-8", "surrogatepass") for each in pieces)


def text(piece: bytes) -> str:
    """A text, which may have halves of characters in it."""
    try:
        return piece.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return piece.decode("utf-8", "surrogateescape")


def whole_text(piece: bytes) -> str:
    """A text that every file can hold."""
    return piece.decode("utf-8", "replace")


def number(piece: bytes, most: int) -> int:
    """A number from 0 up to, but not with, `most`."""
    return sum(piece) % most


def one_of(piece: bytes, options: Sequence[Each]) -> Each:
    """One of several things."""
    return options[number(piece, len(options))]


def choice(place: int) -> bytes:
    """The piece that `one_of` takes for the thing at that place."""
    return bytes([place])


def value(piece: bytes) -> Any:
    """A value of JSON; the text itself where it is none."""
    try:
        return json.loads(text(piece))
    except (ValueError, RecursionError):
        return text(piece)
