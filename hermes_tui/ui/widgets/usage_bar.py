"""How full a store is, as a bar and in words."""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.memory.entries import Usage
from hermes_tui.text import cells
from hermes_tui.ui.widgets.ink import Inked

_EIGHTHS = " ▏▎▍▌▋▊▉"
MIN_BAR_CELLS = 12
"""A bar shorter than this says less than the words beside it; it gets a row of its own."""

ADVICE = {"ok": "", "hint": "consolidate soon", "alert": "nearly full", "over": ""}
"""What each level asks of a person; how much a store is over is said by its label."""


def advice_on(usage: Usage) -> str:
    """What a person should know about how full a store is: `consolidate soon`, `nearly full`, `full`, or nothing."""
    return "full" if usage.level == "alert" and usage.room <= 0 else ADVICE[usage.level]


def usage_words(usage: Usage) -> str:
    """`84% — 1,852/2,200 chars · 345 left · consolidate soon`."""
    advice = advice_on(usage)
    return f"{usage.label} · {advice}" if advice else usage.label


def fitting_words(usage: Usage, width: int) -> str:
    """The most that can be said of a usage in so many cells; what matters least goes first, whole words only."""
    rest = usage.label.rpartition(" · ")[2]
    shorter = (
        usage_words(usage),
        usage.label,
        f"{usage.chars:,}/{usage.limit:,} · {rest}",
        f"{usage.percent}% · {rest}",
    )
    return next((words for words in shorter if cells(words) <= width), f"{usage.percent}%")


def bar_cells(usage: Usage, width: int) -> tuple[str, str]:
    """The filled part of a bar of `width` cells, to an eighth of a cell, and the rest of it."""
    part = min(1.0, usage.chars / usage.limit) if usage.limit > 0 else 0.0
    eighths = round(part * width * 8)
    if usage.chars and not eighths:
        eighths = 1
    full, rest = divmod(eighths, 8)
    filled = "█" * full + (_EIGHTHS[rest] if rest else "")
    return filled, " " * (width - len(filled))


class UsageBar(Inked, Widget):
    """A store's usage: `██████▋    67% — 1,474/2,200 chars · 723 left`, on one row or two."""

    DEFAULT_CSS = "UsageBar { height: auto; }"

    usage: reactive[Usage] = reactive(Usage(0, 0), layout=True)
    instead: reactive[str] = reactive("", layout=True)
    """Words in the place of bar and numbers, when there are none to show."""

    def __init__(self, usage: Usage | None = None, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        if usage is not None:
            self.set_reactive(UsageBar.usage, usage)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """One row when bar and words fit beside each other, else two."""
        return 1 if self.instead or self._fits(width) else 2

    def _fits(self, width: int) -> bool:
        return cells(usage_words(self.usage)) + 2 + MIN_BAR_CELLS <= width

    def render_line(self, y: int) -> Strip:
        """The bar and the words."""
        width, height = self.size
        if self.instead:
            return Strip([Segment(self.instead, self._inks("error"))]).adjust_cell_length(width, self.rich_style)
        words = fitting_words(self.usage, width)
        beside = self._fits(width)
        base = self.rich_style
        color = f"usage-{self.usage.level}"
        said = Segment(words, self._inks("foreground" if self.usage.level == "ok" else color))
        if beside:
            segments = [*self._bar(width - cells(words) - 2, color), Segment("  ", base), said]
        elif y == 0 and height > 1:
            segments = self._bar(width, color)
        else:
            segments = [said]
        return Strip(segments).adjust_cell_length(width, base)

    def _bar(self, width: int, color: str) -> list[Segment]:
        filled, rest = bar_cells(self.usage, width)
        track = self._inks(color, "usage-track")
        # Without colour the track would be nothing at all, and a bar without an end shows no share.
        if self.app.no_color:
            rest = "░" * len(rest)
        return [Segment(filled, track), Segment(rest, track)]
