"""Keeping the collector of garbage away while a thread makes very many objects that stay.

It would walk all of them again and again meanwhile, and the whole program stands still for as long: half a second
where there are a hundred thousand conversations.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MANY = 20_000
"""Fewer objects are walked in no time, and what is left out of collecting once is left out for good."""

NEVER = 1 << 30

_lock = threading.Lock()
_working = 0
_usual = gc.get_threshold()


@contextmanager
def uncollected() -> Iterator[Callable[[int], None]]:
    """Only what is young is looked at meanwhile; told how many objects were made, it leaves them out afterwards too."""
    global _working, _usual
    made = 0

    def tell(count: int) -> None:
        nonlocal made
        made = count

    with _lock:
        _working += 1
        if _working == 1:
            _usual = gc.get_threshold()
            gc.set_threshold(_usual[0], NEVER, NEVER)
    try:
        yield tell
    finally:
        with _lock:
            _working -= 1
            if not _working:
                if made >= MANY:
                    # None of it is part of a ring: it goes when the last one lets go of it.
                    gc.freeze()
                gc.set_threshold(*_usual)
