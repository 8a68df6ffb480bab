"""The app on a home of its own, driven as a person would."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from textual.pilot import Pilot

from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import FILE_NAMES, StoreName, join
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.memory.card_list import CardList
from hermes_tui.ui.memory.screen import MemoryScreen

if TYPE_CHECKING:
    from tests.ui.pending_app import OpenPending, Queue

PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="session", autouse=True)
def no_work_for_nothing() -> Iterator[None]:
    """Half of what Textual does in these tests is done for a terminal that is not there, or was done before."""
    from tests.ui.painting import make_light_strips, paint_when_at_rest, parse_stylesheets_once
    from tests.ui.resting import rest_when_nothing_is_left

    with pytest.MonkeyPatch.context() as patch:
        rest_when_nothing_is_left(patch)
        parse_stylesheets_once(patch)
        make_light_strips(patch)
        paint_when_at_rest(patch)
        yield


class Driver:
    """The app in a test: its files, its screen, its toasts."""

    def __init__(self, app: HermesTuiApp, pilot: Pilot[None], home: Path) -> None:
        self.app = app
        self.pilot = pilot
        self.home = home

    @property
    def screen(self) -> MemoryScreen:
        """The Memory screen."""
        return self.app.screens.memory[0]

    @property
    def cards(self) -> CardList:
        """The list the keys go to."""
        return self.screen.cards

    @property
    def toasts(self) -> list[str]:
        """The words of every toast that is up."""
        return [toast.message for toast in self.app._notifications]

    def path(self, store: StoreName = "memory") -> Path:
        """A store's file."""
        return self.home / "memories" / FILE_NAMES[store]

    def texts(self, store: StoreName = "memory") -> list[str]:
        """The entries on disk."""
        path = self.path(store)
        return path.read_text().split("\n§\n") if path.exists() else []

    def write(self, texts: Sequence[str], store: StoreName = "memory") -> None:
        """Write a store as the agent does: beside it, then over it."""
        beside = self.path(store).with_name(".mem_other.tmp")
        beside.write_text(join(texts))
        beside.replace(self.path(store))

    async def press(self, *keys: str) -> None:
        """Press keys and let everything they started finish."""
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until no change is at work and the screen is drawn."""
        await self.pilot.pause()
        await self.until(lambda: not any(screen.busy for screen in self.app.main_screens))
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait for something to come true."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if condition():
                return
            await asyncio.sleep(0.005)
            await self.pilot.pause()
        raise AssertionError(f"never happened: {what or condition}; toasts: {self.toasts}")

    def rows(self) -> list[str]:
        """What is on the screen, row by row."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips]

    def shown(self) -> str:
        """What is on the screen."""
        return "\n".join(self.rows())


Open = Callable[..., contextlib.AbstractAsyncContextManager[Driver]]


@pytest.fixture
def open_app(hermes_home: Path) -> Open:
    """Opens the app on a home with the given entries."""

    @contextlib.asynccontextmanager
    async def opened(
        memory: Sequence[str] | None = ("first fact", "second fact", "third fact"),
        user: Sequence[str] | None = ("name: Sam",),
        *,
        size: tuple[int, int] = (120, 36),
        read_only: bool = False,
        live: bool = True,
    ) -> AsyncIterator[Driver]:
        for store, texts in (("memory", memory), ("user", user)):
            if texts is not None:
                (hermes_home / "memories" / FILE_NAMES[store]).write_bytes(  # type: ignore[index]
                    join(texts).encode("utf-8", "surrogatepass")
                )
        app = HermesTuiApp(HermesHome(hermes_home, "default", "default"), read_only=read_only)
        async with app.run_test(size=size, notifications=True) as pilot:
            driver = Driver(app, pilot, hermes_home)
            if live:
                await driver.until(lambda: app.watching.watched, "the watcher is up")
            await driver.settle()
            yield driver

    return opened


@pytest.fixture
def queue(hermes_home: Path) -> Queue:
    """The pending queue of the home."""
    from tests.ui.pending_app import Queue

    return Queue(hermes_home)


@pytest.fixture
def open_pending(open_app: Open, queue: Queue) -> OpenPending:
    """Opens the app on its Pending screen."""
    from tests.ui.pending_app import pending_app

    def opened(memory: Sequence[str] | None = ("first fact", "second fact", "third fact"), **options: Any) -> Any:
        return pending_app(open_app, queue, memory, **options)

    return opened
