"""A sentence over a list or a text about the whole of it; there only while there is something to say."""

from __future__ import annotations

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.text import visible


class Notice(Static):
    """What is wrong with what is shown, or worth knowing about it."""


class NoticedPane(Vertical):
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
