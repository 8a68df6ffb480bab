"""A long entry and the pieces it would be cut into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widgets import Static

from hermes_tui.memory.entries import Usage
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.confirm import Answer
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import Side


class SplitPreview(Dialog[bool]):
    """Shows before and after, asks y or n, rests on no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Split", show=False),
        Binding("n", "answer(False)", "Keep", show=False),
    ]
    AUTO_FOCUS = "#no"

    def __init__(
        self,
        *,
        title: str,
        before: str,
        pieces: Sequence[str],
        usage_after: Usage | None = None,
        notes: Sequence[str] = (),
        refusal: str = "",
    ) -> None:
        """Propose `pieces` for `before`.

        Args:
            title: `Split entry 1 of USER.md`.
            before: the exact text of the entry.
            pieces: the exact texts it would become, in order.
            usage_after: how full the store would be.
            notes: further sentences for the person.
            refusal: why it cannot be done; empty when it can.
        """
        super().__init__()
        self.heading = visible(title, multiline=False)
        self.footing = usage_after.label if usage_after else ""
        self._before = before
        self._pieces = tuple(pieces)
        self._notes = tuple(notes)
        self._refusal = refusal

    def compose_body(self) -> ComposeResult:
        """The question, both sides, and the answers."""
        yield Static(self._lead(), id="lead")
        with Container(classes="sides"):
            yield Side(Paper().raw(self._before), "Now: 1 entry", id="before")
            yield Side(self._after(), f"Then: {plural(len(self._pieces), 'entry', 'entries')}", id="after")
        with Horizontal(id="answers"):
            yield Answer("n", "Keep it whole", id="no")
            if not self._refusal:
                yield Answer("y", f"Split into {len(self._pieces)}", id="yes")

    def _lead(self) -> Content:
        if self._refusal:
            return Content.assemble(("✗ ", "$error"), visible(self._refusal))
        words = [f"Split it into {plural(len(self._pieces), 'entry', 'entries')}? One undo makes it whole again."]
        return Content("\n".join(words + [visible(note) for note in self._notes]))

    def _after(self) -> Paper:
        paper = Paper()
        for number, piece in enumerate(self._pieces, 1):
            if number > 1:
                paper.fresh().line()
            paper.line(f"§ {number} · {plural(len(piece), 'character')}", "heading")
            paper.raw(piece)
        return paper

    def key_hints(self) -> list[KeyHint]:
        """y, n and reading."""
        return [
            KeyHint("tab", "Read", "app.focus_next"),
            KeyHint("esc", "Keep it whole", "screen.leave"),
        ]

    def on_answer_chosen(self, event: Answer.Chosen) -> None:
        """Take the answer that was pressed."""
        self.action_answer(event.answer.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Leave with an answer."""
        if not (yes and self._refusal):
            self.dismiss(yes)

    def leave(self) -> None:
        """Escape is no."""
        self.dismiss(False)
