"""A file of exported sessions: where each one is in it, and its parts as they are asked for."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import IO, Any

from hermes_tui.disk import open_regular
from hermes_tui.errors import Conflict, NotFound, Unreadable
from hermes_tui.sessions.export.lossless import PUT_AWAY
from hermes_tui.sessions.upkeep.json_stream import JsonStream

PACKED = b"\x1f\x8b"
MESSAGES = "messages"
SEGMENTS = "segments"
LISTS = (MESSAGES, PUT_AWAY)

Place = tuple[int, int]
"""Bytes before it, and the number of its line."""
Stamp = tuple[int, int, int]
Opened = tuple[JsonStream, Callable[[], int]]
"""What reads it, and how many bytes of the file it has read, packed as they are."""


@dataclass(frozen=True, slots=True)
class Header:
    """One session of a file."""

    id: str
    title: str
    source: str
    parent: str
    line: int
    messages: int
    """Those put away counted in."""
    first_at: float | None
    """When the first message was written."""
    ours: bool
    """Whether it was written by us, so that what the agents have no place for is there too."""
    exact: bool
    """Whether nothing of it was left out or masked."""
    masked: bool
    at: Place
    lists: tuple[tuple[str, Place], ...]
    """Where its messages are."""
    ordered: bool
    """Whether what is said about the session itself comes before its messages."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds, checked as a whole."""

    path: Path
    sessions: tuple[Header, ...]
    problems: tuple[str, ...]
    """What is wrong with it, in sentences; then nothing of it is imported."""
    stamp: Stamp
    """Whether the file is still the one that was checked."""

    @property
    def messages(self) -> int:
        """All messages of all sessions."""
        return sum(header.messages for header in self.sessions)


@contextmanager
def opened(path: Path) -> Iterator[tuple[Callable[[], Opened], Stamp]]:
    """What begins to read a file as JSON, unpacked if it is packed, and how the file can be told from another.

    Raises:
        NotFound: there is no such file.
        Unreadable: it cannot be read.
    """
    try:
        with open_regular(path) as raw:
            packed = raw.read(2) == PACKED
            status = path.stat()

            def stream() -> Opened:
                other = open_regular(path)
                others.append(other)
                return JsonStream(gzip.GzipFile(fileobj=other) if packed else other), other.tell

            others: list[IO[bytes]] = []
            try:
                yield stream, (status.st_ino, status.st_size, status.st_mtime_ns)
            finally:
                for other in others:
                    other.close()
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", code="no_such_file") from None
    except IsADirectoryError:
        raise Unreadable(f"{path} is a folder.", code="import_unreadable", hint="Name the files in it.") from None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}.", code="import_unreadable") from error


class Sessions:
    """Reads the sessions of a file that was checked, one after another."""

    def __init__(self, stream: Callable[[], Opened]) -> None:
        self._stream = stream
        self._streams: dict[str, JsonStream] = {}

    def facts(self, header: Header) -> dict[str, Any]:
        """What is said about a session itself."""
        stream = self._at(MESSAGES, header.at)
        facts: dict[str, Any] = {}
        for name in stream.members():
            if name in LISTS:
                if header.ordered:
                    break
                stream.skip()
            elif name == SEGMENTS:
                stream.skip()
            else:
                facts[name] = stream.value()
        return facts

    def messages(self, header: Header) -> Iterator[dict[str, Any]]:
        """Its messages, in the order in which they were written."""
        lists = [self._elements(name, place) for name, place in header.lists]
        if len(lists) == 1:
            return lists[0]
        return merge(*lists, key=_id_of)

    def _elements(self, name: str, place: Place) -> Iterator[dict[str, Any]]:
        stream = self._at(name, place)
        for _ in stream.elements():
            yield stream.value()

    def _at(self, name: str, place: Place) -> JsonStream:
        """What reads lists of this name; each goes on from one session to the next."""
        if name not in self._streams:
            self._streams[name], _ = self._stream()
        stream = self._streams[name]
        stream.go_to(*place)
        return stream


def _id_of(message: dict[str, Any]) -> int:
    id = message.get("id")
    return id if isinstance(id, int) else 0


@contextmanager
def reading(contents: Contents) -> Iterator[Sessions]:
    """A file that was checked.

    Raises:
        Conflict: it is another one now.
        Unreadable: it cannot be read any more.
    """
    with opened(contents.path) as (stream, stamp):
        if stamp != contents.stamp:
            raise Conflict(f"{contents.path} was changed while it was read.", code="file_changed", hint="Try again.")
        yield Sessions(stream)
