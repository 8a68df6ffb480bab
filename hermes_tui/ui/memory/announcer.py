"""Saying what changed by itself: ages on cards, entries that are gone, entries the agent will not see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from textual.timer import Timer

from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.text import one_line, plural
from hermes_tui.ui.memory.blocked import BlockedToasts
from hermes_tui.ui.memory.cards import CardId, Followed, Freshness, cards_of
from hermes_tui.ui.memory.news import News

if TYPE_CHECKING:
    from hermes_tui.ui.memory.screen import MemoryScreen

TICK_SECONDS = 1.0


class Announcer:
    """The news of both stores, and the clock that ages them."""

    def __init__(self, screen: MemoryScreen, clock: Callable[[], float]) -> None:
        self._screen = screen
        self._clock = clock
        self._news: dict[StoreName, News] = {}
        self._blocked = BlockedToasts()
        self._ticker: Timer | None = None

    @property
    def ticking(self) -> bool:
        """Whether a card shows an age that has to follow the clock."""
        return self._ticker is not None

    def compare(
        self, before: StoreView, after: StoreView, *, ours: bool, about: Collection[int] = ()
    ) -> tuple[dict[CardId, Freshness], Followed]:
        """What is news on the cards of `after`, and what became of the others; `about` as in `changes_between`."""
        news = self._news.setdefault(after.store, News(self._clock))
        changes = news.note(before, after, ours=ours, about=about)
        if changes.removed and not ours and after.state == "ok":
            texts = [id.text for id in changes.removed]
            what = f"“{one_line(texts[0], 60)}”" if len(texts) == 1 else plural(len(texts), "entry", "entries")
            self._screen.hermes.say(
                f"{after.file_name}: {what} removed by another program.", severity="warning", seconds=8
            )
        self._tick_while_news()
        return news.fresh(), changes.followed

    def know_blocked(self, views: Iterable[StoreView]) -> None:
        """Take what is blocked at the start as seen: the frame counts it and its cards say it."""
        for _ in self._blocked.words_for(views):
            pass

    def blocked(self, views: Iterable[StoreView]) -> None:
        """Say once which entries the agent hides."""
        for words in self._blocked.words_for(views):
            self._screen.hermes.say(words, severity="warning", seconds=6)

    def _tick_while_news(self) -> None:
        wanted = any(news.fresh() for news in self._news.values())
        if wanted and self._ticker is None:
            self._ticker = self._screen.set_interval(TICK_SECONDS, self._tick, name="ages")
        elif not wanted and self._ticker is not None:
            self._ticker.stop()
            self._ticker = None

    def _tick(self) -> None:
        for store in self._news:
            self.show_cards(store)
        self._tick_while_news()

    def show_cards(self, store: StoreName) -> None:
        """Show what there is to say on the cards of a store now."""
        pane, news = self._screen.pane(store), self._news.get(store)
        cards = cards_of(pane.view, news.fresh() if news else None, pane.since)
        if cards != pane.card_list.cards:
            pane.card_list.show(cards)
