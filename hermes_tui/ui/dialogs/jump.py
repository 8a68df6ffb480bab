"""A letter on everything that keys can go to: typing one goes there."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

LETTERS = "asdfghjklqwertyuiop"
"""Those under the fingers come first."""


class Jump(ModalScreen[Widget | None]):
    """Ends with what was chosen, or with nothing on any other key."""

    DEFAULT_CSS = """
    Jump { background: transparent; align: left top; }
    Jump .letter {
        position: absolute;
        width: 5;
        height: 1;
        background: $background;
        color: $accent;
        text-style: bold reverse;
    }
    """

    def __init__(self, targets: Sequence[Widget]) -> None:
        super().__init__()
        self.targets = dict(zip(LETTERS, targets, strict=False))

    def compose(self) -> ComposeResult:
        """The letters, each in the corner of what it leads to."""
        for letter, target in self.targets.items():
            sign = Static(f"  {letter}  ", classes="letter", markup=False)  # its blanks are reversed with it
            sign.styles.offset = target.region.offset
            yield sign

    def on_key(self, event: events.Key) -> None:
        """A letter chooses; any other key has the screen as it was."""
        event.stop()
        self.dismiss(self.targets.get(event.key))

    def on_click(self) -> None:
        """So has a click."""
        self.dismiss(None)
