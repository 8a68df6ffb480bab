"""Values as the agent stores them, as text."""

from __future__ import annotations

JSON_MARK = "\x00json:"
"""How the agent marks a message that is not plain text."""


def text_of(value: object) -> str:
    """A stored value as text; U+FFFD stands for bytes that are not UTF-8."""
    if value is None:
        return ""
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)


def exact_text(value: object) -> str:
    """The same with nothing lost: bytes that are not UTF-8 become lone surrogates, which are shown as such."""
    return value.decode("utf-8", errors="surrogateescape") if isinstance(value, bytes) else text_of(value)
