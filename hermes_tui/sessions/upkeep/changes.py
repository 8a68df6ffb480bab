"""What became of a change, and how it is followed and stopped while it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int], object]
"""Told how much is done, and of how much."""
Stopped = Callable[[], bool]
"""Whether to stop at the next place where nothing is left half done."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A session that a change could not be made to."""

    id: str
    reason: str
    """In a sentence."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a change did."""

    message: str
    """In a sentence for a person."""
    done: tuple[str, ...]
    """The ids of the sessions that were changed: the newest part of each conversation."""
    failed: tuple[Failure, ...] = ()
    step: str = ""
    """What `undo` calls it; empty when there is nothing to take back."""
    stopped: bool = False
    """Whether somebody stopped it before it was through."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change of the past that can be taken back."""

    id: str
    at: float
    """When it was made, in epoch seconds."""
    kind: str
    """rename, title, archive, unarchive, pin, unpin, delete or import."""
    label: str
    """In a few words: `delete of 3 conversations`."""
    size: int = 0
    """Bytes that are kept so that it can be taken back."""
