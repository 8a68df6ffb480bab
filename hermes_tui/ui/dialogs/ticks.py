"""Ticking what to see: values under headings, each with a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows

Result = TypeVar("Result")
Value = TypeVar("Value", bound=tuple[str, str])


class TickDialog(Dialog[Result | None], Generic[Result, Value]):
    """Rows of values, each a heading and a name, to be ticked; leaves with what the ticks mean.

    Args:
        values: in order, those of a heading together.
        ticked: those that are ticked at first.
        headings: what each heading is called; its own name if it is not there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Tick", show=False),
        Binding("enter", "done", "Show", show=False),
        Binding("c", "clear", "Clear", show=False),
        Binding("f,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    rows = getters.query_one(OptionRows)

    def __init__(self, values: Iterable[Value], ticked: Iterable[Value], headings: Mapping[Any, str]) -> None:
        super().__init__()
        self._values: list[Value] = list(values)
        self._headings = headings
        self.ticked: set[Value] = set(ticked)

    # What a dialog has to say

    def words_of(self, value: Value) -> Content:
        """A row."""
        raise AttributeError(f"{type(self).__name__} has no words for {value}")

    def say(self) -> None:
        """Say on the frame how many would be shown."""
        raise AttributeError(f"{type(self).__name__} does not say how many would be shown")

    def untied_from(self, value: Value) -> set[Value]:
        """The ticks that go when this value is ticked."""
        del value
        return set()

    @property
    def result(self) -> Result:
        """What the ticks mean."""
        raise AttributeError(f"{type(self).__name__} does not say what its ticks mean")

    # The rows

    def compose_body(self) -> ComposeResult:
        """Every value under its heading."""
        yield OptionRows(*self._options())

    def _options(self) -> list[Option]:
        options: list[Option] = []
        heading = ""
        for place, value in enumerate(self._values):
            if value[0] != heading:
                heading = value[0]
                words = self._headings.get(heading, heading.title())
                options.append(Option(Content.styled(words, "$accent bold"), disabled=True))
            options.append(Option(self.words_of(value), id=_id_of(place)))
        return options

    def offer(self, values: Iterable[Value]) -> None:
        """Offer other values; the cursor stays on its own."""
        under, self._values = self._under_cursor, list(values)
        self.rows.clear_options()
        self.rows.add_options(self._options())
        at = self._values.index(under) if under in self._values else None
        self.rows.highlighted = self.rows.get_option_index(_id_of(at)) if at is not None else None
        if at is None:
            self.rows.action_first()

    @property
    def _under_cursor(self) -> Value | None:
        at = self.rows.highlighted
        option = self.rows.get_option_at_index(at) if at is not None else None
        return self._values[int(option.id.removeprefix("value-"))] if option and option.id else None

    def redraw(self, value: Value) -> None:
        """Draw a row anew."""
        self.rows.replace_option_prompt(_id_of(self._values.index(value)), self.words_of(value))

    def on_mount(self) -> None:
        """Say how many would be shown."""
        super().on_mount()
        self.say()

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
        value = self._under_cursor
        if value is None:
            return
        others = self.untied_from(value)
        self.ticked = (self.ticked - others) ^ {value}
        for changed in (value, *others):
            self.redraw(changed)
        self.say()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click ticks."""
        event.stop()
        self.action_tick()

    def action_clear(self) -> None:
        """No tick at all."""
        self.ticked.clear()
        for value in self._values:
            self.redraw(value)
        self.say()

    def action_done(self) -> None:
        """Show what is ticked."""
        self.dismiss(self.result)


def _id_of(place: int) -> str:
    return f"value-{place}"
