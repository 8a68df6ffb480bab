"""The first matches of a text that may be long: a million of them tell a person no more than ten thousand."""

from __future__ import annotations

from hermes_tui.sessions.matcher import Matcher, Span

MOST_MATCHES = 10_000
"""Matches of one text beyond these are not kept; a mark takes a hundred bytes."""
STRETCH_CHARS = 100_000
"""A long text is looked through in stretches of so many characters."""
AROUND_CHARS = 2_000
"""What is looked at before and after a stretch, for a match that goes beyond it or depends on what stands there."""


def first_matches(matcher: Matcher, text: str, most: int = MOST_MATCHES) -> tuple[Span, ...]:
    """The places (start, end) of the first matches, in order, not overlapping; no more than `most`."""
    if len(text) <= STRETCH_CHARS + AROUND_CHARS:
        return matcher.spans(text)[:most]
    found: list[Span] = []
    done = 0
    for start in range(0, len(text), STRETCH_CHARS):
        first = max(0, start - AROUND_CHARS)
        end = start + STRETCH_CHARS
        for left, right in matcher.spans(text[first : end + AROUND_CHARS]):
            if done <= first + left < end and first + left >= start:
                done = first + right
                found.append((first + left, done))
        if len(found) >= most:
            return tuple(found[:most])
    return tuple(found)
