"""What narrows and orders the queue, as plain data: for the next start, and for a saved view."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from hermes_tui.text import visible
from hermes_tui.ui.pending.choosing import AGES, FACETS, ORDER_WORDS, ORDERS, Choice, Facet, chosen
from hermes_tui.ui.pending.model import VERDICT_WORDS

if TYPE_CHECKING:
    from hermes_tui.ui.pending.screen import PendingScreen

_KNOWN: Mapping[str, frozenset[str]] = {
    "verdict": frozenset(VERDICT_WORDS),
    "age": frozenset(name for name, _ in AGES),
}
"""Facets whose values are known beforehand."""


def choice_of(content: Mapping[str, Any]) -> Choice:
    """From plain data; what is missing is as at the first start.

    Raises:
        ValueError: a value is none that we know.
    """
    needle, order, only = content.get("text", ""), content.get("order", "oldest"), content.get("only", {})
    if not isinstance(needle, str):
        raise ValueError("its filter text is no text")
    if order not in ORDERS:
        raise ValueError(f"the orders are {', '.join(ORDERS)}")
    if not isinstance(only, dict):
        raise ValueError("what is shown is no object")
    values: set[tuple[Facet, str]] = set()
    for facet, names in only.items():
        if facet not in FACETS:
            raise ValueError(f"one can show only some of {', '.join(FACETS)}")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"its {facet} is no list of words")
        if facet in _KNOWN and not _KNOWN[facet].issuperset(names):
            raise ValueError(f"{facet} is one of {', '.join(sorted(_KNOWN[facet]))}")
        values |= {(cast("Facet", facet), name) for name in names}
    return Choice(needle, frozenset(values), order)


def content_of(choice: Choice) -> dict[str, Any]:
    """As plain data."""
    only = {facet: sorted(name for each, name in choice.values if each == facet) for facet in FACETS}
    return {
        "text": choice.needle,
        "only": {facet: names for facet, names in only.items() if names},
        "order": choice.order,
    }


def choice_words(choice: Choice) -> str:
    """What it shows, in words."""
    parts = (
        f"“{choice.needle}”" if choice.needle else "",
        f"only {choice.words}" if choice.words else "",
        ORDER_WORDS[choice.order] if choice.order != "oldest" else "",
    )
    return visible(" · ".join(filter(None, parts)), multiline=False) or "everything, oldest first"


class Showing:
    """What the Pending screen shows, to be saved and shown again."""

    def __init__(self, screen: PendingScreen) -> None:
        self._screen = screen
        self.usual = content_of(Choice())

    @property
    def content(self) -> dict[str, Any]:
        """What is shown now."""
        return content_of(self._screen.choice)

    def full(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """As `content` says it: what is not mentioned is as usual.

        Raises:
            ValueError: it cannot be shown.
        """
        return content_of(choice_of(content))

    def words(self, content: Mapping[str, Any]) -> str:
        """In words.

        Raises:
            ValueError: it cannot be shown.
        """
        return choice_words(choice_of(content))

    def count(self, content: Mapping[str, Any]) -> str:
        """In a thread: how many writes."""
        choice, reader = choice_of(content), self._screen.reader
        if not reader.complete and any(facet == "verdict" for facet, _ in choice.values):
            return ""
        return f"{len(chosen(reader.items, choice, reader.previews, time.time())):,}"

    async def show(self, content: Mapping[str, Any]) -> None:
        """Show it."""
        looking = self._screen.looking
        looking.choose(choice_of(content))
        if looking.needle:
            await looking.show_filter()
        else:
            looking.end_filter()
