"""A short list to choose from in a dialog: the keys of the lists of the screens, and rows of safe text."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widgets import OptionList

from hermes_tui.ui.widgets.ink import Inked, Inks


def marked(rows: OptionList, strip: Strip, inks: Inks, *, here: bool) -> Strip:
    """A drawn row of `rows`; where the cursor is, a bar stands in the first cell, which the padding leaves free."""
    style = next((segment.style for segment in strip if segment.style), Style.null())
    if rows.highlighted is None or style.meta.get("option") != rows.highlighted:
        return strip
    bar = Segment(
        "▌" if here else "▏", style + Style(color=inks("card-border-focus" if here else "text-disabled").color)
    )
    return Strip([bar, *strip.crop(1)], strip.cell_length)


class OptionRows(Inked, OptionList, inherit_bindings=False):
    """Rows to move over; what a key does with the row under the cursor is the dialog's business."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "cursor_down", "Down", show=False),
        Binding("k,up", "cursor_up", "Up", show=False),
        Binding("g,home", "first", "First", show=False),
        Binding("G,end", "last", "Last", show=False),
        Binding("pagedown,ctrl+d", "page_down", "Page down", show=False),
        Binding("pageup,ctrl+u", "page_up", "Page up", show=False),
    ]

    DEFAULT_CSS = """
    OptionRows {
        height: auto;
        border: none;
        padding: 0;
        background: $surface;
        background-tint: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; background-tint: transparent; }
        & > .option-list--option { padding: 0 0 0 2; }
        & > .option-list--option-highlighted {
            background: $panel;
            color: $foreground;
            text-style: none;
        }
        &:focus > .option-list--option-highlighted {
            background: $card-background-focus;
            color: $foreground;
            text-style: $focus-style;
        }
    }
    """

    def render_line(self, y: int) -> Strip:
        """One row of an option."""
        return marked(self, super().render_line(y), self._inks, here=self.has_focus)
