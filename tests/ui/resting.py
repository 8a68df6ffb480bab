"""When an app in a test is at rest: nothing is left to do, which the loop knows better than a clock."""

from __future__ import annotations

import asyncio
import time
import weakref
from concurrent.futures import thread
from typing import Any

import pytest
from textual import app, pilot

SOON_SECONDS = 0.02
"""What is to happen within this is waited for, as if one had looked away for so long."""
PATIENCE_SECONDS = 5.0
"""Something that never comes to rest is not waited for longer."""
STEP_SECONDS = 0.001
STEPS = 10
"""So often a thread must have had a turn before it counts as one that waits for what does not end by itself."""
BLOCKED_SECONDS = 0.0005
"""Less work than this in all these steps is none."""

_at_work: weakref.WeakSet[Any] = weakref.WeakSet()


def rest_when_nothing_is_left(patch: pytest.MonkeyPatch) -> None:
    """Textual's pauses look whether the process takes time, for 20 ms at least: most of the time these tests take.

    On a busy machine a process also takes no time when its turn has not come. So here the loop is asked: nothing is
    ready, nothing is due soon, and no thread is at work for it.
    """
    begin, run = thread._WorkItem.__init__, thread._WorkItem.run

    def begin_work(self: Any, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        _at_work.add(self)

    def work(self: Any, *args: Any) -> None:
        try:
            run(self, *args)
        finally:
            _at_work.discard(self)  # whoever waits for it has been told by now

    patch.setattr("concurrent.futures.thread._WorkItem.__init__", begin_work)
    patch.setattr("concurrent.futures.thread._WorkItem.run", work)
    for module in (app, pilot):
        patch.setattr(module, "wait_for_idle", rest)


async def rest(min_sleep: float = SOON_SECONDS, max_sleep: float = 1) -> None:
    """Wait until all that was set off has happened."""
    loop: Any = asyncio.get_running_loop()
    now = began = loop.time()
    soon, end = now + max(SOON_SECONDS, min_sleep), now + max(PATIENCE_SECONDS, max_sleep)
    steps, looked, worked, blocked = 0, now, _work_of_threads(), False
    while now < end:
        await asyncio.sleep(0)
        now = loop.time()
        if loop._ready:
            continue
        due = min((timer._when for timer in loop._scheduled if not timer._cancelled), default=end)
        if _at_work and not blocked:
            await asyncio.sleep(STEP_SECONDS)
            steps += 1
            if steps >= STEPS and now - looked >= SOON_SECONDS:
                before, worked = worked, _work_of_threads()
                blocked = worked - before < BLOCKED_SECONDS
                steps, looked = 0, now
        elif due <= soon:
            await asyncio.sleep(max(0.0, due - now))
            if loop.time() - began < max_sleep:
                soon = loop.time() + SOON_SECONDS  # what it has set off may take as long again
        else:
            return


def _work_of_threads() -> float:
    """The seconds that other threads than this one were at work."""
    return time.process_time() - time.thread_time()
