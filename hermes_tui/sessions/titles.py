"""What to call a conversation that nobody has named, and what to show of how it began."""

from __future__ import annotations

import re

MAX_WORDS = 7
MAX_CHARS = 60
PREVIEW_CHARS = 200
READ_CHARS = 8_000
"""So much of a message is looked at."""

_INJECTED = re.compile(
    r"\A\s*(?:\[(?:system|note|context|important|session|reminder)\b[^\]\n]{0,2000}\]"
    r"|<(?P<tag>[a-z][\w-]{2,40})\b[^>\n]{0,200}>.{0,20000}?</(?P=tag)>)\s*",
    re.IGNORECASE | re.DOTALL,
)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LINK = re.compile(r"https?://\S+|www\.\S+")
_QUOTE = re.compile(r"^\s*>.*$", re.MULTILINE)
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_GREETING = re.compile(
    r"\A(?:(?:hi|hello|hey|hallo|servus|moin|guten (?:tag|morgen|abend)|привет|здравствуйте|добрый (?:день|вечер)"
    r"|你好|您好|こんにちは|おはよう(?:ございます)?|안녕(?:하세요)?|xin chào|chào(?: bạn)?|مرحبا|السلام عليكم"
    r"|bonjour|salut|hola|buenos días|good (?:morning|evening|afternoon))(?:\s+(?:there|all|everyone|hermes))?"
    r"[\s,.!?，。！？،:;–-]*)+",
    re.IGNORECASE,
)


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


def derive_title(text: str) -> str:
    """A short title out of the first thing a person said; empty when it says nothing."""
    rest = _said(text)
    prose = _SPACE.sub(" ", _LINK.sub(" ", _QUOTE.sub(" ", _CODE.sub(" ", rest)))).strip()
    greeted = _GREETING.sub("", prose)
    source = greeted or prose or _SPACE.sub(" ", rest).strip()
    first = _SENTENCE_END.split(source, maxsplit=1)[0].strip(" \t.,;:!?。！？，、-–—\"'`*#>")
    return _shortened(first or source[:MAX_CHARS])


def _shortened(text: str) -> str:
    pieces = text.split(" ")
    short = " ".join(pieces[:MAX_WORDS])
    if len(short) > MAX_CHARS:
        cut = short[:MAX_CHARS].rsplit(" ", 1)[0] if " " in short[:MAX_CHARS] else short[:MAX_CHARS]
        return cut.rstrip(" ,;:-–—") + "…"
    return short.rstrip(" ,;:-–—") + ("…" if len(pieces) > MAX_WORDS else "")
