"""The line over time: where changes are, where one stands, and what that moment is called."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, one_line
from hermes_tui.ui.timeline.line import NOW
from hermes_tui.ui.timeline.words import day_words
from hermes_tui.ui.widgets.ink import Inked

QUIET, SOME, MANY, HERE = "─", "•", "●", "◆"
"""A stretch of time without changes, with one, with several, and the place where one stands."""
MIN_TRACK_CELLS = 8
GAP = 2


class Slider(Inked, Widget):
    """Two rows: the track, and the place in words."""

    DEFAULT_CSS = "Slider { height: 2; padding: 0 1; background: $surface; }"

    class Dragged(Message):
        """Somebody pointed at a moment."""

        def __init__(self, at: float) -> None:
            super().__init__()
            self.at = at
            """In epoch seconds; `NOW` at the right end."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._untils: Sequence[float] = ()
        self._span: tuple[float, float] | None = None
        self._at = NOW
        self._left = ""
        self._right: tuple[str, ...] = ()
        self._held = False

    def show(self, untils: Sequence[float], span: tuple[float, float] | None, at: float) -> None:
        """Show a place.

        Args:
            untils: when changes were made, oldest first.
            span: the first moment there is and the present; None when nothing is known.
            at: the place.
        """
        if (untils, span, at) != (self._untils, self._span, self._at):
            self._untils, self._span, self._at = untils, span, at
            self.refresh()

    def say(self, left: str, right: tuple[str, ...]) -> None:
        """What the place is called, and what it is compared with: all the words for it, the longest first."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """The track, then the words."""
        width = self.size.width
        return self._track(width) if y == 0 else self._words(width)

    def _ends(self, width: int) -> tuple[str, str]:
        """What stands before and behind the track, where there is room."""
        if self._span is None:
            return "", ""
        first, last = f"{day_words(self._span[0])} ", " now"
        return (first, last) if width - cells(first) - cells(last) >= MIN_TRACK_CELLS * 3 else ("", "")

    def _room(self, width: int) -> tuple[int, int]:
        """Where the track begins, and how many cells it has."""
        first, last = self._ends(width)
        return cells(first), max(1, width - cells(first) - cells(last))

    def cell_of(self, at: float, room: int) -> int:
        """The cell of a moment on a track of so many."""
        if self._span is None or at == NOW:
            return room - 1
        start, end = self._span
        share = (at - start) / (end - start) if end > start else 1.0
        return max(0, min(room - 1, round(share * (room - 1))))

    def _track(self, width: int) -> Strip:
        first, last = self._ends(width)
        _, room = self._room(width)
        counts = [0] * room
        if self._span is not None and self._untils:
            for cell in range(room):
                low, high = self._edge(cell, room), self._edge(cell + 1, room)
                begin = 0 if cell == 0 else bisect_left(self._untils, low)
                end = len(self._untils) if cell == room - 1 else bisect_left(self._untils, high)
                counts[cell] = end - begin
        here = self.cell_of(self._at, room) if self._span is not None else -1
        muted, mark = self._inks("text-muted"), self._inks("foreground")
        segments = [Segment(first, muted)]
        for cell, count in enumerate(counts):
            if cell == here:
                segments.append(Segment(HERE, self._inks("accent", "", "bold")))
            else:
                segments.append(Segment(MANY if count > 1 else SOME if count else QUIET, mark if count else muted))
        now = self._inks("accent", "", "bold") if self._at == NOW else muted
        return Strip([*segments, Segment(last, now)]).adjust_cell_length(width, self.rich_style)

    def _edge(self, cell: int, room: int) -> float:
        """The moment at which a cell begins."""
        assert self._span is not None
        start, end = self._span
        return start + (cell - 0.5) / max(1, room - 1) * (end - start)

    def _words(self, width: int) -> Strip:
        roomy = (words for words in self._right if cells(words) + GAP + cells(self._left) <= width)
        tight = (words for words in self._right[-1:] if cells(words) + GAP + MIN_TRACK_CELLS <= width)
        right = next(roomy, None) or next(tight, "")
        left = one_line(self._left, max(1, width - cells(right) - (GAP if right else 0)))
        blank = " " * max(0, width - cells(left) - cells(right))
        segments = [
            Segment(left, self._inks("foreground", "", "bold")),
            Segment(blank, self.rich_style),
            Segment(right, self._inks("text-muted")),
        ]
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Hold the mark."""
        self._held = True
        self.capture_mouse()
        self._point(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag it."""
        if self._held:
            self._point(event)

    def on_mouse_up(self) -> None:
        """Let go."""
        self._held = False
        self.release_mouse()

    def _point(self, event: events.MouseEvent) -> None:
        if self._span is None:
            return
        start, end = self._span
        left, room = self._room(self.size.width)
        cell = event.get_content_offset_capture(self).x - left
        self.post_message(
            self.Dragged(NOW if cell >= room - 1 else start + max(0, cell) / max(1, room - 1) * (end - start))
        )
