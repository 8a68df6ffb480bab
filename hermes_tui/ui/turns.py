"""Changes, one after another, in a thread: a screen hands one in and sees the disk after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from hermes_tui.errors import HermesTuiError
from hermes_tui.ui.widgets.footer import FooterLine

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

Result = TypeVar("Result")
Writer = TypeVar("Writer")
Failed = Callable[[HermesTuiError], bool]
"""Told about a failure; returns True when it has dealt with it."""


class Progress(Message):
    """How far a change is, or what it waits for."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class OperationEnded(Message):
    """A change was made or refused; nothing waits any more."""


class Turns(Generic[Writer]):
    """Runs changes in the order they were asked for, each with a writer of its own."""

    elsewhere: ClassVar[bool] = False
    """Whether these changes leave alone what the other screens show, so that what they see change is not ours."""

    def __init__(self, screen: Screen[None], app: HermesTuiApp) -> None:
        self._screen = screen
        self._app = app
        self._turn = asyncio.Lock()
        self.running = 0
        """Changes asked for and not finished."""
        self.waiting = self.elsewhere
        """Whether what changes in the stores now is not ours, as when the one at work waits for a lock."""

    # What a screen has to say

    def make_writer(self) -> Writer:
        """In a thread: what makes the changes."""
        raise AttributeError(f"{type(self).__name__} has nothing to write with")

    async def look_again(self, *, ours: bool) -> None:
        """Show what is on disk now, before anything is said about it."""
        raise AttributeError(f"{type(self).__name__} does not look (ours: {ours})")

    # Changing

    def start(
        self,
        name: str,
        prepare: Callable[[], Callable[[Writer], Result] | None],
        done: Callable[[Result], None],
        failed: Failed,
        *,
        always: Callable[[], None] = lambda: None,
    ) -> None:
        """Make a change when its turn comes.

        Args:
            name: the worker's name.
            prepare: called when the turn comes, so that it refers to what is shown then; None to do nothing.
            done: told how it ended, after the screen shows the disk as it is now.
            failed: told about a refusal.
            always: told that it is over, however it ended.
        """
        self.running += 1
        running = self._run(prepare, done, failed, always)
        self._screen.run_worker(running, name=name, group="write", exit_on_error=False)

    async def _run(
        self,
        prepare: Callable[[], Callable[[Writer], Result] | None],
        done: Callable[[Result], None],
        failed: Failed,
        always: Callable[[], None],
    ) -> None:
        try:
            async with self._turn:
                operation = prepare()
                if operation is None:
                    return
                try:
                    outcome = await asyncio.to_thread(self._in_thread, operation)
                except HermesTuiError as error:
                    await self.look_again(ours=False)
                    if not self._app.leaving and not failed(error):
                        self._app.say_error(error)
                except Exception as error:
                    # The outer edge: a fault of ours is said and logged, and the app goes on.
                    self._app.log.error(f"{type(error).__name__} in a change", error)
                    self._app.say(f"{type(error).__name__}: {error}", title="Not done", severity="error", seconds=10)
                    await self.look_again(ours=False)
                else:
                    await self.look_again(ours=True)
                    done(outcome)
        finally:
            self.running -= 1
            self.waiting = self.elsewhere
            always()
            self._screen.post_message(OperationEnded())

    def _in_thread(self, operation: Callable[[Writer], Result]) -> Result:
        return operation(self.make_writer())

    # What is said while one waits

    @property
    def _wait_line(self) -> Static | None:
        return next(iter(self._screen.query("#wait").results(Static)), None)

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
