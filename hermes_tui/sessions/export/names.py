"""Names of files that every system takes, and that a person recognises."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Iterator

from hermes_tui.sessions.dates import local
from hermes_tui.sessions.export.wish import ENDINGS, Format

MAX_BYTES = 120
"""Of a whole name in UTF-8; 255 is what file systems take, and some encrypt names, which makes them longer."""
MAX_ID_BYTES = 64
NUMBER_BYTES = 8
"""Room for what tells names apart that would be the same otherwise."""

_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"))
)
"""What Windows takes for a device, whatever comes after the first dot."""
_ASCII = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+@=")
_JOINERS = "\u200c\u200d"
_VIRAMA = 9
"""The class of marks that join two consonants of an Indian script."""


def file_name(title: str, id: str, started_at: float, format: Format) -> str:
    """A name of letters, digits and a few signs: the title, the day where the id does not say it, and the id.

    Args:
        title: whatever a conversation is called.
        id: of its newest session.
        started_at: epoch seconds.
        format: decides the ending.
    """
    return _named(title, id, started_at, ENDINGS[format])


class FileNames:
    """Names of files in one folder, no two of which are the same on a system that does not mind capitals."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, title: str, id: str, started_at: float, format: Format) -> str:
        """The name of the next file; one that is taken gets a number."""
        name, number = file_name(title, id, started_at, format), 1
        while _folded(name) in self._taken:
            number += 1
            name = _named(title, id, started_at, f"-{number}{ENDINGS[format]}")
        self._taken.add(_folded(name))
        return name


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())


def _named(title: str, id: str, started_at: float, ending: str) -> str:
    known = _cut(_safe(id), MAX_ID_BYTES)
    day = local(started_at) if started_at and not known[:8].isdigit() else None
    tail = "-".join(filter(None, (time.strftime("%Y-%m-%d", day) if day else "", known)))
    room = MAX_BYTES - NUMBER_BYTES - len(tail.encode()) - len(ENDINGS["markdown"]) - 4
    called = _cut(_safe(title), room) if title != id else ""
    stem = "-".join(filter(None, (called, tail))) or "session"
    if stem.casefold() in _RESERVED:
        stem = f"session-{stem}"
    return f"{stem}{ending}"


def _safe(text: str) -> str:
    """`a/b: c?` as `a-b-c`."""
    kept = "".join(map(_kept, unicodedata.normalize("NFC", text)))
    return "-".join(filter(None, kept.split("-")))


def _kept(char: str) -> str:
    """A character as it is in a name: itself, nothing, or a dash for what is no part of a word."""
    if char in _ASCII:
        return char
    if char.isascii() or char in _JOINERS:
        return "" if char in "'" + _JOINERS else "-"
    category = unicodedata.category(char)
    return char if (category[0] in "LMN" or category in ("So", "Sk")) and _can_be_named(char) else "-"


def _can_be_named(char: str) -> bool:
    """Whether names of files can hold it; where the locale is not UTF-8, many cannot be written."""
    try:
        os.fsencode(char)
    except UnicodeEncodeError:
        return False
    return True


def _cut(text: str, most_bytes: int) -> str:
    """The beginning of a text: whole characters as a person sees them, and no dash at its end."""
    kept = ""
    for cluster in graphemes(text):
        most_bytes -= len(cluster.encode())
        if most_bytes < 0:
            break
        kept += cluster
    return kept.rstrip("-")


def graphemes(text: str) -> Iterator[str]:
    """The characters that a person sees: each letter with its marks, each flag, each emoji with its skin."""
    cluster = ""
    for char in text:
        if cluster and not _continues(cluster, char):
            yield cluster
            cluster = ""
        cluster += char
    if cluster:
        yield cluster


def _continues(cluster: str, char: str) -> bool:
    """Whether a character is drawn into what is before it."""
    return (
        unicodedata.category(char)[0] == "M"
        or char in _JOINERS
        or cluster[-1] in _JOINERS
        or unicodedata.combining(cluster[-1]) == _VIRAMA
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\u1160" <= char <= "\u11ff"
        or "\ud7b0" <= char <= "\ud7ff"
        or (_regional(cluster) and _regional(char))
    )


def _regional(char: str) -> bool:
    """Whether it is one letter that makes a flag with another."""
    return len(char) == 1 and "\U0001f1e6" <= char <= "\U0001f1ff"
