"""Finding conversations by what they are called: titles and ids, all of them kept ready for the next key."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.folding import fold, unspaced
from hermes_tui.sessions.stored import text_of

SLICE_ROWS = 400
"""Titles read by one statement; a row may have a long prompt before its title."""
MIN_ID_CHARS = 4
INSIDE_CHARS = 4
"""Shorter words are looked for at the beginning of the words of a title only: `th` is in nearly every one."""
_SQUEEZED = re.compile(r"[^\w\s]|_")


def squeezed(text: str) -> str:
    """Folded text without the punctuation in its words, so that `an94` is in `AN-94`."""
    return " ".join(_SQUEEZED.sub("", fold(text)).split())


class _Block:
    """Some hundred titles, all in one text: looking through it takes a fraction of looking at each."""

    __slots__ = ("_ids", "_starts", "_text")

    def __init__(self, titles: Sequence[tuple[str, str]]) -> None:
        lines = [f" {' '.join(fold(title).split())}\x1f {squeezed(title)}" for _, title in titles]
        self._ids = [id for id, _ in titles]
        self._starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        self._text = "\n".join(lines)

    def find(self, words: Sequence[str]) -> list[str]:
        """The ids of those that have all the words."""
        longest = max(words, key=len)
        found: list[str] = []
        at = self._text.find(longest)
        while at >= 0:
            line = bisect_right(self._starts, at) - 1
            end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self._text)
            title = self._text[self._starts[line] : end]
            if all(word in title for word in words):
                found.append(self._ids[line])
            at = self._text.find(longest, end)
        return found


class Names:
    """The titles of all sessions.

    Args:
        base: the database.
    """

    def __init__(self, base: Database) -> None:
        self._base = base
        self._version: object = None
        self._blocks: list[_Block] = []

    def refresh(self) -> None:
        """Read the titles, if there was a commit since the last time."""
        version = self._base.version()
        if version == self._version or "title" not in self._base.features().sessions:
            return
        blocks: list[_Block] = []
        last = 0
        while True:
            rows = self._base.rows(
                "SELECT rowid, id, title FROM sessions WHERE rowid > ? AND title IS NOT NULL ORDER BY rowid LIMIT ?",
                (last, SLICE_ROWS),
            )
            if rows:
                blocks.append(_Block([(text_of(id), text_of(title)) for _, id, title in rows]))
            if len(rows) < SLICE_ROWS:
                break
            last = rows[-1][0]
        self._blocks, self._version = blocks, version

    def titled(self, text: str) -> Iterator[str]:
        """Ids of the sessions whose title has every word of `text` somewhere, newest first, as they are asked for."""
        words = [short if len(short := squeezed(word)) > 1 else fold(word) for word in text.split()]
        words = [word if len(word) >= INSIDE_CHARS or unspaced(word) else f" {word}" for word in words]
        for block in reversed(self._blocks) if words else ():
            yield from reversed(block.find(words))

    def with_id(self, text: str) -> list[str]:
        """Ids that are `text`, or begin with it, exact first; none for what is too short to be meant as one."""
        if not text:
            return []
        if len(text) < MIN_ID_CHARS or any(char.isspace() for char in text):
            return [text_of(row[0]) for row in self._base.rows("SELECT id FROM sessions WHERE id = ?", (text,))]
        rows = self._base.rows(
            "SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT 50", (text, f"{text}\U0010ffff")
        )
        return [text_of(row[0]) for row in rows]
