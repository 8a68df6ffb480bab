"""The main screens: made on the first visit, and found again whichever is up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from hermes_tui.ui.action_screen import ActionScreen
from hermes_tui.ui.memory.screen import MemoryScreen

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp
    from hermes_tui.ui.main_screen import MainScreen
    from hermes_tui.ui.pending.screen import PendingScreen
    from hermes_tui.ui.sessions.screen import SessionsScreen
    from hermes_tui.ui.settings.screen import SettingsScreen
    from hermes_tui.ui.timeline.screen import TimelineScreen


class Screens:
    """The main screens of an app, each a mode of its own."""

    def __init__(self, app: HermesTuiApp) -> None:
        self._app = app
        self._memory: MemoryScreen | None = None
        self._pending: PendingScreen | None = None
        self._sessions: SessionsScreen | None = None
        self._timeline: TimelineScreen | None = None
        self._settings: SettingsScreen | None = None
        makers: dict[str, Callable[[], Screen[None]]] = {
            "memory": self._make_memory,
            "pending": self._make_pending,
            "sessions": self._make_sessions,
            "timeline": self._make_timeline,
            "settings": self._make_settings,
        }
        for name, make in makers.items():
            app.add_mode(name, partial(self._make, make))

    def _make(self, make: Callable[[], Screen[None]]) -> Screen[None]:
        self._app.say_layout()
        return make()

    def _make_memory(self) -> Screen[None]:
        self._memory = MemoryScreen(self._app.state)
        return self._memory

    def _make_pending(self) -> Screen[None]:
        from hermes_tui.ui.pending.screen import PendingScreen  # loaded here: on the first visit

        self._pending = PendingScreen(self._app.state)
        return self._pending

    def _make_sessions(self) -> Screen[None]:
        from hermes_tui.ui.sessions.screen import SessionsScreen  # loaded here: on the first visit

        self._sessions = SessionsScreen(self._app.state)
        return self._sessions

    def _make_timeline(self) -> Screen[None]:
        from hermes_tui.ui.timeline.screen import TimelineScreen  # loaded here: on the first visit

        self._timeline = TimelineScreen(self._app.state)
        return self._timeline

    def _make_settings(self) -> Screen[None]:
        from hermes_tui.ui.settings.screen import SettingsScreen  # loaded here: on the first visit

        self._settings = SettingsScreen(self._app.state)
        return self._settings

    async def go_to(self, name: str) -> None:
        """Show one of them, drawn from scratch; from a transcript over it the way leads back."""
        app = self._app
        if name != app.current_mode:
            if any(screen.name == name for screen in self.visited):
                app.hurry()
            await app.switch_mode(name)
            app.redraw()
        elif app.screen is not app.screen_stack[0] and isinstance(app.screen, ActionScreen):
            app.screen.dismiss(None)

    async def action_memory(self) -> None:
        """The Memory screen."""
        await self.go_to("memory")

    async def action_pending(self) -> None:
        """The Pending screen."""
        await self.go_to("pending")

    async def action_sessions(self) -> None:
        """The Sessions screen."""
        await self.go_to("sessions")

    async def action_timeline(self) -> None:
        """The Timeline screen."""
        await self.go_to("timeline")

    async def action_settings(self) -> None:
        """The Settings screen."""
        await self.go_to("settings")

    async def action_profiles(self) -> None:
        """The profiles beside this one."""
        from hermes_tui.ui.profiles import Profiles  # loaded here: few have several

        await Profiles(self._app).choose()

    def action_jump(self) -> None:
        """Show a letter on everything that keys can go to."""
        from hermes_tui.ui.dialogs.jump import Jump  # loaded here: few ask for it

        targets = [widget for widget in self._app.screen.focus_chain if widget.region]
        self._app.push_screen(Jump(targets), lambda widget: widget.focus() if widget else None)

    def action_tour(self) -> None:
        """Lead through all of them."""
        from hermes_tui.ui.touring import tour  # loaded here: once in a lifetime

        self._app.run_worker(tour(self._app), name="tour", group="tour", exclusive=True, exit_on_error=False)

    @property
    def visited(self) -> list[MainScreen[Any]]:
        """Those that are there, whether they are up or not."""
        return [*self.memory, *self.pending, *self.sessions, *self.timeline, *self.settings]

    @property
    def memory(self) -> list[MemoryScreen]:
        """The Memory screen, once it is there."""
        return [self._memory] if self._memory and self._memory.ready else []

    @property
    def pending(self) -> list[PendingScreen]:
        """The Pending screen, once it was visited."""
        return [self._pending] if self._pending and self._pending.ready else []

    @property
    def sessions(self) -> list[SessionsScreen]:
        """The Sessions screen, once it was visited."""
        return [self._sessions] if self._sessions and self._sessions.ready else []

    @property
    def timeline(self) -> list[TimelineScreen]:
        """The Timeline screen, once it was visited."""
        return [self._timeline] if self._timeline and self._timeline.ready else []

    @property
    def settings(self) -> list[SettingsScreen]:
        """The Settings screen, once it was visited."""
        return [self._settings] if self._settings and self._settings.ready else []

    @property
    def up(self) -> MainScreen[Any] | None:
        """The one of them that is up, be it under a dialog."""
        return next((screen for screen in self.visited if screen is self._app.screen_stack[0]), None)
