"""The list in its frame: how many changes there are, how far reading is, and what to know about all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult
from textual.widget import Widget

from hermes_tui.text import plural
from hermes_tui.ui.timeline.change_list import ChangeList
from hermes_tui.ui.widgets.notice import NoticedPane

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.screen import TimelineScreen

ROOMY_COLUMNS = 72
"""From here on the frame has room for all the numbers."""


class ChangesPane(NoticedPane):
    """The list with its title, its numbers and a notice."""

    change_list = getters.query_one(ChangeList)

    def compose(self) -> ComposeResult:
        """The list."""
        yield ChangeList(id="change-list")

    @property
    def below_notice(self) -> Widget:
        """What the notice stands above."""
        return self.change_list

    def show_counts(self, screen: TimelineScreen) -> None:
        """Put the numbers on the frame."""
        share, line = screen.chronicle.share, screen.line
        reading = f"reading {int(share * 100)} %" if share is not None and not self._complete(screen) else ""
        if screen.searching.on:
            words = ["Entries ever", screen.searching.count_words, reading]
        else:
            roomy = self.app.size.width >= ROOMY_COLUMNS
            sessions = plural(len(line.sessions), "session") if line.sessions and roomy else ""
            words = ["Changes", f"{len(line.changes):,}", sessions, _exposed(screen), reading]
        self.show_title(" · ".join(filter(None, words)))

    @staticmethod
    def _complete(screen: TimelineScreen) -> bool:
        """Whether everything was read before, so that only what is new is looked for."""
        return screen.known is not None and screen.known.complete


def _exposed(screen: TimelineScreen) -> str:
    """`12 ran with what is blocked now (x)`; empty when none did."""
    exposed = screen.known.exposures if screen.known else ()
    ids = {id for each in exposed for id in each.session_ids}
    return f"{len(ids):,} ran with what is blocked now (x)" if ids else ""
