"""A change of a list of entries as hunks that can be taken back, exactly or on top of later changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

MAX_COMPARISONS = 4_000_000
"""Past this a change is kept as one hunk, so that no lock is held for seconds."""
MAX_EQUAL_PAIRS = 50_000
"""Likewise for entries that stand there many times: each is compared with each, over and over."""


class DoesNotFit(Exception):
    """The entries a hunk speaks of are no longer there."""

    def __init__(self, wanted: str, missing: str) -> None:
        super().__init__(missing)
        self.wanted = wanted
        """The text that taking the change back would bring."""
        self.missing = missing
        """The entry that should be there and is not."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place where a list changed: `old` entries gave way to `new` ones."""

    at: int
    """Offset in the list before the change, from 0."""
    old: tuple[str, ...]
    new: tuple[str, ...]
    after: str | None
    """The entry just before the place; None at the top."""


def hunks_between(before: Sequence[str], after: Sequence[str]) -> tuple[Hunk, ...]:
    """The places where two lists of entries differ."""
    from difflib import SequenceMatcher  # loaded here: only a write needs it

    shorter = min(len(before), len(after))
    head = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    tail = next((at for at in range(shorter - head) if before[-1 - at] != after[-1 - at]), shorter - head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(old) * len(new) > MAX_COMPARISONS or _equal_pairs(old, new) > MAX_EQUAL_PAIRS:
        spans = [(0, len(old), 0, len(new))]
    else:
        opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        spans = [(a1, a2, b1, b2) for tag, a1, a2, b1, b2 in opcodes if tag != "equal"]
    return tuple(
        Hunk(head + a1, tuple(old[a1:a2]), tuple(new[b1:b2]), before[head + a1 - 1] if head + a1 else None)
        for a1, a2, b1, b2 in spans
    )


def _equal_pairs(old: Sequence[str], new: Sequence[str]) -> int:
    times = Counter(new)
    return sum(times[text] for text in old)


def reversed_hunks(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """The hunks that lead back."""
    shift = 0
    back = []
    for hunk in hunks:
        back.append(Hunk(hunk.at + shift, hunk.new, hunk.old, hunk.after))
        shift += len(hunk.new) - len(hunk.old)
    return tuple(back)


def apply_exactly(entries: Sequence[str], hunks: Sequence[Hunk]) -> list[str]:
    """`entries` with the hunks applied at their own places; the list must be the one they were made from.

    Raises:
        DoesNotFit: it is not.
    """
    result = list(entries)
    for hunk in reversed(hunks):
        end = hunk.at + len(hunk.old)
        if tuple(result[hunk.at : end]) != hunk.old:
            raise DoesNotFit("\n".join(hunk.new), "\n".join(hunk.old))
        result[hunk.at : end] = hunk.new
    return result


def apply_loosely(entries: Sequence[str], hunks: Sequence[Hunk]) -> list[str]:
    """`entries` with the hunks applied wherever their entries stand now; everything else stays as it is.

    What a hunk adds goes where its old entries were, or behind the entry it once followed, and is
    left out when it is there already.

    Raises:
        DoesNotFit: an entry that a hunk would take away is gone.
    """
    # First everything leaves, each hunk keeping its place by a number; only then does anything enter.
    # A moved entry is one hunk's old and another's new, and would otherwise be taken for a repeat.
    slots: list[str | int] = list(entries)
    for number, hunk in enumerate(hunks):
        _take_out(slots, number, hunk)
    for number, hunk in enumerate(hunks):
        place = slots.index(number) if hunk.old else _place_after(slots, hunk)
        slots[place : place + bool(hunk.old)] = [text for text in hunk.new if text not in slots]
    return [slot for slot in slots if isinstance(slot, str)]


def _take_out(slots: list[str | int], number: int, hunk: Hunk) -> None:
    for position, text in enumerate(hunk.old):
        if text not in slots:
            wanted = hunk.new[min(position, len(hunk.new) - 1)] if hunk.new else ""
            raise DoesNotFit(wanted, text)
        place = slots.index(text)
        slots[place : place + 1] = [number] if position == 0 else []


def _place_after(slots: list[str | int], hunk: Hunk) -> int:
    if hunk.after is None:
        return 0
    if hunk.after in slots:
        return slots.index(hunk.after) + 1
    return min(hunk.at, len(slots))
