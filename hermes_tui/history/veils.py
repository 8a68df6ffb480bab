"""Notes that stand in a prompt for entries which the threat scan blocks, and the entries behind them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest

from hermes_tui.memory.dialects import DialectName
from hermes_tui.memory.entries import FILE_NAMES, StoreName, unique
from hermes_tui.memory.prompt import BLOCKED_MARK
from hermes_tui.memory.threats import blocking_ids
from hermes_tui.memory.view import cached_scan

_NOTE = re.compile(
    r"\[BLOCKED: (?P<file>MEMORY|USER)\.md entry contained threat pattern\(s\): (?P<ids>[^\n]+?)\. Removed from system"
    r" prompt; use memory\(action=remove(?:, target='(?:memory|user)')?\) to delete the original\.\]"
)
_DIALECTS: tuple[DialectName, ...] = ("0.19", "0.22")


def is_note(text: str) -> bool:
    """Whether a text is such a note, or has the very words of one."""
    return text.startswith(BLOCKED_MARK) and _NOTE.fullmatch(text) is not None


@lru_cache(maxsize=8192)
def _has_note(told: tuple[str, ...]) -> bool:
    return any(map(is_note, told))


def may_be_blocked(text: str) -> bool:
    """Whether any agent may put a note in the place of an entry."""
    return not text.startswith(BLOCKED_MARK) and bool(cached_scan(text))


def same(held: Sequence[str], told: Sequence[str]) -> bool:
    """Whether a prompt tells what a store holds: the same entries in the same order, or notes in their places."""
    entries = unique(held)
    if entries == list(told):
        return True
    return len(entries) == len(told) and all(
        one == other or (is_note(other) and may_be_blocked(one)) or (is_note(one) and may_be_blocked(other))
        for one, other in zip(entries, told, strict=True)
    )


class Veils:
    """The entries of one store that are known from elsewhere than prompts, and the notes they would get.

    Args:
        store: which one.
        texts: the entries.
    """

    def __init__(self, store: StoreName, texts: Iterable[str]) -> None:
        self._file = FILE_NAMES[store].removesuffix(".md")
        self._texts = texts
        self._by_ids: dict[frozenset[str], set[str]] | None = None

    def lifted(self, told: Sequence[str], held: Sequence[str] | None) -> list[str]:
        """What a prompt tells, with the entries behind its notes as far as there is no doubt which they are.

        Args:
            told: as it stands in the prompt.
            held: what the store is taken to hold; None when nothing is known.
        """
        if not _has_note(tuple(told)):
            return list(told)
        if held is not None and same(held, told):
            return unique(held)
        left = [text for text in unique(held or ()) if text not in told and may_be_blocked(text)]
        notes = [text for text in told if is_note(text)]
        if len(left) == len(notes):
            behind = iter(left)
            return [next(behind) if is_note(text) else text for text in told]
        return [self._only(text) if is_note(text) else text for text in told]

    def _only(self, note: str) -> str:
        found = _NOTE.fullmatch(note)
        if found is None or found["file"] != self._file:
            return note
        texts = self._behind().get(frozenset(found["ids"].split(", ")), set())
        return next(iter(texts)) if len(texts) == 1 else note

    def _behind(self) -> dict[frozenset[str], set[str]]:
        if self._by_ids is None:  # made when there is a note at all: scanning thousands of entries takes a second
            self._by_ids = {}
            for text in filter(may_be_blocked, dict.fromkeys(self._texts)):
                for dialect in _DIALECTS:
                    if ids := blocking_ids(cached_scan(text), dialect):
                        self._by_ids.setdefault(frozenset(ids), set()).add(text)
        return self._by_ids


def merged(held: Sequence[str], told: Sequence[str]) -> list[str]:
    """Two tellings of the same entries: where one has a note, the other's text."""
    entries = unique(held)
    if len(entries) != len(told) or entries == list(told):
        return list(told)
    return [other if is_note(one) else one for one, other in zip_longest(entries, told, fillvalue="")]
