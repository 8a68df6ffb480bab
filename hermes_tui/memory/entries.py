"""Entries of a store: how text becomes entries, entries become text, and how much of the limit they use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

StoreName = Literal["memory", "user"]
STORES: tuple[StoreName, ...] = ("memory", "user")
FILE_NAMES: dict[StoreName, str] = {"memory": "MEMORY.md", "user": "USER.md"}

DELIMITER = "\n§\n"
"""What stands between two entries on disk: a line that holds § and nothing else."""

HINT_PERCENT = 80
"""From here on a store is worth consolidating."""
ALERT_PERCENT = 95
"""From here on the next addition is likely to be refused."""


def fold_newlines(text: str) -> str:
    """`text` with CRLF and lone CR turned into LF, as the agent's text-mode reader does."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str) -> list[str]:
    """The entries in the text of a memory file, in order, stripped, blank pieces dropped, duplicates kept."""
    pieces = (piece.strip() for piece in fold_newlines(text).split(DELIMITER))
    return [piece for piece in pieces if piece]


def unique(entries: Iterable[str]) -> list[str]:
    """`entries` without repeats; the first of each stays. This is the list the agent works with."""
    return list(dict.fromkeys(entries))


def join(entries: Sequence[str]) -> str:
    """The canonical text of a memory file: no trailing newline, nothing at all for no entries."""
    return DELIMITER.join(entries)


def count(entries: Sequence[str]) -> int:
    """Code points of the joined text, delimiters included (3 each): what the limit is measured in."""
    return sum(map(len, entries)) + len(DELIMITER) * max(0, len(entries) - 1)


def survives_reload(entries: Sequence[str]) -> bool:
    """Whether reading back the joined text gives the same entries (apart from surrounding white space).

    False for an entry that holds the delimiter, or that ends in a line of a lone § with another
    entry after it.
    """
    return parse(join(entries)) == [fold_newlines(entry).strip() for entry in entries]


def begins_with_mark(entries: Sequence[str]) -> bool:
    """Whether a file of these would begin with U+FEFF, which readers take for a byte order mark and leave out."""
    return bool(entries) and entries[0].startswith("\ufeff")


class Usage(NamedTuple):
    """How full a store is, in code points."""

    chars: int
    limit: int

    @property
    def percent(self) -> int:
        """Share of the limit in whole percent, rounded down, not clamped (109 means over)."""
        return int(self.chars / self.limit * 100) if self.limit > 0 else 0

    @property
    def room(self) -> int:
        """The longest entry, in characters, that could still be added; negative when not even a separator fits."""
        separator = len(DELIMITER) if self.chars else 0
        return self.limit - self.chars - separator

    @property
    def over(self) -> int:
        """Characters past the limit; 0 when within it."""
        return max(0, self.chars - self.limit)

    @property
    def agent_label(self) -> str:
        """The words the agent puts into its prompt header and tool results: `67% — 1,474/2,200 chars`."""
        return f"{min(100, self.percent)}% — {self.chars:,}/{self.limit:,} chars"

    @property
    def label(self) -> str:
        """The words for a person: `67% — 1,474/2,200 chars · 723 left`, or `· over by 203`."""
        rest = f"over by {self.over:,}" if self.over else f"{max(0, self.room):,} left"
        return f"{self.percent}% — {self.chars:,}/{self.limit:,} chars · {rest}"

    @property
    def level(self) -> Literal["ok", "hint", "alert", "over"]:
        """Which of four states the bar shows: ok, hint (consolidate soon), alert (nearly full), over."""
        if self.over:
            return "over"
        if self.percent >= ALERT_PERCENT:
            return "alert"
        return "hint" if self.percent >= HINT_PERCENT else "ok"


def usage_of(entries: Iterable[str], limit: int) -> Usage:
    """Usage as the agent counts it: repeats count once."""
    return Usage(count(unique(entries)), limit)
