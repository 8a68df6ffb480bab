"""The small list under the search box: filter words and their values that fit what is being typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, fit, one_line
from hermes_tui.ui.widgets.ink import Inked

MAX_ROWS = 6
MAX_CELLS = 44

EXPLAINED: dict[str, str] = {
    "source": "where it was said",
    "model": "who answered",
    "after": "2025-03, 7d, today",
    "before": "2025-03, 7d, today",
    "cwd": "the folder",
    "role": "who said it",
    "title": "words of the title",
    "in": "an id or a title",
    "archived": "no, also, only",
    "knew": "was told of memory",
    "wrote": "wrote to memory",
    "staged": "proposed for memory",
}
"""What each filter word takes, in a few words."""


class Completion(NamedTuple):
    """One way to go on."""

    text: str
    """The whole box as it would be."""
    caret: int
    """Where the caret would stand."""
    word: str
    """What is completed, as it would be."""
    note: str
    """How many conversations the value would show, or what the filter word takes."""


def completions_of(
    whole: Sequence[str], text: str, caret: int, counts: Mapping[str, Mapping[str, int]]
) -> list[Completion]:
    """What to offer for the box `text` with its caret.

    Args:
        whole: what the box could become.
        text: the box.
        caret: where the caret stands in it.
        counts: how many conversations each value of a filter word would show.
    """
    start = max(text.rfind(" ", 0, caret), text.rfind("\t", 0, caret)) + 1
    rest = len(text) - caret
    made = []
    for each in whole:
        end = len(each) - rest
        word = each[start:end]
        name, _, value = word.partition(":")
        # A value that is complete is done with; the next word can follow at once.
        gap = " " if value and not rest else ""
        number = counts.get(name, {}).get(value.strip('"'))
        note = f"{number:,}" if value and number is not None else "" if value else EXPLAINED.get(name, "")
        made.append(Completion(each[:end] + gap + each[end:], end + len(gap), word, note))
    return made


class CompletionList(Inked, Widget):
    """Rows to choose from; the box keeps the focus and moves the mark."""

    class Chosen(Message):
        """A row was clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.offered: Sequence[Completion] = ()
        self.marked = 0

    @property
    def current(self) -> Completion | None:
        """The one that is taken by tab."""
        return self.offered[self.marked] if self.offered else None

    @property
    def of_values(self) -> bool:
        """Whether they are values, of which somebody who typed a filter word wants one."""
        return bool(self.offered) and not self.offered[0].word.endswith(":")

    def offer(self, offered: Sequence[Completion]) -> None:
        """Show these; nothing closes the list."""
        same = [each.word for each in offered] == [each.word for each in self.offered]
        self.offered = offered
        if not same:
            self.marked = 0
        self.display = bool(offered)
        if offered:
            self.refresh(layout=True)

    def move(self, step: int) -> None:
        """Mark another row, around the ends."""
        self.marked = (self.marked + step) % max(1, len(self.offered))
        self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """As wide as the longest row."""
        widest = max((cells(each.word) + cells(each.note) + 4 for each in self.offered), default=8)
        return min(widest, MAX_CELLS, max(8, container.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """A few rows; what does not fit comes by moving on."""
        return min(len(self.offered), MAX_ROWS)

    def render_line(self, y: int) -> Strip:
        """A word and its note."""
        width = self.size.width
        first = max(0, min(self.marked - MAX_ROWS + 1, len(self.offered) - MAX_ROWS))
        number = first + y
        if number >= len(self.offered):
            return Strip.blank(width, self.rich_style)
        each, here = self.offered[number], number == self.marked
        style = self._inks("foreground", "card-background-focus" if here else "", "bold" if here else "")
        muted = self._inks("text-muted", "card-background-focus" if here else "")
        note = one_line(each.note, max(0, width - 3 - min(cells(each.word), width * 2 // 3)))
        room = max(1, width - cells(note) - 3)
        segments = [Segment("▌" if here else " ", style), Segment(f"{fit(each.word, room)} ", style)]
        segments.append(Segment(f"{note} ", muted))
        return Strip(segments).adjust_cell_length(width, style)

    def on_click(self, event: events.Click) -> None:
        """Mark the row and take it."""
        first = max(0, min(self.marked - MAX_ROWS + 1, len(self.offered) - MAX_ROWS))
        if first + event.y < len(self.offered):
            self.marked = first + event.y
            self.post_message(self.Chosen())
