"""Runs in a process of its own: what history costs. Arguments: build, cached or stalls, and the home."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Callable

from hermes_tui.config import load_config
from hermes_tui.history.history import History
from hermes_tui.home import data_dir, resolve_home
from hermes_tui.memory.entries import STORES
from hermes_tui.memory.view import view_store
from hermes_tui.sessions.database import Database

BEAT_SECONDS = 0.005
IDLE_SECONDS = 5.0
MOST_SECONDS = 120.0


def build(home_path: str) -> dict[str, float]:
    """Everything, on one processor: seconds."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    home = resolve_home(home=home_path)
    config = load_config(home)
    views = [view_store(home, config, store) for store in STORES]
    began = time.perf_counter()
    history = History(data_dir(home.path), home.logs)
    history.load()
    with Database(home.state_db) as base:
        for _ in history.read(base):
            pass
    timeline = history.timeline(views)
    took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    index = history.index
    return {
        "wall": took,
        "cpu": time.process_time(),
        "megabytes": peak,
        "sessions": len(index.sessions),
        "blocks": len(index.blocks),
        "calls": len(index.calls),
        "changes": len(timeline.changes()),
    }


def cached(home_path: str) -> dict[str, float]:
    """What is known already, as at a start: milliseconds."""
    home = resolve_home(home=home_path)
    config = load_config(home)
    views = [view_store(home, config, store) for store in STORES]
    began = time.perf_counter()
    history = History(data_dir(home.path), home.logs)
    history.load()
    loaded = time.perf_counter()
    timeline = history.timeline(views)
    ended = time.perf_counter()
    return {
        "load": (loaded - began) * 1000,
        "timeline": (ended - loaded) * 1000,
        "all": (ended - began) * 1000,
        "changes": len(timeline.changes()),
        "sessions": len(history.index.sessions),
    }


def stalls(home_path: str) -> dict[str, float]:
    """How late the event loop of the app is while history is built: milliseconds."""
    return asyncio.run(_stalls(home_path))


async def _stalls(home_path: str) -> dict[str, float]:
    from hermes_tui.ui.app import HermesTuiApp

    app = HermesTuiApp(resolve_home(home=home_path))
    chronicle = app.past.chronicle
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause(0.5)
        await pilot.press("4")
        await pilot.pause(0.2)  # the screen itself is made meanwhile
        began = time.perf_counter()
        late = await _beating(lambda: not chronicle.complete)
        took = time.perf_counter() - began
        await pilot.pause(1.0)
        until = time.perf_counter() + IDLE_SECONDS
        idle = await _beating(lambda: time.perf_counter() < until)
    return {
        "worst": late[-1],
        "p95": late[int(len(late) * 0.95)],
        "p99": late[int(len(late) * 0.99)],
        "idle": idle[-1],
        "seconds": took,
    }


async def _beating(going_on: Callable[[], bool]) -> list[float]:
    """How late a task is each time that wants to go on after a moment, in milliseconds; the least first."""
    late: list[float] = []
    began = time.perf_counter()
    while not late or going_on():
        beat = time.perf_counter()
        await asyncio.sleep(BEAT_SECONDS)
        late.append((time.perf_counter() - beat - BEAT_SECONDS) * 1000)
        if beat - began > MOST_SECONDS:
            raise RuntimeError(f"not built within {MOST_SECONDS:g} s")
    return sorted(late)


if __name__ == "__main__":
    print(json.dumps({"build": build, "cached": cached, "stalls": stalls}[sys.argv[1]](sys.argv[2])))
