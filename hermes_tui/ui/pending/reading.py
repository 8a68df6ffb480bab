"""Reading the queue off the event loop: first what lies there, then slice by slice what approving it would do."""

from __future__ import annotations

import asyncio
import gc
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_tui.config import HermesConfig
from hermes_tui.home import HermesHome
from hermes_tui.pending.decide import preview_all
from hermes_tui.pending.known import KnownRecords
from hermes_tui.pending.preview import Preview
from hermes_tui.pending.proposals import steps_of
from hermes_tui.pending.records import PendingRecord, list_records
from hermes_tui.pending.rewriting import split_step
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.pending.model import Item, RecordKey, items_of

if TYPE_CHECKING:
    from hermes_tui.ui.pending.screen import PendingScreen

SLICE_RECORDS = 100
"""Records previewed before the screen is told: about 5 ms of work."""
SET_ASIDE_RECORDS = 200
"""A queue that has grown or shrunk by this much is a new one for the collector."""


def previews_alone(home: HermesHome, config: HermesConfig, record: PendingRecord) -> tuple[Preview, ...]:
    """What each operation of a batch would do by itself."""
    numbers = range(1, len(steps_of(record)) + 1)
    return tuple(preview_all(home, config, [split_step(record, number)[0] for number in numbers]))


class QueueReader:
    """Keeps what is known about the queue in step with the disk."""

    def __init__(self, screen: PendingScreen) -> None:
        self._screen = screen
        self._numbers = itertools.count(1)
        self._last = 0
        self._basis: object = None
        self._turn = asyncio.Lock()
        self._known = KnownRecords()
        self._set_aside_at = 0
        self._settled: set[RecordKey] = set()
        self.items: tuple[Item, ...] = ()
        self.previews: dict[RecordKey, Preview] = {}
        self.was_read = False
        """Whether the queue was looked into at all."""
        self.complete = False
        """Whether every record shown has a verdict that is up to date."""

    async def read(self, *, ours: bool = False, verdicts: bool = True) -> None:
        """Look at the queue, and show it as soon as it is known; overtaken readings stop.

        Args:
            ours: whether it follows a decision made here.
            verdicts: whether to work out what approving each record would do.
        """
        number = self._last = next(self._numbers)
        app = self._screen.hermes
        async with self._turn:
            if number != self._last:
                return
            items = await asyncio.to_thread(self._read_items, app.home)
        state = self._screen.state
        if number != self._last or app.leaving:
            return
        self._take(items, state)
        self._screen.show_items(items, ours=ours)
        if not verdicts:
            return
        missing = [item for item in self._screen.soonest(items) if item.key not in self._settled]
        for start in range(0, len(missing), SLICE_RECORDS):
            found = await self._preview(state.config, missing[start : start + SLICE_RECORDS])
            if number != self._last or app.leaving:
                return
            self.previews.update(found)
            self._settled.update(found)
            self._screen.show_previews(frozenset(found))
        self.complete = True
        self._screen.show_verdicts()
        self._set_aside()

    def _set_aside(self) -> None:
        """Keep the collector away from a long queue: walking 2,000 records stops the cursor for 90 ms each time."""
        if abs(len(self.items) - self._set_aside_at) >= SET_ASIDE_RECORDS:
            self._set_aside_at = len(self.items)
            gc.freeze()

    def _read_items(self, home: HermesHome) -> list[Item]:
        """Both queues as the list needs them; what has not changed is not read again."""
        records = list_records(home, read=self._known.read)
        self._known.end()
        return items_of(records, self.items)

    def _take(self, items: Sequence[Item], state: HomeState) -> None:
        """Keep the previews of what is still there; those made on other stores are shown until they are replaced."""
        basis = (state.config, state.memory, state.user)
        present = {item.key for item in items}
        # What a skill's preview stands on is not part of a reading, so it is made anew each time.
        lasting = {item.key for item in items if item.record.subsystem == "memory"}
        self._settled = self._settled & lasting if basis == self._basis else set()
        self._basis = basis
        self.items, self.was_read = tuple(items), True
        self.previews = {key: found for key, found in self.previews.items() if key in present}
        self.complete = False

    async def _preview(self, config: HermesConfig, items: Sequence[Item]) -> dict[RecordKey, Preview]:
        home = self._screen.hermes.home
        records = [item.record for item in items]
        try:
            found = await asyncio.to_thread(preview_all, home, config, records)
        except Exception as error:
            # The outer edge: one record that trips us must not hide the verdicts of the others.
            self._screen.hermes.log.error("a preview failed", error)
            if len(items) > 1:
                halves = items[: len(items) // 2], items[len(items) // 2 :]
                return {key: made for half in halves for key, made in (await self._preview(config, half)).items()}
            self._screen.hermes.say(f"{type(error).__name__}: {error}", title="No verdict", severity="error")
            return {}
        return {item.key: preview for item, preview in zip(items, found, strict=True)}
