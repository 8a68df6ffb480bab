"""Which records arrived a moment ago, and the clock that ages them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from textual.screen import Screen
from textual.timer import Timer

from hermes_tui.text import ago
from hermes_tui.ui.memory.news import NEWS_SECONDS
from hermes_tui.ui.pending.queue_list import QueueList

TICK_SECONDS = 1.0
AGES_SECONDS = 30.0
"""How often the ages of records are counted anew while nothing else happens."""


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


class NewsClock:
    """Draws the list again as its ages grow, often only while there is news."""

    def __init__(self, screen: Screen[None], queue_list: QueueList, arrivals: Arrivals) -> None:
        self._screen = screen
        self._list = queue_list
        self._arrivals = arrivals
        self._ticker: Timer | None = None
        screen.set_interval(AGES_SECONDS, queue_list.refresh, name="ages of records")

    @property
    def ticking(self) -> bool:
        """Whether there is news whose age is shown in seconds."""
        return self._ticker is not None

    def follow(self) -> None:
        """Tick while there is news, and no longer."""
        self._list.news = self._arrivals.words()
        if self._list.news and self._ticker is None:
            self._ticker = self._screen.set_interval(TICK_SECONDS, self._tick, name="news")
        elif not self._list.news and self._ticker is not None:
            self._ticker.stop()
            self._ticker = None

    def _tick(self) -> None:
        self.follow()
        self._list.refresh()
