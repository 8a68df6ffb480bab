"""A short list to choose from in a dialog: the keys of the lists of the screens, and rows of safe text."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList


class OptionRows(OptionList, inherit_bindings=False):
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
        & > .option-list--option { padding: 0 1; }
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
