"""What a search looks for, applied to one text: does it match, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hermes_tui.sessions.folding import MARKS, fold

Span = tuple[int, int]

_MARK = re.compile(f"[{MARKS}]")
_NOT_AFTER = r"(?<![^\W_])"
_NOT_BEFORE = rf"(?![^\W_]|[{MARKS}])"
_BETWEEN = r"(?:[\W_]+)"
"""What may stand between two words of a phrase: anything that is no letter and no digit."""


@dataclass(frozen=True)
class Term:
    """One thing a text has to hold, or must not."""

    words: tuple[str, ...] = ()
    """Folded words that follow each other; empty for a part of a text."""
    prefix: bool = False
    """Whether the last word may go on."""
    literal: str = ""
    """Folded text that has to be there just so, for what an index cannot see: `c#`, `.env`, a CJK word."""
    typed: str = field(default="", compare=False)
    """The folded text that the words come from."""

    @property
    def indexed(self) -> bool:
        """Whether an index of words knows it."""
        return bool(self.words)

    @cached_property
    def _in_ascii(self) -> re.Pattern[str]:
        return re.compile(self.spelled(""))

    @cached_property
    def _in_any(self) -> re.Pattern[str]:
        return re.compile(self.spelled(f"[{MARKS}]*"))

    def found_in(self, folded: str) -> bool:
        """Whether a folded text has it."""
        # Regular expressions take ten times as long as looking, and most texts do not even have the first word.
        simple = len(self.words) == 1 and not self.literal
        if simple and self._stands_in(folded):
            return True
        if folded.isascii():
            return not simple and self._first in folded and self._in_ascii.search(folded) is not None
        return (not simple or _MARK.search(folded) is not None) and self._in_any.search(folded) is not None

    @cached_property
    def _first(self) -> str:
        return self.words[0] if self.indexed else self.literal.split()[0]

    def _stands_in(self, folded: str) -> bool:
        """Whether the one word is there, with nothing before it, and after it if it is whole."""
        word = self._first
        at = folded.find(word)
        while at >= 0:
            end = at + len(word)
            if not (at and folded[at - 1].isalnum()) and (self.prefix or not folded[end : end + 1].isalnum()):
                return True
            at = folded.find(word, at + 1)
        return False

    def spelled(self, accents: str, *, whole: bool = False) -> str:
        """The regular expression that finds it in a folded text.

        Args:
            accents: what may follow each letter.
            whole: whether a prefix reaches to the end of the word that has it.
        """
        if self.literal:
            body = r"\s+".join(_spelled(piece, accents) for piece in self.literal.split())
            first, last = self.literal[0], self.literal[-1]
        else:
            body = _BETWEEN.join(_spelled(word, accents) for word in self.words)
            first = last = "w"
        if not self.indexed:
            return body
        before = _NOT_AFTER if first.isalnum() else ""
        if self.prefix:
            return f"{before}{body}" + (f"(?:[^\\W_]|[{MARKS}])*" if whole and last.isalnum() else "")
        return f"{before}{body}{_NOT_BEFORE if last.isalnum() else ''}"


def _spelled(word: str, accents: str) -> str:
    return "".join(re.escape(char) + (accents if char.isalpha() else "") for char in word)


@dataclass(frozen=True)
class Group:
    """Terms that all have to be there, and terms that must not."""

    terms: tuple[Term, ...]
    excluded: tuple[Term, ...] = ()

    def accepts(self, folded: str) -> bool:
        """Whether a folded text matches."""
        for term in self.terms:
            if not term.found_in(folded):
                return False
        return not any(term.found_in(folded) for term in self.excluded)


class Matcher:
    """Finds what was searched for in a text.

    Args:
        terms: what is marked.
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        self.terms = tuple(dict.fromkeys(terms))
        self._pattern = self._joined()

    def _joined(self) -> re.Pattern[str] | None:
        # Long ones first, so that a phrase is marked whole and not by its first word.
        ordered = sorted(self.terms, key=lambda term: -max(len(term.literal), len(" ".join(term.words))))
        return re.compile("|".join(term.spelled(f"[{MARKS}]*", whole=True) for term in ordered)) if ordered else None

    def spans(self, text: str) -> tuple[Span, ...]:
        """The places (start, end) in `text`, in order, not overlapping; end exclusive."""
        if self._pattern is None:
            return ()
        return tuple(match.span() for match in self._pattern.finditer(fold(text)) if match.end() > match.start())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matcher) and other.terms == self.terms

    def __hash__(self) -> int:
        return hash(self.terms)


def literal_matcher(text: str) -> Matcher:
    """A matcher for what a person types to find it as it stands: any text, case and accents aside."""
    folded = fold(text)
    return Matcher([Term(literal=folded)] if folded.strip() else [])


def best_place(spans: Sequence[Span], window: int) -> int:
    """The number of the span at which a window of `window` characters covers the most of them."""
    best, most, first = 0, 0, 0
    for last, (_, end) in enumerate(spans):
        while end - spans[first][0] > window and first < last:
            first += 1
        if last - first + 1 > most:
            best, most = first, last - first + 1
    return best
