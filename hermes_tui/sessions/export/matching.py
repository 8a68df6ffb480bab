"""Which conversations a person wants exported, by what they are, or by what a search finds."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.lineage import HIDDEN_KINDS, Lineages
from hermes_tui.sessions.listing import HIDDEN, Brief, Choice, SessionIndex, choose
from hermes_tui.sessions.query import Archived, parse
from hermes_tui.sessions.search import Scope, Search


@dataclass(frozen=True, slots=True)
class Matching:
    """What conversations have to be; what is empty lets all through."""

    everything: bool = False
    """Hidden and archived ones too."""
    hidden: bool = False
    """Empty ones too, and those of subagents, schedules and programs."""
    archived: Archived | None = None
    """None: as the list has it, or as a search has it where there is a query."""
    sources: frozenset[str] = frozenset()
    title: str = ""
    """Part of it, capitals or not."""
    after: float | None = None
    """Epoch seconds of the last activity, included."""
    before: float | None = None
    """The same, excluded."""
    query: str = ""
    """What a search is asked."""

    @property
    def any(self) -> bool:
        """Whether something is asked for at all."""
        return self != Matching()


@dataclass(frozen=True, slots=True)
class Matched:
    """The conversations that match."""

    ids: tuple[str, ...]
    """Of the newest part of each, the last active first."""
    hidden: Mapping[str, int]
    """How many were left out although nothing that was asked for speaks against them, by the reason."""
    problems: tuple[str, ...] = ()
    """What of the query could not be understood, in sentences."""


def matched(base: Database, wanted: Matching) -> Matched:
    """The conversations that the list and the search show for the same filters.

    Raises:
        Unreadable: the database cannot be read.
    """
    index = SessionIndex(base)
    index.load()
    searched = bool(wanted.query)
    open_kinds = wanted.hidden or wanted.everything or searched
    chosen = choose(
        index.briefs,
        Choice(
            kinds=HIDDEN if open_kinds else frozenset(kind for kind in HIDDEN if kind in wanted.sources),
            archived=wanted.archived or ("also" if wanted.everything or searched else "no"),
            sources=wanted.sources,
            after=wanted.after,
            before=wanted.before,
        ),
    )
    briefs: Iterable[Brief] = chosen.briefs
    if wanted.title:
        facts = Lineages(base).facts(id for brief in chosen.briefs for id in brief.parts)
        titles = {id: fact.title.casefold() for id, fact in facts.items()}
        part = wanted.title.casefold()
        briefs = [brief for brief in briefs if any(part in titles.get(id, "") for id in brief.parts)]
    if not searched:
        hidden = {reason: count for reason, count in chosen.hidden.items() if reason != "filter"}
        return Matched(tuple(brief.id for brief in briefs), hidden)
    asked = parse(wanted.query, time.time())
    wide = wanted.hidden or wanted.everything
    kinds = HIDDEN_KINDS if wide else frozenset(kind for kind in HIDDEN_KINDS if kind in wanted.sources)
    page = Search(base, asked, scope=Scope(kinds=kinds), exhaustive=True).all()
    found = {each.summary.brief.root for each in page.found}
    return Matched(tuple(brief.id for brief in briefs if brief.root in found), page.hidden, asked.problems)
