"""One secret in a text, and how it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["token", "jwt", "telegram", "private_key", "phone", "named", "header", "url", "query"]

SHORT_SECRET_CHARS = 18
"""From this length on the ends of a secret are shown, so that a person can tell which one it is."""
HIDDEN = "***"
HIDDEN_KEY = "[REDACTED PRIVATE KEY]"
WORD_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

_MASKED = re.compile(r"\*+|.{6}\.\.\..{4}|\[REDACTED.*|«redacted.*|<[^<>]*>|\.\.\.|…", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Redaction:
    """One secret in a text."""

    start: int
    """Where it begins in the raw text."""
    end: int
    """Where the raw text goes on."""
    shown: str
    """What stands in its place."""
    kind: Kind
    """How it was recognised."""


def mask(secret: str) -> str:
    """A secret as it may be shown: its ends when it is long, nothing of it when it is short."""
    return HIDDEN if len(secret) < SHORT_SECRET_CHARS else f"{secret[:6]}...{secret[-4:]}"


def is_masked(value: str) -> bool:
    """Whether a value is a mask already, or a gap to fill in (`<token>`)."""
    return _MASKED.fullmatch(value) is not None
