"""One store on the screen: where its file is, how full it is, what is wrong with it, and its cards."""

from __future__ import annotations

import time
from pathlib import Path

from rich.segment import Segment
from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.text import cells, plural, visible
from hermes_tui.ui.memory.card_list import CardList
from hermes_tui.ui.memory.cards import CardId, Freshness, cards_of
from hermes_tui.ui.widgets.header import cut_start
from hermes_tui.ui.widgets.usage_bar import UsageBar

DISABLED_KEYS: dict[StoreName, str] = {
    "memory": "memory.memory_enabled",
    "user": "memory.user_profile_enabled",
}


def short_path(path: Path) -> str:
    """A path as a person would write it, with ~ for their own directory, made safe to show."""
    text = str(path)
    home = str(Path.home())
    if text == home or text.startswith(home + "/"):
        text = "~" + text[len(home) :]
    return visible(text, multiline=False)


def written_words(mtime: float | None, now: float) -> str:
    """`written 14:02`, with the day when that was not today; empty for no file."""
    if mtime is None:
        return ""
    then, today = time.localtime(mtime), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("written %H:%M", then)
    return time.strftime("written %d %b" if then[0] == today[0] else "written %d %b %Y", then)


class PathLine(Widget):
    """Which file this is, and when it was last written."""

    def __init__(self) -> None:
        super().__init__()
        self._path = self._target = self._written = ""

    def show(self, view: StoreView) -> None:
        """Show the file of `view`."""
        self._path = short_path(view.path)
        self._target = "" if view.target == view.path.parent.resolve() / view.path.name else short_path(view.target)
        self._written = written_words(view.mtime, time.time())
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """Path on the left, time on the right if there is room for both."""
        width = self.size.width
        path = f"{self._path} -> {self._target}" if self._target else self._path
        style = self.rich_style
        written = self._written if cells(path) + 2 + cells(self._written) <= width else ""
        path = cut_start(path, width - (cells(written) + 2 if written else 0))
        gap = " " * max(0, width - cells(path) - cells(written))
        return Strip([Segment(path + gap + written, style)]).adjust_cell_length(width, style)


class Notice(Static):
    """What is wrong with a store, or worth knowing; there only while there is something."""


class StorePane(Vertical):
    """A store with its path, usage, notices and cards."""

    path_line = getters.query_one(PathLine)
    usage_bar = getters.query_one(UsageBar)
    card_list = getters.query_one(CardList)

    def __init__(self, view: StoreView) -> None:
        super().__init__(id=f"pane-{view.store}")
        self.view = view

    @property
    def store(self) -> StoreName:
        """Which store it shows."""
        return self.view.store

    def compose(self) -> ComposeResult:
        """Path, usage and cards."""
        yield PathLine()
        yield UsageBar(self.view.usage)
        yield CardList(id=f"cards-{self.store}")

    def on_mount(self) -> None:
        """Show what was read before the first frame."""
        self.show(self.view)

    def show(
        self,
        view: StoreView,
        fresh: dict[CardId, Freshness] | None = None,
        renamed: dict[CardId, CardId] | None = None,
    ) -> None:
        """Show a new reading of the store; only what differs is drawn again."""
        self.view = view
        self.path_line.show(view)
        self.usage_bar.usage = view.usage
        self._show_notice()
        self.card_list.show(cards_of(view, fresh), renamed)
        self.show_counts()

    def filter(self, needle: str) -> None:
        """Show only the cards that hold `needle`."""
        self.card_list.filter(needle)
        self.show_counts()

    @property
    def count_words(self) -> str:
        """`14 entries · 2 blocked`, or `3 of 14` under a filter."""
        every, shown = len(self.card_list.cards), len(self.card_list.shown)
        if self.card_list.needle:
            return f"{shown:,} of {every:,}"
        blocked = sum(card.entry.blocked for card in self.card_list.cards)
        words = plural(every, "entry", "entries")
        return f"{words} · {blocked:,} blocked" if blocked else words

    def show_counts(self) -> None:
        """Put the name and the numbers on the frame, and explain an empty list."""
        self.border_title = Content(f"{self.view.file_name} · {self.count_words}")
        chosen = len(self.card_list.selection)
        self.border_subtitle = Content(f"{chosen:,} selected") if chosen else None
        words = "" if self.card_list.shown else self._empty_words()
        if words != self.card_list.nothing:
            self.card_list.nothing = words
            self.card_list.refresh()

    def _empty_words(self) -> str:
        name = self.view.file_name
        if self.card_list.needle and self.card_list.cards:
            return (
                f"No entry of {name} holds “{visible(self.card_list.needle, multiline=False)}”.\nesc clears the filter."
            )
        if self.view.state == "missing":
            return f"There is no {name} yet.\na adds the first entry; the file is made then."
        if self.view.state == "unreadable":
            return f"{name} cannot be shown until it can be read.\nf5 reads it again."
        return f"{name} is empty.\na adds the first entry."

    def _show_notice(self) -> None:
        view = self.view
        lines = [f"{view.problem} {view.hint}".strip()] if view.problem else []
        if not view.enabled:
            key = DISABLED_KEYS[view.store]
            lines.append(f"Disabled in config ({key}: false): the agent does not read this file.")
        serious = bool(lines)
        lines.extend(view.notes)
        notice = next((child for child in self.children if isinstance(child, Notice)), None)
        if not lines:
            if notice:
                notice.remove()
            return
        if notice is None:
            notice = Notice(markup=False)
            self.mount(notice, before=self.card_list)
        notice.update(Content(visible("\n".join(lines))))
        notice.set_class(serious, "-serious")
        notice.set_class(view.state in ("unreadable", "invalid_utf8"), "-broken")
