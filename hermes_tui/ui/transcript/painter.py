"""Lines of a transcript as strips: a column for the cursor's message, tones as colours of the theme."""

from __future__ import annotations

from typing import Literal

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, wrap_cells
from hermes_tui.ui.transcript.lines import Line, Tone
from hermes_tui.ui.widgets.ink import Inks

GUTTER_CELLS = 2

Cursor = Literal["none", "message", "line", "away"]
"""none: another message; message: this one has the cursor; line: the cursor itself; away: keys go elsewhere."""

_INKS: dict[Tone, tuple[str, str, str]] = {
    "plain": ("foreground", "", ""),
    "muted": ("text-muted", "", ""),
    "heading": ("accent", "", "bold"),
    "strong": ("foreground", "", "bold"),
    "emphasis": ("foreground", "", "italic"),
    "strike": ("text-muted", "", "strike"),
    "code": ("foreground", "panel", ""),
    "link": ("accent", "", "underline"),
    "quote": ("text-muted", "", "italic"),
    "rule": ("card-border", "", ""),
    "user": ("accent", "", "bold"),
    "assistant": ("success", "", "bold"),
    "other": ("text-muted", "", "bold"),
    "mask": ("badge-warning", "badge-warning-background", ""),
    "match": ("match", "match-background", "bold underline"),
    "current": ("match", "match-background", "bold reverse"),
    "warning": ("warning", "", ""),
    "error": ("error", "", ""),
    "accent": ("accent", "", ""),
}


class Painter:
    """Draws the lines of one transcript."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._inks = Inks(widget)
        self._base: Style | None = None

    def forget(self) -> None:
        """Colours changed."""
        self._inks.forget()
        self._base = None

    @property
    def base(self) -> Style:
        """The widget's own style; to work it out for every line would take as long as to draw it."""
        if self._base is None:
            self._base = self._widget.rich_style
        return self._base

    def _style(self, tone: Tone) -> Style:
        return self._inks(*_INKS[tone])

    def line(self, line: Line, width: int, cursor: Cursor) -> Strip:
        """One line of a message."""
        base = self.base
        if cursor == "line":
            ground = Style(bgcolor=self._inks("foreground", "card-background-focus").bgcolor)
        elif line.ground == "code":
            ground = Style(bgcolor=self._inks("foreground", "panel").bgcolor)
        else:
            ground = Style(bgcolor=base.bgcolor)
        segments = [self._mark(cursor, ground)]
        for text, tone, _ in line.pieces:
            style = self._style(tone)
            segments.append(Segment(text, style if _INKS[tone][1] else style + ground))
        return Strip(segments).adjust_cell_length(width, base + ground)

    def _mark(self, cursor: Cursor, ground: Style) -> Segment:
        sign = {"none": "  ", "message": "▏ ", "line": "▌ ", "away": "▏ "}[cursor]
        ink = self._style("muted" if cursor == "away" else "accent")
        return Segment(sign, ink + (ground if cursor == "line" else Style(bgcolor=self.base.bgcolor)))

    def waiting(self, words: str, width: int, cursor: Cursor) -> Strip:
        """A line whose text is not there yet."""
        base = self.base
        mark = self._mark("message" if cursor == "line" else cursor, base)
        return Strip([mark, Segment(words, self._style("muted"))]).adjust_cell_length(width, base)

    def blank(self, width: int) -> Strip:
        """A line below the last."""
        return Strip.blank(width, self.base)

    def words(self, text: str, y: int, width: int, height: int) -> Strip:
        """Row `y` of a transcript without messages: what there is to say, in the middle."""
        base = self.base
        lines = [line for part in text.split("\n") for line in wrap_cells(part, max(2, width - 2))]
        at = y - max(0, (height - len(lines)) // 2)
        line = lines[at] if 0 <= at < len(lines) else ""
        left = " " * ((width - cells(line)) // 2)
        return Strip([Segment(left, base), Segment(line, self._style("muted"))]).adjust_cell_length(width, base)
