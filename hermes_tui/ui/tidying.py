"""Looking for garbage while nobody waits: in the middle of a key it would take longer than all the rest."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from functools import cache
from typing import Any

from textual._styles_cache import StylesCache

THRESHOLDS = (2_000, 10, 500)
"""What is young is looked through often, in a millisecond or two; all of it only when nobody was idle for very long."""
IDLE_SECONDS = 4.0
PAUSE_SECONDS = 0.5
"""So long without a frame is enough once it has waited for `PATIENCE_SECONDS`: an agent may write all day long."""
PATIENCE_SECONDS = 30.0
WORTH_IT = 2
"""How often young objects must have been looked through before it is worth while to look at all."""


class Tidier:
    """Collects once nothing was drawn for a while, and then leaves alone what stayed."""

    def __init__(self) -> None:
        self._drawn = self._since = 0.0
        self._waiting = False

    def drawn(self) -> None:
        """A frame was drawn."""
        self._drawn = time.monotonic()
        if not self._waiting:
            self._waiting, self._since = True, self._drawn
            asyncio.get_running_loop().call_later(IDLE_SECONDS, self._look)

    def _look(self) -> None:
        now = time.monotonic()
        wanted = IDLE_SECONDS if now < self._since + PATIENCE_SECONDS else PAUSE_SECONDS
        left = self._drawn + wanted - now
        if left > 0:
            asyncio.get_running_loop().call_later(left, self._look)
            return
        self._waiting = False
        _, young, old = gc.get_count()
        if gc.isenabled() and (young >= WORTH_IT or old):
            StylesCache.get_inner_outer.cache_clear()  # which holds every widget's lines, of closed screens too
            # What was left alone may have become garbage since: a conversation that was closed.
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            if (give_back := _giver()) is not None:
                asyncio.get_running_loop().run_in_executor(None, give_back, 0)


@cache
def _giver() -> Any:
    """What gives memory that is free back to the system; its allocator keeps it by itself, for every thread apart."""
    if sys.platform != "linux":
        return None
    from ctypes import CDLL  # loaded here: nobody waits now

    return getattr(CDLL(None), "malloc_trim", None)
