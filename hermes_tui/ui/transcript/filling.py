"""Reading which messages a long conversation has, and what is known of each, behind everything else."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.outline import Details
from hermes_tui.sessions.transcript import DETAILS_PER_SLICE, TranscriptReader

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.reading import Reading
    from hermes_tui.ui.transcript.view import TranscriptView

SLICES_PER_ROUND = 8
"""The screen is told about so many slices at a time."""
AGAIN_SECONDS = 0.5
REST_SECONDS = 2.0
"""A long conversation is not read again as a whole sooner than this after the last time."""


class OutlineFiller:
    """Fills in the outline."""

    def __init__(self, reading: Reading, view: TranscriptView) -> None:
        self._reading = reading
        self._view = view
        self.wake = asyncio.Event()
        self._all_ids = False

    def read_again(self, *, all_ids: bool) -> None:
        """Read what is missing; with `all_ids`, which messages there are, too."""
        self._all_ids = self._all_ids or all_ids
        self.wake.set()

    async def work(self) -> None:
        """Go on until the screen is left."""
        link = self._reading.link()
        while not self._reading.closed:
            await self.wake.wait()
            self.wake.clear()
            try:
                reader = await asyncio.to_thread(link.open)
                if self._all_ids:
                    self._all_ids = False
                    await self._read_ids(reader)
                    await self._read_details(reader)
                    self._reading.fine("outline")
                    await asyncio.sleep(REST_SECONDS)
                else:
                    await self._read_details(reader)
                    self._reading.fine("outline")
            except Interrupted:
                continue
            except Exception as error:
                if link.counts(error):
                    self._reading.failed("outline", error)
                    await asyncio.sleep(AGAIN_SECONDS)
                self.read_again(all_ids=True)

    async def _read_ids(self, reader: TranscriptReader) -> None:
        reading, conversation = self._reading, self._view.conversation
        if reading.facts is None:
            return
        parts, high = reading.facts.ids, reading.high
        found = dict(zip(parts, await asyncio.to_thread(reader.all_ids, parts, lambda: reading.closed), strict=True))
        # What has come meanwhile is known, and not among what was read.
        outline = conversation.outline
        for number, part in enumerate(outline.parts):
            late = array("q", (id for id in outline.ids[slice(*outline.bounds(number))][-1_000:] if id > high))
            if late:
                ids = found.setdefault(part, array("q"))
                ids.extend(id for id in late if not ids or id > ids[-1])
        now = reading.facts.ids
        self._view.change(lambda: conversation.set_ids(now, [found.get(part, array("q")) for part in now]))
        # What was known may have changed: it is asked for again, and shown as it was until then.
        outline.doubt()
        reading.complete.set()

    async def _read_details(self, reader: TranscriptReader) -> None:
        conversation, view = self._view.conversation, self._view
        outline = conversation.outline
        while not self._reading.closed:
            places = outline.unknown_near(view.current or 0, DETAILS_PER_SLICE * SLICES_PER_ROUND)
            if not len(places):
                self._reading.all_read()
                return
            renewals = conversation.renewals
            ids = outline.ids[places.start : places.stop]
            found = [
                await asyncio.to_thread(reader.details, ids[start : start + DETAILS_PER_SLICE])
                for start in range(0, len(ids), DETAILS_PER_SLICE)
            ]
            if conversation.renewals == renewals:
                self._take(places, ids, found)
            await asyncio.sleep(0)

    def _take(self, places: range, ids: Sequence[int], found: Sequence[Details]) -> None:
        conversation, outline = self._view.conversation, self._view.conversation.outline

        def take() -> None:
            conversation.fill(found)
            if sum(map(len, found)) < len(ids):
                # Deleted since the list was read: it takes no room until the list is read again.
                known = {id for details in found for id in details.ids}
                for place in places:
                    if outline.ids[place] not in known:
                        outline.lose(place)
                conversation.rows.changed()

        self._view.change(take)
