"""The keys of the Timeline screen that open something to consult: the chart, a story, exposure, the next session."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hermes_tui.history.usage import curve, full_in_days
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName
from hermes_tui.text import plural
from hermes_tui.ui.timeline.chart import Chart, Curve

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.screen import TimelineScreen


class Consulting:
    """What helps to understand, and changes nothing."""

    def __init__(self, screen: TimelineScreen) -> None:
        self._screen = screen
        self.chart_shown = False

    # The chart

    def chart_of(self, store: StoreName) -> Chart:
        """The chart of a store."""
        return self._screen.query_one(f"#chart-{store}", Chart)

    def action_chart(self) -> None:
        """Usage over time in the place of the stores, or the stores again."""
        screen = self._screen
        self.chart_shown = not self.chart_shown
        within = any(widget.has_focus for widget in screen.above)
        screen.query_one("#then").set_class(self.chart_shown, "-chart")
        self.show_charts()
        if not within and not screen.change_list.has_focus:
            screen.change_list.focus()

    def show_charts(self) -> None:
        """Draw the charts, if they are what is shown."""
        screen = self._screen
        if not self.chart_shown or screen.known is None:
            return
        start, now = screen.line.start, time.time()
        for view in screen.state.views:
            line = screen.line.stores.get(view.store)
            points = list(curve(line.states)) if line else []
            limit = view.usage.limit
            left = full_in_days(points, limit, now)
            span = (min(start or now, now), now)
            made = Curve(tuple(points), limit, span, screen.place.at, outlook_words(left, len(points)))
            self.chart_of(view.store).show(made if points else None)
        for store in STORES:
            self.chart_of(store).set_class(store == screen.active, "-active")

    # Dialogs

    async def action_prompt(self) -> None:
        """What the next session will be told, against the last one."""
        from hermes_tui.ui.timeline.next_session import NextSession

        screen = self._screen
        sessions = screen.line.sessions
        called = await screen.looking.called(sessions[-1].id) if sessions else ""
        screen.hermes.push_screen(NextSession(screen.state, screen.known, called))

    def action_exposure(self) -> None:
        """Sessions that ran with a text that is blocked now."""
        from hermes_tui.ui.timeline.exposed import ExposureDialog

        screen, known = self._screen, self._screen.known
        if known is None:
            return

        def chosen(session_id: str | None) -> None:
            place = screen.line.at_session(session_id) if session_id else None
            if place is not None:
                screen.go(place)

        screen.hermes.push_screen(ExposureDialog(known.exposures), chosen)

    def action_story(self) -> None:
        """Since when an entry is there, who wrote it, what it was before."""
        from hermes_tui.ui.timeline.story_dialog import show_story

        screen = self._screen
        if entry := screen.entry:
            show_story(screen.hermes, *entry)

    def action_copy(self) -> None:
        """Copy the exact text of the entry."""
        if entry := self._screen.entry:
            store, text = entry
            self._screen.hermes.copy_out(text, f"an entry of {FILE_NAMES[store]}")


def outlook_words(days: float | None, points: int) -> str:
    """`full in about 23 days at this pace`; why there is no outlook is left unsaid."""
    if days is None or not points:
        return ""
    whole = max(1, round(days))
    return f"full in about {plural(whole, 'day')} at this pace"
