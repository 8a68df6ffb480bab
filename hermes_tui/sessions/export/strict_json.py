"""JSON as everybody reads it, in single lines and without half characters."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any

MAX_NESTING = 200
"""So many lists and objects in one another; more were not written by anybody who talks to a model."""
MOST_INT_DIGITS = 19
PIECE_CHARS = 1 << 20
"""A long text is written in pieces, so that it is not held several times over."""


class NotJson(ValueError):
    """A text is not JSON, or says what JSON has no words for."""


def to_int(digits: str) -> int:
    """A whole number.

    Raises:
        NotJson: no database holds it.
    """
    if len(digits.lstrip("-")) <= MOST_INT_DIGITS:
        number = int(digits)
        if -(1 << 63) <= number < 1 << 63:
            return number
    raise NotJson("it has a number that does not fit into 64 bits")


def to_float(digits: str) -> float:
    """A number.

    Raises:
        NotJson: it is infinite.
    """
    number = float(digits)
    if math.isinf(number):
        raise NotJson("it has a number that is beyond all numbers")
    return number


def refuse_constant(name: str) -> float:
    """What only Python takes for JSON.

    Raises:
        NotJson: always.
    """
    raise NotJson(f"it has {name}, which is no number in JSON")


decoder = json.JSONDecoder(parse_int=to_int, parse_float=to_float, parse_constant=refuse_constant)
"""Reads JSON as everybody does, and nothing that only Python takes for JSON."""


def loads(text: str) -> Any:
    """The value of a text that is JSON.

    Raises:
        NotJson: it is none, or nests too deeply.
    """
    try:
        value = decoder.decode(text)
    except RecursionError:
        raise NotJson("it nests too deeply") from None
    except NotJson:
        raise
    except ValueError as error:
        raise NotJson(str(error)) from None
    if text.count("[") + text.count("{") > MAX_NESTING and nests_too_deeply(value):
        raise NotJson("it nests too deeply")
    return value


def nests_too_deeply(value: object) -> bool:
    """Whether lists and objects lie too deeply in one another."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_NESTING):
        if not level:
            return False
        inner = (each for outer in level for each in (outer.values() if isinstance(outer, dict) else outer))
        level = [each for each in inner if isinstance(each, dict | list)]
    return True


def quoted(text: str) -> str:
    """A text as JSON in one line, whatever a reader takes for the end of one; half characters stay escaped."""
    found = encode_basestring(text)
    return found if found.isascii() else _ODD_CHARS.sub(_escaped, found)


def dumped(value: object) -> str:
    """A JSON value in one line."""
    found = json.dumps(value, ensure_ascii=False)
    return found if found.isascii() else _ODD_CHARS.sub(_escaped, found)


_ODD_CHARS = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
_HALVES = re.compile("[\ud800-\udfff]")


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def has_halves(value: object) -> bool:
    """Whether a JSON value has half characters in its texts."""
    return _HALVES.search(json.dumps(value, ensure_ascii=False)) is not None


def whole_chars(value: Any) -> Any:
    """A JSON value with U+FFFD in the place of half characters, which no database and no file of UTF-8 holds."""
    if isinstance(value, str):
        return value if value.isascii() else _HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [whole_chars(each) for each in value]
    if isinstance(value, dict):
        return {whole_chars(key): whole_chars(each) for key, each in value.items()}
    return value


def pieces(text: str) -> Iterator[str]:
    """A text as JSON, a long one in several pieces."""
    if len(text) <= PIECE_CHARS:
        yield quoted(text)
        return
    yield '"'
    for start in range(0, len(text), PIECE_CHARS):
        yield quoted(text[start : start + PIECE_CHARS])[1:-1]
    yield '"'


def slices(text: str) -> Iterator[str]:
    """JSON that is written as it is, a long one in several pieces."""
    if len(text) <= PIECE_CHARS:
        yield text
        return
    for start in range(0, len(text), PIECE_CHARS):
        yield text[start : start + PIECE_CHARS]
