"""The line of a message that shows why it was found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes_tui.sessions.matcher import Matcher, Span, best_place

BEFORE_CHARS = 40
LENGTH_CHARS = 200
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a message."""

    text: str
    """One line, otherwise raw; … where more of the message is before or after."""
    marks: tuple[Span, ...]
    """Where in it the matches are (start, end)."""


def snippet(text: str, matcher: Matcher, *, length: int = LENGTH_CHARS) -> Snippet:
    """The piece of `text` with the most matches, with some words before the first of them."""
    spans = matcher.spans(text)
    start = 0
    if spans:
        first = spans[best_place(spans, length - BEFORE_CHARS)]
        start = max(0, first[0] - BEFORE_CHARS)
        start = _at_word(text, start, first[0])
    end = min(len(text), start + length)
    head, tail = ("… " if start > 0 else ""), (" …" if end < len(text) else "")
    shift = len(head) - start
    marks = tuple((a + shift, min(b, end) + shift) for a, b in spans if a >= start and a < end)
    return Snippet(head + _SPACE.sub(" ", text[start:end]) + tail, marks)


def _at_word(text: str, start: int, before: int) -> int:
    """`start` moved on to the beginning of a word, if there is one before the match."""
    if start == 0:
        return 0
    found = _SPACE.search(text, start, before)
    return found.end() if found else start
