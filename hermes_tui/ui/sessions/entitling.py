"""Writing titles for conversations without one: which they are, what they would be called, and doing it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.summaries import summaries
from hermes_tui.text import plural
from hermes_tui.ui.dialogs.following import Course

if TYPE_CHECKING:
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.ui.dialogs.titles import Chosen, Offer, Proposal, Proposed, Writer
    from hermes_tui.ui.sessions.changing import Changing

BATCH = 100
"""Conversations looked at before it is said how far it is."""


class Entitling:
    """The key that makes titles of first messages, or has a model make them."""

    def __init__(self, changing: Changing) -> None:
        self._changing = changing
        self._screen = changing.screen
        self._app = changing.app

    def action_title(self) -> None:
        """Show what would be written, then ask."""
        from hermes_tui.ui.dialogs.titles import Offer, TitlesDialog

        base = self._screen.reader.base
        if base is None:
            return
        aim, shown = self._changing.aim, tuple(self._screen.session_list.shown)
        offers: list[Offer] = []
        if aim.several:
            offers.append(Offer("those selected", aim.briefs))
        elif aim.briefs and (aim.summary is None or (aim.summary.derived and aim.summary.title)):
            offers.append(Offer("this one", aim.briefs))
        if shown and shown != aim.briefs:
            offers.append(Offer("all that are shown", shown))

        def propose(offer: Offer, course: Course) -> Proposed:
            return proposed(base, offer.briefs, course)

        dialog = TitlesDialog(offers, propose, self._model(base))
        self._app.push_screen(dialog, self._chosen)

    def _model(self, base: Database) -> Writer | None:
        """The model that writes titles, where one is named; None otherwise."""
        from hermes_tui.sessions.title_model import title_settings
        from hermes_tui.ui.dialogs.titles import Writer

        try:
            settings = title_settings(self._app.home)
        except HermesTuiError:
            return None

        def ask(items: Sequence[Proposal], course: Course, came: Callable[[str, str | HermesTuiError], None]) -> None:
            from hermes_tui.sessions.title_model import TitleModel, titles  # loaded here: only who asks needs it

            model = TitleModel(settings)
            ids = [item.id for item in items]
            for id, answer in titles(base, ids, model, progress=course.progress, stopped=course.stopped):
                came(id, answer)

        return Writer(settings.model, settings.where, ask)

    def _chosen(self, chosen: Chosen | None) -> None:
        if chosen is None or not chosen.titles:
            return
        titles = dict(chosen.titles)
        self._changing.writes.change(
            "title",
            lambda keeper, course: keeper.entitle(
                titles, chosen.source, progress=course.progress, stopped=course.stopped
            ),
            self._changing.said,
            course=Course(f"Writing {plural(len(titles), 'title')}", "title"),
        )


def proposed(base: Database, briefs: Sequence[Brief], course: Course) -> Proposed:
    """In a thread: titles for those of these conversations that have none.

    Raises:
        Interrupted: somebody gave up.
    """
    from hermes_tui.ui.dialogs.titles import Proposal, Proposed

    items: list[Proposal] = []
    silent = titled = 0
    for start in range(0, len(briefs), BATCH):
        if course.stopped():
            raise Interrupted
        for summary in summaries(base, briefs[start : start + BATCH], time.time()):
            if not summary.derived:
                titled += 1
            elif summary.title:
                items.append(Proposal(summary.brief.id, summary.title, summary.preview))
            else:
                silent += 1
        course.progress(min(start + BATCH, len(briefs)), len(briefs))
    return Proposed(tuple(items), silent, titled)
