"""Running the app from its first frame to the shell's next prompt."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from hermes_tui.settings import load_settings
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.tidying import THRESHOLDS, use_one_heap

if TYPE_CHECKING:
    from hermes_tui.home import HermesHome
    from hermes_tui.settings import Settings


def run(home: HermesHome, *, settings: Settings | None = None, demo: bool = False) -> int:
    """Open the app; the exit code.

    Raises:
        Crashed: an error nobody foresaw ended it; the terminal is given back.
    """
    # What is loaded by now stays until the end. Left to itself the collector walks all of it in the middle of
    # the first frame: 25 ms of 60.
    gc.disable()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    use_one_heap()
    chosen = settings or load_settings()
    app = HermesTuiApp(
        home,
        theme=chosen.get("theme") or None,
        read_only=chosen.get("read_only"),
        demo=demo,
        settings=chosen,
        kept=True,
    )
    app.newcomer = demo
    with _simulated_agent(home) if demo else nullcontext():
        app.run(mouse=chosen.get("mouse"))
        if app.ending.towards is not None:
            from hermes_tui.ui.switching import go_on  # loaded here: it is by now

            app = go_on(app, chosen)
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
