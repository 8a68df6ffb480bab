"""The way to history: nothing of it is loaded before the screen has come to rest, or somebody asks."""

from __future__ import annotations

import asyncio
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from textual.app import App

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp
    from hermes_tui.ui.timeline.chronicle import Chronicle

CALM_SECONDS = 1.0
"""What history needs is loaded so long after the stores were read for the first time."""
READ_SECONDS = 2.0
"""So much later it is read, for what the cards say of it; who wants to see it sooner does not wait for this."""
AGAIN_SECONDS = 20.0
"""While the list of sessions is up, marks that may be out of date are looked at again this often at most."""


class Past:
    """The way to what is known of the past; it is loaded when it is needed."""

    def __init__(self, app: HermesTuiApp) -> None:
        self._app = app
        self._chronicle: Chronicle | None = None
        self._waiting = False
        self._told: object = None
        self._asked = 0.0
        self._older_told: frozenset[str] = frozenset()

    @property
    def chronicle(self) -> Chronicle:
        """What is known of it."""
        if self._chronicle is None:
            from hermes_tui.ui.timeline.chronicle import Chronicle  # loaded here: after the first frame

            self._chronicle = Chronicle(self._app)
            self._chronicle.listen(self._tell)
        return self._chronicle

    @property
    def older(self) -> frozenset[str]:
        """Sessions that were told something else than one that begins now would be."""
        known = self._chronicle.known if self._chronicle else None
        return known.older if known else frozenset()

    def state_read(self) -> None:
        """The stores were read: what they hold now will be past one day."""
        if self._chronicle is not None:
            self._chronicle.note(self._app.state.views)
            known = self._chronicle.known
            if known is not None and known.views != self._app.state.views:
                self._chronicle.refresh()
        elif not self._waiting:
            self._waiting = True
            self._app.set_timer(CALM_SECONDS, self._load_soon, name="past")

    def sessions_written(self) -> None:
        """The agent wrote to its sessions: one that ran on an older block may have got the newest."""
        if not self.older or time.monotonic() - self._asked < AGAIN_SECONDS:
            return
        if any(screen.up for screen in self._app.screens.sessions):
            self._asked = time.monotonic()
            self.chronicle.refresh()

    def _load_soon(self) -> None:
        self._app.run_worker(self._load(), name="past", group="past", exit_on_error=False)

    async def _load(self) -> None:
        for module in ("chronicle", "screen"):
            await asyncio.to_thread(import_module, f"hermes_tui.ui.timeline.{module}")
        if not self._app.leaving:
            self.chronicle.note(self._app.state.views)
            self._app.set_timer(READ_SECONDS, self.chronicle.refresh, name="history")

    def _tell(self) -> None:
        """The cards say since when their entries are there, and the list which sessions do not know the latest."""
        known = self.chronicle.known
        if known is None or not known.complete:
            return
        if known.blames is not self._told:
            self._told = known.blames
            for screen in self._app.screens.memory:
                screen.show_since(known.blames)
        if known.older != self._older_told:
            self._older_told = known.older
            for sessions in self._app.screens.sessions:
                sessions.session_list.refresh()
                sessions.looking.show_preview()


def older_sessions_of(app: App[Any]) -> frozenset[str]:
    """The same for a widget, whatever app it is in."""
    past = getattr(app, "past", None)
    return past.older if isinstance(past, Past) else frozenset()
