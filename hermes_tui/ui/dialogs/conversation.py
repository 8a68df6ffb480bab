"""The conversation that led to a pending write."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.redaction import redact
from hermes_tui.sessions.dates import to_the_minute
from hermes_tui.sessions.evidence import Evidence, Turn
from hermes_tui.text import clip, one_line, visible
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import ClosePane
from hermes_tui.ui.transcript.sections import call_words

MAX_TURN_CHARS = 4_000
"""So much of one message is shown; a tool's output can be megabytes."""
MAX_NAME_CELLS = 40
"""So much of the name of a tool."""


class ConversationDialog(Dialog[None]):
    """The last messages before a write was staged, oldest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", show=False),
        Binding("c,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "TextPane"
    size_class = "-close"

    heading = "What was said before this write"

    def __init__(self, evidence: Evidence) -> None:
        super().__init__()
        self._evidence = evidence
        self.footing = evidence.session_id

    def compose_body(self) -> ComposeResult:
        """The session, how sure it is, and the messages."""
        yield ClosePane(self.paper())

    def paper(self) -> Paper:
        """All that is shown."""
        paper = Paper()
        evidence = self._evidence
        named = f"“{evidence.title}”" if evidence.title else evidence.session_id
        paper.line(f"Session {visible(named, multiline=False)}", "heading")
        if evidence.certainty == "exact":
            paper.line("The session itself names this write.", "muted")
        else:
            paper.line("Likely: it was the last conversation before a background review staged this write.", "muted")
        for turn in evidence.turns:
            paper.fresh().line()
            paper.line(f"{visible(turn.role, multiline=False)}{_when(turn)}", "strong")
            shown, cut = clip(turn.text, MAX_TURN_CHARS)
            paper.fresh().words(visible(shown), "plain")
            if cut:
                paper.line(f"… {cut:,} more characters", "muted")
            for call in turn.calls:
                name, detail = call_words(call)
                paper.fresh().words("calls ", "muted").words(one_line(name, MAX_NAME_CELLS), "strong")
                paper.words(f"  {visible(redact(detail), multiline=False)}".rstrip())
            if not turn.text and not turn.calls:
                paper.line("(nothing)", "muted")
        return paper

    def key_hints(self) -> list[KeyHint]:
        """Copy and back."""
        return [
            KeyHint("y", "Copy the session's id", "screen.copy"),
            KeyHint("↑↓", "Scroll", "screen.focus_next"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def action_copy(self) -> None:
        """Ask for the session's id on the clipboard."""
        self.post_message(CopyRequested(self._evidence.session_id, "the session's id"))


def _when(turn: Turn) -> str:
    when = to_the_minute(turn.timestamp)
    return f"  {when}" if when else ""
