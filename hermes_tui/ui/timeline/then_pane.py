"""One store as of the place on the line, in its frame: how full it was, and what it held."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from hermes_tui.memory.entries import FILE_NAMES, StoreName, Usage
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import SideText
from hermes_tui.ui.timeline.then import Then
from hermes_tui.ui.timeline.then_paper import count_words
from hermes_tui.ui.widgets.titled import Titled
from hermes_tui.ui.widgets.usage_bar import UsageBar


class ThenText(SideText):
    """What it held."""


class EverText(SideText, Titled):
    """The story of an entry that was found."""


class ThenPane(Vertical, Titled):
    """A store of the past."""

    text = getters.query_one(ThenText)
    usage_bar = getters.query_one(UsageBar)

    def __init__(self, store: StoreName, limit: int) -> None:
        super().__init__(id=f"then-{store}", classes="then")
        self.store: StoreName = store
        self._limit = limit
        self.shown: Then | None = None
        """What is shown; None before there is anything."""

    def compose(self) -> ComposeResult:
        """How full it was, and the entries."""
        yield UsageBar(Usage(0, self._limit))
        yield ThenText(id=f"then-text-{self.store}")

    def on_mount(self) -> None:
        """Name it."""
        self.show_title(FILE_NAMES[self.store])

    def show(self, then: Then, paper: Paper, when: str) -> None:
        """Show a moment.

        Args:
            then: what it held.
            paper: the same, to be read.
            when: what the moment is called.
        """
        fresh = self.shown is None or self.shown.compared != then.compared
        self.shown = then
        self.usage_bar.usage = then.usage
        self.usage_bar.instead = "" if then.known else "not known"
        words = [FILE_NAMES[self.store], when, count_words(then) if then.known else ""]
        self.show_title(" · ".join(filter(None, words)))
        self.text.show(paper)
        if fresh:
            self.text.scroll_to(y=0, animate=False, immediate=True)

    def name_other(self, words: str) -> None:
        """Say what leads to the other store, where there is room for one."""
        self.border_subtitle = Content(words) if words else None
