"""The names of both stores on one line, for terminals with room for one of them."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.text import cells
from hermes_tui.ui.widgets.ink import Inked
from hermes_tui.ui.widgets.usage_bar import advice_on

_STATE_WORDS = {
    "drift": "drift",
    "invalid_utf8": "not UTF-8",
    "bom": "BOM",
}


def tab_words(view: StoreView, count_words: str) -> str:
    """`MEMORY.md 84% · consolidate soon · 14 entries`: how the store that is not shown is doing."""
    if view.state == "missing":
        return f"{view.file_name} · no file"
    if view.state == "unreadable":
        return f"{view.file_name} · cannot be read"
    over = f"over by {view.usage.over:,}" if view.usage.over else ""
    parts = [f"{view.file_name} {view.usage.percent}%"]
    parts += [words for words in (_STATE_WORDS.get(view.state, ""), advice_on(view.usage), over) if words]
    return " · ".join([*parts, count_words] if count_words else parts)


def _shortest(view: StoreView, words: str) -> str:
    """What is left where there is no room: the percentage, or why there is none."""
    return words if view.state in ("missing", "unreadable") else f"{view.file_name} {view.usage.percent}%"


class StoreTabs(Inked, Widget):
    """Which store is shown, and how full the other one is."""

    DEFAULT_CSS = "StoreTabs { background: $surface; }"

    active: reactive[StoreName] = reactive[StoreName]("memory")

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, store: StoreName) -> None:
            super().__init__()
            self.store = store

    def __init__(self) -> None:
        super().__init__()
        self._words: dict[StoreName, tuple[str, str, str]] = dict.fromkeys(STORES, ("", "", ""))
        self._loud: dict[StoreName, bool] = {}

    def show(self, view: StoreView, count_words: str) -> None:
        """Put a store's numbers on its tab."""
        words = tab_words(view, "")
        self._words[view.store] = (tab_words(view, count_words), words, _shortest(view, words))
        self._loud[view.store] = view.usage.level != "ok" or view.state not in ("ok", "missing")
        self.refresh()

    def _labels(self) -> list[tuple[StoreName, str]]:
        width = self.size.width
        labels: list[tuple[StoreName, str]] = []
        for form in (0, 1, 2):
            labels = [(store, f" {self._words[store][form]} ") for store in STORES]
            if sum(cells(label) for _, label in labels) + 3 <= width:
                break
        return labels

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """Both tabs."""
        base = self.rich_style
        segments = [Segment(" ", base)]
        for store, label in self._labels():
            # A mark as well as a colour says which one is shown.
            active = store == self.active
            if active:
                ink = self._inks("accent", "", "bold reverse")
            else:
                ink = self._inks("warning" if self._loud.get(store) else "text-muted")
            segments += [Segment("▸" if active else " ", ink), Segment(label, ink)]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_click(self, event: events.Click) -> None:
        """Show the store whose tab was clicked."""
        x = 1
        for store, label in self._labels():
            x += 1 + cells(label)
            if event.x < x:
                self.post_message(self.Chosen(store))
                return
