"""One store on the screen: where its file is, how full it is, what is wrong with it, and its cards."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.text import cells, plural, short_path, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.memory.card_list import CardList
from hermes_tui.ui.memory.cards import CardId, Followed, Freshness, cards_of
from hermes_tui.ui.troubles import config_words, no_home_words, on_screen, quoted
from hermes_tui.ui.widgets.header import cut_start
from hermes_tui.ui.widgets.notice import Notice
from hermes_tui.ui.widgets.usage_bar import UsageBar, advice_on

if TYPE_CHECKING:
    from hermes_tui.ui.live import HomeState

DISABLED_KEYS: dict[StoreName, str] = {
    "memory": "memory.memory_enabled",
    "user": "memory.user_profile_enabled",
}


def written_words(mtime: float | None, now: float) -> str:
    """`written 14:02`, with the day when that was not today; empty for no file."""
    if mtime is None:
        return ""
    then, today = time.localtime(mtime), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("written %H:%M", then)
    return time.strftime("written %d %b" if then[0] == today[0] else "written %d %b %Y", then)


def alert_words(view: StoreView) -> str:
    """`MEMORY.md nearly full, 97%`: what about a store has to be known wherever one is; empty when nothing."""
    if view.state == "unreadable":
        return f"{view.file_name} cannot be read"
    if view.usage.level not in ("alert", "over"):
        return ""
    words = "over" if view.usage.over else advice_on(view.usage)
    return f"{view.file_name} {words}, {view.usage.percent}%"


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


class StorePane(Vertical):
    """A store with its path, usage, notices and cards."""

    path_line = getters.query_one(PathLine)
    usage_bar = getters.query_one(UsageBar)
    card_list = getters.query_one(CardList)

    def __init__(self, view: StoreView) -> None:
        super().__init__(id=f"pane-{view.store}")
        self.view = view
        self.since: Mapping[str, str] = {}
        """For texts, since when they are there and who wrote them, as far as that is known."""
        self._no_home = ""
        self._config: tuple[str, bool] = ("", False)

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

    def know_home(self, state: HomeState) -> None:
        """Take over what there is to know about the home and its config as a whole."""
        known = (self._no_home, self._config)
        self._no_home = "" if state.exists else no_home_words(self.view.path.parent.parent)
        self._config = config_words(state.config) if state.exists else ("", False)
        if self.is_mounted and known != (self._no_home, self._config):
            self._show_state()
            self.show_counts()

    def show(
        self,
        view: StoreView,
        fresh: dict[CardId, Freshness] | None = None,
        followed: Followed | None = None,
    ) -> None:
        """Show a new reading of the store; only what differs is drawn again."""
        self.view = view
        self.path_line.show(view)
        self.usage_bar.usage = view.usage
        self._show_state()
        self.card_list.show(cards_of(view, fresh, self.since), followed)
        self.show_counts()

    def filter(self, needle: str) -> None:
        """Show only the cards that hold `needle`."""
        self.card_list.filter(needle)
        self.show_counts()

    @property
    def count_words(self) -> str:
        """`14 entries · 2 blocked`, or `3 of 14` under a filter."""
        if self.view.state == "unreadable":
            return "cannot be read"
        if self._no_home and not self.card_list.cards:
            return "no such home"
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
            none = f"No entry of {name} holds {quoted(self.card_list.needle)}."
            return f"{none}\n{key_for('memory.back')} clears the filter."
        if self._no_home:
            return self._no_home
        if self.view.state == "missing":
            return f"There is no {name} yet.\n{key_for('memory.add')} adds the first entry; the file is made then."
        if self.view.state == "unreadable":
            return f"{name} cannot be shown until it can be read.\n{key_for('app.reread')} reads it again."
        return f"{name} is empty.\n{key_for('memory.add')} adds the first entry."

    def _show_state(self) -> None:
        unread = "cannot be read, so nobody knows how full it is" if self.view.state == "unreadable" else ""
        self.usage_bar.instead = unread or ("no such home" if self._no_home else "")
        self._show_notice()

    def _show_notice(self) -> None:
        view = self.view
        lines = [on_screen(f"{view.problem} {view.hint}".strip())] if view.problem else []
        if not view.enabled:
            key = DISABLED_KEYS[view.store]
            lines.append(f"Disabled in config ({key}: false): the agent does not read this file.")
        words, unusable = self._config
        serious = bool(lines) or unusable
        if words:
            lines.append(words)
        lines.extend(view.notes)
        notice = next((child for child in self.children if isinstance(child, Notice)), None)
        if notice:
            notice.display = bool(lines)
        if not lines:
            return
        if notice is None:
            notice = Notice(markup=False)
            self.mount(notice, before=self.card_list)
        notice.update(Content(visible("\n".join(lines))))
        notice.set_class(serious, "-serious")
        notice.set_class(view.state in ("unreadable", "invalid_utf8"), "-broken")
