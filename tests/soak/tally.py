"""What was done, of each kind, by whom; threads add to it."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Counts, and whatever should not have been."""

    counts: Counter[str] = field(default_factory=Counter)
    """`agent: message`, `person: approve`, … with how often."""
    wrong: list[str] = field(default_factory=list)
    """What should not have happened, in words."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, number: int = 1) -> None:
        """One more of a kind."""
        with self._lock:
            self.counts[name] += number

    def blame(self, words: str) -> None:
        """Something went wrong."""
        with self._lock:
            self.wrong.append(words)
