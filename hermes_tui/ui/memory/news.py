"""What changed on disk, entry by entry: which card is new, which one changed, and from what."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from hermes_tui.memory.view import StoreView
from hermes_tui.text import ago
from hermes_tui.ui.memory.cards import CardId, Followed, Freshness

NEWS_SECONDS = 900.0
"""A change is marked for this long."""

_ALIKE_SHARE = 0.3
"""Texts that share this part of their words are taken for two states of one entry."""
_COMPARE_MAX_CHARS = 2_000
_COMPARE_MAX_PAIRS = 400


class _Mark(NamedTuple):
    kind: Literal["new", "changed"]
    since: float
    was: str | None


class Changes(NamedTuple):
    """How one reading of a store differs from the one before."""

    renamed: dict[CardId, CardId]
    """Entries whose text changed: the old one and what stands in its place."""
    added: list[CardId]
    removed: list[CardId]
    followed: Followed
    """What became of every card: among entries of the same text the names of the others change with one of them."""


def ids_of(view: StoreView) -> list[CardId]:
    """The names of a store's cards, in file order."""
    seen: dict[str, int] = {}
    ids = []
    for entry in view.entries:
        nth = seen.get(entry.text, 0)
        seen[entry.text] = nth + 1
        ids.append(CardId(entry.text, nth))
    return ids


def changes_between(before: list[CardId], after: list[CardId], about: Collection[int] = ()) -> Changes:
    """Pair the entries that left with those that came; what has no partner was removed or added.

    Args:
        before: the cards that were there.
        after: those that are there now.
        about: places in `before`, from 1, that left if any of their text did.
    """
    kept = _kept(before, after, about)
    stayed = set(kept.values())
    gone = [id for id in before if id not in kept]
    come = [id for id in after if id not in stayed]
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
    followed: Followed = {id: now for id in before if (now := kept.get(id) or renamed.get(id)) != id}
    return Changes(
        renamed, [id for id in come if id not in partners], [id for id in gone if id not in renamed], followed
    )


def _kept(before: list[CardId], after: list[CardId], about: Collection[int]) -> dict[CardId, CardId]:
    """The cards whose text is still there, and what they are called now: equal texts are told apart by their places."""
    old, new = _by_text(before), _by_text(after)
    kept: dict[CardId, CardId] = {}
    stayed: dict[int, int] | None = None
    for text, places in old.items():
        if text not in new:
            continue
        here, there = places, new[text]
        if len(here) != len(there):
            if stayed is None:
                stayed = _stayed([id.text for id in before], [id.text for id in after])
            count = min(len(here), len(there))
            ends = set(stayed.values())
            here = sorted(sorted(here, key=lambda at: (at + 1 in about, at not in stayed))[:count])
            there = sorted(sorted(there, key=lambda at: at not in ends)[:count])
        kept |= {before[one]: after[other] for one, other in zip(here, there, strict=True)}
    return kept


def _by_text(ids: list[CardId]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, id in enumerate(ids):
        places.setdefault(id.text, []).append(place)
    return places


def _stayed(before: list[str], after: list[str]) -> dict[int, int]:
    """The places that did not change, by what stands around them."""
    from difflib import SequenceMatcher  # loaded here: few write an entry twice

    least = min(len(before), len(after))
    head = next((at for at in range(least) if before[at] != after[at]), least)
    rest = least - head
    tail = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    stayed = {at: at for at in range(head)}
    stayed |= {len(before) - at: len(after) - at for at in range(1, tail + 1)}
    middle = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail], autojunk=False)
    for block in middle.get_matching_blocks():
        stayed |= {head + block.a + at: head + block.b + at for at in range(block.size)}
    return stayed


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text[:_COMPARE_MAX_CHARS].casefold()))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


class News:
    """The marks of one store: kept while they are news, and carried along when an entry moves."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._marks: dict[CardId, _Mark] = {}

    def note(self, before: StoreView, after: StoreView, *, ours: bool, about: Collection[int] = ()) -> Changes:
        """Compare two readings; changes of our own leave no mark."""
        changes = changes_between(ids_of(before), ids_of(after), about)
        now = self._clock()
        moved = ((changes.followed.get(id, id), mark) for id, mark in self._marks.items())
        self._marks = {id: mark for id, mark in moved if id is not None}
        for old, new in changes.renamed.items():
            mark = self._marks.pop(new, None)
            if ours:
                continue
            # An entry that was new a moment ago is still new when the agent rewrites it.
            if mark and mark.kind == "new":
                self._marks[new] = _Mark("new", now, None)
            else:
                self._marks[new] = _Mark("changed", now, mark.was if mark and mark.was else old.text)
        if not ours:
            self._marks |= {id: _Mark("new", now, None) for id in changes.added}
        return changes

    def fresh(self) -> dict[CardId, Freshness]:
        """What to say about each recent card now."""
        now = self._clock()
        self._marks = {id: mark for id, mark in self._marks.items() if now - mark.since < NEWS_SECONDS}
        return {id: Freshness(f"{mark.kind} {ago(now - mark.since)}", mark.was) for id, mark in self._marks.items()}
