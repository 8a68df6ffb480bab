"""Looking for garbage while nobody waits: in the middle of a key it would take longer than all the rest."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from contextlib import suppress
from functools import cache
from typing import Any

from textual._styles_cache import StylesCache
from textual.app import App
from textual.signal import Signal

THRESHOLDS = (2_000, 10, 500)
"""What is young is looked through often, in a millisecond or two; what is older only when nobody waits."""
PAUSE_SECONDS = 0.5
"""After so long without a frame, what came since everything was looked through is: in some milliseconds."""
IDLE_SECONDS = 4.0
"""After so long without a frame, everything is looked through."""
PATIENCE_SECONDS = 30.0
"""After so long a pause is enough for everything, and none is needed for what came: an agent may write all day."""
WORTH_IT = 2
"""How often young objects must have been looked through before it is worth while to look at all."""
LONG_SECONDS = 0.02
"""What takes longer in a pause is left alone from then on, until everything is looked through."""
M_ARENA_MAX = -8
"""The number that this setting of the C library's allocator has in `malloc.h`."""


class Tidier:
    """Collects in pauses, and once nothing was drawn for a while; then leaves alone what stayed.

    Args:
        app: whose closed widgets are let go first.
    """

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._drawn = self._since = self._swept = 0.0
        self._waiting = self._stale = False

    def drawn(self) -> None:
        """A frame was drawn."""
        self._drawn = time.monotonic()
        if not self._waiting:
            self._waiting, self._since = True, self._drawn
            self._swept = self._drawn
            self._look_in(PAUSE_SECONDS)

    def _look_in(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        now = time.monotonic()
        rested = now - self._drawn
        paused = rested >= PAUSE_SECONDS
        if rested >= IDLE_SECONDS or (paused and now >= self._since + PATIENCE_SECONDS):
            self._waiting = False
            self._tidy()
            return
        if paused or now >= self._swept + PATIENCE_SECONDS:
            self._swept = now
            self._sweep()
        self._look_in((IDLE_SECONDS if paused else PAUSE_SECONDS) - rested)

    def _worth_it(self) -> bool:
        _, young, old = gc.get_count()
        return gc.isenabled() and (young >= WORTH_IT or old > 0)

    def _sweep(self) -> None:
        """Look through what came since everything was looked through."""
        if self._worth_it():
            self._stale = True
            gc.collect()
            if time.monotonic() - self._swept > LONG_SECONDS:
                gc.freeze()

    def _tidy(self) -> None:
        """Look through everything."""
        if self._stale or self._worth_it():
            self._stale = False
            let_go(self._app)
            StylesCache.get_inner_outer.cache_clear()  # which holds every widget's lines, of closed screens too
            # What was left alone may have become garbage since: a conversation that was closed.
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            if (give_back := _giver()) is not None:
                asyncio.get_running_loop().run_in_executor(None, give_back, 0)


def use_one_heap() -> None:
    """Have all threads take their memory from one heap; to be called before there are any.

    Linux gives each a heap of its own, which keeps the most that its thread ever needed at once: with a dozen
    threads thirty megabytes after an hour.
    """
    if sys.platform != "linux":
        return
    with suppress(ImportError, AttributeError, OSError):
        import _ctypes  # `ctypes` would take three milliseconds of the first frame

        choose = _ctypes.dlsym(_ctypes.dlopen(None, 0), "mallopt")  # type: ignore[arg-type]
        _ctypes.call_cdeclfunction(choose, (M_ARENA_MAX, 1))


def let_go(app: App[Any]) -> None:
    """Forget closed widgets that asked to be told of something: Textual does so when it happens, if it ever does."""
    screens = [screen for stack in app._screen_stacks.values() for screen in stack]
    for owner in (app, *screens):
        held = vars(owner)
        for signal in [value for value in held.values() if isinstance(value, Signal)]:
            for node in list(signal._subscriptions):
                if not (node.is_running and node.is_attached):
                    signal.unsubscribe(node)
        for watchers in held.get("__watchers", {}).values():
            watchers[:] = [watcher for watcher in watchers if not watcher[0]._closing]


@cache
def _giver() -> Any:
    """What gives memory that is free back to the system; its allocator keeps it by itself, for every thread apart."""
    if sys.platform != "linux":
        return None
    from ctypes import CDLL  # loaded here: nobody waits now

    return getattr(CDLL(None), "malloc_trim", None)
