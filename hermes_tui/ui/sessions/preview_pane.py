"""The pane beside the list: the conversation under the cursor."""

from __future__ import annotations

from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from hermes_tui.errors import HermesTuiError
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import SideText
from hermes_tui.ui.sessions.preview_paper import Subject, preview_paper
from hermes_tui.ui.sessions.sheets import Key
from hermes_tui.ui.widgets.titled import Titled


class PreviewText(SideText):
    """The text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("g", "scroll_home", "Top", show=False)]


class PreviewPane(Vertical, Titled):
    """The text in its frame."""

    text = getters.query_one(PreviewText)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: object = None

    def compose(self) -> ComposeResult:
        """The text."""
        yield PreviewText(id="preview-text")

    def show(self, subject: Subject, key: Key) -> None:
        """Show a conversation; the place in the text stays while it is the same row."""
        self.text.show(preview_paper(subject))
        if key != self._shown:
            self.text.scroll_home(animate=False, immediate=True)
            self._shown = key
        self.show_title("Preview")
        self.border_subtitle = Content(visible(subject.summary.brief.id[:40], multiline=False))

    def show_trouble(self, error: HermesTuiError) -> None:
        """It could not be read."""
        self._shown = None
        self.text.show(Paper().raw(f"{error.message} {error.hint}".strip(), "error"))
        self.border_subtitle = None

    def show_nothing(self) -> None:
        """There is no row."""
        self._shown = None
        self.text.show(Paper())
        self.show_title("Preview")
        self.border_subtitle = None
