"""Asking history which sessions knew, wrote or staged something."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes_tui.sessions.query import Filters, Query
    from hermes_tui.ui.sessions.screen import SessionsScreen

HISTORY_SECONDS = 0.3
"""While history is being read, it is asked again so often."""


async def ask_history(screen: SessionsScreen, query: Query) -> None:
    """Narrow to the sessions that history names; again while it is being read, until the box holds something else."""
    from hermes_tui.history.whose import answered  # loaded here: few searches need it

    chronicle = screen.hermes.past.chronicle
    before: Filters | None = None
    while screen.box.text == query.text:
        through = chronicle.complete or chronicle.trouble is not None
        filters = await chronicle.ask(lambda history: answered(query.filters, history.index))
        if (filters != before or through) and screen.box.text == query.text:
            before = filters
            # What is still to be read may be what is looked for.
            screen.ask_this(replace(query, filters=filters, instead=query.instead if through else ()))
        if through:
            return
        chronicle.refresh()
        await asyncio.sleep(HISTORY_SECONDS)
