"""Keys pass one by one: the next goes on its way when the one before has done all it does."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from textual.app import App
from textual.events import Event
from textual.message import Message
from textual.widget import Widget

ROUND_SECONDS = 0.25
"""A marker that is not back by then was lost with a widget that is gone; another is sent."""
PATIENCE_SECONDS = 2.0
"""Keys are not held longer than this, whatever happens."""


class Marker(Message):
    """Follows a key on its way from the widget with the focus up to the app."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Turnstile:
    """Holds keys back while what the last one opened, closed or focused is not in place.

    Every queue on the way of a key is served in order. So a marker that was sent after it, to whoever
    has the focus then, comes back when the key is done with; what it set off is done when another
    marker finds the focus where the last one did.
    """

    def __init__(self, app: App[None], let_through: Callable[[Event], Awaitable[None]]) -> None:
        self._app = app
        self._let_through = let_through
        self._held: deque[Event] = deque()
        self._closed = False
        self._number = 0
        self._came_back = 0
        self._seen: Widget | None = None
        self._since = 0.0
        self._lost: asyncio.TimerHandle | None = None

    async def come(self, event: Event) -> None:
        """Let a key or a paste through, now or when it is its turn."""
        if self._closed or self._held:
            self._held.append(event)
            return
        await self._pass(event)

    def close(self) -> None:
        """Hold keys until everything that is under way has come to rest."""
        if not self._closed:
            self._closed = True
            self._since = time.monotonic()
            self._came_back = 0
            self._send()

    def came_back(self, marker: Marker) -> None:
        """A marker has reached the app."""
        if not self._closed or marker.number != self._number:
            return
        # What the app itself was asked to do on the way, such as moving the focus, is queued by now, and
        # done before the next marker is back.
        self._came_back += 1
        seen = self._place()
        rested = self._came_back > 1 and seen is self._seen
        self._seen = seen
        if rested or time.monotonic() - self._since > PATIENCE_SECONDS:
            self._open()
        else:
            self._send()

    def _place(self) -> Widget | None:
        """Who would get a key now."""
        stack = self._app.screen_stack
        return (stack[-1].focused or stack[-1]) if stack else None

    def _send(self) -> None:
        if self._lost:
            self._lost.cancel()
        self._number += 1
        self._lost = asyncio.get_running_loop().call_later(ROUND_SECONDS, self._send_again)
        place = self._place()
        if place is None or not place.post_message(Marker(self._number)):
            self._app.post_message(Marker(self._number))

    def _send_again(self) -> None:
        if not self._closed:
            return
        if time.monotonic() - self._since > PATIENCE_SECONDS:
            self._open()
        else:
            self._send()

    def _open(self) -> None:
        if self._lost:
            self._lost.cancel()
            self._lost = None
        self._closed = False
        if self._held:
            self._app.call_later(self._next)

    async def _next(self) -> None:
        if self._held and not self._closed:
            await self._pass(self._held.popleft())

    async def _pass(self, event: Event) -> None:
        try:
            await self._let_through(event)
        finally:
            self.close()
