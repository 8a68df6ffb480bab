"""A form as a dialog: enter goes on from every field, and what is filled in is followed at every key."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from hermes_tui.ui.dialogs.base import Dialog, Result
from hermes_tui.ui.dialogs.form import Choices, FormChanged, Tick

SAVES = Binding("ctrl+s,f2", "go", "Save", show=False, priority=True)
"""For forms that write what is filled in: these keys do what enter does."""


class FormDialog(Dialog[Result]):
    """Fields below each other; the keys of its bottom line are for the field with the focus, by mouse too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go on", show=False),
        Binding("down", "app.focus_next", "Next", show=False),
        Binding("up", "app.focus_previous", "Previous", show=False),
    ]

    def follow(self) -> None:
        """Something is filled in otherwise than before: say what that means."""

    def action_go(self) -> None:
        """Leave with what is filled in, if it will do."""

    def on_input_changed(self, event: Input.Changed) -> None:
        """A key in a line that stands by itself."""
        event.stop()
        self.follow()

    def on_form_changed(self, event: FormChanged) -> None:
        """Something else is chosen, ticked or typed."""
        event.stop()
        self.follow()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a line."""
        event.stop()
        self.action_go()

    def action_tick(self) -> None:
        """Tick what has the focus."""
        if isinstance(self.focused, Tick):
            self.focused.action_tick()

    def action_choose(self) -> None:
        """The next choice of what has the focus."""
        if isinstance(self.focused, Choices):
            self.focused.action_choose(1)
