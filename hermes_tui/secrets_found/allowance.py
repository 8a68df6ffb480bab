"""How much may be looked through before the rest is left for another time, and what was left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

Progress = Callable[[int, int], object]
"""Told how much is done, and of how much."""

QUICK_SECONDS = 0.7
"""For sessions, and as much again for files: a doctor should not keep a person waiting."""


@dataclass(slots=True)
class Allowance:
    """The time that one kind of place may take.

    Args:
        deep: whether all of it is to be looked through, however long it takes.
        progress: told how far it is.
        seconds: the time that it may take otherwise.
    """

    deep: bool = False
    progress: Progress | None = None
    seconds: float = QUICK_SECONDS
    left: list[str] = field(default_factory=list)
    """What was not looked through, in sentences."""
    cut: int = 0
    """Texts of which only the beginning was looked through."""
    _until: float | None = None

    def begin(self) -> None:
        """The clock begins to run."""
        self._until = time.monotonic() + self.seconds

    def tell(self, done: int, total: int) -> None:
        """Say how far it is."""
        if self.progress is not None:
            self.progress(done, total)

    @property
    def spent(self) -> bool:
        """Whether the time is over."""
        return not self.deep and self._until is not None and time.monotonic() >= self._until
