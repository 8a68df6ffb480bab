"""The history of one home: built from what is there, in the background, and kept when the agent forgets it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_tui.history.authors import Review, attributed, reviews_in, reviews_logged
from hermes_tui.history.cache import Cache
from hermes_tui.history.calls import read_calls
from hermes_tui.history.index import Index
from hermes_tui.history.replay import Event, Ours, Past, Sight, replay
from hermes_tui.history.snapshots import SnapshotReader
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.journal import Journal
from hermes_tui.memory.view import StoreView
from hermes_tui.sessions.database import Database

ALWAYS_READ = 30
"""The newest sessions are read again each time: a prompt that was built anew may be just as long as before."""

Progress = Callable[[float], object]
"""Told the share that is through, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Both stores' pasts."""

    pasts: dict[StoreName, Past]
    complete: bool
    """Whether everything that the agent's database has is in it."""
    sessions: int
    """How many sessions were told something."""


class History:
    """Builds the timeline of one home.

    Args:
        data_dir: our own data about the home.
        logs: the agent's log directory.
    """

    def __init__(self, data_dir: Path, logs: Path) -> None:
        self._cache = Cache(data_dir)
        self._journal = Journal(data_dir)
        self._logs = logs
        self.index = Index()
        self.complete = False
        self._reviews: list[Review] = []

    def load(self) -> None:
        """What earlier starts have found."""
        self.index = self._cache.load()

    def read(self, base: Database, stopped: Callable[[], bool] = lambda: False) -> Iterator[float]:
        """Read what is new, the newest first; gives the share that is through, so that one can look in between.

        Raises:
            NotFound: there are no sessions.
            Unreadable: they cannot be read.
            Interrupted: `stopped` said so.
        """
        newest = max((told.row for told in self.index.sessions.values()), default=0) - ALWAYS_READ

        def known(session_id: str) -> tuple[int, str] | None:
            told = self.index.sessions.get(session_id)
            return None if told is None or told.row > newest else (told.size, told.key)

        for snapshots, done, total in SnapshotReader(base, known).slices(stopped):
            self._cache.add(self.index.add_snapshots(snapshots))
            yield done / max(total, 1) / 2
        (last,) = base.rows("SELECT coalesce(max(id), 0) FROM messages")[0]
        if last < self.index.calls_to:
            self.index.calls_to = 0  # another database has taken the place of the one that was read
        for calls, done, total in read_calls(base, self.index.calls_to, stopped):
            self._cache.add(self.index.add_calls(calls, done))
            yield 0.5 + done / max(total, 1) / 2
        self._reviews = [*reviews_in(base), *reviews_logged(self._logs)]
        self.complete = True

    def note(self, views: Iterable[StoreView]) -> None:
        """Keep what the stores hold now, for the time when it is past."""
        self._cache.note(views, time.time())

    def timeline(self, views: Iterable[StoreView]) -> Timeline:
        """What is known so far, up to what the stores hold now."""
        records = [record for record in self._journal.records() if record.state in ("done", "dropped")]
        now = {view.store: view for view in views}
        pasts: dict[StoreName, Past] = {}
        for store in STORES:
            ours = [Ours(record, change) for record in records for change in record.files if change.store == store]
            calls = [call for call in self.index.calls.values() if call.store == store]
            events: list[Event] = [*ours, *calls, *self.index.sights(store), *self._cache.sights(store)]
            if store in now and now[store].state in ("ok", "drift", "bom", "missing"):
                events.append(_now(now[store]))
            past = replay(store, events)
            pasts[store] = replace(past, changes=attributed(past.changes, calls, ours, self._reviews))
        told = sum(told.block >= 0 for told in self.index.sessions.values())
        return Timeline(pasts, self.complete, told)


def _now(view: StoreView) -> Sight:
    at = time.time() if view.mtime is None else min(time.time(), view.mtime)
    return Sight(at, at, tuple(view.texts), "now")
