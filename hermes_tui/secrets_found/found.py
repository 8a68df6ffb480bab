"""One secret that was found, and what in a text is taken for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hermes_tui.redaction import Kind, Redaction, find_secrets, redact

Place = Literal[
    "memory", "user", "pending", "session title", "message", "prompt", "log", "config", "session file", "backup",
    "our data",
]  # fmt: skip

LEAST_CHARS = 6
"""A shorter value under a telling name is a word or a number, not a key."""
LEAST_QUERY_CHARS = 16
"""A shorter parameter of an address is a page or a state."""
LEAST_HEADER_CHARS = 8
"""The same of one in a header."""
LEAST_DIFFERENT = 4
"""So many different characters a secret has; `sk-xxxxxxxxxx` is a gap to fill in."""
NAME_CHARS = 60

_NAME = re.compile(
    r"(?:(?<=\\[nrt])|(?<![\w.\\-]))([A-Za-z_][\w.-]*)\\*[\"']?\s*[:=]\s*(?:\\*[\"'`])?(?:[A-Za-z]+ )?\Z"
)
_CODE = re.compile(r"[(\[{<]|op://|[\w.]+[(\[]|[A-Z_][A-Z0-9]*(?:_[A-Z0-9]+)+[\"',;)\]}]*\Z|\d+[\"',;)\]}]*\Z")
"""What code has behind such a name: a call, a list, the name of a variable, a number."""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_.-]*")
_HUMPS = re.compile(r"[a-z][A-Z]")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}")
_FILLER = re.compile(
    r"(?i)your[-_ ]|change[-_]?me|placeholder|\bnot[-_](?:needed|required|used)|no[-_]key|dummy|ollama|lm-studio|x{5,}"
)
_COMMON = frozenset(("pass", "password", "passwd", "pw", "pwd", "secret", "token", "user", "example"))
"""What a manual puts in the place of one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A secret, and where it lies."""

    place: Place
    where: str
    """The place in words, after "in": `entry 3 of MEMORY.md`."""
    shown: str
    """The secret, masked: never all of it."""
    kind: Kind
    """How it was recognised."""
    name: str = ""
    """What it is called there, such as OPENAI_API_KEY; empty when nothing says so."""
    path: str = ""
    """The file."""
    line: int = 0
    """In a file of lines, from 1."""
    entry: int = 0
    """In a store, from 1."""
    record_id: str = ""
    """In a queue, or in our journal."""
    session_id: str = ""
    message_id: int = 0

    @property
    def label(self) -> str:
        """What it is, in a few words: `OPENAI_API_KEY sk-pro...7890`."""
        return f"{self.name} {self.shown}".strip()


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret in a text."""

    start: int
    shown: str
    kind: Kind
    name: str


def secrets_in(text: str) -> Iterator[Hit]:
    """The secrets of a text that somebody could use; the same one is told once."""
    told: set[tuple[str, str]] = set()
    for secret in find_secrets(text):
        value = text[secret.start : secret.end]
        if not is_usable(secret, value):
            continue
        name = _name_before(text, secret.start)
        if (name, value) not in told:
            told.add((name, value))
            yield Hit(secret.start, secret.shown, secret.kind, name)


def is_usable(secret: Redaction, value: str) -> bool:
    """Whether what would be masked is a secret somebody could use: phone numbers and gaps to fill in are none."""
    if secret.kind == "phone":
        return False
    if secret.kind == "private_key":
        return True
    if _FILLER.search(value) or "…" in value:
        return False
    if secret.kind == "url":
        return value.casefold() not in _COMMON
    if len(set(value.casefold())) < LEAST_DIFFERENT:
        return False
    if secret.kind == "query":
        return len(value) >= LEAST_QUERY_CHARS and any(map(str.isdigit, value))
    letters = sum(map(str.isalnum, value))
    if secret.kind == "header":
        return letters >= LEAST_HEADER_CHARS and value[0].isalnum()
    if secret.kind == "named":
        return letters >= LEAST_CHARS and value.casefold() not in _COMMON and not _is_code(value)
    return secret.kind != "token" or value.count("_") < 2 or any(map(str.isdigit, value)) or not value.islower()


def _is_code(value: str) -> bool:
    """Whether a value is what code and its manuals have behind a telling name: a variable, a type, a sentence."""
    if _CODE.match(value) or _COLOUR.match(value) or value.count(" ") > 3:
        return True
    bare = value.rstrip("\"',;)]}:")
    named = _IDENTIFIER.fullmatch(bare) is not None
    return named and (bare != value or "_" in bare or "." in bare or _HUMPS.search(bare) is not None)


def _name_before(text: str, start: int) -> str:
    found = _NAME.search(text, max(0, start - NAME_CHARS), start)
    return redact(found[1]) if found else ""  # what stands there may be a secret, too
