"""The name of a saved view being written, under the list of views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from hermes_tui.errors import Refused
from hermes_tui.text import one_line
from hermes_tui.ui.dialogs.line_input import LineInput
from hermes_tui.views import clean_name, same_name

if TYPE_CHECKING:
    from hermes_tui.views import View

SHOWN_CELLS = 40
"""Of a name in a sentence."""


class ViewName(Vertical):
    """A line for a name, and what becomes of it; not there until somebody asks for one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s,f2", "save", "Save", show=False)]

    class Checked(Message):
        """The name was looked at: it can be saved now, or no longer."""

    class Named(Message):
        """There is a name."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    line = getters.query_one(LineInput)

    def __init__(self) -> None:
        super().__init__(id="view-name")
        self._others: tuple[View, ...] = ()
        self._over = False
        self.display = False

    def compose(self) -> ComposeResult:
        """What it is for, the line, and what becomes of it."""
        yield Static(id="view-name-heading", markup=False)
        yield LineInput(placeholder="a name for the view", chosen=True)
        yield Static(id="view-verdict", markup=False)

    def ask(self, heading: str, name: str, others: Sequence[View], *, over: bool) -> None:
        """Ask for a name.

        Args:
            heading: what it is for.
            name: what to begin with.
            others: the views that have a name already.
            over: whether it may be that of one of them.
        """
        self._others, self._over = tuple(others), over
        self.query_one("#view-name-heading", Static).update(Content.styled(heading, "bold"))
        self.display = True
        self.line.put(name)
        self.line.focus()
        self.show_check()

    def end(self) -> None:
        """Ask no more."""
        self.display = False

    @property
    def works(self) -> bool:
        """Whether what is typed can be saved."""
        return self._checked()[0] is not None

    def _checked(self) -> tuple[str | None, str]:
        """The name as it would be kept, None when it cannot be; and what to say."""
        text = self.line.text
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
        self.post_message(self.Checked())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter saves."""
        event.stop()
        self.action_save()

    def action_save(self) -> None:
        """Hand the name back, unless it cannot be."""
        name = self._checked()[0]
        if name is not None:
            self.post_message(self.Named(name))
