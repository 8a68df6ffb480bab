"""The line of a message that shows why it was found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hermes_tui.sessions.matcher import Matcher, Span, best_place
from hermes_tui.sessions.messages import ToolCall, message_text, tool_calls
from hermes_tui.sessions.sources import searched_text

BEFORE_CHARS = 40
LENGTH_CHARS = 200
JSON_CHARS = 200_000
"""A result longer than this is shown as it is stored."""
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


def snippet_of(content: object, tool_name: object, calls: object, matcher: Matcher) -> Snippet:
    """The piece of a stored message with the most matches: of what it says, else of what it calls a tool with.

    Args:
        content: as it is stored.
        tool_name: the tool whose result it is, if it is one.
        calls: the tool calls, as they are stored.
        matcher: what was looked for.
    """
    said = message_text(content)
    for text in (_legible(said), said, *map(_called, tool_calls(calls))):
        if matcher.spans(text):
            return snippet(text, matcher)
    whole = searched_text(content, tool_name, calls)
    return snippet(whole if matcher.spans(whole) else said or whole, matcher)


def _called(call: ToolCall) -> str:
    return f"{call.name} · {call.text}"


def _legible(text: str) -> str:
    """The words in a result that is JSON, without its signs; other text as it is."""
    if not text.startswith(("{", "[")) or len(text) > JSON_CHARS:
        return text
    try:
        return _words(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _words(value: object) -> str:
    """All texts in a parsed JSON value."""
    if isinstance(value, Mapping):
        return " · ".join(filter(None, map(_words, value.values())))
    if isinstance(value, list):
        return " · ".join(filter(None, map(_words, value)))
    return value if isinstance(value, str) else ""


def _at_word(text: str, start: int, before: int) -> int:
    """`start` moved on to the beginning of a word, if there is one before the match."""
    if start == 0:
        return 0
    found = _SPACE.search(text, start, before)
    return found.end() if found else start
