"""Ticking what to see: hidden kinds, archived, dates, roles, sources, models and folders, each with its count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import NamedTuple

from textual.content import Content

from hermes_tui.sessions.listing import ListKind
from hermes_tui.text import fit
from hermes_tui.ui.dialogs.ticks import TickDialog
from hermes_tui.ui.sessions.facets import AGES, HEADINGS, ONE_OF, Value, kinds_of, text_of

KIND_ROWS = {
    "subagent": "subagents: started by a session for a task",
    "cron": "cron: on a schedule",
    "tool": "tool: by a program",
    "empty": "empty: no message, no title",
}
NAME_CELLS, NUMBER_CELLS = 44, 8
"""The columns; a name that is longer is cut."""
BESIDE_CELLS = 24
"""What else there is on a row: frame, sign, number."""
ARCHIVED_ROWS = {"also": "also those", "only": "only those", "no": "not those, in a search either"}


Counted = Mapping[Value, "int | None"]


class Ticked(NamedTuple):
    """What the dialog ends with."""

    text: str
    """The search box as it is to be."""
    kinds: frozenset[ListKind]


class SessionFilters(TickDialog[Ticked, Value]):
    """Ticks; leaves with the words they are in the box."""

    heading = "Filters"

    def __init__(
        self, text: str, ticked: set[Value], counts: Counted, count: Callable[[Ticked], tuple[str, Counted]]
    ) -> None:
        """Offer the values of `counts`.

        Args:
            text: the search box.
            ticked: what is ticked now.
            counts: values, and how many conversations choosing each would show.
            count: tells, in a thread, how many would be shown, in words, and the counts with other ticks.
        """
        super().__init__(_in_order(counts, ticked), ticked, HEADINGS)
        self._text = text
        self._counts = counts
        self._count = count

    def words_of(self, value: Value) -> Content:
        """A row: what it stands for, and in a column how many there are."""
        facet, name = value
        rows = {"hidden": KIND_ROWS, "archived": ARCHIVED_ROWS, "active": AGES}.get(facet, {})
        signs = ("(•)", "( )") if facet in ONE_OF else ("[x]", "[ ]")
        # Assembled, not parsed: a folder may be called anything.
        words = f"{signs[0] if value in self.ticked else signs[1]} {fit(rows.get(name, name), self._room)}"
        number = self._counts.get(value)
        return (
            Content.assemble(words, (f"{number:>{NUMBER_CELLS},}", "$text-muted"))
            if number is not None
            else Content(words)
        )

    @property
    def _room(self) -> int:
        """Cells of a name, so that the numbers stand in a column."""
        return max(10, min(NAME_CELLS, self.app.size.width - BESIDE_CELLS))

    @property
    def result(self) -> Ticked:
        """What the ticks mean."""
        return Ticked(text_of(self._text, self.ticked), kinds_of(self.ticked))

    def untied_from(self, value: Value) -> set[Value]:
        """Of some facets only one value can be ticked."""
        return {each for each in self.ticked if each[0] == value[0] and each != value and value[0] in ONE_OF}

    def say(self) -> None:
        """Say how many would be shown, when they are counted."""
        self.run_worker(self._say_count(), name="count", group="count", exclusive=True, exit_on_error=False)

    async def _say_count(self) -> None:
        words, counts = await asyncio.to_thread(self._count, self.result)
        self.query_one("#dialog").border_subtitle = Content(words)
        before, self._counts = self._counts, counts
        values = _in_order(counts, self.ticked)
        if not set(values) <= set(self._values):
            self.offer(values)
            return
        for value in self._values:
            if before.get(value) != counts.get(value):
                self.redraw(value)


def _in_order(counts: Counted, ticked: set[Value]) -> list[Value]:
    """The values to offer; what was typed by hand can still be ticked off."""
    every = [*counts, *sorted(ticked - set(counts))]
    return [value for facet in HEADINGS for value in every if value[0] == facet]
