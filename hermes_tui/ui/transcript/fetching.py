"""Reading the texts that are wanted on the screen, and drawing the long ones of them in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.message_rows import SHOWN_BYTES, TEXT_BYTES, by_bytes
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.transcript import TranscriptReader
from hermes_tui.ui.transcript.layout import REACH_STEP, lay_out
from hermes_tui.ui.transcript.links import PASSING

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.reading import Reading
    from hermes_tui.ui.transcript.view import TranscriptView

TEXTS_PER_ROUND = 120
AGAIN_SECONDS = 0.4


class TextFetcher:
    """Brings the texts that the screen wants now; what it wanted before is forgotten."""

    def __init__(self, reading: Reading, view: TranscriptView) -> None:
        self._reading = reading
        self._view = view
        self.wake = asyncio.Event()

    async def work(self) -> None:
        """Go on until the screen is left."""
        link = self._reading.link()
        while not self._reading.closed:
            await self.wake.wait()
            self.wake.clear()
            try:
                await self._read(await asyncio.to_thread(link.open))
                await self._draw()
                self._reading.fine("texts")
            except Interrupted:
                continue
            except Exception as error:
                if link.counts(error):
                    self._reading.failed("texts", error)
                    await asyncio.sleep(AGAIN_SECONDS)
                self.wake.set()

    async def _read(self, reader: TranscriptReader) -> None:
        conversation, view = self._view.conversation, self._view
        while not self._reading.closed and (missing := view.missing()[:TEXTS_PER_ROUND]):
            reach = conversation.reach_of(missing[0])
            if reach:
                bunch = missing[:1]
            else:
                near = [id for id in missing if not conversation.reach_of(id)]
                bunch = next(by_bytes(near, [conversation.shown_size(id) for id in near], TEXT_BYTES // 4))
            limit = SHOWN_BYTES * REACH_STEP**reach
            messages = await asyncio.to_thread(self._readable, reader, bunch, limit)
            known = {message.id for message in messages}
            gone = [self._stub(id, "not in the database any more") for id in bunch if id not in known]
            view.take_texts([*messages, *gone])

    def _readable(self, reader: TranscriptReader, ids: Sequence[int], limit: int) -> list[Message]:
        """The messages, and words in the place of one that cannot be read because the file is damaged there."""
        try:
            return list(reader.messages(ids, limit))
        except Interrupted:
            raise
        except Exception as error:
            if getattr(error, "code", "") in PASSING or not isinstance(error, HermesTuiError | ValueError):
                raise
            if len(ids) == 1:
                return [self._stub(ids[0], f"cannot be read: {str(error).splitlines()[0]}")]
        return [message for id in ids for message in self._readable(reader, [id], limit)]

    @staticmethod
    def _stub(message_id: int, words: str) -> Message:
        """What stands in the place of a message that has no text."""
        return Message(message_id, "", "", State.LIVE, None, "", kind="notice", note=words)

    async def _draw(self) -> None:
        while not self._reading.closed and (waiting := self._view.heavy()):
            message, look = waiting[0]
            laid = await asyncio.to_thread(lay_out, message, look)
            self._view.take_laid(message, look, laid)
            if self.wake.is_set():
                return
