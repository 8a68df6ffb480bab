"""Looking for garbage while nobody waits: in the middle of a key it would take longer than all the rest."""

from __future__ import annotations

import asyncio
import gc
import time

THRESHOLDS = (2_000, 10, 500)
"""What is young is looked through often, in a millisecond or two; all of it only when nobody was idle for very long."""
IDLE_SECONDS = 4.0
WORTH_IT = 2
"""How often young objects must have been looked through before it is worth while to look at all."""


class Tidier:
    """Collects once nothing was drawn for a while, and then leaves alone what stayed."""

    def __init__(self) -> None:
        self._drawn = 0.0
        self._waiting = False

    def drawn(self) -> None:
        """A frame was drawn."""
        self._drawn = time.monotonic()
        if not self._waiting:
            self._waiting = True
            asyncio.get_running_loop().call_later(IDLE_SECONDS, self._look)

    def _look(self) -> None:
        left = self._drawn + IDLE_SECONDS - time.monotonic()
        if left > 0:
            asyncio.get_running_loop().call_later(left, self._look)
            return
        self._waiting = False
        _, young, old = gc.get_count()
        if gc.isenabled() and (young >= WORTH_IT or old):
            # What was left alone may have become garbage since: a conversation that was closed.
            gc.unfreeze()
            gc.collect()
            gc.freeze()
