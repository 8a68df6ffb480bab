"""Which conversations the list shows, in what order, and what the filter words in the box mean for it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args

from hermes_tui.sessions.listing import HIDDEN, Brief, Choice, ListKind, Order, choose
from hermes_tui.sessions.query import Filters
from hermes_tui.text import visible
from hermes_tui.ui.sessions.sheets import ListSheet

if TYPE_CHECKING:
    from hermes_tui.sessions.search import Scope

ORDERS: tuple[Order, ...] = get_args(Order)
ORDER_WORDS: dict[Order, str] = {
    "active": "last activity first",
    "started": "newest start first",
    "messages": "most messages first",
}
HIDDEN_WORDS: dict[str, str] = {"filter": "by filter", "empty": "empty", "archived": "archived"}

RUNS: frozenset[ListKind] = frozenset({"subagent", "cron", "tool"})

Known = Mapping[str, Mapping[str, int]]
Titled = Callable[[str], Sequence[str]]
"""Ids of the sessions that have some words in their title."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The list as it is chosen."""

    sheet: ListSheet
    shown: int
    every: int
    """Conversations that are shown without the filter words."""
    beyond: bool
    """Whether filter words bring some into view that are hidden without them."""
    hidden: Mapping[str, int]
    """What the filter words let through and is left out for being of a kind that is hidden, or archived."""
    complete: bool


@dataclass(frozen=True, slots=True)
class Choosing:
    """What a person wants to see."""

    filters: Filters = field(default_factory=Filters)
    """Those of the search box."""
    kinds: frozenset[ListKind] = frozenset()
    """Kinds shown that are hidden otherwise."""
    order: Order = "active"
    unfolded: frozenset[str] = frozenset()
    """Conversations whose parts are shown one by one, by their first session."""
    height: int = 2
    """Lines of a row."""

    @property
    def shows_all_kinds(self) -> bool:
        """Whether nothing is hidden for what it is."""
        return self.kinds >= HIDDEN

    @property
    def scope(self) -> Scope:
        """The same for a search."""
        from hermes_tui.sessions.search import Scope  # loaded here: the list does not need it

        kinds = frozenset(kind for kind in self.kinds if kind != "empty")
        return Scope(kinds, self.filters.archived or "also")

    def choice(self, known: Known) -> Choice:
        """The same for the list; values are compared as a search does."""
        filters = self.filters
        return Choice(
            kinds=self.kinds_of_a_source if filters.source else self.kinds,
            archived=filters.archived or "no",
            sources=matching(filters.source, known.get("source", {}), whole=True),
            models=matching(filters.model, known.get("model", {})),
            cwds=matching(filters.cwd, known.get("cwd", {})),
            after=filters.after,
            before=filters.before,
            order=self.order,
        )

    def listed(self, briefs: Sequence[Brief], known: Known, complete: bool, titled: Titled) -> Listed:
        """The list, laid out."""
        shown, hidden = self.chosen(briefs, known, titled)
        every, beyond = len(shown), False
        if self.filters.any:
            every = len(choose(briefs, Choice(self.kinds)).briefs)
            beyond = len(choose(shown, Choice(self.kinds)).briefs) < len(shown)
        sheet = ListSheet(shown, self.unfolded, self.height).prepare()
        return Listed(sheet, len(shown), every, beyond, hidden, complete)

    def chosen(
        self, briefs: Sequence[Brief], known: Known, titled: Titled
    ) -> tuple[Sequence[Brief], Mapping[str, int]]:
        """What the filter words let through: what is shown of it, in order, and what not."""
        choice = self.choice(known)
        if not self.filters.any:
            every = choose(briefs, choice)
            return every.briefs, every.hidden
        wide = replace(choice, kinds=HIDDEN, archived="only" if choice.archived == "only" else "also")
        lets = self.lets(titled)
        chosen = choose([brief for brief in choose(briefs, wide).briefs if lets(brief)], choice)
        return chosen.briefs, chosen.hidden

    def lets(self, titled: Titled) -> Callable[[Brief], bool]:
        """Whether `title:` and `in:` let a conversation through."""
        within = self.filters.within
        called = [set(titled(value)) for value in self.filters.title]
        named = {id for value in within for id in titled(value)}
        remembering = self.filters.memory_ids or frozenset()

        def let(brief: Brief) -> bool:
            if self.filters.memory and remembering.isdisjoint(brief.parts):
                return False
            if within and not any(id in named or id.startswith(within) for id in brief.parts):
                return False
            return all(ids.intersection(brief.parts) for ids in called)

        return let

    @property
    def kinds_of_a_source(self) -> frozenset[ListKind]:
        """Kinds shown when a source is asked for by name: who does that wants to see it."""
        return self.kinds | RUNS

    def toggled(self, root: str) -> Choosing:
        """With the parts of a conversation shown, or folded again."""
        return replace(self, unfolded=self.unfolded ^ {root})


def known_values(briefs: Sequence[Brief]) -> dict[str, dict[str, int]]:
    """The sources, models and folders there are, the most common first."""
    counters = {
        "source": Counter(brief.source for brief in briefs),
        "model": Counter(brief.model for brief in briefs),
        "cwd": Counter(brief.cwd for brief in briefs),
    }
    return {
        name: {value: count for value, count in counter.most_common() if value} for name, counter in counters.items()
    }


def matching(wanted: Sequence[str], there: Mapping[str, int], *, whole: bool = False) -> frozenset[str]:
    """The values that a filter word lets through; itself when there are none, so that nothing passes."""
    if not wanted:
        return frozenset()
    found: set[str] = set()
    for value in wanted:
        looked_for = value.casefold()
        found |= {
            each for each in there if (each.casefold() == looked_for if whole else looked_for in each.casefold())
        }  # fmt: skip
    return frozenset(found or wanted)


def typeable(value: str) -> bool:
    """Whether a value from disk can stand in the search box: nothing in it that a terminal acts on, and no quote."""
    return visible(value, multiline=False) == value and '"' not in value


def quoted(value: str) -> str:
    """A value of a filter word as it is typed."""
    return f'"{value}"' if any(char.isspace() for char in value) else value
