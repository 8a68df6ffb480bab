"""From the home of one profile to that of another, in the same process and on the same terminal."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from textual._styles_cache import StylesCache

from hermes_tui.errors import HermesTuiError
from hermes_tui.home import HermesHome, home_of
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.ending import GIVE_BACK, SIGNALS

if TYPE_CHECKING:
    from types import FrameType

    from hermes_tui.settings import Settings

WAIT_SECONDS = 0.02
"""Between two looks whether it can be left."""
MOST_LOOKS = 50
"""It is left then all the same."""


class Towards(NamedTuple):
    """Where an app goes on when it leaves."""

    home: HermesHome
    screen: str
    """The screen that was up."""
    theme: str
    """The theme that was worn, be it for this run only."""


async def switch_to(app: HermesTuiApp, name: str) -> None:
    """Leave for the home of another profile.

    A change that is still being saved is waited for, unsaved text is not left behind, and where there is no such
    home any more, or none that can be read, the app stays where it is and says so.
    """
    try:
        home = await asyncio.to_thread(home_of, app.home.root, name)
    except HermesTuiError as error:
        app.say_error(error)
        return
    if _saving(app):
        app.say(f"A change is still being saved; {name} opens when it is.", severity="warning", seconds=8)
        while _saving(app):
            await asyncio.sleep(WAIT_SECONDS)
    for _look in range(MOST_LOOKS):
        if app.screens.up is not None:
            break
        await asyncio.sleep(WAIT_SECONDS)  # a screen that is only just being built cannot be taken down
    if any(getattr(screen, "changed", False) is True for screen in app.screen_stack):
        app.say(f"There is unsaved text: save it or give it up, then go to {name}.", severity="warning")
    elif not app.leaving:
        app.ending.towards = Towards(home, app.current_mode, app.theme)
        app.leaving = True
        app.exit()


def _saving(app: HermesTuiApp) -> bool:
    return any(screen.busy for screen in app.main_screens)


def go_on(app: HermesTuiApp, settings: Settings) -> HermesTuiApp:
    """Open the homes that are asked for, one after another, until the person leaves; the last app."""
    try:
        while app.ending.handing_over and app.ending.towards is not None:
            with _noted_signals() as early:
                gc.disable()  # until the first frame
                app = next_app(app, app.ending.towards, settings)
                app.ending.early = early
                app.run(mouse=settings.get("mouse"))
                # It is kept by the styles of its widgets: a megabyte for each home that was open.
                StylesCache.get_inner_outer.cache_clear()
    finally:
        _give_back()
    return app


def next_app(app: HermesTuiApp, towards: Towards, settings: Settings | None) -> HermesTuiApp:
    """The app on the next home; what holds for this run holds on."""
    if settings is not None:
        begun = [
            value._replace(value=towards.screen, origin="last screen") if value.key == "screen" else value
            for value in settings.values
        ]
        settings = settings._replace(values=tuple(begun), troubles=())  # they have been said
    return HermesTuiApp(
        towards.home,
        theme=towards.theme,
        read_only=app.read_only,
        demo=app.demo,
        settings=settings,
        kept=app.kept or app.demo,
    )


@contextlib.contextmanager
def _noted_signals() -> Iterator[list[int]]:
    """Between two apps nobody listens, and a signal would leave the terminal as it is: it is kept for the next one."""
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, note)
    yield came


def _give_back() -> None:
    """Give the terminal back where no app came to take it."""
    if sys.platform == "win32":
        return
    import termios

    from hermes_tui.ui.terminal import Terminal

    handed, Terminal.handed = Terminal.handed, None
    if handed is not None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(0, termios.TCSANOW, handed)
            os.write(2, GIVE_BACK)
