"""One step of the tour: a few sentences at the bottom, and the screen that they are about above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from hermes_tui import SCREENS
from hermes_tui.ui.actions import BY_ID
from hermes_tui.ui.dialogs.base import Dialog, KeyHint


class TourStep(Dialog[int | str]):
    """Ends with 1 for the next step, -1 for the one before, 0 for the palette, None for the end of the tour.

    A screen's own key leads there, as everywhere: it ends with the name of that screen, and so does the tour.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,right,l", "step(1)", "Next", show=False),
        Binding("left,h,backspace", "step(-1)", "Before", show=False),
        Binding("ctrl+p,colon", "app.command_palette", "Palette", show=False, id="app.palette"),
        *(
            Binding(",".join(BY_ID[f"app.{name}"].keys), f"leave_for('{name}')", show=False, id=f"app.{name}")
            for name in SCREENS
        ),
    ]
    size_class = "-small"

    def __init__(self, title: str, said: Sequence[tuple[str, str]], *, number: int, steps: int) -> None:
        """Show a step.

        Args:
            title: what it is about.
            said: its words in pieces, each with a style.
            number: of this step, from 0.
            steps: how many there are.
        """
        super().__init__()
        self.heading = f"Tour {number + 1} of {steps} · {title}"
        self._said = Content.assemble(*said)
        self._first, self._last = number == 0, number == steps - 1

    def compose_body(self) -> ComposeResult:
        """The words."""
        yield Static(self._said, id="said", markup=False)

    def key_hints(self) -> list[KeyHint]:
        """On, back, and out of it."""
        back = [] if self._first else [KeyHint("←", "Before", "screen.step(-1)")]
        return [
            KeyHint("enter", "Done" if self._last else "Next", "screen.step(1)"),
            *back,
            KeyHint("esc", "End the tour", "screen.leave"),
        ]

    def action_step(self, by: int) -> None:
        """Go on, or back."""
        if by > 0 or not self._first:
            self.dismiss(by)

    def action_leave_for(self, screen: str) -> None:
        """End the tour on a screen."""
        self.dismiss(screen)

    def step_aside(self) -> None:
        """Let the palette be seen over the screen that this step is about."""
        self.dismiss(0)
