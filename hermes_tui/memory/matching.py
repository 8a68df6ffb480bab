"""Finding the entry that a piece of text names, by the rules of either line of the agent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

CLOSEST_SHARE = 0.3
"""An entry that holds at least this share of the words asked for is worth naming as close."""
CLOSEST_MAX = 3

_QUOTES = '"`‘’‚‛“”„‟'
_DASHES = "‐‑‒–—―−"
_FOLDED = str.maketrans({**dict.fromkeys(_QUOTES, "'"), **dict.fromkeys(_DASHES, "-")})


@dataclass(frozen=True, slots=True)
class Match:
    """What a text names among the entries: one place, several different entries, or nothing."""

    at: int | None
    """Offset of the entry from 0, or None."""
    candidates: tuple[int, ...]
    """Offsets of everything that matched; more than one different text means ambiguous."""

    @property
    def ambiguous(self) -> bool:
        """Whether several different entries matched."""
        return self.at is None and len(self.candidates) > 1


def fold(text: str) -> str:
    """`text` with the typography a model tends to retype evened out: quotes, dashes, runs of white space."""
    return " ".join(text.replace("\\n", " ").translate(_FOLDED).split())


def containing(entries: Sequence[str], text: str, *, folded: bool) -> tuple[int, ...]:
    """Offsets of the entries that contain `text`: exactly, or if none does and `folded`, in folded form."""
    exact = tuple(at for at, entry in enumerate(entries) if text in entry)
    if exact or not folded:
        return exact
    wanted = fold(text)
    if not any(map(str.isalnum, wanted)):
        return ()  # punctuation alone would name almost any entry
    return tuple(at for at, entry in enumerate(entries) if wanted in fold(entry))


def find(entries: Sequence[str], text: str, *, whole_first: bool = True, folded: bool = True) -> Match:
    """The entry that `text` names: a whole entry, else one that contains it, else one in folded form.

    Equal entries count as one (the first). `whole_first` and `folded` are off for the 0.19 line.
    """
    candidates: tuple[int, ...] = ()
    if whole_first:
        candidates = tuple(at for at, entry in enumerate(entries) if entry == text)
    candidates = candidates or containing(entries, text, folded=folded)
    if len({entries[at] for at in candidates}) == 1:
        return Match(candidates[0], candidates)
    return Match(None, candidates)


def closest(entries: Sequence[str], text: str) -> list[str]:
    """Up to three entries that share the most words with `text`, best first."""
    wanted = _words(text)
    if not wanted:
        return []
    shares = [(len(wanted & _words(entry)) / len(wanted), -at) for at, entry in enumerate(entries)]
    best = sorted(shares, reverse=True)[:CLOSEST_MAX]
    return [entries[-minus_at] for share, minus_at in best if share >= CLOSEST_SHARE]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def occurrences(entry: str, span: str) -> int:
    """How often `span` stands in `entry`, overlapping places included."""
    found, at = 0, entry.find(span)
    while at >= 0 and span:
        found += 1
        at = entry.find(span, at + 1)
    return found
