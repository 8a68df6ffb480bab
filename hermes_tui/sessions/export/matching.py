"""Which conversations a person wants exported, by what they are, or by what a search finds."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.lineage import HIDDEN_KINDS, Kind, Lineages
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
    """What of the query could not be understood, and how it was read instead, in sentences."""


def matched(base: Database, wanted: Matching) -> Matched:
    """The conversations that the list and the search show for the same filters.

    Raises:
        Unreadable: the database cannot be read.
    """
    index = SessionIndex(base)
    index.load()
    asked_for = Choice(kinds=HIDDEN, archived="also", sources=wanted.sources, after=wanted.after, before=wanted.before)
    briefs = choose(index.briefs, asked_for).briefs
    if wanted.title:
        facts = Lineages(base).facts(id for brief in briefs for id in brief.parts)
        named = {id for id, fact in facts.items() if wanted.title.casefold() in fact.title.casefold()}
        briefs = tuple(brief for brief in briefs if not named.isdisjoint(brief.parts))
    wide = wanted.everything or wanted.hidden
    if wanted.query:
        return _found(base, wanted, briefs, HIDDEN_KINDS if wide else HIDDEN_KINDS & wanted.sources)
    kinds = HIDDEN if wide else frozenset(kind for kind in HIDDEN if kind in wanted.sources)
    shown = choose(briefs, Choice(kinds, wanted.archived or ("also" if wanted.everything else "no")))
    hidden = {reason: count for reason, count in shown.hidden.items() if reason != "filter"}
    return Matched(tuple(brief.id for brief in shown.briefs), hidden)


def _found(base: Database, wanted: Matching, briefs: Iterable[Brief], kinds: frozenset[Kind]) -> Matched:
    """Those of some conversations that a search finds."""
    query = parse(wanted.query, time.time(), typing=False)
    page = Search(base, query, scope=Scope(kinds, wanted.archived or "also"), exhaustive=wanted.everything).all()
    found = {each.summary.brief.root for each in page.found}
    said = (f"Read as: {page.reading}.",) if page.reading and found else ()
    return Matched(tuple(brief.id for brief in briefs if brief.root in found), page.hidden, (*query.problems, *said))
