"""Looking through the whole conversation, in slices beside everything else, and going from match to match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.matcher import Matcher, literal_matcher
from hermes_tui.sessions.message_rows import TEXT_BYTES
from hermes_tui.sessions.messages import State
from hermes_tui.text import plural
from hermes_tui.ui.transcript.conversation import Hit
from hermes_tui.ui.transcript.hits import Hits
from hermes_tui.ui.transcript.links import Link, as_trouble

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.screen import TranscriptScreen

SLICE_ROWS = 1_000
"""Messages looked through in one statement: some milliseconds."""
PAUSE_SECONDS = 0.002
"""Between two slices, for whoever else wants the processor."""
SAID_SECONDS = 0.15
"""While it is being looked through, the count is said no more often than this."""
AGAIN_SECONDS = 0.5


class Finding:
    """The search in one transcript."""

    def __init__(self, screen: TranscriptScreen, matcher: Matcher | None) -> None:
        self._screen = screen
        self._given = matcher
        """What was searched for before the transcript was opened."""
        self.matcher = matcher
        self.hits: Hits | None = None
        self.needle = ""
        self.done = False
        """Whether all of the conversation was looked through."""
        self.problem = ""
        self.wrapped = ""
        """What to say about the last step from match to match."""
        self._pending = 0
        """Which way to go when another match is found."""
        self._number = 0
        self._link = Link(screen)
        self._renewals = 0
        self._closed = False
        self._said_at = 0.0
        self._origin = 0
        self._jump_from: int | None = None
        self._wake = asyncio.Event()

    # Starting

    def opened(self) -> None:
        """Somebody is about to type: what is typed is looked for from here on."""
        view = self._screen.view
        place = view.current
        self._origin = view.conversation.outline.ids[place] if place is not None else 0

    def find(self, needle: str) -> None:
        """Look for what is typed, from where the cursor was when that began."""
        self.needle = needle
        matcher = literal_matcher(needle) if needle.strip() else self._given
        self._start(matcher, jump=bool(needle.strip()))

    def begin(self, message_id: int | None) -> None:
        """Look for what the transcript was opened with."""
        view = self._screen.view
        if self._given is None:
            return
        view.conversation.matcher = self._given
        if message_id is not None:
            view.go_to_hit(Hit(message_id, 0))
        self._start(self._given, jump=False)

    def end(self) -> None:
        """Look for nothing any more, other than what the transcript was opened with."""
        self.needle = ""
        self._start(self._given, jump=False)

    def again(self) -> None:
        """Messages have other places, or others are shown: look through all of it anew."""
        if self.matcher is not None:
            self._start(self.matcher, jump=False)

    def _start(self, matcher: Matcher | None, *, jump: bool) -> None:
        view = self._screen.view
        conversation = view.conversation
        self._number += 1
        self._link.interrupt()
        changed = matcher != conversation.matcher
        self.matcher = conversation.matcher = matcher
        if changed:
            conversation.hit = None
        conversation.changed()
        self.done, self.problem, self.wrapped = False, "", ""
        self._pending = 1 if jump else 0
        self._renewals = conversation.renewals
        start = conversation.outline.place_of(self._origin) if jump else view.current
        self._jump_from = start if jump else None
        self.hits = Hits(start or 0) if matcher is not None else None
        view.show()
        self._screen.show_find()
        self._wake.set()

    # Looking through

    async def work(self) -> None:
        """Look for what is wanted, until the screen is left."""
        await self._screen.reading.complete.wait()
        while not self._closed:
            number, matcher = self._number, self.matcher
            if matcher is not None and self._renewals != self._screen.view.conversation.renewals:
                self.again()
                continue
            step = self._next_slice()
            if matcher is None or step is None:
                await self._rest()
                continue
            places, forwards = step
            try:
                found = await asyncio.to_thread(self._matches, self._ids(places), matcher)
            except Interrupted:
                continue
            except Exception as error:
                # The outer edge: a message that cannot be read must not end the search.
                if self._link.counts(error):
                    await self._failed(error)
                continue
            if number == self._number and self._renewals == self._screen.view.conversation.renewals:
                self._take(places, forwards, found)
                await asyncio.sleep(PAUSE_SECONDS)

    async def _failed(self, error: Exception) -> None:
        """Say that it cannot be looked through now, and wait a little; why is said above the messages."""
        unexpected = as_trouble(error, self._screen).code == "unexpected"
        self.problem = "failed unexpectedly" if unexpected else "the database cannot be read now"
        self._screen.show_find()
        await asyncio.sleep(AGAIN_SECONDS)

    async def _rest(self) -> None:
        """All was looked through; go on when something else is wanted, or messages have come."""
        if self.hits is not None and not self.done:
            self.done = True
            self._resolve()
            self._screen.show_find()
        self._wake.clear()
        await self._wake.wait()

    def grown(self) -> None:
        """There are more messages."""
        if self.matcher is not None:
            self.done = False
            self._wake.set()

    def _next_slice(self) -> tuple[range, bool] | None:
        """The next places to look through, and whether they are after the origin."""
        outline, hits = self._screen.view.conversation.outline, self.hits
        if hits is None:
            return None
        count = len(outline)
        # Up to the first match only forwards: that is where a person looks.
        both = hits.total > 0 or hits.high >= count
        if hits.low > 0 and both and (hits.high >= count or hits.origin - hits.low < hits.high - hits.origin):
            return self._light(range(max(0, hits.low - SLICE_ROWS), hits.low), from_end=True), False
        if hits.high < count:
            return self._light(range(hits.high, min(count, hits.high + SLICE_ROWS)), from_end=False), True
        return None

    def _light(self, places: range, *, from_end: bool) -> range:
        """As many of these places as have no more text than one statement should read."""
        sizes = self._screen.view.conversation.outline.sizes
        while len(places) > 1 and sum(sizes[places.start : places.stop]) > TEXT_BYTES:
            half = len(places) // 2
            places = places[-half:] if from_end else places[:half]
        return places

    def _ids(self, places: range) -> list[int]:
        """The messages among the places that are shown, or behind a fold."""
        conversation = self._screen.view.conversation
        states, ids = conversation.outline.states, conversation.outline.ids
        wanted = {State.UNKNOWN, State.LIVE, State.COMPACTED}
        if conversation.rows.show_rewound:
            wanted.add(State.REWOUND)
        return [ids[place] for place in places if states[place] in wanted]

    def _matches(self, ids: Sequence[int], matcher: Matcher) -> list[tuple[int, int]]:
        if not ids:
            return []
        return self._link.open().matches(ids, matcher)

    def _take(self, places: range, forwards: bool, found: list[tuple[int, int]]) -> None:
        hits, outline = self.hits, self._screen.view.conversation.outline
        if hits is None:
            return
        self.problem = ""
        placed = [(place, count) for id, count in found if (place := outline.place_of(id)) is not None]
        if forwards:
            hits.looked_after(places.stop, placed)
        else:
            hits.looked_before(places.start, placed)
        self._resolve()
        if time.monotonic() - self._said_at >= SAID_SECONDS:
            self._said_at = time.monotonic()
            self._screen.show_find()

    def close(self) -> None:
        """Stop for good."""
        self._closed = True
        self._number += 1
        self._wake.set()
        self._link.leave()

    # From match to match

    def step(self, by: int) -> None:
        """Go to the next match, or the one before; to the other end of the conversation after the last."""
        self.wrapped = ""
        self._pending, self._jump_from = by, None
        self._resolve()
        if self._pending and not self.done:
            self.wrapped = "looking further …"
        self._screen.show_find()

    def _resolve(self) -> None:
        """Go where the person wants to, as soon as it is known where that is."""
        hits, by = self.hits, self._pending
        if hits is None or not by:
            return
        target = self._target(hits, by)
        if target is None and self.done and hits.total:
            first = hits.next(0) if by > 0 else hits.previous(len(self._screen.view.conversation.outline))
            if first is not None:
                target = (first, 0 if by > 0 else hits.count(first) - 1)
                self.wrapped = "from the top again" if by > 0 else "from the end again"
        if target is not None:
            self._pending, self._jump_from = 0, None
            place, number = target
            self._screen.view.go_to_hit(Hit(self._screen.view.conversation.outline.ids[place], number))
        elif self.done:
            self._pending = 0

    def _target(self, hits: Hits, by: int) -> tuple[int, int] | None:
        view = self._screen.view
        here = view.current or 0
        standing = self._standing(here)
        if self._jump_from is not None:
            here, standing = self._jump_from, None
        if by > 0:
            if standing is not None and standing + 1 < hits.count(here):
                return here, standing + 1
            place = hits.next(here if standing is None else here + 1)
            return None if place is None else (place, 0)
        if standing is not None and standing > 0 and hits.count(here):
            return here, min(standing, hits.count(here)) - 1
        place = hits.previous(here)
        return None if place is None else (place, hits.count(place) - 1)

    def _standing(self, here: int) -> int | None:
        """The match of the message under the cursor that was gone to last."""
        hit = self._screen.view.conversation.hit
        ids = self._screen.view.conversation.outline.ids
        return hit.number if hit is not None and len(ids) and ids[here] == hit.message_id else None

    @property
    def count_words(self) -> str:
        """How many there are, beside what is typed, once something is."""
        return self.words if self.needle else ""

    @property
    def words(self) -> str:
        """`match 3 of 41+`, or how many there are in how many messages, and what else there is to say."""
        hits = self.hits
        if hits is None:
            return ""
        more = "" if self.done and not hits.more else "+"
        rank = self._rank(hits)
        if not hits.total:
            said = "no match" if self.done else "looking …"
        elif rank:
            said = f"match {rank:,} of {hits.total:,}{more}"
        else:
            said = f"{hits.total:,}{more} {'match' if hits.total == 1 and self.done else 'matches'}"
            said += f" in {plural(hits.messages, 'message')}" if hits.messages < hits.total else ""
        return " · ".join(part for part in (said, self.problem, self.wrapped) if part)

    def _rank(self, hits: Hits) -> int:
        """Which of the known matches one stands on; 0 when on none of them."""
        hit, outline = self._screen.view.conversation.hit, self._screen.view.conversation.outline
        place = outline.place_of(hit.message_id) if hit else None
        if hit is None or place is None or not hits.low <= place < hits.high or not hits.count(place):
            return 0
        return hits.rank(place, min(hit.number, hits.count(place) - 1))
