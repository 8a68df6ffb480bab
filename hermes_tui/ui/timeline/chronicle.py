"""What the app knows of the past: built in a thread, a step at a time, and handed to whoever shows something of it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hermes_tui.errors import HermesTuiError, Unreadable
from hermes_tui.history.blame import Blame
from hermes_tui.history.exposure import Exposure, exposures
from hermes_tui.history.history import History, Timeline
from hermes_tui.home import data_dir
from hermes_tui.memory.view import StoreView
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.collecting import uncollected
from hermes_tui.ui.timeline.drift import older_sessions
from hermes_tui.ui.timeline.line import Line, line_of

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

PUBLISH_SECONDS = 0.4
"""While history is being read, what is known so far is shown this often."""
SHARE_OF_TIME = 3.0
"""Putting it together may take a third of the time at most, so that reading goes on."""
PATIENCE_SECONDS = 0.5
"""How long one statement waits for a lock."""
REST_SECONDS = 0.3
REST = 4.0
"""After a reading it rests so many times as long as it took: a busy agent commits all the time."""
MOST_REST_SECONDS = 5.0
"""But no longer than this: the first reading takes seconds, and the next one does not."""
RETRY_SECONDS = 1.0
BREATH_SECONDS = 0.001
"""Between two slices other threads have their turn: the screen is one of them."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the past at some moment, for all screens."""

    timeline: Timeline
    line: Line
    views: tuple[StoreView, ...]
    """The stores as they were on disk then."""
    blames: tuple[Blame, ...] = ()
    """The story of every entry on disk, once everything is read."""
    exposures: tuple[Exposure, ...] = ()
    """Texts that are blocked now and that sessions were told, once everything is read."""
    older: frozenset[str] = frozenset()
    """Sessions that were told something else than one that begins now would be."""

    @property
    def complete(self) -> bool:
        """Whether everything that the database has is in it."""
        return self.timeline.complete


class Chronicle:
    """Reads history when somebody wants it, and again when they ask."""

    def __init__(self, app: HermesTuiApp) -> None:
        self._app = app
        self._data_dir = data_dir(app.home.path)
        self._history: History | None = None
        self._lock = threading.Lock()
        self._wake = asyncio.Event()
        self._began = False
        self._listeners: list[Callable[[], None]] = []
        self._noted: tuple[StoreView, ...] = ()
        self._exposed: tuple[int, tuple[Exposure, ...]] = (-1, ())
        self.known: Known | None = None
        """None until there is something to show."""
        self.share: float | None = None
        """How much of the database is read, from 0 to 1; None while nothing is being read."""
        self.trouble: HermesTuiError | None = None
        """Why the database cannot be read now."""

    # Who shows something of it

    def listen(self, listener: Callable[[], None]) -> None:
        """From now on, tell somebody when more is known."""
        self._listeners.append(listener)

    def ignore(self, listener: Callable[[], None]) -> None:
        """Tell them no more."""
        self._listeners.remove(listener)

    def refresh(self) -> None:
        """Read what is new, soon."""
        self._wake.set()
        if not self._began:
            self._began = True
            self._app.run_worker(self._follow(), name="history", group="history", exit_on_error=False)

    @property
    def complete(self) -> bool:
        """Whether everything that the database has is known."""
        return self.known is not None and self.known.complete

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return self.share is None and not self._wake.is_set()

    # What the stores hold now

    def note(self, views: Sequence[StoreView]) -> None:
        """Keep what the stores hold, for the time when it is past."""
        if not self._app.state.exists or tuple(views) == self._noted:
            return
        self._noted = tuple(views)
        self._app.run_worker(self._note(tuple(views)), name="note", group="note", exit_on_error=False)

    async def _note(self, views: tuple[StoreView, ...]) -> None:
        await asyncio.to_thread(self._note_in_thread, views)

    def _note_in_thread(self, views: tuple[StoreView, ...]) -> None:
        with self._lock:
            self._opened().note(views)

    # In threads

    def _opened(self) -> History:
        """With the lock: the history, with what earlier starts have found."""
        if self._history is None:
            app = self._app
            history = History(self._data_dir, app.home.logs, kept=not (app.read_only or app.demo))
            history.load()
            self._history = history
        return self._history

    async def ask(self, question: Callable[[History], Result]) -> Result:
        """Ask something that needs more than what is known to all."""
        return await asyncio.to_thread(self._answer, question)

    def _answer(self, question: Callable[[History], Result]) -> Result:
        with self._lock:
            return question(self._opened())

    async def _follow(self) -> None:
        app = self._app
        while not app.leaving:
            await self._wake.wait()
            self._wake.clear()
            self.share = 0.0
            began = time.monotonic()
            trouble = await asyncio.to_thread(self._read_uncollected, asyncio.get_running_loop())
            self.share, self.trouble = None, trouble
            self._tell()
            if trouble is not None and trouble.code == "sessions_locked":
                await asyncio.sleep(RETRY_SECONDS)
                self._wake.set()
                continue
            await asyncio.sleep(min(MOST_REST_SECONDS, max(REST_SECONDS, REST * (time.monotonic() - began))))

    def _tell(self) -> None:
        if not self._app.leaving:
            for listener in tuple(self._listeners):
                listener()

    def _read_uncollected(self, loop: asyncio.AbstractEventLoop) -> HermesTuiError | None:
        before = len(self.known.line.sessions) if self.known else 0
        with uncollected() as made:
            trouble = self._read(loop)
            made(len(self.known.line.sessions) - before if self.known else 0)
        return trouble

    def _read(self, loop: asyncio.AbstractEventLoop) -> HermesTuiError | None:
        """Read what is new; why not all of it could be."""
        trouble: HermesTuiError | None = None
        try:
            with self._lock:
                fresh = self._history is None
                history = self._opened()
                if self._app.state.exists:  # or the last change would be missing until they are looked at again
                    history.note(self._app.state.views)
                index = history.index
            if fresh and index:
                self._publish(loop, 0.0)  # what earlier starts have found, at once
            with Database(self._app.home.state_db, patience=PATIENCE_SECONDS) as base:
                self._read_slices(base, loop)
        except Interrupted:
            return None
        except HermesTuiError as error:
            trouble = error
        except Exception as error:
            # The outer edge: what trips us is said, and what was known stays.
            self._app.log.error("reading history failed", error)
            trouble = Unreadable(
                f"state.db was read, but not understood ({type(error).__name__}: {error}).",
                code="sessions_unforeseen",
                hint=f"{key_for('app.reread')} tries again.",
            )
        self._publish(loop, None)
        return trouble

    def _read_slices(self, base: Database, loop: asyncio.AbstractEventLoop) -> None:
        shown = time.monotonic()
        with self._lock:
            steps = self._opened().read(base, lambda: self._app.leaving)
        shown_any = self.known is not None and bool(self.known.line.sessions)
        while True:
            with self._lock:
                share = next(steps, None)
            if share is None:
                return
            now = time.monotonic()
            if not shown_any or now - shown >= PUBLISH_SECONDS:
                self._publish(loop, share)
                shown_any = True
                took = time.monotonic() - now
                shown = time.monotonic() + SHARE_OF_TIME * took
            time.sleep(BREATH_SECONDS)

    def _publish(self, loop: asyncio.AbstractEventLoop, share: float | None) -> None:
        """Put together what is known, and hand it over; with no share everything is."""
        known = self._put_together(whole=share is None)
        if not loop.is_closed() and not self._app.leaving:
            loop.call_soon_threadsafe(self._take, known, share)

    def _take(self, known: Known, share: float | None) -> None:
        self.known = known
        if share is not None:
            self.share = share
            self._tell()

    def _put_together(self, *, whole: bool) -> Known:
        views = self._app.state.views
        with self._lock:
            history = self._opened()
            timeline = history.timeline(views)
            line = line_of(timeline, history.index.moments())
            exposed = self._exposed[1]
            older = self.known.older if self.known else frozenset()
            if whole:
                told = ((each.session_id, each.block) for each in history.index.sessions.values())
                older = older_sessions(told, history.index.blocks, views)
            if whole and self._exposed[0] != len(history.index.blocks):
                exposed = exposures(history.index)
                self._exposed = (len(history.index.blocks), exposed)
        blames = timeline.blame(views) if whole else self.known.blames if self.known else ()
        return Known(timeline, line, views, blames, exposed, older)
