"""Ticking which pending writes to see: by verdict, origin, store and age, each with its count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.content import Content

from hermes_tui.pending.preview import Preview
from hermes_tui.text import fit
from hermes_tui.ui.dialogs.ticks import TickDialog
from hermes_tui.ui.pending.choosing import Choice, Facet, chosen, counts
from hermes_tui.ui.pending.model import VERDICT_WORDS, Item, RecordKey

Value = tuple[Facet, str]

NAME_CELLS, NUMBER_CELLS = 30, 6
"""The columns; a name that is longer is cut."""


class FacetPicker(TickDialog[frozenset[Value], Value]):
    """Ticks; leaves with those that are set."""

    heading = "Show only"
    size_class = "-small"

    def __init__(
        self, items: Sequence[Item], previews: Mapping[RecordKey, Preview], choice: Choice, now: float
    ) -> None:
        self._counts = counts(items, previews, now)
        # A value that has no record any more can still be ticked off.
        super().__init__([*self._counts, *sorted(choice.values - set(self._counts))], choice.values, {})
        self._items, self._previews, self._now = items, previews, now
        self._choice = choice

    def words_of(self, value: Value) -> Content:
        """A row: what it stands for, and how many there are."""
        name = VERDICT_WORDS.get(value[1], value[1]) if value[0] == "verdict" else value[1]
        tick = "[x]" if value in self.ticked else "[ ]"
        # Assembled, not parsed: an origin may hold anything.
        number = f"{self._counts.get(value, 0):>{NUMBER_CELLS},}"
        return Content.assemble(f"{tick} {fit(name, NAME_CELLS)}", (number, "$text-muted"))

    def say(self) -> None:
        """Say how many would be shown."""
        shown = len(chosen(self._items, Choice(self._choice.needle, frozenset(self.ticked)), self._previews, self._now))
        self.query_one("#dialog").border_subtitle = Content(f"{shown:,} of {len(self._items):,}")

    @property
    def result(self) -> frozenset[Value]:
        """What is ticked."""
        return frozenset(self.ticked)
