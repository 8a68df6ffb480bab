"""The home's changes as a stream of typed events.

An event is a hint to read again, never the news itself: readers compare digests. Directories are
watched, not files, so a file that is replaced, renamed over, removed and made again stays in view.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.watch_plan import (
    Plan,
    Signature,
    Topic,
    identity,
    look,
    make_plan,
    polled_file_system,
    topics_of,
    vanished,
)

EAGER_STEP_MS = 12
"""How often the watcher looks for arrived events while things change; a burst ends after a quiet step."""
CALM_STEP_MS = 30
"""The same once nothing has changed for a while: 33 wake-ups a second cost 0.25 % of a core."""
EAGER_SECONDS = 5.0
BURST_MS = 60
"""The longest a burst of changes is collected before it is reported."""
HEARTBEAT_SECONDS = 2.0
"""How often everything is looked at even without an event: replaced links, mounts, overflown queues."""
GRACE_SECONDS = 0.15
"""How long a file that vanished, or became empty, may take to come back before anyone is told."""
SESSIONS_SECONDS = 0.25
"""The shortest time between two reports about the database, which a busy agent writes all the time."""
POLL_SECONDS = 0.3
"""How often the home is looked at where the system reports no changes."""


@dataclass(frozen=True, slots=True)
class StoresChanged:
    """MEMORY.md or USER.md may have changed, come or gone."""

    stores: frozenset[StoreName]


@dataclass(frozen=True, slots=True)
class PendingChanged:
    """A pending write was queued, changed or removed."""


@dataclass(frozen=True, slots=True)
class ConfigChanged:
    """config.yaml may have changed, come or gone."""


@dataclass(frozen=True, slots=True)
class SessionsChanged:
    """The database of sessions was written to."""


@dataclass(frozen=True, slots=True)
class HomeChanged:
    """The home itself came or went."""

    exists: bool


@dataclass(frozen=True, slots=True)
class WatchProblem:
    """Changes are seen later than usual; said once."""

    message: str


HomeEvent = StoresChanged | PendingChanged | ConfigChanged | SessionsChanged | HomeChanged | WatchProblem


async def watch_home(
    home: HermesHome, stop: asyncio.Event, *, poll: bool | None = None
) -> AsyncIterator[frozenset[HomeEvent]]:
    """What may have changed in `home`, in sets, until `stop` is set.

    The first set comes at once, usually empty: from then on nothing is missed, so read after it.
    `poll` looks every 0.3 s instead of waiting for the system's events; None decides by the file
    system and by HERMES_TUI_POLL. Nothing in the home is created or changed.
    """
    loop = asyncio.get_running_loop()
    inbox: dict[type, HomeEvent] = {}
    arrived = asyncio.Event()
    ended = False
    failure: list[BaseException] = []

    def receive(events: frozenset[HomeEvent]) -> None:
        for event in events:
            waiting = inbox.get(type(event))
            if isinstance(event, StoresChanged) and isinstance(waiting, StoresChanged):
                event = StoresChanged(event.stores | waiting.stores)
            inbox[type(event)] = event
        arrived.set()

    def finish() -> None:
        nonlocal ended
        ended = True
        arrived.set()

    def tell(what: Callable[..., None], *args: object) -> None:
        try:
            loop.call_soon_threadsafe(what, *args)
        except RuntimeError:
            pass  # the loop is closed: nobody is left to tell

    quit_event = threading.Event()
    watcher = _Watcher(home, quit_event, lambda events: tell(receive, events))

    def work() -> None:
        try:
            watcher.run(poll)
        except Exception as error:  # raised where the stream is read
            failure.append(error)
        finally:
            tell(finish)

    stopper = asyncio.ensure_future(stop.wait())
    stopper.add_done_callback(lambda _: quit_event.set())
    thread = threading.Thread(target=work, name="hermes-tui-watch", daemon=True)
    thread.start()
    try:
        while True:
            await arrived.wait()
            arrived.clear()
            if ended or stop.is_set():
                break
            events = frozenset(inbox.values())
            inbox.clear()
            yield events
    finally:
        quit_event.set()
        stopper.cancel()
        thread.join(timeout=1)
    if failure:
        raise failure[0]


class _Watcher:
    """The thread's side: waits for events, looks at the disk, and says what is different."""

    def __init__(
        self, home: HermesHome, quit_event: threading.Event, deliver: Callable[[frozenset[HomeEvent]], None]
    ) -> None:
        self.home = home
        self.quit = quit_event
        self.deliver = deliver
        self.seen: dict[Topic, Signature] = {}
        self.started = False
        self.sessions_held = False
        self.sessions_due = 0.0
        self.last_change = time.monotonic()

    def run(self, poll: bool | None) -> None:
        """Watch until told to quit."""
        problem = self._reason_to_poll(poll)
        self.seen = look(self.home, contents=bool(problem))
        if not problem:
            problem = self._run_on_events()
        if problem and not self.quit.is_set():
            self._run_by_polling(problem)

    def _reason_to_poll(self, poll: bool | None) -> str:
        """Why the system's events are not to be used, as a sentence; empty when they are."""
        if poll is False:
            return ""
        if polled := polled_file_system(self.home):
            return f"{polled[0]} is on a {polled[1]} file system, which does not report every change."
        if poll:
            return "Polling was asked for."
        if os.environ.get("HERMES_TUI_POLL", "").strip() not in ("", "0"):
            return "HERMES_TUI_POLL is set."
        return ""

    def _run_on_events(self) -> str:
        """Watch by the system's events; returns why that is not possible any more, or nothing."""
        try:
            from watchfiles._rust_notify import RustNotify  # loaded here: 20 ms the command line never needs
        except ImportError as error:
            return f"The file watcher cannot be loaded ({error})."
        while not self.quit.is_set():
            plan = make_plan(self.home)
            watched = identity(plan)
            try:
                # Directories that may not be listed are left to the heartbeat.
                notify = RustNotify(list(plan), False, False, 0, False, True)
            except FileNotFoundError:
                self.quit.wait(EAGER_STEP_MS / 1000)  # gone again since the plan was made
                continue
            except (OSError, RuntimeError) as error:
                return f"The system cannot watch more files ({error})."
            try:
                with notify:
                    self._follow(notify, plan, watched)
            except (OSError, RuntimeError) as error:
                return f"The system's file watcher stopped ({error})."
        return ""

    def _follow(self, notify: Any, plan: Plan, watched: Signature) -> None:
        """Report changes until the directories to watch are no longer those of `plan`."""

        def wait(step_ms: int, seconds: float) -> set[Topic]:
            found = notify.watch(BURST_MS, step_ms, max(1, int(seconds * 1000)), self.quit)
            return set() if isinstance(found, str) else topics_of(plan, (path for _, path in found))

        if not self.started:
            self.started = True
            self.deliver(frozenset())
        topics: set[Topic] = set()
        heartbeat = 0.0
        while not self.quit.is_set():
            now = time.monotonic()
            if topics or now >= heartbeat or (self.sessions_held and now >= self.sessions_due):
                topics = self._settle(topics, lambda: wait(EAGER_STEP_MS, 0))
                self._report(topics)
                if "shape" in topics or identity(make_plan(self.home)) != watched:
                    return
                heartbeat = now + HEARTBEAT_SECONDS
            due = min(heartbeat, self.sessions_due) if self.sessions_held else heartbeat
            lately = now - self.last_change < EAGER_SECONDS
            topics = wait(EAGER_STEP_MS if lately else CALM_STEP_MS, due - now)

    def _run_by_polling(self, problem: str) -> None:
        """Look at the home again and again."""
        self.deliver(frozenset({WatchProblem(f"{problem} Changes are looked for every {POLL_SECONDS} s.")}))
        while not self.quit.wait(POLL_SECONDS):
            self._report(self._settle(set(), set, contents=True))

    def _settle(self, topics: set[Topic], more: Callable[[], set[Topic]], *, contents: bool = False) -> set[Topic]:
        """`topics` and all that looks different now, once what vanished had its time to come back."""
        now = look(self.home, contents=contents)
        if vanished(self.seen, now):
            until = time.monotonic() + GRACE_SECONDS
            while vanished(self.seen, now) and time.monotonic() < until and not self.quit.wait(0.02):
                now = look(self.home, contents=contents)
            topics = topics | more()
            now = look(self.home, contents=contents)
        changed = {topic for topic in now if now[topic] != self.seen[topic]}
        self.seen = now
        return topics | changed

    def _report(self, topics: set[Topic]) -> None:
        """Deliver `topics` as events, those about sessions not too often."""
        now = time.monotonic()
        events: set[HomeEvent] = set()
        if stores := frozenset(store for store in STORES if store in topics):
            events.add(StoresChanged(stores))
        if "pending" in topics:
            events.add(PendingChanged())
        if "config" in topics:
            events.add(ConfigChanged())
        if "home" in topics:
            events.add(HomeChanged(self.seen["home"] == (True,)))
        self.sessions_held = self.sessions_held or "sessions" in topics
        if self.sessions_held and now >= self.sessions_due:
            events.add(SessionsChanged())
            self.sessions_held, self.sessions_due = False, now + SESSIONS_SECONDS
        if events:
            self.last_change = now
            self.deliver(frozenset(events))
