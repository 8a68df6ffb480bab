"""What narrows and orders the Sessions screen, as plain data: for the next start, and for a saved view."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hermes_tui.sessions.listing import HIDDEN, ListKind, Order
from hermes_tui.sessions.query import parse
from hermes_tui.text import visible
from hermes_tui.ui.sessions.choosing import ORDER_WORDS, ORDERS
from hermes_tui.ui.sessions.facets import only_filters, without_filters

if TYPE_CHECKING:
    from hermes_tui.sessions.search import Sort
    from hermes_tui.ui.sessions.screen import SessionsScreen


@dataclass(frozen=True, slots=True)
class Viewed:
    """One way to look at the sessions."""

    text: str = ""
    """The search box, filter words and all; a date such as 7d stays what it says on any day."""
    kinds: frozenset[ListKind] = frozenset()
    """Kinds shown that are hidden otherwise."""
    sort: Sort = "newest"
    """How hits are sorted."""
    order: Order = "active"
    """The order of conversations."""

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Viewed:
        """From plain data; what is missing is as at the first start.

        Raises:
            ValueError: a value is none that we know.
        """
        text, kinds = content.get("text", ""), content.get("kinds", [])
        sort, order = content.get("sort", "newest"), content.get("order", "active")
        if not isinstance(text, str):
            raise ValueError("its search text is no text")
        if not isinstance(kinds, list) or any(kind not in HIDDEN for kind in kinds):
            raise ValueError(f"of hidden kinds there are only {', '.join(sorted(HIDDEN))}")
        if sort not in ("newest", "relevance"):
            raise ValueError("hits come newest first, or by relevance")
        if order not in ORDERS:
            raise ValueError(f"the orders are {', '.join(ORDERS)}")
        return cls(text, frozenset(kinds), sort, order)

    @property
    def content(self) -> dict[str, Any]:
        """As plain data."""
        return {"text": self.text, "kinds": sorted(self.kinds), "sort": self.sort, "order": self.order}

    @property
    def searches(self) -> bool:
        """Whether it looks for words, and does not only narrow the list."""
        return bool(parse(self.text, time.time()).readings)

    @property
    def words(self) -> str:
        """What it shows, in words."""
        looked_for = without_filters(self.text)
        filters = only_filters(self.text, parse(self.text, time.time()).filters)
        kinds = "all kinds" if self.kinds >= HIDDEN else f"also {', '.join(sorted(self.kinds))}" if self.kinds else ""
        searches = self.searches
        parts = (
            f"“{looked_for}”" if looked_for else "",
            f"only {filters}" if filters else "",
            kinds,
            "by relevance" if searches and self.sort == "relevance" else "",
            ORDER_WORDS[self.order] if not searches and self.order != "active" else "",
        )
        return visible(" · ".join(filter(None, parts)), multiline=False) or "everything, last activity first"


class Showing:
    """What the Sessions screen shows, to be saved and shown again."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        self.usual = Viewed().content

    @property
    def content(self) -> dict[str, Any]:
        """What is shown now."""
        screen = self._screen
        choosing = screen.choosing
        return Viewed(screen.box.text, choosing.kinds, screen.sort, choosing.order).content

    def full(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """As `content` says it: what is not mentioned is as usual.

        Raises:
            ValueError: it cannot be shown.
        """
        return Viewed.of(content).content

    def words(self, content: Mapping[str, Any]) -> str:
        """In words.

        Raises:
            ValueError: it cannot be shown.
        """
        return Viewed.of(content).words

    def count(self, content: Mapping[str, Any]) -> str:
        """In a thread: how many conversations; empty for what has to be searched for."""
        viewed, reader = Viewed.of(content), self._screen.reader
        choosing = self._screen.choosing_of(viewed.text, viewed.kinds)
        if not reader.complete or viewed.searches or choosing.filters.memory:
            return ""
        return f"{len(choosing.chosen(reader.briefs, reader.known, self._screen.searcher.titled)[0]):,}"

    async def show(self, content: Mapping[str, Any]) -> None:
        """Show it."""
        viewed, screen = Viewed.of(content), self._screen
        screen.sort = viewed.sort
        screen.choosing = replace(screen.choosing, kinds=viewed.kinds, order=viewed.order)
        if screen.box.text == viewed.text:
            screen.ask()
        else:
            screen.box.put(viewed.text)
