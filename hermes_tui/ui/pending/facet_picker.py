"""Ticking which pending writes to see: by verdict, origin, store and age, each with its count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.pending.preview import Preview
from hermes_tui.text import one_line
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.pending.choosing import Choice, Facet, chosen, counts
from hermes_tui.ui.pending.model import VERDICT_WORDS, Item, RecordKey
from hermes_tui.ui.pending.option_rows import OptionRows

Value = tuple[Facet, str]


class FacetPicker(Dialog[frozenset[Value] | None]):
    """Ticks; leaves with those that are set."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Tick", show=False),
        Binding("enter", "done", "Show", show=False),
        Binding("c", "clear", "Clear", show=False),
        Binding("f,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    heading = "Show only"
    size_class = "-small"

    rows = getters.query_one(OptionRows)

    def __init__(
        self, items: Sequence[Item], previews: Mapping[RecordKey, Preview], choice: Choice, now: float
    ) -> None:
        super().__init__()
        self._counts = counts(items, previews, now)
        self._items, self._previews, self._now = items, previews, now
        self._choice = choice
        # A value that has no record any more can still be ticked off.
        self._values: list[Value] = [*self._counts, *sorted(choice.values - set(self._counts))]
        self.ticked = set(choice.values)

    def compose_body(self) -> ComposeResult:
        """Every value of every facet."""
        yield OptionRows(*self._options())

    def _options(self) -> list[Option]:
        options: list[Option] = []
        facet = ""
        for value in self._values:
            if value[0] != facet:
                facet = value[0]
                options.append(Option(Content.styled(facet.title(), "$accent bold"), disabled=True))
            options.append(Option(self._words(value), id=_id_of(self._values.index(value))))
        return options

    def _words(self, value: Value) -> Content:
        name = VERDICT_WORDS.get(value[1], value[1]) if value[0] == "verdict" else value[1]
        tick = "[x]" if value in self.ticked else "[ ]"
        # Assembled, not parsed: an origin may hold anything.
        return Content.assemble(f"{tick} {one_line(name, 40)}", (f"  {self._counts.get(value, 0):,}", "$text-muted"))

    def on_mount(self) -> None:
        """Say how many would be shown."""
        super().on_mount()
        self._say()

    def _say(self) -> None:
        shown = len(chosen(self._items, Choice(self._choice.needle, frozenset(self.ticked)), self._previews, self._now))
        self.query_one("#dialog").border_subtitle = Content(f"{shown:,} of {len(self._items):,}")

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
        self.ticked ^= {value}
        self.rows.replace_option_prompt(option.id, self._words(value))
        self._say()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click ticks."""
        event.stop()
        self.action_tick()

    def action_clear(self) -> None:
        """No tick at all."""
        self.ticked.clear()
        for place, value in enumerate(self._values):
            self.rows.replace_option_prompt(_id_of(place), self._words(value))
        self._say()

    def action_done(self) -> None:
        """Show what is ticked."""
        self.dismiss(frozenset(self.ticked))


def _id_of(place: int) -> str:
    return f"value-{place}"
