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

_lock = threading.Lock()
_working = 0


@contextmanager
def uncollected() -> Iterator[Callable[[int], None]]:
    """Nothing is looked for meanwhile; told how many objects were made, it is not looked at many afterwards either."""
    global _working
    made = 0

    def tell(count: int) -> None:
        nonlocal made
        made = count

    with _lock:
        _working += 1
        gc.disable()
    try:
        yield tell
    finally:
        with _lock:
            _working -= 1
            if not _working:
                if made >= MANY:
                    gc.collect(1)
                    # None of it is part of a ring: it goes when the last one lets go of it.
                    gc.freeze()
                gc.enable()
