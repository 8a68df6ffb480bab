"""What a form is made of: ticks, choices, and lines to type into, each with its name in a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from hermes_tui.text import cells, visible
from hermes_tui.ui.dialogs.line_input import LineInput

NAME_CELLS = 12
"""The column of names."""
NUMBER_CELLS = 12
"""What a number is typed in."""


class FormChanged(Message):
    """Something in a form is another than before."""


class Tick(Static, can_focus=True):
    """A sentence that holds or does not; space changes that."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "tick", "Tick", show=False)]

    DEFAULT_CSS = """
    Tick {
        width: 1fr;
        height: auto;
        &:focus { background: $card-background-focus; text-style: $focus-style; }
        &.-off { color: $text-disabled; }
    }
    """

    def __init__(self, words: str, *, ticked: bool = False, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._words = words
        self.ticked = ticked

    def on_mount(self) -> None:
        """Draw it."""
        self.put(self.ticked)

    def put(self, ticked: bool) -> None:
        """Have it so."""
        self.ticked = ticked
        self.update(Content(f"{'[x]' if ticked else '[ ]'} {self._words}"))

    def say(self, words: str) -> None:
        """Have other words behind the box."""
        self._words = words
        self.put(self.ticked)

    def action_tick(self) -> None:
        """Change it."""
        self.put(not self.ticked)
        self.post_message(FormChanged())

    def on_click(self, event: events.Click) -> None:
        """A click changes it."""
        event.stop()
        self.action_tick()


class Choices(Widget, can_focus=True):
    """One of a few; left and right choose, and all of them stay in sight where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,space", "choose(1)", "Next", show=False),
        Binding("left,h", "choose(-1)", "Previous", show=False),
    ]

    DEFAULT_CSS = """
    Choices {
        width: 1fr;
        height: auto;
        &:focus { background: $card-background-focus; text-style: $focus-style; }
    }
    """

    def __init__(self, name: str, words: Sequence[str], *, at: int = 0, id: str) -> None:
        """Offer `words`.

        Args:
            name: stands before them.
            words: what can be chosen, safe to show.
            at: which one is chosen at first.
            id: as of every widget.
        """
        super().__init__(id=id)
        self._label = name
        self._words = tuple(words)
        self.at = at

    def put(self, words: Sequence[str], at: int) -> None:
        """Offer others."""
        self._words, self.at = tuple(words), at
        self.refresh(layout=True)

    def render(self) -> Content:
        """All of them; where that is too long, the chosen one between arrows."""
        lead = f"{self._label:<{NAME_CELLS}}"
        every = "  ".join(f"{'(•)' if at == self.at else '( )'} {words}" for at, words in enumerate(self._words))
        if len(self._words) < 2:
            return Content(lead + self._words[0])
        if cells(lead + every) > max(self.content_size.width, 1):
            every = f"‹ {self._words[self.at]} ›  {self.at + 1} of {len(self._words)}"
        return Content(lead + every)

    def action_choose(self, by: int) -> None:
        """The next one, or the one before."""
        if len(self._words) > 1:
            self.at = (self.at + by) % len(self._words)
            self.refresh()
            self.post_message(FormChanged())

    def on_click(self, event: events.Click) -> None:
        """A click takes the one under the mouse, or the next."""
        event.stop()
        x = NAME_CELLS
        for at, words in enumerate(self._words):
            width = cells(words) + 4
            if x <= event.x < x + width:
                self.action_choose(at - self.at)
                return
            x += width + 2


class Line(Horizontal):
    """A name and a line to type into, with words behind it."""

    DEFAULT_CSS = f"""
    Line {{
        height: 1;
        & > .name {{ width: {NAME_CELLS}; }}
        & > LineInput {{ width: 1fr; background: $panel; }}
        &.-number > LineInput {{ width: {NUMBER_CELLS}; }}
        & > .unit {{ width: auto; margin-left: 1; color: $text-muted; }}
        & > LineInput:focus {{ background: $card-background-focus; }}
        & > LineInput:focus > .input--placeholder {{ color: $text-muted; }}
    }}
    """

    def __init__(self, name: str, text: str = "", *, unit: str = "", placeholder: str = "", id: str) -> None:
        """Ask for a text, or for a number where there is a unit.

        Args:
            name: stands before it.
            text: what is in it at first, exact.
            unit: stands behind it: `days`.
            placeholder: what to say while nothing is typed.
            id: as of every widget.
        """
        super().__init__(id=id, classes="-number" if unit else "")
        self._label, self._text, self._unit, self._placeholder = name, text, unit, placeholder

    def compose(self) -> ComposeResult:
        """Name, line, words."""
        yield Static(self._label, classes="name", markup=False)
        yield LineInput(self._text, placeholder=self._placeholder)
        if self._unit:
            yield Static(visible(self._unit), classes="unit", markup=False)

    @property
    def input(self) -> LineInput:
        """The line."""
        return self.query_one(LineInput)

    @property
    def text(self) -> str:
        """What is typed, exact."""
        return self.input.text

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say so."""
        event.stop()
        self.post_message(FormChanged())
