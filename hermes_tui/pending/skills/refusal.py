"""Why a pending skill write would not be applied."""

from __future__ import annotations

from typing import Literal

Verdict = Literal["applies", "no_match", "ambiguous", "blocked", "invalid", "stale"]


class Refusal(Exception):
    """A pending skill write that cannot be applied as it stands."""

    def __init__(self, verdict: Verdict, short: str, reason: str) -> None:
        super().__init__(reason)
        self.verdict: Verdict = verdict
        self.short = short
        """Two to four words for a list."""
        self.reason = reason
        """A sentence: what, to which thing, what to do."""


def invalid(reason: str, short: str = "invalid") -> Refusal:
    """A write that breaks a rule whatever is on the disk."""
    return Refusal("invalid", short, reason)


def blocked(short: str, reason: str) -> Refusal:
    """A write that something on the disk stands against."""
    return Refusal("blocked", short, reason)
