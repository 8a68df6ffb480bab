"""The filters as values to tick, and as the words they are in the search box. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from hermes_tui.sessions.dates import period
from hermes_tui.sessions.listing import HIDDEN, Brief, ListKind
from hermes_tui.sessions.query import FILTER_WORDS, ROLES, Filters, parse
from hermes_tui.ui.sessions.choosing import Choosing, Known, Titled, matching, quoted, typeable

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
OF_VALUES: tuple[Facet, ...] = ("source", "model", "folder")
"""Facets whose values are those that there are."""
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


class Tallies(NamedTuple):
    """How many conversations choosing a value would show, the other filters being what they are."""

    kinds: Counter[str]
    archived: int
    ages: Counter[str]
    sources: Counter[str]
    models: Counter[str]
    folders: Counter[str]

    def rows(self, facet: Facet, value: str) -> int:
        """Of one source, model or folder; found as a filter word finds it."""
        counter = {"source": self.sources, "model": self.models, "folder": self.folders}[facet]
        return sum(counter[each] for each in matching((value,), counter, whole=facet == "source"))


def tallied(briefs: Iterable[Brief], choosing: Choosing, known: Known, titled: Titled, now: float) -> Tallies:
    """Count them all in one go."""
    made = Tallies(Counter(), 0, Counter(), Counter(), Counter(), Counter())
    choice, lets, archived = choosing.choice(known), choosing.lets(titled), 0
    named = choosing.kinds_of_a_source
    starts = {age: (period(age, now) or (now, now))[0] for age in AGES}
    for brief in briefs:
        if not lets(brief) or (choice.before is not None and brief.last_active >= choice.before):
            continue
        of_kind = brief.kind not in HIDDEN or brief.kind in choice.kinds
        of_source = not choice.sources or brief.source in choice.sources
        of_model = not choice.models or brief.model in choice.models
        of_folder = not choice.cwds or brief.cwd in choice.cwds
        late = choice.after is None or brief.last_active >= choice.after
        kept = brief.archived if choice.archived == "only" else not brief.archived or choice.archived == "also"
        if kept and late and of_model and of_folder and (brief.kind not in HIDDEN or brief.kind in named):
            made.sources[brief.source] += 1
        if of_source and kept and late:
            if of_kind and of_folder:
                made.models[brief.model] += 1
            if of_kind and of_model:
                made.folders[brief.cwd] += 1
            if of_model and of_folder:
                made.kinds[brief.kind] += 1
        if of_kind and of_source and of_model and of_folder:
            archived += brief.archived and late
            if kept:
                made.ages.update(age for age, start in starts.items() if brief.last_active >= start)
    return made._replace(archived=archived)


def facet_counts(
    briefs: Sequence[Brief], choosing: Choosing, known: Known, titled: Titled, now: float
) -> dict[Value, int | None]:
    """How many conversations choosing each value would show, in the order to offer them; None: nobody counts them."""
    made = tallied(briefs, choosing, known, titled, now)
    there = {brief.kind for brief in briefs}
    counts: dict[Value, int | None] = {("hidden", kind): made.kinds[kind] for kind in KINDS if kind in there}
    counts |= {("archived", state): made.archived for state in ("also", "only")}
    counts |= {("active", age): made.ages[age] for age in AGES}
    counts |= {("role", role): None for role in ROLES}
    for facet in OF_VALUES:
        values = [value for value in known.get(FILTER_OF[facet], {}) if typeable(value)][:MOST_VALUES]
        counts |= {(facet, value): made.rows(facet, value) for value in values}
    return counts


def ticked_by(text: str, kinds: Iterable[str], counts: Iterable[Value], now: float) -> set[Value]:
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
