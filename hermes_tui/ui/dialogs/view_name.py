"""The name of a saved view being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from hermes_tui.errors import Refused
from hermes_tui.text import one_line
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.line_input import LineInput
from hermes_tui.views import clean_name, same_name

if TYPE_CHECKING:
    from hermes_tui.views import View

SHOWN_CELLS = 40
"""Of a name in a sentence."""


class ViewName(Dialog["str | None"]):
    """Leaves with the name; None when nothing is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s,f2", "save", "Save", show=False, priority=True)]
    AUTO_FOCUS = "LineInput"

    size_class = "-small"

    line = getters.query_one(LineInput)

    def __init__(self, heading: str, name: str, others: Sequence[View], *, over: bool) -> None:
        """Ask for a name.

        Args:
            heading: what it is for.
            name: what to begin with.
            others: the views that have a name already.
            over: whether it may be that of one of them.
        """
        super().__init__()
        self.heading = heading
        self._start = name
        self._others = tuple(others)
        self._over = over

    def compose_body(self) -> ComposeResult:
        """The line, and what becomes of it."""
        yield LineInput(self._start, placeholder="a name for the view", chosen=True, id="view-name")
        yield Static(id="view-verdict", markup=False)

    def on_mount(self) -> None:
        """Say what the name would do."""
        super().on_mount()
        self.show_check()

    def key_hints(self) -> list[KeyHint]:
        """Save, leave."""
        works = self._checked()[0] is not None
        return [KeyHint("enter", "Save", "screen.save", works), KeyHint("esc", "Leave", "screen.leave")]

    def _checked(self) -> tuple[str | None, str]:
        """The name as it would be kept, None when it cannot be; and what to say."""
        text = self.line.text if self.is_mounted else self._start
        if not text.strip():
            return None, ""
        try:
            name = clean_name(text)
        except Refused as error:
            return None, f"✗ {error.message}"
        there = next((view for view in self._others if same_name(view.name, name)), None)
        if there is None:
            return name, ""
        words = f"There is a view “{one_line(there.name, SHOWN_CELLS)}” already"
        return (name, f"{words}; you are asked before it is replaced.") if self._over else (None, f"✗ {words}.")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Check at every key."""
        event.stop()
        self.show_check()

    def show_check(self) -> None:
        """Say what the name would do."""
        name, words = self._checked()
        tone = "$text-muted" if name is not None else "$error"
        self.query_one("#view-verdict", Static).update(Content.styled(words, tone))
        self.query_one(KeyBar).show(self.key_hints())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter saves."""
        event.stop()
        self.action_save()

    def action_save(self) -> None:
        """Hand the name back, unless it cannot be."""
        name = self._checked()[0]
        if name is not None:
            self.dismiss(name)
