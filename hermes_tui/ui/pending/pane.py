"""The list in its frame: how many writes wait, which of them are shown, and what to know about the queue."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from hermes_tui.text import visible
from hermes_tui.ui.pending.choosing import ORDER_WORDS, Choice
from hermes_tui.ui.pending.queue_list import QueueList
from hermes_tui.ui.widgets.notice import NoticedPane


class QueuePane(NoticedPane):
    """The list with its title, its numbers and a notice."""

    queue_list = getters.query_one(QueueList)

    def compose(self) -> ComposeResult:
        """The list."""
        yield QueueList(id="queue-list")

    def show_counts(self, every: int, shown: int, choice: Choice, view: str = "", *, gone: bool = False) -> None:
        """Put the numbers on the frame."""
        count = "no such home" if gone else f"{shown:,} of {every:,}" if choice.narrows else f"{every:,}"
        selected = self.queue_list.selection_size
        picked = f"{selected:,} selected" if selected else ""
        order = ORDER_WORDS[choice.order] if choice.order != "oldest" else ""
        # Where the frame has no lower edge, everything stands in the upper one.
        above = ["Pending", view, count]
        below = [picked, order]
        if self.app.has_class("-tabs"):
            above, below = [*above, *below], []
        self.show_title(" · ".join(word for word in (*above, visible(choice.words)) if word))
        self.border_subtitle = Content(" · ".join(word for word in below if word)) or None

    @property
    def below_notice(self) -> Widget:
        """What the notice stands above."""
        return self.queue_list
