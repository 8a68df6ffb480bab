"""The Pending screen on a home of its own, with whatever a test puts into the queue."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hermes_tui.pending.staging import record_bytes
from hermes_tui.ui.pending.model import RecordKey
from hermes_tui.ui.pending.queue_list import QueueList
from hermes_tui.ui.pending.screen import PendingScreen
from tests.ui.conftest import Driver, Open

STAGED = 1_700_000_000.0


def add(text: str, store: str = "memory") -> dict[str, Any]:
    """The payload of an entry that an agent wants to add."""
    return {"action": "add", "target": store, "content": text}


def replace(old: str, new: str, **more: object) -> dict[str, Any]:
    """The payload of an entry that an agent wants to replace."""
    return {"action": "replace", "target": "memory", "old_text": old, "content": new, **more}


class Queue:
    """The queue on disk."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._staged = 0

    def path(self, pending_id: str, queue: str = "memory") -> Path:
        """The file of a record."""
        return self.home / "pending" / queue / f"{pending_id}.json"

    def put(self, pending_id: str, payload: object, *, queue: str = "memory", **more: object) -> Path:
        """Stage a write, a second after the one before."""
        self._staged += 1
        action = payload.get("action", "") if isinstance(payload, Mapping) else ""
        body = {
            "id": pending_id,
            "subsystem": queue,
            "action": action,
            "summary": "a summary",
            "origin": "assistant_tool",
            "created_at": STAGED + self._staged,
            "payload": payload,
            **more,
        }
        return self.put_bytes(pending_id, record_bytes(body), queue=queue)

    def put_bytes(self, pending_id: str, data: bytes, *, queue: str = "memory") -> Path:
        """Put any bytes there, as the agent writes: beside it, then into its place."""
        path = self.path(pending_id, queue)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.tmp")
        beside.write_bytes(data)
        beside.replace(path)
        return path

    @property
    def ids(self) -> list[str]:
        """What waits, by name."""
        return sorted(path.stem for path in (self.home / "pending").glob("*/*.json"))

    def body(self, pending_id: str) -> dict[str, Any]:
        """What a record says."""
        body: dict[str, Any] = json.loads(self.path(pending_id).read_text())
        return body


class PendingDriver:
    """The Pending screen as a person uses it."""

    def __init__(self, app: Driver, queue: Queue) -> None:
        self.driver = app
        self.app = app.app
        self.queue = queue
        self.until = app.until
        self.texts = app.texts
        self.write = app.write
        self.rows = app.rows
        self.shown = app.shown

    @property
    def screen(self) -> PendingScreen:
        """The screen."""
        return self.app.screens.pending[0]

    @property
    def queue_list(self) -> QueueList:
        """Its list."""
        return self.screen.queue_list

    @property
    def toasts(self) -> list[str]:
        """The words of every toast that is up."""
        return self.driver.toasts

    @property
    def current(self) -> str:
        """The id of the record under the cursor."""
        assert self.queue_list.current is not None
        return self.queue_list.current.item.record.id

    @property
    def ids(self) -> list[str]:
        """The ids of the rows, in the order shown."""
        return [row.item.record.id for row in self.queue_list.rows]

    @property
    def detail(self) -> str:
        """The words of the detail."""
        return self.screen.detail.pane.plain

    def key(self, pending_id: str) -> RecordKey:
        """What names a record that is shown."""
        return next(item.key for item in self.screen.reader.items if item.record.id == pending_id)

    async def press(self, *keys: str) -> None:
        """Press keys and let everything they started finish."""
        await self.driver.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the queue is read, every verdict is there and the detail is shown."""
        await self.driver.settle()
        await self.until(lambda: self.screen.reader.complete, "every verdict is known")
        await self.until(self._detail_is_up, "the detail is shown")
        await self.driver.pilot.pause()

    def _detail_is_up(self) -> bool:
        busy = any(worker.name in ("detail", "queue") and worker.is_running for worker in self.app.workers)
        return not busy and not self.screen.looking.waiting

    async def go_to(self, pending_id: str) -> None:
        """Put the cursor on a record."""
        self.queue_list.move_to(self.ids.index(pending_id))
        await self.settle()


OpenPending = Callable[..., contextlib.AbstractAsyncContextManager[PendingDriver]]


@contextlib.asynccontextmanager
async def pending_app(
    open_app: Open, queue: Queue, memory: Sequence[str] | None, **options: Any
) -> AsyncIterator[PendingDriver]:
    """Open the app and go to the Pending screen."""
    async with open_app(memory, **options) as driver:
        await driver.pilot.press("2")
        await driver.until(lambda: driver.app.screens.pending, "the Pending screen is up")
        pending = PendingDriver(driver, queue)
        await pending.settle()
        yield pending
