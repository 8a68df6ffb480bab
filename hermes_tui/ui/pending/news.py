"""Which records arrived a moment ago."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from hermes_tui.text import ago
from hermes_tui.ui.memory.news import NEWS_SECONDS


class Arrivals:
    """Remembers when each record was first seen; those that were there at the first look are no news."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: set[Path] | None = None
        self._since: dict[Path, float] = {}

    def note(self, paths: Iterable[Path], *, ours: bool) -> set[Path]:
        """Take a reading over; the files that were not there before, whoever put them there."""
        present = set(paths)
        come = present - self._known if self._known is not None else set()
        if not ours:
            self._since |= dict.fromkeys(come, self._clock())
        self._since = {path: since for path, since in self._since.items() if path in present}
        self._known = present
        return come

    def words(self) -> dict[Path, str]:
        """`new 3s` for each that is news now."""
        now = self._clock()
        self._since = {path: since for path, since in self._since.items() if now - since < NEWS_SECONDS}
        return {path: f"new {ago(now - since)}" for path, since in self._since.items()}
