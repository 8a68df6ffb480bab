"""Changes, one after another, in a thread: the screen hands one in and sees the disk after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from hermes_tui.errors import HermesTuiError, Refused
from hermes_tui.ui.live import StateRead, read_state
from hermes_tui.ui.widgets.footer import FooterLine

if TYPE_CHECKING:
    from hermes_tui.memory.editing import Outcome
    from hermes_tui.pending.review import Review
    from hermes_tui.ui.app import HermesTuiApp

Result = TypeVar("Result")
Operation = Callable[["Review"], "Outcome"]
Failed = Callable[[HermesTuiError], bool]
"""Told about a failure; returns True when it has dealt with it."""


class Look(Protocol):
    """Shows what a screen has besides the stores, as it is on disk now."""

    def __call__(self, *, ours: bool) -> Awaitable[None]:
        """Read and show it."""


class LockWaiting(Message):
    """Another process holds the lock of a store."""

    def __init__(self, file_name: str, seconds: float) -> None:
        super().__init__()
        self.file_name = file_name
        self.seconds = seconds


class OperationEnded(Message):
    """A change was made or refused; nothing waits any more."""


class Operations:
    """Runs changes in the order they were asked for."""

    def __init__(self, screen: Screen[None], app: HermesTuiApp, *, look: Look | None = None) -> None:
        self._screen = screen
        self._look = look
        self._app = app
        self._turn = asyncio.Lock()
        self.running = 0
        """Changes asked for and not finished."""
        self.waiting = False
        """Whether the one at work waits for a lock, so that what changes on disk now is not ours."""

    def start(
        self,
        name: str,
        prepare: Callable[[], Callable[[Review], Result] | None],
        done: Callable[[Result], None],
        failed: Failed,
    ) -> None:
        """Make a change when its turn comes.

        Args:
            name: the worker's name.
            prepare: called when the turn comes, so that it refers to what is shown then; None to do nothing.
            done: told how it ended, after the screen shows the disk as it is now.
            failed: told about a refusal.
        """
        self.running += 1
        self._screen.run_worker(self._run(prepare, done, failed), name=name, group="write", exit_on_error=False)

    async def _run(
        self,
        prepare: Callable[[], Callable[[Review], Result] | None],
        done: Callable[[Result], None],
        failed: Failed,
    ) -> None:
        try:
            async with self._turn:
                operation = prepare()
                if operation is None:
                    return
                try:
                    outcome = await asyncio.to_thread(self._in_thread, operation)
                except HermesTuiError as error:
                    await self._look_again(ours=False)
                    if not self._app.leaving and not failed(error):
                        self._app.say_error(error)
                except Exception as error:
                    # The outer edge: a fault of ours is said and logged, and the app goes on.
                    self._app.log.error(f"{type(error).__name__} in a change", error)
                    self._app.say(f"{type(error).__name__}: {error}", title="Not done", severity="error", seconds=10)
                    await self._look_again(ours=False)
                else:
                    await self._look_again(ours=True)
                    done(outcome)
        finally:
            self.running -= 1
            self.waiting = False
            self._screen.post_message(OperationEnded())

    def _in_thread(self, operation: Callable[[Review], Result]) -> Result:
        from hermes_tui.pending.review import Review  # loaded here: looking needs none of it

        app = self._app
        review = Review(app.home, app.state.config, read_only=app.read_only, origin="tui", on_wait=self._told_to_wait)
        return operation(review)

    def _told_to_wait(self, file_name: str, seconds: float) -> None:
        if self._app.leaving:
            raise Refused("Given up: the app is closing.", code="leaving")
        self.waiting = True
        self._screen.post_message(LockWaiting(file_name.removesuffix(".lock"), seconds))

    # What is said while one waits

    @property
    def _wait_line(self) -> Static | None:
        return next(iter(self._screen.query("#wait").results(Static)), None)

    async def show_waiting(self, message: LockWaiting) -> None:
        """Say that a change waits, and for what."""
        await self.show_words(f"◷ waiting for the agent's lock on {message.file_name} ({int(message.seconds)}s)")

    async def show_words(self, words: str) -> None:
        """Say something as long as a change is at work."""
        if not self.running:
            return
        if self._wait_line is None:
            await self._screen.mount(Static(id="wait", markup=False), before=self._screen.query_one(FooterLine))
        if self._wait_line:
            self._wait_line.update(Content(words))

    def hide_waiting(self) -> None:
        """Take that back when nothing waits any more."""
        if self._wait_line and not self.running:
            self._wait_line.remove()

    async def _look_again(self, *, ours: bool) -> None:
        """Show what is on disk now, before anything is said about it."""
        app = self._app
        number = app.next_reading()
        state = await asyncio.to_thread(read_state, app.home)
        app.on_state_read(StateRead(state, number, ours=ours))
        if self._look:
            await self._look(ours=ours)
