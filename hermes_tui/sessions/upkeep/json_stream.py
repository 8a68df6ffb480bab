"""JSON from a file of any length, value by value, without holding more than one of them."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any, Protocol

from hermes_tui.sessions.export.strict_json import MAX_NESTING, NotJson, decoder, nests_too_deeply

CHUNK_BYTES = 1 << 16
KEPT_CHARS = 1 << 20
"""So much of what has been read is not held longer than it takes to read on."""
MOST_CHARS = 1 << 26
"""No longer value is read: a packed file of a megabyte can hold one that fills the memory."""
CUT_CHARS = 16
"""What looks wrong so near to the end of what was read may only be cut off."""
CUT_NUMBER = 3
"""A number that ends so near to it may be cut off: `1` of `1e+9`."""

_SPACE = re.compile(r"[ \t\r\n]*")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Source(Protocol):
    """A file, packed or not."""

    def read1(self, size: int = ..., /) -> bytes:
        """Some of the next bytes, as they come."""

    def seek(self, offset: int, whence: int = ..., /) -> int:
        """Go on at another place."""


class BadJson(ValueError):
    """A file is not the JSON it should be."""

    def __init__(self, line: int, what: str, *, ended: bool = False) -> None:
        super().__init__(f"line {line:,}: {what}")
        self.line = line
        self.ended = ended
        """Whether it only breaks off."""


class JsonStream:
    """Reads JSON values one after another, or the inside of one key by key and element by element.

    Args:
        source: the file.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.encoding = "utf-8"
        self._go(0, 1)
        head = self._read(4)
        mark, self.encoding = next(((mark, name) for mark, name in _MARKS if head.startswith(mark)), (b"", "utf-8"))
        self._go(len(mark), 1)

    def _go(self, offset: int, line: int) -> None:
        self._source.seek(offset)
        self._decode = codecs.getincrementaldecoder(self.encoding)("strict")
        self._text = ""
        self._at = 0
        self._ended = False
        self._failure: tuple[str, bool] | None = None
        """What is wrong with what comes next, and whether it only breaks off."""
        self._marked = self._counted = 0
        self._offset, self._line = offset, line

    @property
    def offset(self) -> int:
        """Bytes before what comes next."""
        self._offset += len(self._text[self._marked : self._at].encode(self.encoding))
        self._marked = self._at
        return self._offset

    @property
    def line(self) -> int:
        """The number of the line of what comes next."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def go_to(self, offset: int, line: int) -> None:
        """Go on at another place, where a value begins."""
        gap = offset - self.offset
        if 0 <= gap < len(self._text) - self._at:
            ahead = self._text[self._at : self._at + gap]
            if len(ahead.encode(self.encoding)) == gap:
                self._at += gap
                return
        self._go(offset, line)

    def peek(self) -> str:
        """The next character that is no white space; empty at the end of the file."""
        while True:
            found = _SPACE.match(self._text, self._at)
            assert found is not None
            self._at = found.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._fill()

    def take(self, char: str) -> bool:
        """Pass over a character, if it comes next."""
        if self.peek() != char:
            return False
        self._at += 1
        return True

    def value(self) -> Any:
        """The next value, whole.

        Raises:
            BadJson: there is none.
        """
        if not self.peek():
            raise BadJson(self.line, "it breaks off where a value should be.", ended=True)
        while True:
            try:
                value, end = decoder.raw_decode(self._text, self._at)
            except RecursionError:
                raise BadJson(self.line, "lists and objects nest too deeply.") from None
            except NotJson as error:
                raise BadJson(self.line, f"{error}.") from None
            except JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - CUT_CHARS
                if not cut or self._ended:
                    line = self.line + self._text.count("\n", self._at, error.pos)
                    raise BadJson(line, f"no JSON: {error.msg}.", ended=cut) from None
                self._fill()
                continue
            if end > len(self._text) - CUT_NUMBER and not self._ended and self._text[end - 1] not in '}]"':
                self._fill()  # a number may go on
                continue
            brackets = self._text.count("[", self._at, end) + self._text.count("{", self._at, end)
            if brackets > MAX_NESTING and nests_too_deeply(value):
                raise BadJson(self.line, "lists and objects nest too deeply.")
            self._at = end
            if end > KEPT_CHARS:
                self._let_go()
            return value

    def _let_go(self) -> None:
        """Forget what has been read."""
        self._offset, self._line = self.offset, self.line
        self._text = self._text[self._at :]
        self._at = self._marked = self._counted = 0

    def members(self) -> Iterator[str]:
        """The keys of the object that comes next; after each, its value is to be read or skipped.

        Raises:
            BadJson: there is no object.
        """
        self._need("{", "an object")
        if self.take("}"):
            return
        while True:
            if self.peek() != '"':
                raise self._missing("a key")
            key = self.value()
            self._need(":", "a colon")
            yield key
            if self.take("}"):
                return
            self._need(",", "a comma")

    def elements(self) -> Iterator[int]:
        """The numbers of the elements of the list that comes next; after each, it is to be read.

        Raises:
            BadJson: there is no list.
        """
        self._need("[", "a list")
        if self.take("]"):
            return
        number = 0
        while True:
            yield number
            number += 1
            if self.take("]"):
                return
            self._need(",", "a comma")

    def skip(self) -> None:
        """Pass over a value, holding no more of it than an element."""
        if self.peek() == "[":
            for _ in self.elements():
                self.value()
        else:
            self.value()

    def _need(self, char: str, what: str) -> None:
        if not self.take(char):
            raise self._missing(what)

    def _missing(self, what: str) -> BadJson:
        if not self.peek():
            return BadJson(self.line, f"it breaks off where {what} should be.", ended=True)
        return BadJson(self.line, f"there should be {what} where {self._text[self._at]!r} is.")

    def _fill(self) -> None:
        """Read on; as much again as is waiting, so that a long value is not looked at too often."""
        waiting = len(self._text) - self._at
        if waiting > MOST_CHARS:
            raise BadJson(self.line, f"a value of more than {MOST_CHARS >> 20} million characters.")
        data = self._read(max(CHUNK_BYTES, waiting))
        try:
            more = self._decode.decode(data, not data)
        except UnicodeDecodeError as error:
            more = error.object[: error.start].decode(self.encoding)
            self._failure = (f"what follows is no {self.encoding.upper()}.", not data)
            if not more:
                raise self._failed() from None
        self._let_go()
        self._text += more
        self._ended = not data

    def _read(self, size: int) -> bytes:
        if self._failure:
            raise self._failed()
        parts: list[bytes] = []
        while size > 0:
            try:
                # Not more at once than is unpacked at once: what comes before damage is not lost with it.
                part = self._source.read1(size)
            except EOFError:
                self._failure = ("the packed file breaks off.", True)
                break
            except (zlib.error, gzip.BadGzipFile) as error:
                self._failure = (f"the packed file is damaged: {error}.", True)
                break
            if not part:
                break
            parts.append(part)
            size -= len(part)
        if not parts and self._failure:
            raise self._failed()
        return b"".join(parts)

    def _failed(self) -> BadJson:
        said, ended = self._failure or ("", False)
        return BadJson(self.line, said, ended=ended)
