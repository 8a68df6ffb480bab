"""What changed on disk, entry by entry: which card is new, which one changed, and from what."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hermes_tui.memory.view import StoreView
from hermes_tui.text import ago
from hermes_tui.ui.memory.cards import CardId, Freshness

NEWS_SECONDS = 900.0
"""A change is marked for this long."""

_ALIKE_SHARE = 0.3
"""Texts that share this part of their words are taken for two states of one entry."""
_COMPARE_MAX_CHARS = 2_000
_COMPARE_MAX_PAIRS = 400


@dataclass(frozen=True, slots=True)
class _Mark:
    kind: Literal["new", "changed"]
    since: float
    was: str | None


class Changes(NamedTuple):
    """How one reading of a store differs from the one before."""

    renamed: dict[CardId, CardId]
    """Entries whose text changed: the old one and what stands in its place."""
    added: list[CardId]
    removed: list[CardId]


def ids_of(view: StoreView) -> list[CardId]:
    """The names of a store's cards, in file order."""
    seen: dict[str, int] = {}
    ids = []
    for entry in view.entries:
        nth = seen.get(entry.text, 0)
        seen[entry.text] = nth + 1
        ids.append(CardId(entry.text, nth))
    return ids


def changes_between(before: list[CardId], after: list[CardId]) -> Changes:
    """Pair the entries that left with those that came; what has no partner was removed or added."""
    kept = set(before) & set(after)
    gone = [id for id in before if id not in kept]
    come = [id for id in after if id not in kept]
    renamed: dict[CardId, CardId] = {}
    if len(gone) == len(come) == 1 and before.index(gone[0]) == after.index(come[0]):
        renamed[gone[0]] = come[0]
    elif len(gone) * len(come) <= _COMPARE_MAX_PAIRS:
        words = {id: _words(id.text) for id in (*gone, *come)}
        for new in come:
            scored = [(_alike(words[old], words[new]), -place, old) for place, old in enumerate(gone)]
            best = max((item for item in scored if item[2] not in renamed), default=None)
            if best and best[0] >= _ALIKE_SHARE:
                renamed[best[2]] = new
    partners = set(renamed.values())
    return Changes(renamed, [id for id in come if id not in partners], [id for id in gone if id not in renamed])


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text[:_COMPARE_MAX_CHARS].casefold()))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


class News:
    """The marks of one store: kept while they are news, and carried along when an entry moves."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._marks: dict[CardId, _Mark] = {}

    def note(self, before: StoreView, after: StoreView, *, ours: bool) -> Changes:
        """Compare two readings; changes of our own leave no mark."""
        new_ids = ids_of(after)
        changes = changes_between(ids_of(before), new_ids)
        now = self._clock()
        for old, new in changes.renamed.items():
            mark = self._marks.pop(old, None)
            if ours:
                continue
            # An entry that was new a moment ago is still new when the agent rewrites it.
            if mark and mark.kind == "new":
                self._marks[new] = _Mark("new", now, None)
            else:
                self._marks[new] = _Mark("changed", now, mark.was if mark and mark.was else old.text)
        if not ours:
            self._marks |= {id: _Mark("new", now, None) for id in changes.added}
        present = set(new_ids)
        self._marks = {id: mark for id, mark in self._marks.items() if id in present}
        return changes

    def fresh(self) -> dict[CardId, Freshness]:
        """What to say about each recent card now."""
        now = self._clock()
        self._marks = {id: mark for id, mark in self._marks.items() if now - mark.since < NEWS_SECONDS}
        return {id: Freshness(f"{mark.kind} {ago(now - mark.since)}", mark.was) for id, mark in self._marks.items()}
