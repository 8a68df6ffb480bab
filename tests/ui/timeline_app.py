"""The Timeline screen on a home of its own, with a past that a test makes: sessions, what they were told, and calls."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from hermes_tui.memory.entries import FILE_NAMES, StoreName, count
from hermes_tui.memory.prompt import render_block
from hermes_tui.ui.dialogs.base import Dialog
from hermes_tui.ui.timeline.change_list import ChangeList
from hermes_tui.ui.timeline.screen import TimelineScreen
from tests.sessions.world import Shape, World
from tests.ui.conftest import Driver, Open

DAY = 86_400.0
LIMITS: dict[StoreName, int] = {"memory": 2_200, "user": 1_375}


class Life:
    """An agent's life: sessions one after another, what each was told, and what it wrote."""

    def __init__(self, path: Path, shape: Shape = "0.22", *, days: float = 30) -> None:
        self.world = World(path, shape)
        self.shape = shape
        self.stores: dict[StoreName, list[str]] = {"memory": [], "user": []}
        self.now = float(int(time.time() - days * DAY))
        self._calls = 0

    def wait(self, days: float) -> None:
        """Time passes."""
        self.now += days * DAY

    def session(self, id: str, title: str = "", **columns: Any) -> str:
        """A session begins, and is told what there is."""
        self.world._clock = self.now
        columns = {"started_at": self.now, "ended_at": self.now + 3_600, "title": title or None, **columns}
        self.world.session(id, "hello", "Hello.", **columns)
        self.tell(id)
        self.now += 60
        return id

    def tell(self, id: str, **limits: int) -> None:
        """A session is told what there is, with other limits if need be."""
        blocks = [
            render_block(store, entries, limits.get(store, LIMITS[store])) for store, entries in self.stores.items()
        ]
        prompt = "\n\n".join(["You are an agent.", *filter(None, blocks)])
        if self.shape == "0.22":
            self.world.prompt(prompt, id)
        else:
            self.world.run("UPDATE sessions SET system_prompt = ? WHERE id = ?", (prompt, id))

    def call(self, id: str, arguments: dict[str, Any], result: dict[str, Any]) -> int:
        """The memory tool is called and answers; the message that called it."""
        self._calls += 1
        call_id = f"call_{self._calls}"
        function = {"name": "memory", "arguments": json.dumps(arguments)}
        self.world._clock = self.now
        made = self.world.say(
            id, "", role="assistant", tool_calls=json.dumps([{"id": call_id, "type": "function", "function": function}])
        )
        self.world.say(id, json.dumps(result), role="tool", tool_name="memory", tool_call_id=call_id)
        self.now += 60
        return made

    def _result(self, store: StoreName, **more: Any) -> dict[str, Any]:
        chars, limit = count(self.stores[store]), LIMITS[store]
        usage = f"{chars * 100 // limit}% — {chars:,}/{limit:,} chars"
        return {"success": True, "target": store, "usage": usage, "entry_count": len(self.stores[store]), **more}

    def add(self, id: str, text: str, store: StoreName = "memory") -> int:
        """The agent adds an entry."""
        self.stores[store].append(text)
        return self.call(id, {"action": "add", "target": store, "content": text}, self._result(store))

    def replace(self, id: str, old: str, new: str, store: StoreName = "memory") -> int:
        """The agent edits one."""
        entries = self.stores[store]
        entries[entries.index(old)] = new
        arguments = {"action": "replace", "target": store, "old_text": old, "content": new}
        return self.call(id, arguments, self._result(store, replaced_entry=old))

    def remove(self, id: str, text: str, store: StoreName = "memory") -> int:
        """The agent removes one."""
        self.stores[store].remove(text)
        arguments = {"action": "remove", "target": store, "old_text": text}
        return self.call(id, arguments, self._result(store, removed_entry=text))

    def close(self) -> None:
        """Let go of the database."""
        self.world.close()


class TimelineDriver:
    """The app on its Timeline screen."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.app = driver.app
        self.pilot = driver.pilot
        self.until = driver.until
        self.shown = driver.shown
        self.rows = driver.rows
        self.texts = driver.texts

    @property
    def screen(self) -> TimelineScreen:
        """The screen."""
        return self.app.screens.timeline[0]

    @property
    def change_list(self) -> ChangeList:
        """The list."""
        return self.screen.change_list

    @property
    def changes(self) -> list[str]:
        """The changes in the list: `+ memory text`."""
        signs = {"add": "+", "edit": "~", "remove": "-"}
        return [f"{signs[each.kind]} {each.store} {each.after or each.before}" for each in self.change_list.changes]

    @property
    def toasts(self) -> list[str]:
        """The words of every toast that is up."""
        return self.driver.toasts

    def then(self, store: StoreName = "memory") -> str:
        """What is said of a store as of the place."""
        return self.screen.pane_of(store).text.plain

    @property
    def where(self) -> str:
        """What the place is called, and what is compared with."""
        return f"{self.screen.slider._left} | {self.screen.slider._right[0]}"

    @property
    def plain(self) -> str:
        """The screen as one line of words."""
        return " ".join(self.shown().split())

    async def press(self, *keys: str) -> None:
        """Press keys and let everything they started finish."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Have this in the line that one searches with."""
        self.app.screen.query_one(Input).value = text
        await self.settle()

    async def settle(self) -> None:
        """Wait until history is read and everything is drawn."""
        await self.pilot.pause()
        await self.until(self._rested, "history is read")
        await self.pilot.pause()

    def _rested(self) -> bool:
        screen = self.screen
        quick = {"then", "title", "search", "entry", "message", "note", "story"}
        busy = any(worker.name in quick and worker.is_running for worker in self.app.workers)
        dialog_waits = getattr(self.app.screen, "waiting", False) is True
        return (
            screen.chronicle.idle and not busy and not screen.busy and not screen.looking.waiting and not dialog_waits
        )

    @property
    def back(self) -> bool:
        """Whether nothing stands over the screen."""
        return self.app.screen is self.screen

    @property
    def dialog(self) -> Dialog[Any]:
        """The dialog that is up."""
        assert isinstance(self.app.screen, Dialog)
        return self.app.screen


OpenTimeline = Callable[..., contextlib.AbstractAsyncContextManager[TimelineDriver]]
MakeLife = Callable[..., Life]


@pytest.fixture
def life(hermes_home: Path) -> Any:
    """Begins a life in the home's database."""
    lives: list[Life] = []

    def begin(shape: Shape = "0.22", *, days: float = 30) -> Life:
        lives.append(Life(hermes_home / "state.db", shape, days=days))
        return lives[-1]

    yield begin
    for each in lives:
        each.close()


@pytest.fixture
def open_timeline(open_app: Open) -> OpenTimeline:
    """Opens the app on its Timeline screen."""

    @contextlib.asynccontextmanager
    async def opened(
        memory: Sequence[str] | None = None, user: Sequence[str] | None = None, **options: Any
    ) -> AsyncIterator[TimelineDriver]:
        async with open_app(memory, user, **options) as driver:
            await driver.pilot.press("4")
            await driver.until(lambda: driver.app.screens.timeline, "the Timeline screen is up")
            timeline = TimelineDriver(driver)
            await timeline.settle()
            yield timeline

    return opened


@pytest.fixture
def some_weeks(life: MakeLife) -> Life:
    """Some sessions and changes of every kind, the longest ago first; what the files hold at the end."""
    made = life(days=40)
    made.session("s1", "First talk")
    made.add("s1", "The museum opens at ten.")
    made.add("s1", "Name: Ines", "user")
    made.wait(10)
    made.session("s2", "Opening hours")
    made.replace("s2", "The museum opens at ten.", "The museum opens at nine.")
    made.add("s2", "Crates are stored in room 4.")
    made.wait(10)
    made.session("s3", "Clearing up")
    made.remove("s3", "Crates are stored in room 4.")
    made.wait(5)
    made.stores["memory"].append("Written by nobody knows whom.")
    made.session("s4", "A quiet one")
    return made


def file_of(home: Path, store: StoreName) -> Path:
    """A store's file."""
    return home / "memories" / FILE_NAMES[store]
