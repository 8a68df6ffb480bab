"""Reading the list off the event loop: the newest at once, the rest behind it, and again after every commit."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError, Unreadable
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.features import Features
from hermes_tui.sessions.listing import Brief, SessionIndex, continued
from hermes_tui.sessions.summaries import summaries
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.collecting import uncollected
from hermes_tui.ui.sessions.choosing import Choosing, Listed, known_values
from hermes_tui.ui.sessions.facets import FILTER_OF, OF_VALUES, Value, facet_counts, tallied

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

POLL_SECONDS = 0.12
"""How often the database is asked whether there was a commit, while the screen is up."""
FIRST_ROWS = 60
"""Conversations read before the first are shown."""
PATIENCE_SECONDS = 0.2
"""How long one statement waits for a lock; the next try follows by itself."""
BACK_OFF_SECONDS = (0.25, 0.5, 1.0, 2.0)
"""Pauses after a failure, each longer than the one before."""
RECENT = 500
FEW = 500
"""After a change to so many sessions these alone are read again at once; after one to more, all of them."""
LASTING = ("sessions_corrupt", "sessions_foreign", "sessions_unforeseen")
"""Troubles that stay until the file is another one, or somebody asks again."""
KEPT_OPEN = ("sessions_locked", "sessions_corrupt", "sessions_unforeseen")
"""Troubles through which the connection is kept; after any other the file is opened anew."""
REST = 6.0
"""After a reading the list rests so many times as long as it took: a busy agent commits all the time."""
COUNTED = 5_000
"""While all are being read, the count on screen moves in steps of so many."""
AWAY_SECONDS = 1.0
"""How often it is looked whether the screen is up again."""


class SessionReader:
    """Keeps what is known about the conversations in step with the disk."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        self._poke = asyncio.Event()
        self._turn = asyncio.Lock()
        self._version: object = None
        self._numbers = itertools.count(1)
        self._arranged = 0
        self._index: SessionIndex | None = None
        self._gone: frozenset[str] = frozenset()
        """Conversations that we have deleted, by their first session, until all are read again."""
        self._without: tuple[Sequence[Brief], Sequence[Brief]] = ((), ())
        self._afresh = False
        self.base: Database | None = None
        """The connection that the list and the preview share; a search has its own."""
        self.features: Features | None = None
        self.trouble: HermesTuiError | None = None
        """Why the database cannot be read now."""
        self.listed: Listed | None = None
        """What is shown of it; None until there is something."""
        self.read_at = 0.0
        """When the list was last in step with the disk."""
        self.loading = 0
        """Sessions read so far, while all are being read; 0 otherwise."""
        self.known: Mapping[str, Mapping[str, int]] = {}
        """Values of filter words, and how many conversations there are with each."""
        self._known_of = -1
        self.continued = ""
        """The session that `hermes --continue` would open."""
        self.was_replaced = False
        """Whether the file that is read now is another one than at first."""

    @property
    def briefs(self) -> Sequence[Brief]:
        """Every conversation, newest activity first."""
        briefs = self._index.briefs if self._index else ()
        if not self._gone:
            return briefs
        if self._without[0] is not briefs:
            self._without = briefs, tuple(brief for brief in briefs if brief.root not in self._gone)
        return self._without[1]

    @property
    def lost(self) -> int:
        """Sessions that lie in damaged pages."""
        return self._index.lost if self._index else 0

    @property
    def complete(self) -> bool:
        """Whether all of them are there, and not only the newest."""
        return self._index is not None and self._index.complete

    def look_soon(self, *, afresh: bool = False) -> None:
        """Look at the disk now.

        Args:
            afresh: whether to read everything again, as what others rename or archive shows in no counter.
        """
        self._afresh = self._afresh or afresh
        self._poke.set()

    async def look_now(self, ids: Collection[str] | None = None) -> None:
        """Look at the disk after a change of ours, which may show in no counter.

        Args:
            ids: the sessions that it was about; None for all of them.
        """
        if self.base is None or self._index is None:
            return
        if ids is None or len(ids) > FEW or not self._index.complete:
            self._afresh = True
            await self._look()
            return
        async with self._turn:
            try:
                known = await asyncio.to_thread(self._look_at, frozenset(ids))
            except HermesTuiError as error:
                self._fail(error)
                return
            if known:
                await self.arrange()
        self._afresh = self._afresh or not known
        if known:
            self._screen.show_written()
            self._poke.set()
        else:
            await self._look()

    def _look_at(self, ids: frozenset[str]) -> bool:
        """In a thread: read some sessions again, and note which conversations are gone; whether that is all."""
        assert self.base is not None
        assert self._index is not None
        touched = [brief for brief in self._index.briefs if not ids.isdisjoint(brief.parts)]
        self._index.take([*ids, *(part for brief in touched for part in brief.parts)])
        touched = [brief for brief in self._index.briefs if not ids.isdisjoint(brief.parts)]
        there = {summary.brief.root for summary in summaries(self.base, touched, time.time())}
        gone = [brief for brief in touched if brief.root not in there]
        if any(len(brief.parts) > 1 and not ids.issuperset(brief.parts) for brief in gone):
            return False  # a part may be gone, and the others there
        self._gone = (self._gone | {brief.root for brief in gone}) - there
        self._without = (), ()
        return True

    async def follow(self) -> None:
        """Look again and again, as long as the app runs; nothing is looked at while another screen is up."""
        failures = 0
        app, screen = self._screen.hermes, self._screen
        while not app.leaving and screen.is_attached:
            began = time.monotonic()
            if screen.up:
                failures = 0 if await self._look() else failures + 1
            took = time.monotonic() - began
            pause = max(POLL_SECONDS, REST * took) if took > POLL_SECONDS / REST else POLL_SECONDS
            if failures:
                pause = BACK_OFF_SECONDS[min(failures, len(BACK_OFF_SECONDS)) - 1]
            elif not screen.up:
                pause = AWAY_SECONDS
            try:
                await asyncio.wait_for(self._poke.wait(), pause)
            except TimeoutError:
                pass
            self._poke.clear()

    # The disk

    async def _look(self) -> bool:
        """Bring the list in step with the disk; whether it could be read."""
        async with self._turn:
            return await self._look_once()

    async def _look_once(self) -> bool:
        afresh, self._afresh = self._afresh, False
        if afresh:
            self.was_replaced = False
        try:
            version = await asyncio.to_thread(self._open)
            if version == self._version and not afresh and (self.trouble is None or self.trouble.code in LASTING):
                return self.trouble is None
            if self._index is not None and _file_of(version) != _file_of(self._version):
                self._index, self.was_replaced = None, True
            # The version is older than the reading, so that a commit in between is seen the next time.
            self._version = version
            if self._index is None:
                await self._begin()
            elif afresh or self._gone or not self._index.complete:
                await asyncio.to_thread(self._load, self._index)
                self._gone = frozenset()
            else:
                await asyncio.to_thread(self._index.refresh)
        except Interrupted:
            return True
        except HermesTuiError as error:
            self._fail(error)
            return False
        except Exception as error:
            # The outer edge: what trips us is said, and the next commit is looked at all the same.
            self._screen.hermes.log.error("reading the sessions failed", error)
            self._fail(unforeseen(error))
            return False
        self.read_at, self.trouble = time.time(), None
        if not self._screen.searching or self.listed is None or not self.listed.complete:
            await self.arrange()
        self._screen.show_written()
        return True

    def _open(self) -> object:
        """In a thread: the version of the database, opened if need be."""
        if self.base is None:
            self.base = Database(self._screen.hermes.home.state_db, patience=PATIENCE_SECONDS)
        version = self.base.version()
        self.features = self.base.features()
        return version

    async def _begin(self) -> None:
        """Show the newest at once, then read all."""
        assert self.base is not None
        self._gone = frozenset()
        index = SessionIndex(self.base)
        await asyncio.to_thread(index.newest, FIRST_ROWS)
        # With their titles, so that nothing is filled in before one's eyes.
        first = index.briefs[:FIRST_ROWS]
        self._screen.details.take(first, await asyncio.to_thread(summaries, self.base, first, time.time()))
        self._index, self.trouble, self.read_at = index, None, time.time()
        await self.arrange()
        loop = asyncio.get_running_loop()

        def count(sessions: int) -> None:
            said, self.loading = self.loading, sessions
            if sessions // COUNTED > said // COUNTED and not loop.is_closed():
                loop.call_soon_threadsafe(self._screen.show_counts)

        try:
            await asyncio.to_thread(self._load, index, count)
        finally:
            self.loading = 0

    def _load(self, index: SessionIndex, count: Callable[[int], object] | None = None) -> None:
        """In a thread: read all sessions."""
        with uncollected() as made:
            index.load(count, lambda: self._screen.hermes.leaving)
            made(len(index.briefs))

    def _fail(self, error: HermesTuiError) -> None:
        """Say what is wrong; what was read before stays, unless there is no file it could be of."""
        self.trouble = error
        if error.code not in KEPT_OPEN:
            self.base = None
        if error.code == "no_sessions":
            self._index = self._version = self.listed = None
        self._screen.show_failure()

    # What is shown of it

    async def arrange(self) -> None:
        """Show what the person chose to see; what they choose meanwhile overtakes it."""
        number = self._arranged = next(self._numbers)
        choosing, briefs, complete = self._screen.choosing, self.briefs, self.complete
        if self._index is None:
            return
        listed = await asyncio.to_thread(self._arrange, choosing, briefs, complete)
        if number == self._arranged and self._index is not None:
            self.listed = listed
            self._screen.show_listed(listed)

    def listed_for(self, choosing: Choosing) -> Listed:
        """In a thread: the list as it would be."""
        return choosing.listed(self.briefs, self.known, self.complete, self._screen.searcher.titled)

    def rows_of(self, choosing: Choosing, name: str, values: Sequence[str]) -> dict[str, int]:
        """In a thread: how many rows each value of a filter word would show."""
        facet = next(facet for facet in OF_VALUES if FILTER_OF[facet] == name)
        made = tallied(self.briefs, choosing, self.known, self._screen.searcher.titled, time.time())
        return {value: made.rows(facet, value) for value in values}

    def facets(self, choosing: Choosing) -> dict[Value, int | None]:
        """In a thread: how many rows each value of each filter would show."""
        return facet_counts(self.briefs, choosing, self.known, self._screen.searcher.titled, time.time())

    def _arrange(self, choosing: Choosing, briefs: Sequence[Brief], complete: bool) -> Listed:
        if len(briefs) != self._known_of:
            self._known_of, self.known = len(briefs), known_values(briefs)
        self.continued = _continued(briefs)
        return choosing.listed(briefs, self.known, complete, self._screen.searcher.titled)


def unforeseen(error: Exception) -> Unreadable:
    """What no module of ours had foreseen, as something a person can read."""
    return Unreadable(
        f"state.db was read, but not understood ({type(error).__name__}: {error}).",
        code="sessions_unforeseen",
        hint=f"{key_for('app.reread')} tries again.",
    )


def _continued(briefs: Sequence[Brief]) -> str:
    """What `hermes --continue` opens, looked for among the newest first: it is nearly always one of them."""
    newest = continued(briefs[:RECENT])
    found = next((brief for brief in briefs[:RECENT] if brief.id == newest), None)
    return newest if found is not None and found.source == "cli" else continued(briefs)


def _file_of(version: object) -> object:
    """What of a database's version stays while it is the same file."""
    return version[0] if isinstance(version, tuple) and version else None
