"""The keys of the Timeline screen that only look: sliding, comparing, the chart, and what is behind a change."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.timer import Timer

from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.timeline.behind import Behind, looked_up, open_message, open_session
from hermes_tui.ui.timeline.line import NOW, Line, Place
from hermes_tui.ui.timeline.then import Against, Then, Told, then
from hermes_tui.ui.timeline.then_paper import then_paper
from hermes_tui.ui.timeline.words import by_words, stamp_words, when_words

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.chronicle import Known
    from hermes_tui.ui.timeline.screen import TimelineScreen

THEN_SECONDS = 0.02
"""The stores follow the cursor this late, so that a held key does not make two pages per row."""
DAY_SECONDS = 86_400.0
WEEK_SECONDS = 7 * DAY_SECONDS
NEAR_SHARE = 0.02
"""A click so near to a change, as a share of the whole line, means that change."""


class Looking:
    """Where one stands, and what is shown of it."""

    def __init__(self, screen: TimelineScreen) -> None:
        self._screen = screen
        self._soon: Timer | None = None
        self._behind: dict[str, Behind] = {}
        self._fresh: set[str] = set()
        """Sessions that were looked up since anything was written."""
        self._made: tuple[Known, object, Place, Against] | None = None

    # The place

    def show_place(self) -> None:
        """Show where one stands at once, and both stores in a moment."""
        screen = self._screen
        start = screen.line.start
        span = (start, max(time.time(), start)) if start is not None else None
        screen.slider.show(screen.line.untils, span, screen.place.at)
        self.show_words()
        if self._soon is None:
            self._soon = screen.set_timer(THEN_SECONDS, self._begin, name="then")

    @property
    def waiting(self) -> bool:
        """Whether the stores will follow in a moment."""
        return self._soon is not None

    def _begin(self) -> None:
        self._soon = None
        self._screen.run_worker(self._show(), name="then", group="then", exclusive=True, exit_on_error=False)
        self._want_title()

    async def _show(self) -> None:
        screen, known = self._screen, self._screen.known
        self.show_active()
        if known is None:
            return
        views, place, against = screen.state.views, screen.place, screen.against
        if not self._is_made(known, views, place, against):
            # The place is one of the screen's line, which may be behind what is known for a moment.
            pages = await asyncio.to_thread(_pages, screen.line, known.timeline.told, views, place, against)
            if (screen.place, screen.against) != (place, against):
                return
            self._made = (known, views, place, against)
            for store, (found, paper) in pages.items():
                screen.pane_of(store).show(found, paper, self.moment_words)
        screen.consulting.show_charts()

    def _is_made(self, known: Known, views: object, place: Place, against: Against) -> bool:
        """Whether the pages that are shown are of just this."""
        if self._made is None:
            return False
        return self._made[0] is known and self._made[1] is views and self._made[2:] == (place, against)

    def show_active(self) -> None:
        """Where there is room for one store, show the one that the keys are about."""
        screen = self._screen
        narrow = screen.hermes.has_class("-tabs")
        for store in STORES:
            other: StoreName = "user" if store == "memory" else "memory"
            screen.pane_of(store).set_class(store == screen.active, "-active")
            screen.pane_of(store).name_other(f"tab: {FILE_NAMES[other]}" if narrow else "")

    # Its name

    @property
    def moment_words(self) -> str:
        """`now`, or `2026-03-12 14:05`."""
        return "now" if self._screen.place.at == NOW else stamp_words(self._screen.place.at)

    def show_words(self) -> None:
        """Say what the place is called."""
        screen = self._screen
        short = "against now" if screen.against == "now" else "against before"
        whole = short
        if screen.against == "before":
            whole = f"against the {'session' if screen.place.session else 'change'} before"
        screen.slider.say(self._place_words(), (whole, short) if screen.known is not None else ())

    def _place_words(self) -> str:
        screen = self._screen
        line, place = screen.line, screen.place
        if screen.known is None:
            return "Reading history …"
        if line.start is None:
            return "Nothing is known of the past yet"
        count = f"change {place.row + 1:,} of {len(line.changes):,}" if place.row >= 0 else "before the first change"
        if place.at == NOW:
            return f"now · after {count}" if place.row >= 0 else "now"
        if place.session:
            after = f"after {count}" if place.row >= 0 else count
            return f"{stamp_words(place.at)} · session {self._called(place.session)} · {after}"
        if place.row >= 0 and line.untils[place.row] == place.at:
            change = line.changes[place.row]
            where = f" in {self._called(change.session_id)}" if change.session_id else ""
            return f"{count} · {when_words(change)} · {by_words(change)}{where}"
        return f"{stamp_words(place.at)} · after {count}" if place.row >= 0 else f"{stamp_words(place.at)} · {count}"

    def _called(self, session_id: str) -> str:
        behind = self._behind.get(session_id) or Behind(session_id, there=True)
        return behind.words if behind.there else f"{behind.words}, deleted since"

    @property
    def session_here(self) -> str:
        """The session that the place is about; empty when it is about none."""
        screen = self._screen
        if screen.place.session:
            return screen.place.session
        change = screen.change_list.change
        return change.session_id if change else ""

    def _want_title(self) -> None:
        id = self.session_here
        if id and id not in self._fresh:
            self._screen.run_worker(
                self._look_up(id), name="title", group="title", exclusive=True, exit_on_error=False
            )  # fmt: skip

    async def _look_up(self, session_id: str) -> None:
        try:
            self._behind[session_id] = await asyncio.to_thread(
                looked_up, self._screen.hermes.home.state_db, session_id
            )  # fmt: skip
        except HermesTuiError:
            return  # its id says enough until the database can be read again
        self._fresh.add(session_id)
        self.show_words()

    async def called(self, session_id: str) -> str:
        """What a session is called, looked up if need be."""
        if session_id not in self._fresh:
            await self._look_up(session_id)
        return self._called(session_id)

    def doubt_titles(self) -> None:
        """Sessions may have been renamed or deleted; what they were called is said until that is looked up."""
        self._fresh.clear()

    # Sliding

    def nearest(self, at: float, now: float) -> Place:
        """The place somebody points at: a change that is as good as there, else the very moment."""
        line = self._screen.line
        start = line.start
        if at == NOW or start is None:
            return line.now
        near = (now - start) * NEAR_SHARE
        row = bisect_left(line.untils, at)
        around = [each for each in (row - 1, row) if 0 <= each < len(line.untils)]
        close = [each for each in around if abs(line.untils[each] - at) <= near]
        if close:
            return line.at_row(min(close, key=lambda each: abs(line.untils[each] - at)))
        return line.at_moment(at, now)

    def action_earlier(self) -> None:
        """One change back."""
        self._screen.go(self._screen.line.earlier(self._screen.place))

    def action_later(self) -> None:
        """One change on."""
        self._screen.go(self._screen.line.later(self._screen.place))

    def action_next(self) -> None:
        """The next row."""
        if self._screen.searching.on:
            self._screen.change_list.action_next()
        else:
            self.action_later()

    def action_previous(self) -> None:
        """The row before."""
        if self._screen.searching.on:
            self._screen.change_list.action_previous()
        else:
            self.action_earlier()

    def action_next_page(self) -> None:
        """A screenful down."""
        self._screen.change_list.action_next_page()

    def action_previous_page(self) -> None:
        """A screenful up."""
        self._screen.change_list.action_previous_page()

    def action_first_place(self) -> None:
        """The first thing there is."""
        if self._screen.searching.on:
            self._screen.change_list.action_first()
        else:
            self._screen.go(self._screen.line.first)

    def action_now(self) -> None:
        """The present."""
        if self._screen.searching.on:
            self._screen.change_list.action_last()
        else:
            self._screen.go(self._screen.line.now)

    def _to_session(self, place: Place | None, which: str) -> None:
        if place is None:
            self._screen.hermes.say(f"There is no {which} session that was told anything.", seconds=2)
        else:
            self._screen.go(place)

    def action_earlier_session(self) -> None:
        """The session before."""
        self._to_session(self._screen.line.earlier_session(self._screen.place), "earlier")

    def action_later_session(self) -> None:
        """The session after."""
        self._to_session(self._screen.line.later_session(self._screen.place), "later")

    def _step(self, seconds: float) -> None:
        self._screen.go(self._screen.line.stepped(self._screen.place, seconds, time.time()))

    def action_day_earlier(self) -> None:
        """A day back."""
        self._step(-DAY_SECONDS)

    def action_day_later(self) -> None:
        """A day on."""
        self._step(DAY_SECONDS)

    def action_week_earlier(self) -> None:
        """A week back."""
        self._step(-WEEK_SECONDS)

    def action_week_later(self) -> None:
        """A week on."""
        self._step(WEEK_SECONDS)

    # Looking closer

    def action_against(self) -> None:
        """Against now, or against the change before."""
        screen = self._screen
        screen.against = "before" if screen.against == "now" else "now"
        self.show_place()

    async def action_open(self) -> None:
        """Go to what is behind the row."""
        screen = self._screen
        if screen.searching.on:
            screen.searching.jump()
        elif screen.place.session:
            await open_session(screen.hermes, screen.place.session)
        elif change := screen.change_list.change:
            await open_message(screen.hermes, change)

    def action_switch(self) -> None:
        """From the list to what stands above it, one after the other, and back."""
        screen = self._screen
        stops = [screen.change_list, *screen.above]
        here = next((number for number, stop in enumerate(stops) if stop.has_focus), len(stops) - 1)
        wanted = stops[(here + 1) % len(stops)]
        for store in STORES:
            if wanted in (screen.pane_of(store).text, screen.consulting.chart_of(store)):
                screen.active = store
                self.show_active()
        wanted.focus()


def _pages(
    line: Line, told: Told, views: Sequence[StoreView], place: Place, against: Against
) -> dict[StoreName, tuple[Then, Paper]]:
    """In a thread: both stores at the place."""
    pages: dict[StoreName, tuple[Then, Paper]] = {}
    for view in views:
        found = then(line, told, view, place, against)
        pages[view.store] = (found, then_paper(found))
    return pages
