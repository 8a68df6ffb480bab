"""An entry that is no longer what the person saw when they changed it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from hermes_tui.errors import Conflict
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.entries import StoreName

SIMILAR_SHARE = 0.4
"""Two texts at least this alike are taken for two states of one entry."""
SURE_SHARE = 0.6
"""The same where either of them might be another entry that was there all along."""
SAID_CHARS = 60
"""So much of an entry names it in a message."""
COMPARE_MAX_CHARS = 5_000
"""Comparing costs the square of the length, and the start tells enough."""


class EntryConflict(Conflict):
    """The entry changed on disk meanwhile; nothing was written, and both versions are here.

    `base` is the entry as it was seen, `mine` what the person wants (empty: gone), `theirs` what
    stands there now (None: gone), `merged` a text with both changes where they do not touch, and
    `ref` names the entry that stands there now.
    """

    def __init__(self, message: str, *, base: str, mine: str, theirs: str | None, ref: EntryRef) -> None:
        super().__init__(message, code="conflict", hint="Look at both versions and choose; nothing was written.")
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.ref = ref
        self.merged = _merge(base, mine, theirs)


def _merge(base: str, mine: str, theirs: str | None) -> str | None:
    if not mine or theirs is None:
        return None
    from hermes_tui.memory.worddiff import three_way_merge

    return three_way_merge(base, mine, theirs)


def locate(ref: EntryRef, entries: Sequence[str], *, mine: str) -> int:
    """The offset, from 0, of the entry that `ref` names: at its place, or wherever that exact text stands now.

    Raises:
        EntryConflict: no entry has that text any more.
    """
    at = ref.index - 1
    if 0 <= at < len(entries) and entries[at] == ref.text:
        return at
    same = [place for place, entry in enumerate(entries) if entry == ref.text]
    if same:
        return min(same, key=lambda place: abs(place - at))
    raise changed_since(ref.store, ref.text, entries, mine=mine, at=at, beside=ref.beside)


def changed_since(
    store: StoreName,
    base: str,
    entries: Sequence[str],
    *,
    mine: str,
    at: int | None = None,
    beside: frozenset[str] = frozenset(),
) -> EntryConflict:
    """The conflict over an entry `base` that is among `entries` no more, with what most likely became of it."""
    now = _successor(base, entries, at, beside)
    said = base if len(base) <= SAID_CHARS else f"{base[:SAID_CHARS]}…"
    if now is None:
        message = f"“{said}” is no longer there: somebody removed it meanwhile."
        return EntryConflict(message, base=base, mine=mine, theirs=None, ref=EntryRef(store, (at or 0) + 1, base))
    return EntryConflict(
        f"“{said}” was changed by somebody else meanwhile.",
        base=base,
        mine=mine,
        theirs=entries[now],
        ref=EntryRef(store, now + 1, entries[now]),
    )


def _successor(base: str, entries: Sequence[str], at: int | None, beside: frozenset[str]) -> int | None:
    # Where the others are known, what is left over is new; where they are not, a neighbour may only look alike.
    best, best_share = None, SIMILAR_SHARE if beside else SURE_SHARE
    for place, entry in enumerate(entries):
        if entry in beside:
            continue
        share = alike(base, entry)
        if place == at:
            share += 0.1  # an edit usually stays in its place
        if share > best_share:
            best, best_share = place, share
    return best


def alike(one: str, other: str) -> float:
    """How much two entries have in common, from 0 to 1; 0 where it is clear at once that it is little."""
    matcher = difflib.SequenceMatcher(None, one[:COMPARE_MAX_CHARS], other[:COMPARE_MAX_CHARS], autojunk=True)
    if matcher.real_quick_ratio() < SIMILAR_SHARE - 0.1:
        return 0.0
    return matcher.ratio()
