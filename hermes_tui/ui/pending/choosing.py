"""Which rows the list shows and in what order: text, verdict, origin, store and age. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from hermes_tui.pending.preview import Preview
from hermes_tui.ui.pending.model import VERDICT_WORDS, Item, RecordKey, Row

Order = Literal["oldest", "newest", "verdict", "origin", "store"]
ORDERS: tuple[Order, ...] = get_args(Order)
ORDER_WORDS: dict[Order, str] = {
    "oldest": "oldest first",
    "newest": "newest first",
    "verdict": "by verdict",
    "origin": "by origin",
    "store": "by store",
}

Facet = Literal["verdict", "origin", "store", "age"]
FACETS: tuple[Facet, ...] = get_args(Facet)
HOUR, DAY = 3600.0, 86400.0
AGES: tuple[tuple[str, float], ...] = (
    ("under an hour", HOUR),
    ("under a day", DAY),
    ("under a week", 7 * DAY),
    ("older", float("inf")),
)
"""Names of ages, and the seconds each ends at."""

Previews = Mapping[RecordKey, Preview]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person wants to see of the queue."""

    needle: str = ""
    """Every word of it has to stand in the record's text, in any case."""
    values: frozenset[tuple[Facet, str]] = field(default_factory=frozenset)
    """What was ticked; several of one facet mean any of them, and a facet without a tick means all."""
    order: Order = "oldest"

    @property
    def narrows(self) -> bool:
        """Whether anything may be left out."""
        return bool(self.needle or self.values)

    @property
    def words(self) -> str:
        """What was ticked, in words."""
        named = sorted(self.values, key=lambda value: FACETS.index(value[0]))
        return " · ".join(VERDICT_WORDS.get(word, word) if facet == "verdict" else word for facet, word in named)


def value_of(item: Item, facet: Facet, preview: Preview | None, now: float) -> str:
    """What an item is under a facet."""
    if facet == "verdict":
        return preview.verdict if preview else ""
    if facet == "origin":
        return item.origin
    if facet == "store":
        return item.store
    age = now - (item.record.created_at or now)
    return next(name for name, ends in AGES if age < ends)


def chosen(items: Iterable[Item], choice: Choice, previews: Previews, now: float) -> list[Item]:
    """The items that pass."""
    tests: list[Callable[[Item], bool]] = []
    if words := choice.needle.casefold().split():
        tests.append(lambda item: all(word in item.searched for word in words))
    for facet in FACETS:
        allowed = {word for name, word in choice.values if name == facet}
        if allowed:
            tests.append(_passes(facet, allowed, previews, now))
    return [item for item in items if all(test(item) for test in tests)]


def _passes(facet: Facet, allowed: set[str], previews: Previews, now: float) -> Callable[[Item], bool]:
    return lambda item: value_of(item, facet, previews.get(item.key), now) in allowed


def in_order(rows: Sequence[Row], order: Order, previews: Previews) -> list[Row]:
    """The rows in the order asked for; within it the oldest come first."""
    if order == "oldest":
        return list(rows)
    if order == "newest":
        return sorted(rows, key=lambda row: -(row.items[-1].record.created_at or 0.0))
    ranks = {verdict: rank for rank, verdict in enumerate(VERDICT_WORDS)}

    def rank(row: Row) -> Any:
        if order == "verdict":
            preview = previews.get(row.item.key)
            return ranks[preview.verdict] if preview else len(ranks)
        return row.item.origin if order == "origin" else ("memory", "user", "skill", "–").index(row.item.store)

    return sorted(rows, key=rank)


def counts(items: Iterable[Item], previews: Previews, now: float) -> dict[tuple[Facet, str], int]:
    """How many items there are under each value of each facet, values in the order to offer them."""
    found: dict[tuple[Facet, str], int] = {}
    for item in items:
        preview = previews.get(item.key)
        for facet in FACETS:
            key = (facet, value_of(item, facet, preview, now))
            if key[1]:
                found[key] = found.get(key, 0) + 1
    known = {word: rank for rank, word in enumerate([*VERDICT_WORDS, *(name for name, _ in AGES)])}
    return dict(sorted(found.items(), key=lambda pair: (FACETS.index(pair[0][0]), known.get(pair[0][1], 0), pair[0])))
