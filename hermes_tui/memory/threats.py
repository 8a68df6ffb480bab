"""The threat scan: what the agent would refuse to remember, where it stands, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason the agent would block a text."""

    id: str
    """The agent's id of the class, such as `ssh_access` or `invisible_unicode_U+200D`."""
    start: int
    """Offset of the match in the scanned text, in code points from 0."""
    end: int
    text: str
    """The matched text as it stands in the entry."""
    newer_pass: bool = False
    """True where the 0.22 line of the agent narrowed the class and lets this text through."""

    @property
    def explanation(self) -> str:
        raise NotImplementedError


def scan(text: str) -> tuple[Finding, ...]:
    raise NotImplementedError
