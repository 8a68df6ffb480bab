"""Ticking what to see: hidden kinds, archived, dates, roles, sources, models and folders, each with its count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.sessions.listing import ListKind
from hermes_tui.text import fit
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.pending.option_rows import OptionRows
from hermes_tui.ui.sessions.facets import AGES, HEADINGS, ONE_OF, Facet, Value, kinds_of, text_of

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


class SessionFilters(Dialog[Ticked | None]):
    """Ticks; leaves with the words they are in the box."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Tick", show=False),
        Binding("enter", "done", "Show", show=False),
        Binding("c", "clear", "Clear", show=False),
        Binding("f,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    heading = "Filters"

    rows = getters.query_one(OptionRows)

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
        super().__init__()
        self._text = text
        self._counts = counts
        self._count = count
        # What was typed by hand can still be ticked off.
        typed = sorted(ticked - set(counts))
        every = [*counts, *typed]
        self._values: list[Value] = [value for facet in HEADINGS for value in every if value[0] == facet]
        self.ticked = set(ticked)

    def compose_body(self) -> ComposeResult:
        """Every value of every facet."""
        yield OptionRows(*self._options())

    def _options(self) -> list[Option]:
        options: list[Option] = []
        facet: Facet | None = None
        for value in self._values:
            if value[0] != facet:
                facet = value[0]
                options.append(Option(Content.styled(HEADINGS[facet], "$accent bold"), disabled=True))
            options.append(Option(self._words(value), id=_id_of(self._values.index(value))))
        return options

    def _words(self, value: Value) -> Content:
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

    def on_mount(self) -> None:
        """Say how many would be shown."""
        super().on_mount()
        self._say()

    @property
    def result(self) -> Ticked:
        """What the ticks mean."""
        return Ticked(text_of(self._text, self.ticked), kinds_of(self.ticked))

    def _say(self) -> None:
        self.run_worker(self._say_count(), name="count", group="count", exclusive=True, exit_on_error=False)

    async def _say_count(self) -> None:
        words, counts = await asyncio.to_thread(self._count, self.result)
        self.query_one("#dialog").border_subtitle = Content(words)
        before, self._counts = self._counts, counts
        for value in self._values:
            if before.get(value) != counts.get(value):
                self._redraw(value)

    def key_hints(self) -> list[KeyHint]:
        """Tick, show, clear, back."""
        return [
            KeyHint("space", "Tick", "screen.tick"),
            KeyHint("enter", "Show", "screen.done"),
            KeyHint("c", "Clear all", "screen.clear"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def action_tick(self) -> None:
        """Tick the row under the cursor, or take its tick away."""
        at = self.rows.highlighted
        option = self.rows.get_option_at_index(at) if at is not None else None
        if option is None or option.id is None:
            return
        value = self._values[int(option.id.removeprefix("value-"))]
        others = {each for each in self.ticked if each[0] == value[0] and each != value and value[0] in ONE_OF}
        self.ticked = (self.ticked - others) ^ {value}
        for changed in (value, *others):
            self._redraw(changed)
        self._say()

    def _redraw(self, value: Value) -> None:
        self.rows.replace_option_prompt(_id_of(self._values.index(value)), self._words(value))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click ticks."""
        event.stop()
        self.action_tick()

    def action_clear(self) -> None:
        """No tick at all."""
        self.ticked.clear()
        for value in self._values:
            self._redraw(value)
        self._say()

    def action_done(self) -> None:
        """Show what is ticked."""
        self.dismiss(self.result)


def _id_of(place: int) -> str:
    return f"value-{place}"
