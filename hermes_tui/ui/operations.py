"""Changes to the memory and to the queue: what makes them, the lock they may wait for, and the home after them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from textual.screen import Screen

from hermes_tui.errors import Refused
from hermes_tui.ui.live import take_home
from hermes_tui.ui.turns import Progress, Turns

if TYPE_CHECKING:
    from hermes_tui.memory.editing import Outcome
    from hermes_tui.pending.review import Review
    from hermes_tui.ui.app import HermesTuiApp

SAID_EVERY = 10
"""Of many changes at once so many are made before that is said again."""

Operation = Callable[["Review"], "Outcome"]


class Look(Protocol):
    """Shows what a screen has besides the stores, as it is on disk now."""

    def __call__(self, *, ours: bool) -> Awaitable[None]:
        """Read and show it."""


class Operations(Turns["Review"]):
    """Runs changes to the stores and the queue in the order they were asked for."""

    def __init__(self, screen: Screen[None], app: HermesTuiApp, *, look: Look | None = None) -> None:
        super().__init__(screen, app)
        self._look = look

    def make_writer(self) -> Review:
        """What decides and writes."""
        from hermes_tui.pending.review import Review  # loaded here: looking needs none of it

        app = self._app
        review = Review(app.home, app.state.config, read_only=app.read_only, origin="tui", on_wait=self._told_to_wait)
        review.on_progress = self._told_progress
        return review

    def _told_progress(self, done: int, total: int) -> None:
        if done % SAID_EVERY == 0:
            self._screen.post_message(Progress(f"◷ {done:,} of {total:,} done"))

    def _told_to_wait(self, file_name: str, seconds: float) -> None:
        if self._app.leaving:
            raise Refused("Given up: the app is closing.", code="leaving")
        self.waiting = True
        file_name = file_name.removesuffix(".lock")
        self._screen.post_message(Progress(f"◷ waiting for the agent's lock on {file_name} ({int(seconds)}s)"))

    async def look_again(self, *, ours: bool) -> None:
        """Show the home as it is now."""
        await take_home(self._app, ours=ours)
        if self._look:
            await self._look(ours=ours)
