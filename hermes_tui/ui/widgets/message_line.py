"""A line of keys that says, until the next key, what the last one did."""

from __future__ import annotations

from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells
from hermes_tui.ui.widgets.ink import Inked

SIGN = "» "
"""Stands before a message, so that it is told from keys without colour too."""


class MessageLine(Inked, Widget):
    """Keys, or a message in the place of their first row."""

    message: reactive[str] = reactive("")
    """What to say; safe to show, and one line."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clicked_away = False

    def room_for_message(self) -> int:
        """The cells that a message may take."""
        return self.size.width - cells(SIGN) - 2

    def message_strip(self) -> Strip:
        """The row with the message."""
        style = self._inks("badge-info", "badge-info-background", "bold")
        return Strip([Segment(f" {SIGN}{self.message}", style)]).adjust_cell_length(self.size.width, style)

    def on_mouse_down(self) -> None:
        """A message goes when it is clicked."""
        self._clicked_away = bool(self.message)
        self.message = ""

    def took_click(self) -> bool:
        """Whether a click was for a message, and not for the key that stands there now."""
        return self._clicked_away
