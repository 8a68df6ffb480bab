"""How a change to several things ended: what is done, and what is not, each with its own reason."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane


class Results(Dialog[bool | None]):
    """Shows a paper; True when what is done shall be taken back.

    Args:
        heading: names the counts.
        paper: what is done, and what is not.
        undo: what taking it back would do, in a few words; empty when there is nothing to take back.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "leave", "Back", show=False),
        Binding("u", "undo", "Undo", show=False),
    ]
    AUTO_FOCUS = "TextPane"

    def __init__(self, heading: str, paper: Paper, *, undo: str) -> None:
        super().__init__()
        self.heading = heading
        self.footing = undo or "nothing was changed"
        self._paper = paper
        self._undo = bool(undo)

    def compose_body(self) -> ComposeResult:
        """The list."""
        yield TextPane(self._paper)

    def key_hints(self) -> list[KeyHint]:
        """Scroll and back."""
        return [KeyHint("↑↓", "Scroll", "screen.focus_next"), KeyHint("esc", "Back", "screen.leave")]

    def action_undo(self) -> None:
        """Leave, and take back what was done."""
        if self._undo:
            self.dismiss(True)
