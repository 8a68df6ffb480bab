"""A scrolling pane of marked text, drawn line by line, so that a long entry opens as fast as a short one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hermes_tui.text import wrap_spans
from hermes_tui.ui.dialogs.paper import TONES, Mark, Paper
from hermes_tui.ui.widgets.titled import Titled

FREE_CELLS = 1
"""So that no letter touches the scroll bar."""
CHANGED = ("add", "del")
"""Tones of what two texts do not share."""
ROWS_BEFORE = 1
"""Above the first change, where a text opens there."""
FRAME_ROWS = 5
"""Of a dialog: both edges, a blank row, and two rows of keys."""


class TextPane(ScrollView, can_focus=True):
    """A paper, wrapped to the width there is."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"pane--{tone}" for tone in TONES}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "Down", show=False),
        Binding("k", "scroll_up", "Up", show=False),
        Binding("g", "scroll_home", "Top", show=False),
        Binding("G", "scroll_end", "Bottom", show=False),
        Binding("space,ctrl+d", "page_down", "Page down", show=False),
        Binding("ctrl+u", "page_up", "Page up", show=False),
    ]

    DEFAULT_CSS = """
    TextPane {
        height: 1fr;
        background: $surface;
        color: $foreground;
        scrollbar-size: 0 1;
        scrollbar-gutter: stable;
        overflow-x: hidden;
        & > .pane--plain { color: $foreground; }
        & > .pane--muted { color: $text-muted; }
        & > .pane--heading { color: $accent; text-style: bold; }
        & > .pane--strong { color: $foreground; text-style: bold; }
        & > .pane--add { color: $diff-add; background: $diff-add-background; text-style: bold underline; }
        & > .pane--del { color: $diff-del; background: $diff-del-background; text-style: strike; }
        & > .pane--finding { color: $finding; background: $finding-background; text-style: underline; }
        & > .pane--good { color: $success; }
        & > .pane--warning { color: $warning; }
        & > .pane--error { color: $error; }
    }
    """

    def __init__(self, paper: Paper | None = None, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._text = ""
        self._marks: list[Mark] = []
        self._ends: list[int] = []
        self._lines: list[tuple[int, int]] = []
        self._wrapped_at = 0
        if paper is not None:
            self._take(paper)

    @property
    def plain(self) -> str:
        """The text as it is shown."""
        return self._text

    def show(self, paper: Paper) -> None:
        """Show another paper; the place in the text stays."""
        self._take(paper)
        self._wrap()
        self.refresh(layout=True)

    def _take(self, paper: Paper) -> None:
        self._text, self._marks = paper.text.rstrip("\n"), paper.marks
        self._ends = [mark.end for mark in self._marks]
        self._wrapped_at = 0

    def _wrap(self) -> None:
        """Cut the text into lines as wide as there is room."""
        width = self.scrollable_content_region.width
        if width > 0 and width != self._wrapped_at:
            self._lines = self._wrapped(width)
            self._wrapped_at = width
            self.virtual_size = Size(width, len(self._lines))

    def _wrapped(self, width: int) -> list[tuple[int, int]]:
        return wrap_spans(self._text, width - FREE_CELLS)

    @property
    def line_cells(self) -> int:
        """How wide a line may be, for a paper with columns of its own."""
        return self.scrollable_content_region.width - FREE_CELLS

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many rows as the text has."""
        return len(self._lines) if width == self._wrapped_at else len(self._wrapped(width))

    def on_resize(self) -> None:
        """The first line in view stays in view when the width changes."""
        top = self._lines[self.scroll_offset.y][0] if self.scroll_offset.y < len(self._lines) else 0
        self._wrap()
        starts = [start for start, _ in self._lines]
        if top:
            self.scroll_to(y=bisect_left(starts, top), animate=False, immediate=True)

    # Keys scroll at once: gliding would only make a held key lag behind.

    def action_scroll_up(self) -> None:
        """One row up."""
        self.scroll_up(animate=False)

    def action_scroll_down(self) -> None:
        """One row down."""
        self.scroll_down(animate=False)

    def action_page_up(self) -> None:
        """A screenful up."""
        self.scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        """A screenful down."""
        self.scroll_page_down(animate=False)

    def action_scroll_home(self) -> None:
        """To the top."""
        self.scroll_home(animate=False)

    def action_scroll_end(self) -> None:
        """To the bottom."""
        self.scroll_end(animate=False)

    def render_line(self, y: int) -> Strip:
        """One row of the text."""
        base = self.rich_style
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if row >= len(self._lines):
            return Strip.blank(width, base)
        start, end = self._lines[row]
        segments: list[Segment] = []
        at = start
        number = bisect_left(self._ends, start + 1)
        while at < end and number < len(self._marks) and self._marks[number].start < end:
            mark = self._marks[number]
            first, last = max(at, mark.start), min(end, mark.end)
            style = self.get_component_rich_style(f"pane--{mark.tone}")
            segments += [Segment(self._text[at:first], base), Segment(self._text[first:last], style)]
            at = last
            number += 1
        segments.append(Segment(self._text[at:end], base))
        return Strip(segments).adjust_cell_length(width, base)


class FittingPane(TextPane):
    """As high as its text, but never more than a part of the screen, so that a dialog around it fits closely."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text has, up to three fifths of the screen."""
        return max(1, min(super().get_content_height(container, viewport, width), viewport.height * 3 // 5))


class ClosePane(TextPane):
    """As high as its text, while the frame around it and its keys have room on the screen."""

    DEFAULT_CSS = "ClosePane { height: auto; }"

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text has, or as the screen leaves."""
        room = viewport.height * 92 // 100 - FRAME_ROWS
        return max(1, min(super().get_content_height(container, viewport, width), room))


class SideText(TextPane, inherit_bindings=False):
    """A text beside a list; only the keys that scroll are its own, all others are the screen's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", show=False),
        Binding("k,up", "scroll_up", "Up", show=False),
        Binding("home", "scroll_home", "Top", show=False),
        Binding("G,end", "scroll_end", "Bottom", show=False),
        Binding("pagedown,ctrl+d", "page_down", "Page down", show=False),
        Binding("pageup,ctrl+u", "page_up", "Page up", show=False),
    ]


class Side(TextPane, Titled):
    """One of two texts that are read together, with its title."""

    def __init__(self, paper: Paper, title: str, *, id: str) -> None:
        super().__init__(paper, id=id, classes="side")
        self._title = title
        self._opens_at = 0

    def on_mount(self) -> None:
        """Name it."""
        self.show_title(self._title)

    def on_resize(self) -> None:
        """Open where the texts differ, until somebody scrolls: both may begin with the same screenful."""
        self._wrap()
        if self.scroll_offset.y not in (0, self._opens_at):
            return
        first = next((mark.start for mark in self._marks if mark.tone in CHANGED), 0)
        row = bisect_right(self._lines, first, key=itemgetter(0)) - 1
        below = row >= self.scrollable_content_region.height
        self.scroll_to(y=row - ROWS_BEFORE if below else 0, animate=False, force=True, immediate=True)
        self._opens_at = self.scroll_offset.y
