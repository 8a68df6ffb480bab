"""The transcript in its frame: which conversation it is, what to know about it, and where in it one is."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from hermes_tui.text import cells, visible
from hermes_tui.ui.transcript.title_line import TitleLine
from hermes_tui.ui.transcript.view import TranscriptView
from hermes_tui.ui.widgets.notice import NoticedPane

EDGE_CELLS = 4
"""Of the edge, what is left of a title in it, and right of it."""


class TranscriptPane(NoticedPane):
    """The title, the messages, and a notice when there is something to know."""

    title_line = getters.query_one(TitleLine)
    view = getters.query_one(TranscriptView)

    def __init__(self, title: str) -> None:
        super().__init__(id="transcript")
        self._title = title

    def compose(self) -> ComposeResult:
        """Title and messages."""
        yield TitleLine(self._title)
        yield TranscriptView(id="transcript-view")

    @property
    def below_notice(self) -> Widget:
        """What the notice stands above."""
        return self.view

    def show_place(self, above: str, below: list[str]) -> None:
        """Put on the frame where one is; all of it in the upper edge where there is no lower one."""
        single = self.app.has_class("-tabs")
        words = [word for word in ([above, *below] if single else [above]) if word]
        # What is said last can be missed first.
        while len(words) > 1 and cells(" · ".join(words)) > self.app.size.width - EDGE_CELLS:
            words.pop()
        self.show_title(visible(" · ".join(words), multiline=False))
        rest = "" if single else " · ".join(word for word in below if word)
        self.border_subtitle = Content(visible(rest, multiline=False)) or None
