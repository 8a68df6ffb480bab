"""What a list shows of how a conversation began."""

from __future__ import annotations

import re

PREVIEW_CHARS = 200
READ_CHARS = 8_000
"""So much of a message is looked at."""

_INJECTED = re.compile(
    r"\A\s*(?:\[(?:system|note|context|important|session|reminder)\b[^\]\n]{0,2000}\]"
    r"|<(?P<tag>[a-z][\w-]{2,40})\b[^>\n]{0,200}>.{0,20000}?</(?P=tag)>)\s*",
    re.IGNORECASE | re.DOTALL,
)
_SPACE = re.compile(r"\s+")


def _said(text: str) -> str:
    """The beginning of a message without what a program put before the person's words."""
    rest = text[:READ_CHARS]
    while (found := _INJECTED.match(rest)) and found.end():
        rest = rest[found.end() :]
    return rest


def clean_preview(text: str) -> str:
    """What a person said, on one line, without what a program put before it; at most 200 characters."""
    rest = _said(text)
    return _SPACE.sub(" ", rest or text[:READ_CHARS]).strip()[:PREVIEW_CHARS]
