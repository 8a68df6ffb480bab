"""The title of a pane, with a blank at both sides also where it stands on a rule and not in a frame."""

from __future__ import annotations

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget


class Titled(Widget):
    """A pane with a title in its upper edge; a corner gives it a blank, a rule without corners does not."""

    _title = ""

    def show_title(self, words: str) -> None:
        """Put words, safe to show, into the upper edge; none take the title away."""
        self._title = words
        framed = bool(self.styles.border_left[0])
        self.border_title = Content(words if framed else f" {words} ") if words else None

    def on_resize(self) -> None:
        """The frame comes and goes with the room there is."""
        self.show_title(self._title)


class TitledPane(Vertical, Titled):
    """A pane around something that has no title of its own."""
