"""Reading a conversation off the event loop: the wanted place at once, and whatever a commit brings."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.message_rows import by_bytes
from hermes_tui.sessions.messages import Message
from hermes_tui.sessions.outline import Details
from hermes_tui.sessions.transcript import SMALL, Facts, TranscriptReader, Window
from hermes_tui.ui.transcript.fetching import TextFetcher
from hermes_tui.ui.transcript.filling import OutlineFiller
from hermes_tui.ui.transcript.links import Link, as_trouble

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.screen import TranscriptScreen

POLL_SECONDS = 0.08
"""How often it is asked whether there was a commit."""
AGAIN_SECONDS = 0.4
"""How long after a failure it is tried again."""
FIRST_TEXTS = 60
"""Texts that come with the first answer: more than most screens show."""


class _First(NamedTuple):
    window: Window
    messages: tuple[Message, ...]


class Reading:
    """Keeps what is known of a conversation in step with the disk."""

    def __init__(self, screen: TranscriptScreen) -> None:
        self._screen = screen
        self._view = screen.view
        self.facts: Facts | None = None
        self.gone = False
        """Whether the conversation was deleted."""
        self.complete = asyncio.Event()
        """Every message is known by its id."""
        self.paused = False
        self.closed = False
        self.high = 0
        """The highest id of any message that is known."""
        self._links: list[Link] = []
        self.filler = OutlineFiller(self, screen.view)
        self.fetcher = TextFetcher(self, screen.view)
        self._version: object = None
        self._troubles: dict[str, HermesTuiError] = {}
        self._link = self.link()

    def start(self) -> None:
        """Begin to read, and go on until the screen is left."""
        for name, work in (("read", self._follow), ("outline", self.filler.work), ("texts", self.fetcher.work)):
            self._screen.run_worker(work(), name=name, group="transcript", exit_on_error=False)

    def read_again(self) -> None:
        """Read everything again, also what has not changed."""
        self._view.conversation.texts.suspect_all()
        self._view.show()
        self._version = None

    def close(self) -> None:
        """Stop for good."""
        self.closed = True
        for link in self._links:
            link.leave()
        self.filler.wake.set()
        self.fetcher.wake.set()

    def link(self) -> Link:
        """A way to the database for one worker alone."""
        link = Link(self._screen)
        self._links.append(link)
        return link

    @property
    def damaged(self) -> bool:
        """Whether the file is damaged in places, and the rest of it is shown."""
        return any(link.damaged for link in self._links)

    def all_read(self) -> None:
        """Everything is known of every message."""
        if self.damaged:
            self._screen.show_state()

    # What is wrong

    @property
    def trouble(self) -> HermesTuiError | None:
        """Why something cannot be read now."""
        return next(iter(self._troubles.values()), None)

    def failed(self, who: str, error: Exception) -> None:
        """Say that something cannot be read; what is shown stays."""
        trouble = as_trouble(error, self._screen)
        before = self._troubles.get(who)
        self._troubles[who] = trouble
        if before is None or before.message != trouble.message:
            self._screen.show_state()

    def fine(self, who: str) -> None:
        """What could not be read can be."""
        if self._troubles.pop(who, None) is not None:
            self._screen.show_state()

    # Following

    async def _follow(self) -> None:
        while not self.closed:
            if self.paused:
                await asyncio.sleep(POLL_SECONDS)
                continue
            try:
                reader = await asyncio.to_thread(self._link.open)
                now = await asyncio.to_thread(reader.base.version)
                if self.facts is None or "read" in self._troubles:
                    await self._open(reader)
                elif now != self._version or self._link.renewed:
                    replaced = self._version is not None and _file_of(now) != _file_of(self._version)
                    again, self._version = self._version is None or self._link.renewed, now
                    await self._catch_up(reader, replaced=replaced, again=again)
                self._version, self._link.renewed = now, False
                self.fine("read")
                await asyncio.sleep(POLL_SECONDS)
            except Interrupted:
                continue
            except Exception as error:
                if isinstance(error, NotFound) and error.code == "no_such_session":
                    self._lost()
                    self.fine("read")
                elif self._link.counts(error):
                    self.failed("read", error)
                else:
                    continue
                await asyncio.sleep(AGAIN_SECONDS)

    async def _open(self, reader: TranscriptReader) -> None:
        """The first answer, or the first one after a failure."""
        first = self.facts is None
        found = await asyncio.to_thread(self._first, reader)
        window, view, conversation = found.window, self._view, self._view.conversation
        self.facts, self.gone, self.high = window.facts, False, window.high
        parts = window.facts.ids

        def take() -> None:
            if first or window.complete:
                conversation.set_ids(parts, by_part(parts, window.details))
            conversation.fill([window.details])
            if not first:
                conversation.texts.suspect_all()
            conversation.texts.put(found.messages)

        view.nothing = "Nothing was said in this conversation."
        view.change(take)
        if window.complete:
            self.complete.set()
        self.filler.read_again(all_ids=not window.complete)
        self._screen.show_facts()
        if first:
            self._screen.opened(window.found)

    def _first(self, reader: TranscriptReader) -> _First:
        """The messages around the wanted one, and the texts of those that come on the screen."""
        wanted = self._screen.message_id if self.facts is None else None
        window = reader.window(wanted)
        details = window.details
        middle = details.ids.index(wanted) if wanted is not None and window.found else len(details)
        start = max(0, middle - FIRST_TEXTS // 2 if window.found else middle - FIRST_TEXTS)
        # What stands at the end, or at the wanted place, is needed before what is further up.
        order = sorted(range(start, min(start + FIRST_TEXTS, len(details))), key=lambda at: abs(at - middle))
        bunch = next(by_bytes([details.ids[at] for at in order], [details.sizes[at] for at in order]), [])
        return _First(window, reader.messages(bunch))

    async def _catch_up(self, reader: TranscriptReader, *, replaced: bool, again: bool) -> None:
        """There was a commit: take over what it means for this conversation."""
        facts, conversation = self.facts, self._view.conversation
        if facts is None:
            return
        if replaced:
            for link in self._links:
                link.forgive()
        if replaced or len(conversation.outline) <= SMALL:
            await self._read_whole(reader, replaced=replaced)
            return
        news = await asyncio.to_thread(reader.news, facts, self.high, self._watched())
        self.high = news.high
        if news.facts is None:
            self._lost()
            return
        came_back, self.gone, self.facts = self.gone, False, news.facts
        if len(news.added):
            texts = await asyncio.to_thread(reader.messages, news.added.ids[-FIRST_TEXTS:])
            self._add(news.facts.ids, news.added, texts)
        if news.disturbed or came_back or again:
            conversation.texts.suspect_all()
            self._view.show()
            self.filler.read_again(all_ids=True)
        if news.facts != facts or came_back:
            self._screen.show_facts()

    async def _read_whole(self, reader: TranscriptReader, *, replaced: bool) -> None:
        """A conversation that is not long is read again as a whole."""
        conversation = self._view.conversation
        window = await asyncio.to_thread(reader.window, None, 2 * SMALL)
        facts, details = window.facts, window.details
        self.gone, self.facts, self.high = False, facts, window.high
        if replaced:
            conversation.texts.suspect_all()
        if not window.complete:
            self.filler.read_again(all_ids=True)
            return
        known, now = _states(conversation.outline.known()), _states(details)
        fresh = [id for id in details.ids if id not in known]
        changed = [id for id in details.ids if known.get(id, now[id]) != now[id]]
        conversation.texts.suspect(changed)
        if fresh == list(details.ids[len(known) :]) and not changed and not replaced and len(details) >= len(known):
            if fresh:
                texts = await asyncio.to_thread(reader.messages, fresh[-FIRST_TEXTS:])
                self._add(facts.ids, details, texts, fresh=len(fresh))
        else:

            def take() -> None:
                conversation.set_ids(facts.ids, by_part(facts.ids, details))
                conversation.fill([details])

            self._view.change(take)
            self._screen.came(len(fresh))
        self._screen.show_facts()

    def _add(self, parts: Sequence[str], details: Details, texts: Sequence[Message], fresh: int | None = None) -> None:
        conversation = self._view.conversation

        def take() -> None:
            conversation.add(parts, details)
            conversation.texts.put(texts)

        self._view.change(take)
        self._screen.came(len(details) if fresh is None else fresh)

    def _watched(self) -> Details:
        """What is known of the messages on the screen."""
        return self._view.conversation.outline.details_of(self._view.on_screen)

    def _lost(self) -> None:
        """The conversation is not there any more; what was read of it is."""
        if not self.gone:
            self.gone = True
            self._screen.show_state()


def by_part(parts: Sequence[str], details: Details) -> list[array[int]]:
    """The ids of each part."""
    ids: dict[str, array[int]] = {part: array("q") for part in parts}
    for message_id, part in zip(details.ids, details.sessions, strict=True):
        if part in ids:
            ids[part].append(message_id)
    return list(ids.values())


def _states(details: Details) -> dict[int, tuple[int, int]]:
    return {id: (state, size) for id, state, size in zip(details.ids, details.states, details.sizes, strict=True)}


def _file_of(version: object) -> object:
    """The file that a version is of."""
    return version[0] if isinstance(version, tuple) else version
