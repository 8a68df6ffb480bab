"""Running the app from its first frame to the shell's next prompt."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from hermes_tui.ui.app import HermesTuiApp

if TYPE_CHECKING:
    from hermes_tui.home import HermesHome


def run(home: HermesHome, *, theme: str | None = None, read_only: bool = False, demo: bool = False) -> int:
    """Open the app; the exit code.

    Raises:
        Crashed: an error nobody foresaw ended it; the terminal is given back.
    """
    # What is loaded by now stays until the end. Left to itself the collector walks all of it in the middle of
    # the first frame: 25 ms of 60.
    gc.disable()
    gc.freeze()
    app = HermesTuiApp(home, theme=theme, read_only=read_only, demo=demo)
    with _simulated_agent(home) if demo else nullcontext():
        app.run()
    app.ending.say()
    if app.ending.error is not None:
        from hermes_tui.crash import Crashed

        raise Crashed from app.ending.error
    return app.return_code or 0


@contextmanager
def _simulated_agent(home: HermesHome) -> Iterator[None]:
    """The program that writes into a demo home now and then, as an agent would."""
    from hermes_tui.demo.agent import start  # loaded here: only the demo needs it

    stop = start(home)
    try:
        yield
    finally:
        stop()
