"""The text field of the editor: soft wrap, exact text, findings underlined."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.document._document import EditResult  # the return type of two public methods
from textual.geometry import Offset, Size
from textual.widgets import TextArea

from hermes_tui.memory.threats import Finding
from hermes_tui.text import plural
from hermes_tui.ui.dialogs.base import CopyRequested
from hermes_tui.ui.dialogs.notation import spoken, spoken_offset, written, written_offsets

Location = tuple[int, int]


def typed_unseen(event: events.Key) -> bool:
    """Whether a key types a character that is no control but cannot be seen, such as the joiners of Persian."""
    character = event.character
    return (
        character is not None
        and len(character) == 1
        and not character.isprintable()
        and unicodedata.category(character) not in ("Cc", "Cs")
    )


class EntryArea(TextArea):
    """A TextArea that keeps text exact: what it cannot hold stands spelled out as ⟨U+001B⟩."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"entry-area--finding"}

    BINDINGS: ClassVar[list[BindingType]] = [
        # The line end has `end`; these three are the dialog's and must not be taken by the field.
        Binding("ctrl+e", "screen.external", "Editor", show=False, priority=True),
        Binding("ctrl+s", "screen.save", "Save", show=False, priority=True),
    ]

    DEFAULT_CSS = """
    EntryArea {
        border: none;
        padding: 0;
        background: $surface;
        color: $foreground;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & > .entry-area--finding { color: $finding; background: $finding-background; text-style: underline; }
    }
    """

    def __init__(self, text: str, *, id: str | None = None) -> None:
        super().__init__(
            written(text),
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            tab_behavior="focus",
        )
        self.cursor_blink = False
        self.match_cursor_bracket = False
        self._found: list[tuple[int, int, int]] = []
        self._entry_of = ("", "")
        self._laid_out = Size()
        self._top: Location = (0, 0)
        self._caret_was_in_view = True

    @property
    def entry(self) -> str:
        """The exact text."""
        text = self.text
        if text != self._entry_of[0]:
            self._entry_of = (text, spoken(text))
        return self._entry_of[1]

    def replace(
        self, insert: str, start: Location, end: Location, *, maintain_selection_offset: bool = True
    ) -> EditResult:
        """Put foreign text in, typed or pasted; terminals paste line ends as CR."""
        clean = insert.replace("\r\n", "\n").replace("\r", "\n")
        safe = clean if clean.isprintable() and clean.isascii() else written(spoken(clean))
        return super().replace(safe, start, end, maintain_selection_offset=maintain_selection_offset)

    def on_key(self, event: events.Key) -> None:
        """Joiners, and all else that a keyboard can send and no font shows, are text as well."""
        if typed_unseen(event):
            event.stop()
            event.prevent_default()
            self.replace(event.character or "", *self.selection, maintain_selection_offset=False)

    def replace_all(self, text: str) -> None:
        """Put another text in the place of this one, as one step that undo takes back; the caret stays near."""
        row, column = self.cursor_location
        super().replace(written(text), (0, 0), self.document.end, maintain_selection_offset=False)
        row = min(row, self.document.line_count - 1)
        self.move_cursor((row, min(column, len(self.document.get_line(row)))))

    def action_copy(self) -> None:
        """Copy the selection; outside of this field it is the exact text."""
        super().action_copy()
        self._copy_out(self.selected_text)

    def action_cut(self) -> None:
        """Cut the selection, or the line; outside of this field it is the exact text."""
        before = self.text
        super().action_cut()
        if self.text != before:
            self._copy_out(self.app.clipboard)

    def _copy_out(self, text: str) -> None:
        exact = spoken(text)
        self.post_message(CopyRequested(exact, plural(len(exact), "character")))

    # Offsets in the exact text and places in the field

    def _starts(self) -> list[int]:
        """The offset in the field's text at which each of its lines begins."""
        lengths = (len(line) + 1 for line in self.document.lines)
        return list(accumulate(lengths, initial=0))

    def location_of(self, offset: int) -> Location:
        """Where a character of the exact text stands in the field."""
        offsets = written_offsets(self.text)
        at = offsets[offset] if offsets is not None else offset
        starts = self._starts()
        row = min(bisect_right(starts, at) - 1, self.document.line_count - 1)
        return row, at - starts[row]

    @property
    def caret(self) -> int:
        """The offset of the caret in the exact text."""
        row, column = self.cursor_location
        return spoken_offset(self.text, self._starts()[row] + column)

    def replace_slice(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of a slice of the exact text, as one step that undo takes back."""
        first, last = self.location_of(start), self.location_of(end)
        result = super().replace(written(text), first, last, maintain_selection_offset=False)
        self.move_cursor(result.end_location)

    # The place in the text survives resizing

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Remember where the person scrolled to."""
        super().watch_scroll_y(old_value, new_value)
        self._remember()

    def watch_selection(self) -> None:
        """Remember where the caret went."""
        self.call_after_refresh(self._remember)

    def _remember(self) -> None:
        # A size that is not laid out yet scrolls by itself; that is not the person's doing.
        if self.size and self.size == self._laid_out:
            top = self.scroll_offset.y
            self._top = self.wrapped_document.offset_to_location(Offset(0, top))
            caret = self.wrapped_document.location_to_offset(self.cursor_location).y
            self._caret_was_in_view = top <= caret < top + self.size.height

    def on_resize(self) -> None:
        """Show the same place again once the text is wrapped anew."""
        self.call_after_refresh(self._return_to_place)

    def _return_to_place(self) -> None:
        self._laid_out = Size()
        top = self.wrapped_document.location_to_offset(self._top).y
        height = self.size.height
        if self._caret_was_in_view:
            caret = self.wrapped_document.location_to_offset(self.cursor_location).y
            top = min(max(top, caret - height + 1), caret)
        self.scroll_to(y=top, animate=False, immediate=True)
        self._laid_out = self.size

    # Findings

    def mark(self, findings: Sequence[Finding], shift: int) -> None:
        """Underline findings; their offsets count from `shift` characters into the exact text."""
        found: list[tuple[int, int, int]] = []
        if findings:
            offsets = written_offsets(self.text)
            starts = self._starts()
            for finding in findings:
                first, last = finding.start + shift, finding.end + shift
                if offsets is not None:
                    first, last = offsets[first], offsets[last]
                found += self._slices(starts, first, last)
        if found != self._found:
            self._found = found
            # The styled lines are cached; a theme change throws them away, so this does as well.
            self.notify_style_update()
            self.refresh()

    @staticmethod
    def _slices(starts: list[int], first: int, last: int) -> list[tuple[int, int, int]]:
        """A span of the text as row, first and last column of each line it touches."""
        slices = []
        row = bisect_right(starts, first) - 1
        while row + 1 < len(starts) and starts[row] < last:
            begin, end = max(first, starts[row]), min(last, starts[row + 1] - 1)
            if begin < end:
                slices.append((row, begin - starts[row], end - starts[row]))
            row += 1
        return slices

    def get_line(self, line_index: int) -> Text:
        """A line of the field, with its findings underlined."""
        line = super().get_line(line_index)
        for row, first, last in self._found:
            if row == line_index:
                line.stylize(self.get_component_rich_style("entry-area--finding"), first, last)
        return line
