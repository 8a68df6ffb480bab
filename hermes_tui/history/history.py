"""The history of one home: built from what is there, in the background, and kept when the agent forgets it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path

from hermes_tui.config import HermesConfig
from hermes_tui.errors import Unreadable
from hermes_tui.history.authors import Evidence, attributed
from hermes_tui.history.blame import Blame, blame
from hermes_tui.history.cache import Cache, is_known, lasting, written_at
from hermes_tui.history.call_reader import CallReader, latest_message, message_time, sessions_after
from hermes_tui.history.changes import Change, State, with_returns
from hermes_tui.history.clock import straightened
from hermes_tui.history.ever import Ever, entries_ever, state_at
from hermes_tui.history.finished import parts_of, pasts_from, stamp_of
from hermes_tui.history.index import Index
from hermes_tui.history.replay import Event, Past, Sight, replay
from hermes_tui.history.reviews import Logs, Reviews, Written
from hermes_tui.history.snapshots import Blocks, SnapshotReader
from hermes_tui.history.taken_back import ours_in, seen_through
from hermes_tui.memory.entries import STORES, StoreName, Usage, join
from hermes_tui.memory.journal import Journal, JournalRecord
from hermes_tui.memory.view import StoreView, view_bytes
from hermes_tui.sessions.database import Database

Progress = Callable[[float], object]
"""Told the share that is through, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Both stores' pasts, as far as they are known at some moment."""

    pasts: Mapping[StoreName, Past]
    told: Mapping[str, Blocks]
    """For every session that is known, also those that the agent has deleted, what it was told; empty for nothing."""
    uses: Mapping[StoreName, Mapping[str, int]]
    """How many sessions ran with each entry."""
    complete: bool
    """Whether everything that the agent's database has is in it."""
    uses_since: Mapping[StoreName, Mapping[str, int]] = field(default_factory=dict)
    """The same since they are back, for entries that had gone and came back."""

    @property
    def sessions(self) -> int:
        """How many sessions were told something."""
        return sum(map(bool, self.told.values()))

    def changes(self) -> list[Change]:
        """The changes of both stores, oldest first."""
        return sorted((change for past in self.pasts.values() for change in past.changes), key=attrgetter("until"))

    def state(self, store: StoreName, when: float) -> State | None:
        """What a store held at some time; None when it is too long ago to know."""
        return state_at(self.pasts[store].states, when)

    def ever(self) -> tuple[Ever, ...]:
        """Every entry that ever was, those that were there last first."""
        return entries_ever(self.pasts, self.uses, self.uses_since)

    def blame(self, views: Iterable[StoreView]) -> tuple[Blame, ...]:
        """The story of every entry on disk."""
        return blame(views, self.pasts, self.uses, self.uses_since)


class History:
    """Builds the timeline of one home.

    Args:
        data_dir: our own data about the home.
        logs: the agent's log directory.
        kept: whether what is found is kept for the next time.
    """

    def __init__(self, data_dir: Path, logs: Path, *, kept: bool = True) -> None:
        self._cache = Cache(data_dir, kept=kept)
        self._journal = Journal(data_dir)
        self._logs = Logs(logs)
        self.index = Index()
        self.complete = False
        self._reviews = Reviews()
        self._through = (0, 0.0)
        """The last message, and its time, that was there when all sessions were looked at."""
        self._last: tuple[str, int, Reviews, Mapping[StoreName, Past]] | None = None
        """The last pasts that were made of everything, and of what."""
        self._loaded = -1
        """The version of the index as it was loaded."""

    @property
    def reviews(self) -> Reviews:
        """What is known of background reviews, once everything has been read."""
        return self._reviews

    def load(self) -> None:
        """What earlier starts have found."""
        self.index = self._cache.load()
        self._loaded = self.index.version

    def read(self, base: Database, stopped: Callable[[], bool] = lambda: False) -> Iterator[float]:
        """Read what is new, the newest first; gives the share that is through, so that one can look in between.

        Raises:
            NotFound: there are no sessions.
            Unreadable: they cannot be read.
            Interrupted: `stopped` said so.
        """
        last = latest_message(base)
        reached = last, message_time(base, last)
        yield from self._read_snapshots(base, stopped)
        for done, total in self._read_calls(base, stopped):
            yield 0.5 + done / max(total, 1) / 2
        self._reviews = Reviews.of(base, self._logs, self.index.calls.values())
        self._through = reached
        self.complete = True
        self._cache.fold(self.index)

    def _read_snapshots(self, base: Database, stopped: Callable[[], bool]) -> Iterator[float]:
        reader = SnapshotReader(base, self.index.known)
        through, mark = self._through
        if through and message_time(base, through) == mark:
            # Once all sessions have been looked at, only those can be new in which something was said since.
            ids = sessions_after(base, through)
            if ids is not None:
                for snapshots in reader.named(ids):
                    self._cache.add(self.index.add_snapshots(snapshots))
                yield 0.5
                return
        for snapshots, done, total in reader.slices(stopped):
            self._cache.add(self.index.add_snapshots(snapshots))
            yield done / max(total, 1) / 2

    def _read_calls(self, base: Database, stopped: Callable[[], bool]) -> Iterator[tuple[int, int]]:
        after = self.index.calls_to
        if after and message_time(base, after) != self.index.calls_mark:
            after = 0  # it is gone, or another database has taken the place of the one that was read
        for reading in CallReader(base, self.index.calls_like).slices(after, stopped):
            self._cache.add(self.index.add_calls(reading, message_time(base, reading.to)))
            yield reading.to, reading.end

    def note(self, views: Iterable[StoreView]) -> None:
        """Keep what the stores hold now, for the time when it is past."""
        self._cache.note(views, time.time())

    def timeline(self, views: Iterable[StoreView]) -> Timeline:
        """What is known so far, up to what the stores hold now."""
        views = tuple(views)
        records = self._records()
        stamp = stamp_of(views, records, {store: self._cache.sights(store) for store in STORES})
        pasts = self._pasts_before(stamp)
        if pasts is None:
            pasts = self._pasts(views, records)
            if self.complete:
                self._last = stamp, self.index.version, self._reviews, pasts
                self._cache.finish(parts_of(pasts), stamp)
        told, uses = self.index.told(), {store: self.index.uses(store) for store in STORES}
        back = {store: [each for each in seen_through(past.changes) if each.back] for store, past in pasts.items()}
        since = {
            store: self.index.uses_since(store, {each.after: each.until for each in changes})
            for store, changes in back.items()
        }
        return Timeline(pasts, told, uses, self.complete, since)

    def _pasts_before(self, stamp: str) -> Mapping[StoreName, Past] | None:
        """The pasts that were made of just the same; until everything is read, also at the last start."""
        if self._last is not None:
            last, version, reviews, pasts = self._last
            if (last, version, reviews) == (stamp, self.index.version, self._reviews):
                return pasts
        elif not self.complete and self.index.version == self._loaded and (parts := self._cache.finished(stamp)):
            return pasts_from(parts)
        return None

    def _pasts(self, views: Iterable[StoreView], records: Sequence[JournalRecord]) -> Mapping[StoreName, Past]:
        """Both pasts, put together from everything."""
        now = {view.store: view for view in views}
        self.index.learn(self._elsewhere(now, records))
        pasts: dict[StoreName, Past] = {}
        explained: set[Written] = set()
        for store in STORES:
            ours = ours_in(records, store)
            calls, sights = straightened(
                [call for call in self.index.calls.values() if call.store == store],
                list(self.index.sights(store)),
                self.index.sessions,
            )
            files = self._cache.sights(store)
            if store in now and is_known(now[store]):
                files = lasting([*files, *_now(now[store])])
            events: list[Event] = [*calls, *ours, *sights, *files]
            past = replay(store, events)
            evidence = Evidence(calls, ours, self._reviews, self._limits(store, now.get(store)))
            found = attributed(past.changes, past.states, evidence)
            pasts[store] = replace(past, changes=tuple(with_returns(found.changes)))
            explained |= found.explained
        # A review has written something of which nothing is to be found.
        lost = [write.at for write in self._reviews.writes if write not in explained]
        if lost:
            pasts = {store: past.doubted(lost) for store, past in pasts.items()}
        return pasts

    def _elsewhere(
        self, now: Mapping[StoreName, StoreView], records: Sequence[JournalRecord]
    ) -> Mapping[StoreName, set[str]]:
        """The entries of each store that are known from elsewhere than prompts."""
        known: dict[StoreName, set[str]] = {store: set(now[store].texts) if store in now else set() for store in STORES}
        for call in self.index.calls.values():
            if call.outcome != "refused":
                known[call.store].update(call.texts())
        for record in records:
            for change in record.files:
                known[change.store].update(text for hunk in change.hunks for text in (*hunk.old, *hunk.new))
        for store in STORES:
            known[store].update(text for sight in self._cache.sights(store) for text in sight.entries)
        return known

    def _records(self) -> list[JournalRecord]:
        try:
            records = self._journal.records()
        except Unreadable:
            return []
        return [record for record in records if record.state in ("done", "dropped")]

    def _limits(self, store: StoreName, view: StoreView | None) -> frozenset[int]:
        told = {block[store].limit for block in self.index.blocks if store in block}
        return frozenset(told | ({view.usage.limit} if view else set()))


def past_view(view: StoreView, config: HermesConfig, entries: Iterable[str], limit: int | None = None) -> StoreView:
    """A store of the past, to be shown as one of today is.

    Args:
        view: the store today.
        config: the settings.
        entries: what it held.
        limit: what its limit was; today's if that is not known.
    """
    data = join(list(entries)).encode("utf-8", "surrogatepass")
    made = view_bytes(view.path, config, view.store, data, None)
    return made if limit is None else made._replace(usage=Usage(made.usage.chars, limit))


def _now(view: StoreView) -> Iterator[Sight]:
    """What a store holds, unless it has changed since it was looked at."""
    now = time.time()
    at = written_at(view, now)
    if at < now or (view.mtime is None and not view.path.exists()):
        yield Sight(at, now, tuple(view.texts), "now")
