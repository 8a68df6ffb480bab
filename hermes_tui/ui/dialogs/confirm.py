"""One question, answered with yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from hermes_tui.text import visible
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane


class Answer(Static, can_focus=True):
    """A word to choose; with the focus it is drawn reversed, which shows without colour too."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "choose", "Choose", show=False)]

    class Chosen(Message):
        """It was pressed."""

        def __init__(self, answer: Answer) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, key: str, words: str, *, id: str, danger: bool = False) -> None:
        label = Content.assemble(" ", (key, "bold"), f"  {words} ")  # its blanks are reversed with it
        super().__init__(label, id=id, classes="-danger" if danger else "")

    def action_choose(self) -> None:
        """Press it."""
        self.post_message(self.Chosen(self))

    def on_click(self, event: events.Click) -> None:
        """A click presses it."""
        event.stop()
        self.action_choose()


class Confirm(Dialog[bool]):
    """Asks y or n; rests on no, and escape is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n", "answer(False)", "No", show=False),
        Binding("left,right,h,l", "other", "Other answer", show=False),
    ]
    AUTO_FOCUS = "#no"

    def __init__(self, question: str, *, detail: str = "", yes: str = "Yes", danger: bool = False) -> None:
        """Ask `question`.

        Args:
            question: names the count and the thing: `Delete 3 entries?`.
            detail: what exactly, as raw text: it is made safe here.
            yes: the word for doing it.
            danger: whether undo could not bring it back.
        """
        super().__init__(classes="-danger" if danger else "")
        self.question = visible(question)
        self.detail = detail
        self._yes = yes
        self._danger = danger
        self.size_class = "-small"

    def compose_body(self) -> ComposeResult:
        """The question, what it is about, and the two answers."""
        yield Static(self.question, id="question", markup=False)
        if self.detail:
            yield TextPane(Paper().raw(self.detail), id="detail")
        with Horizontal(id="answers"):
            yield Answer("n", "No", id="no")
            yield Answer("y", visible(self._yes), id="yes", danger=self._danger)

    def key_hints(self) -> list[KeyHint]:
        """The answers show their keys themselves."""
        return []

    def on_answer_chosen(self, event: Answer.Chosen) -> None:
        """Take the answer that was pressed."""
        self.action_answer(event.answer.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Leave with an answer."""
        self.dismiss(yes)

    def action_other(self) -> None:
        """Put the focus on the other answer."""
        self.query_one("#no" if self.focused is not None and self.focused.id == "yes" else "#yes").focus()

    def leave(self) -> None:
        """Escape is no."""
        self.dismiss(False)
