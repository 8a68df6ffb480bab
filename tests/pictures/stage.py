"""A machine of its own with the demo home, and the app on it, waited for until nothing moves."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from hermes_tui.ui.app import HermesTuiApp

NOW = 1_772_200_000.0
"""The pictures' clock: the ages on them must not change from one run to the next."""

STILL_LOOKS = 3
"""How often the screen must look the same."""

LOOK_SECONDS = 0.08
"""The time from one look to the next."""

LASTING = frozenset({"watch", "history", "sessions", "read", "outline", "texts", "find"})
"""Workers that go on as long as the app does."""


@contextlib.contextmanager
def machine() -> Iterator[Path]:
    """A folder with the demo home, which is all that the app finds: nothing of this machine shows."""
    from hermes_tui.demo import build

    with tempfile.TemporaryDirectory() as folder:
        for name in list(os.environ):
            if name.startswith(("HERMES_", "XDG_", "NO_COLOR", "SSH_")):
                del os.environ[name]
        os.environ.update(HOME=folder, TZ="UTC", LC_ALL="C.UTF-8", HERMES_MANAGED_DIR=f"{folder}/managed")
        time.tzset()
        build(Path(folder) / ".hermes", now=NOW)
        yield Path(folder)


@dataclass(slots=True)
class Stage:
    """The app as somebody sees it who waits after every key."""

    app: HermesTuiApp
    pilot: Pilot[None]

    def svg(self) -> str:
        """What is shown, as Textual exports it."""
        return self.app.export_screenshot(title="hermes-tui", simplify=True)

    @property
    def working(self) -> set[str]:
        """The workers that have not finished."""
        return {worker.name for worker in self.app.workers if not worker.is_finished}

    async def begin(self) -> None:
        """Read the past at once, where the app itself waits for a calm moment: what is there now, then what was."""
        self.app.past.chronicle.note(self.app.state.views)
        while "note" in self.working:
            await self.pilot.pause(LOOK_SECONDS)
        self.app.past.chronicle.refresh()
        await self.rest()

    async def press(self, *keys: str) -> None:
        """Press keys, each once the one before has had its effect."""
        for key in keys:
            await self.pilot.press(key)
            await self.rest()

    async def rest(self) -> str:
        """Wait until all work is done and the screen stays as it is, however busy the machine is; what it shows."""
        before, still = "", 0
        for _ in range(400):
            await self.pilot.pause(LOOK_SECONDS)
            past = self.app.past.chronicle
            busy = bool(self.working - LASTING) or not (past.idle and past.complete)
            now = self.svg()
            still = still + 1 if now == before and not busy else 0
            if still == STILL_LOOKS:
                return now
            before = now
        raise RuntimeError(f"The screen does not come to rest; at work: {sorted(self.working)}")


@contextlib.contextmanager
def at_the_time(moment: float) -> Iterator[None]:
    """Make it this moment, also for the files that are written."""
    replace = os.replace

    def stamped(source: Any, target: Any, **options: Any) -> None:
        os.utime(source, (moment, moment))
        replace(source, target, **options)

    with patch("time.time", return_value=moment), patch("os.replace", stamped):
        yield


@contextlib.asynccontextmanager
async def stage(size: tuple[int, int], theme: str, *, toasts: bool = False) -> AsyncIterator[Stage]:
    """The app on the home of this machine, opened for the first time, at the time of the pictures."""
    from hermes_tui.home import resolve_home
    from hermes_tui.ui.app import HermesTuiApp

    with tempfile.TemporaryDirectory() as state, at_the_time(NOW):
        os.environ["HERMES_TUI_STATE_DIR"] = state
        app = HermesTuiApp(resolve_home(), theme=theme, read_only=False)
        async with app.run_test(size=size, notifications=toasts) as pilot:
            opened = Stage(app, pilot)
            await opened.begin()
            yield opened
