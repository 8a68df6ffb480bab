"""The Sessions screen on a home of its own, with whatever conversations a test puts into its database."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events

from hermes_tui.text import visible
from hermes_tui.ui.dialogs.base import Dialog
from hermes_tui.ui.sessions.screen import SessionsScreen
from hermes_tui.ui.sessions.session_list import SessionList
from hermes_tui.ui.sessions.sheets import FoundSheet, ListSheet, PartRow
from tests.nasty import NASTY
from tests.sessions.world import Shape, World
from tests.ui.conftest import Driver, Open

DAY_SECONDS = 86_400.0
ODD_SHARES = 4
"""The nasty strings are too many for one test, and one for each of them would be too slow."""
ODD_CHARS = 36
"""What a question or a form shows of a title also on a small screen."""
NAMED_KEYS = {" ": "space", ":": "colon", "-": "minus", '"': "quotation_mark", "/": "slash", ".": "full_stop"}


class SessionsDriver:
    """The app on its Sessions screen."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.app = driver.app
        self.pilot = driver.pilot
        self.until = driver.until
        self.shown = driver.shown
        self.rows = driver.rows

    @property
    def screen(self) -> SessionsScreen:
        """The screen."""
        return self.app.screens.sessions[0]

    @property
    def rows_list(self) -> SessionList:
        """The list."""
        return self.screen.session_list

    @property
    def toasts(self) -> list[str]:
        """The words of every toast that is up."""
        return self.driver.toasts

    @property
    def ids(self) -> list[str]:
        """What the rows are about: `root` of a conversation, `root/part`, or `root@message` of a hit."""
        sheet = self.rows_list.sheet
        if isinstance(sheet, FoundSheet):
            return [f"{root}@{message}" for root, _, message in map(sheet.key, range(sheet.stops))]
        return [
            f"{entry.brief.root}/{entry.session_id}" if isinstance(entry, PartRow) else entry.root
            for entry in sheet.entries
        ]

    @property
    def current(self) -> str:
        """The same of the row under the cursor."""
        return self.ids[self.rows_list.cursor]

    @property
    def counts(self) -> str:
        """The line under the box."""
        counts = self.screen.counts.counts
        return " · ".join(fact.words for fact in counts.left) + f" | {counts.right}"

    @property
    def preview(self) -> str:
        """The words of the preview."""
        return self.screen.preview.text.plain

    @property
    def notice(self) -> str:
        """What is said about the database as a whole."""
        from textual.widgets import Static

        notice = self.screen.query_one("#sessions-notice", Static)
        return str(notice.content) if notice.display else ""

    @property
    def instead(self) -> str:
        """What a list without rows says, and that it is on the screen."""
        words = self.rows_list.nothing.split("\n")
        assert not self.ids
        assert words[0][:30] in self.shown()
        return " ".join(words)

    def row_with(self, words: str) -> str:
        """The line of the screen that holds these words."""
        return next(row for row in self.rows() if words in row)

    async def press(self, *keys: str) -> None:
        """Press keys and let everything they started finish."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type into the box, which has the focus."""
        await self.press(*(NAMED_KEYS.get(char, char) for char in text))

    async def paste(self, text: str) -> None:
        """Paste into what has the focus."""
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()
        await self.settle()

    @property
    def dialog(self) -> Dialog[Any]:
        """The dialog that is up."""
        assert isinstance(self.app.screen, Dialog)
        return self.app.screen

    async def ask(self, key: str) -> str:
        """Press a key that opens a dialog, and wait until it has said all it has to say; its words."""
        await self.pilot.press(key)
        await self.until(lambda: isinstance(self.app.screen, Dialog), f"{key} opens a dialog")
        return await self.told()

    async def told(self) -> str:
        """The words on the screen, when the dialog has worked out what it is about."""

        def working() -> bool:
            return any(worker.name in ("plan", "titles", "settle") and worker.is_running for worker in self.app.workers)

        await self.until(lambda: not working() and not getattr(self.app.screen, "waiting", False), "it is worked out")
        await self.pilot.pause()
        return " ".join(self.shown().split())

    async def search(self, text: str) -> None:
        """Have this in the box at once."""
        self.screen.box.put(text)
        await self.settle()

    async def settle(self) -> None:
        """Wait until list, search, details and preview are what they will be."""
        await self.pilot.pause()
        await self.until(lambda: self._rested(), "everything is read")
        await self.pilot.pause()

    def _rested(self) -> bool:
        screen, reader = self.screen, self.screen.reader
        quick = {"search", "titles", "details", "preview", "arrange", "offers", "rename", "results"}
        busy = any(worker.name in quick and worker.is_running for worker in self.app.workers)
        read = reader.trouble is not None or reader.complete
        return read and not busy and not screen.busy and not screen.looking.waiting and not screen.searcher.working

    async def go_to(self, id: str) -> None:
        """Put the cursor on a row."""
        self.rows_list.move_to(self.ids.index(id))
        await self.settle()


OpenSessions = Callable[..., contextlib.AbstractAsyncContextManager[SessionsDriver]]
MakeWorld = Callable[..., World]


@contextlib.asynccontextmanager
async def sessions_app(open_app: Open, **options: Any) -> AsyncIterator[SessionsDriver]:
    """Open the app and go to the Sessions screen."""
    async with open_app(**options) as driver:
        await driver.pilot.press("3")
        await driver.until(lambda: driver.app.screens.sessions, "the Sessions screen is up")
        sessions = SessionsDriver(driver)
        await sessions.settle()
        yield sessions


def ago(seconds: float) -> float:
    """A moment before now."""
    return time.time() - seconds


def three(world: World) -> None:
    """Three conversations, the longest ago first."""
    world.session(
        "old", "how do I rotate logs?", "With logrotate.", title="Rotating logs", started_at=ago(10 * DAY_SECONDS)
    )
    world.session(
        "other", "Regen in Lissabon am Sonntag", "Guten Tag!", source="telegram", started_at=ago(5 * DAY_SECONDS)
    )
    world.session(
        "last", "the login page loops", "I look into it.", title="Login loop", started_at=ago(2 * DAY_SECONDS)
    )


class Home:
    """Makes the database of the home."""

    def __init__(self, home: Path) -> None:
        self.path = home / "state.db"
        self.worlds: list[World] = []

    def world(self, shape: Shape = "0.19", *, wal: bool = False) -> World:
        """A database in the shape of an agent's."""
        self.worlds.append(World(self.path, shape, wal=wal))
        self.worlds[-1]._clock = ago(86_400 * 30)
        return self.worlds[-1]


@pytest.fixture
def sessions_home(hermes_home: Path) -> Any:
    """The database of the home; closed when the test ends."""
    home = Home(hermes_home)
    yield home
    for world in home.worlds:
        world.close()


@pytest.fixture
def open_sessions(open_app: Open) -> OpenSessions:
    """Opens the app on its Sessions screen."""

    def opened(**options: Any) -> Any:
        return sessions_app(open_app, **options)

    return opened


def list_of(driver: SessionsDriver) -> ListSheet:
    """The list as it is laid out."""
    assert isinstance(driver.rows_list.sheet, ListSheet)
    return driver.rows_list.sheet


def odd_titles(world: World, share: int) -> int:
    """Conversations named by the nasty strings of a share, short ones together; how many there are."""
    titles: list[str] = []
    for text in (text.encode("utf-8", "replace").decode() for text in list(NASTY.values())[share::ODD_SHARES]):
        if text and titles and len(visible(f"{titles[-1]} {text}")) <= ODD_CHARS:
            titles[-1] += f" {text}"
        else:
            titles.append(text)
    for number, text in enumerate(titles):
        world.session(f"odd{number:03}", text or "x", title=text or None, started_at=ago(90 + number))
    return len(titles)
