"""Searching in all entries that are or ever were, as one types."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_tui.history.ever import Ever, search
from hermes_tui.text import plural
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.timeline.story import story, story_paper
from hermes_tui.ui.timeline.then_pane import EverText

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.chronicle import Known
    from hermes_tui.ui.timeline.screen import TimelineScreen


class Searching:
    """What is looked for, and what was found."""

    def __init__(self, screen: TimelineScreen) -> None:
        self._screen = screen
        self._evers: Sequence[Ever] = ()
        self._of: Known | None = None
        self.needle = ""
        self.on = False
        """Whether the list has entries that were found, and not changes."""
        self.working = False
        """Whether an answer is on its way."""

    @property
    def pane(self) -> EverText:
        """Where the story of what was found is read."""
        return self._screen.query_one(EverText)

    @property
    def count_words(self) -> str:
        """`12 of 180`."""
        shown, every = len(self._screen.change_list.evers or ()), len(self._evers)
        return f"{shown:,} of {every:,}" if self.needle else plural(every, "entry", "entries")

    async def action_search(self) -> None:
        """Open the line to search with, or go back into it."""
        screen = self._screen
        bar = await screen.open_filter_bar(self, "words in any entry there ever was")
        if not self.on:
            self.on = True
            screen.query_one("#then").add_class("-ever")
            self.find(self.needle)
        bar.input.focus()

    def find(self, needle: str) -> None:
        """Look for what is typed; late answers are dropped."""
        self.needle = needle
        self.working = True
        self._screen.run_worker(self._find(), name="search", group="search", exclusive=True, exit_on_error=False)

    async def _find(self) -> None:
        screen, known, needle = self._screen, self._screen.known, self.needle
        if known is not None:
            before = screen.change_list.ever
            evers, found = await asyncio.to_thread(self._found, known, needle)
            if needle != self.needle or not self.on:
                return
            self._evers, self._of = evers, known
            same = (place for place, ever in enumerate(found) if before and _same(ever, before))
            screen.change_list.show_evers(found, needle.split(), next(same, 0))
        self.working = False
        screen.show_around()
        if screen.filter_bar is not None:
            screen.filter_bar.show_counts()
        self.show_entry()

    def _found(self, known: Known, needle: str) -> tuple[Sequence[Ever], Sequence[Ever]]:
        """In a thread: all there are, and those that have the words."""
        evers = self._evers if self._of is known else known.timeline.ever()
        return evers, search(evers, needle)

    def known_changed(self) -> None:
        """More is known than before."""
        if self.on and self._of is not self._screen.known:
            self.find(self.needle)

    def show_entry(self) -> None:
        """Show the story of the entry under the cursor."""
        if self.on:
            self._screen.run_worker(
                self._show_entry(), name="entry", group="entry", exclusive=True, exit_on_error=False
            )  # fmt: skip

    async def _show_entry(self) -> None:
        screen, known, ever = self._screen, self._screen.known, self._screen.change_list.ever
        paper = Paper()
        if known is not None and ever is not None:
            paper = await asyncio.to_thread(self._story, known, ever)
        if screen.change_list.ever == ever:
            self.pane.show_title("Its story" if ever else "Entries that are or ever were")
            self.pane.show(paper)
            self.pane.scroll_to(y=0, animate=False, immediate=True)

    def _story(self, known: Known, ever: Ever) -> Paper:
        return story_paper(story(known.timeline, known.line, self._screen.state.views, ever.store, ever.text))

    def jump(self) -> None:
        """Go to the moment at which the entry came, or went if it is gone."""
        screen, ever = self._screen, self._screen.change_list.ever
        if ever is None:
            return
        changes = screen.line.changes
        rows = [row for row, change in enumerate(changes) if change.store == ever.store]
        went = [row for row in rows if changes[row].before == ever.text]
        came = [row for row in rows if changes[row].after == ever.text]
        wanted = went or came if ever.until is not None else came
        self.end()
        if wanted:
            screen.go(screen.line.at_row(wanted[-1]))

    def end(self) -> None:
        """Look for nothing any more: the changes are shown again."""
        screen = self._screen
        if screen.filter_bar is not None:
            screen.filter_bar.remove()
        self.needle, self.on, self.working = "", False, False
        screen.query_one("#then").remove_class("-ever")
        screen.change_list.show_changes(screen.line.changes, screen.place.row)
        screen.show_around()
        screen.change_list.focus()

    def action_back(self) -> None:
        """Back out one step: the search, the chart, then what stands above the list."""
        screen = self._screen
        if self.on:
            self.end()
        elif not screen.change_list.has_focus:
            screen.change_list.focus()
        elif screen.consulting.chart_shown:
            screen.consulting.action_chart()


def _same(one: Ever, other: Ever) -> bool:
    return (one.store, one.text) == (other.store, other.text)
