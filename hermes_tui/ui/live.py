"""The home as the screens show it, read again whenever the disk changes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from textual.message import Message

from hermes_tui.config import HermesConfig, load_config
from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.view import StoreView, view_store
from hermes_tui.pending.queue import PendingCount, count_pending
from hermes_tui.ui.widgets.header import LiveState

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

VANISH_GRACE_SECONDS = 0.15
"""An editor that saves by renaming makes a file vanish this long; nobody should see that."""


class HomeState(NamedTuple):
    """Everything the screens show, as of one reading."""

    config: HermesConfig
    memory: StoreView
    user: StoreView
    pending: PendingCount
    """Writes that wait for approval."""
    exists: bool = True
    """Whether the home directory is there."""

    def view(self, store: StoreName) -> StoreView:
        """One of the two stores."""
        return self.memory if store == "memory" else self.user

    @property
    def views(self) -> tuple[StoreView, StoreView]:
        """Both stores, MEMORY.md first."""
        return self.memory, self.user


def read_state(home: HermesHome) -> HomeState:
    """Read the home; nothing is written, and every failure is a state."""
    config = load_config(home)
    return HomeState(
        config=config,
        memory=view_store(home, config, "memory"),
        user=view_store(home, config, "user"),
        pending=count_pending(home),
        exists=home.exists,
    )


class StateRead(Message):
    """The home was read."""

    def __init__(self, state: HomeState, number: int, *, ours: bool = False) -> None:
        super().__init__()
        self.state = state
        self.number = number
        """Readings are numbered as they begin; one that is overtaken is dropped."""
        self.ours = ours
        """Whether it follows a change made here."""


class SessionsWritten(Message):
    """The database of sessions was written to."""


class WatchState(Message):
    """How changes reach the screen now."""

    def __init__(self, live: LiveState, problem: str = "") -> None:
        super().__init__()
        self.live: LiveState = live
        self.problem = problem
        """Why they come later than usual, or not at all, in a sentence."""

    @property
    def watched(self) -> bool:
        """Whether changes are noticed at all."""
        return self.live in ("live", "polling")


async def follow(app: HermesTuiApp) -> None:
    """Read the home again at every change on disk, until the app ends."""
    from hermes_tui.watch import SessionsChanged, WatchProblem, watch_home  # loaded here: after the first frame

    stop = asyncio.Event()
    problem = "The watcher ended."
    armed = False
    try:
        async for events in watch_home(app.home, stop):
            problems = [event.message for event in events if isinstance(event, WatchProblem)]
            if problems or not app.watching.watched:
                app.post_message(WatchState("polling" if problems else "live", *problems[-1:]))
            if any(isinstance(event, SessionsChanged) for event in events):
                app.post_message(SessionsWritten())
            # The first set means that the watcher is armed: what changed before nobody has told.
            if not armed or any(not isinstance(event, (WatchProblem, SessionsChanged)) for event in events):
                await reread(app)
            armed = True
    except Exception as error:
        # The outer edge: without a watcher the app still shows and edits, and f5 reads again.
        app.log.error("the watcher failed", error)
        problem = f"{type(error).__name__}: {error}"
    finally:
        stop.set()
    app.post_message(WatchState("not live", problem))


async def reread(app: HermesTuiApp) -> None:
    """Read the home in a thread and hand the result to the app."""
    number = app.next_reading()
    state = await asyncio.to_thread(read_state, app.home)
    if any(_vanished(app.state.view(store), state.view(store)) for store in STORES):
        await asyncio.sleep(VANISH_GRACE_SECONDS)
        number = app.next_reading()
        state = await asyncio.to_thread(read_state, app.home)
    app.post_message(StateRead(state, number))


async def take_home(app: HermesTuiApp, *, ours: bool) -> None:
    """Read the home in a thread and have it shown before anything else is."""
    number = app.next_reading()
    state = await asyncio.to_thread(read_state, app.home)
    app.on_state_read(StateRead(state, number, ours=ours))


def _vanished(before: StoreView, after: StoreView) -> bool:
    return before.state != "missing" and after.state == "missing"
