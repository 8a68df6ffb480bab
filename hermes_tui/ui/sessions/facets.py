"""The filters as values to tick, and as the words they are in the search box. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from hermes_tui.sessions.dates import period
from hermes_tui.sessions.listing import HIDDEN, Brief, ListKind
from hermes_tui.sessions.query import FILTER_WORDS, ROLES, Filters, parse
from hermes_tui.ui.sessions.choosing import quoted, typeable

Facet = Literal["hidden", "archived", "active", "role", "source", "model", "folder"]
FACETS: tuple[Facet, ...] = get_args(Facet)
Value = tuple[Facet, str]

HEADINGS: dict[Facet, str] = {
    "hidden": "Also show",
    "archived": "Archived",
    "active": "Last active",
    "role": "Hits said by",
    "source": "Source",
    "model": "Model",
    "folder": "Folder",
}
ONE_OF: frozenset[Facet] = frozenset({"archived", "active"})
"""Facets of which one value holds at a time."""
FILTER_OF: dict[Facet, str] = {
    "archived": "archived",
    "active": "after",
    "role": "role",
    "source": "source",
    "model": "model",
    "folder": "cwd",
}
"""The filter word of each facet; what is hidden has none."""
KINDS: tuple[ListKind, ...] = ("subagent", "cron", "tool", "empty")
AGES: dict[str, str] = {"today": "today", "7d": "in 7 days", "30d": "in 30 days", "1y": "in a year"}
MOST_VALUES = 200
"""Values offered of one facet; the rarest are left out."""


def facet_counts(briefs: Iterable[Brief], now: float) -> dict[Value, int]:
    """How many conversations there are under each value, in the order to offer them."""
    sources, models, folders = Counter[str](), Counter[str](), Counter[str]()
    kinds, archived = Counter[str](), 0
    starts = {age: (period(age, now) or (now, now))[0] for age in AGES}
    ages = Counter[str]()
    for brief in briefs:
        sources[brief.source] += 1
        models[brief.model] += 1
        folders[brief.cwd] += 1
        kinds[brief.kind] += 1
        archived += brief.archived
        for age, start in starts.items():
            ages[age] += brief.last_active >= start
    counts: dict[Value, int] = {("hidden", kind): kinds[kind] for kind in KINDS if kinds[kind]}
    counts |= {("archived", state): archived for state in ("also", "only")}
    counts |= {("active", age): ages[age] for age in AGES}
    counts |= {("role", role): 0 for role in ROLES}
    facets: tuple[tuple[Facet, Counter[str]], ...] = (("source", sources), ("model", models), ("folder", folders))
    for facet, counter in facets:
        common = counter.most_common(MOST_VALUES)
        counts |= {(facet, value): count for value, count in common if value and typeable(value)}
    return counts


def ticked_by(text: str, kinds: Iterable[str], counts: Mapping[Value, int], now: float) -> set[Value]:
    """What is ticked while this stands in the box."""
    filters = parse(text, now).filters
    ticked: set[Value] = {("hidden", kind) for kind in kinds}
    typed: dict[Facet, Sequence[str]] = {
        "role": filters.role,
        "source": filters.source,
        "model": filters.model,
        "folder": filters.cwd,
        "active": [match[2].strip('"') for match in _words(("after",)).finditer(text)][-1:],
        "archived": [filters.archived] if filters.archived else [],
    }
    for facet, values in typed.items():
        there = {name.casefold(): name for found, name in counts if found == facet}
        ticked |= {(facet, there.get(value.casefold(), value)) for value in values}
    return ticked


def text_of(text: str, ticked: Iterable[Value]) -> str:
    """The box with the filter words of these ticks in the place of those it had."""
    rest = _words(tuple(FILTER_OF.values())).sub(" ", text)
    words = [
        f"{FILTER_OF[facet]}:{quoted(value)}"
        for facet, value in sorted(ticked, key=lambda each: (FACETS.index(each[0]), each[1]))
        if facet in FILTER_OF
    ]
    return " ".join([*rest.split(), *words])


def kinds_of(ticked: Iterable[Value]) -> frozenset[ListKind]:
    """The kinds that are ticked to be shown too."""
    return frozenset(kind for kind in HIDDEN if ("hidden", kind) in set(ticked))


def without_filters(text: str) -> str:
    """What is typed besides filter words."""
    return " ".join(_words(FILTER_WORDS).sub(" ", text).split())


def only_filters(text: str, filters: Filters) -> str:
    """The filter words of the box, as they are typed."""
    if not filters.any:
        return ""
    return " ".join(match[0] for match in _words(FILTER_WORDS).finditer(text))


def _words(names: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf'(?<!\S)-?({"|".join(names)}):("[^"]*"|\S+)', re.IGNORECASE)
