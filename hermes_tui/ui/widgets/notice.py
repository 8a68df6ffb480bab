"""A sentence over a list or a text about the whole of it; there only while there is something to say."""

from __future__ import annotations

from rich.segment import Segment
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.text import ELLIPSIS, cells, visible
from hermes_tui.ui.widgets.titled import Titled


class Notice(Static):
    """What is wrong with what is shown, or worth knowing about it; where it has no room for all, it ends in a …."""

    def render_line(self, y: int) -> Strip:
        """One row; the last one says when more would follow."""
        strip = super().render_line(y)
        width, height = self.content_size
        if y != height - 1 or self.get_content_height(self.size, self.app.size, width) <= height:
            return strip
        style = self.rich_style
        ink = min(cells(strip.text.rstrip()), width - cells(ELLIPSIS))
        return Strip([*strip.crop(0, ink), Segment(ELLIPSIS, style)]).adjust_cell_length(width, style)


class NoticedPane(Vertical, Titled):
    """A frame that may have a notice above what it holds."""

    @property
    def below_notice(self) -> Widget:
        """What the notice stands above."""
        raise AttributeError(f"{type(self).__name__} has no place for a notice")

    def show_notice(self, words: str, *, serious: bool = False) -> None:
        """Say something about the whole; nothing when there is nothing to say."""
        notice = next((child for child in self.children if isinstance(child, Notice)), None)
        if not words:
            if notice:
                notice.remove()
            return
        if notice is None:
            notice = Notice(markup=False)
            self.mount(notice, before=self.below_notice)
        notice.update(Content(visible(words)))
        notice.set_class(serious, "-serious")
