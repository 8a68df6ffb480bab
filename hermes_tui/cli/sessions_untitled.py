"""Conversations without a title, and what their first words make of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import options
from hermes_tui.cli.output import say
from hermes_tui.cli.texts import whole_characters
from hermes_tui.text import one_line

if TYPE_CHECKING:
    from hermes_tui.sessions.database import Database

Source = Literal["derived", "llm"]

TITLE_CELLS = 80


@dataclass(frozen=True, slots=True)
class Suggested:
    """A conversation, and the title that it may get."""

    id: str
    title: str = ""
    source: Source = "derived"
    said: bool = False
    """Whether a person said something in it, and it has no title."""
    written: bool = False
    reason: str = ""
    """Why it has no title, or not one of this source."""
    code: str = ""
    """The same for scripts; empty where nothing went wrong."""


def named(base: Database, names: Sequence[str]) -> Iterator[Suggested]:
    """The conversations of sessions that are named, by their newest part; those with a title say so."""
    from hermes_tui.sessions.lineage import Lineages
    from hermes_tui.sessions.meant import meant

    lineages = Lineages(base)
    parts = dict.fromkeys(lineages.parts(meant(base, whole_characters(name))) for name in names)
    for ids in parts:
        titles = [fact.title for fact in lineages.facts(ids).values() if fact.title]
        titled = f"It is called “{one_line(titles[-1], TITLE_CELLS)}”; `rename` changes it." if titles else ""
        yield Suggested(ids[-1], reason=titled, code="titled" if titled else "")


def untitled(base: Database, filters: Mapping[str, Any]) -> list[Suggested]:
    """All conversations of which no part has a title, by the filters, the last active first."""
    from hermes_tui.cli.sessions_text import hidden_words
    from hermes_tui.sessions.lineage import Lineages
    from hermes_tui.sessions.listing import HIDDEN, Choice, SessionIndex, choose

    index = SessionIndex(base)
    index.load()
    facts = Lineages(base).facts(part for brief in index.briefs for part in brief.parts)
    titled = {id for id, fact in facts.items() if fact.title}
    briefs = [brief for brief in index.briefs if brief.kind != "empty" and titled.isdisjoint(brief.parts)]
    sources = frozenset(whole_characters(source) for source in filters["sources"])
    choice = Choice(
        kinds=HIDDEN if filters["hidden"] else frozenset(kind for kind in HIDDEN if kind in sources),
        archived=filters["archived"],
        sources=sources,
        after=filters["after"],
        before=filters["before"],
    )
    chosen = choose(briefs, choice)
    left_out = hidden_words({kind: count for kind, count in chosen.hidden.items() if kind != "filter"})
    if left_out and not options().json:
        say(f"Left out: {left_out} (--hidden, --archived).")
    return [Suggested(brief.id) for brief in chosen.briefs]


def derived(base: Database, rows: Sequence[Suggested], limit: int | None, progress: ProgressLine) -> list[Suggested]:
    """The rows with titles from the first words, up to so many in which something was said."""
    from hermes_tui.redaction import redact
    from hermes_tui.sessions.lineage import Lineages
    from hermes_tui.sessions.summaries import began

    lineages = Lineages(base)
    done: list[Suggested] = []
    said = 0
    for row in rows:
        if said == limit:
            break
        progress(len(done), len(rows))
        if not row.code:
            first, title = began(base, lineages.roots([row.id])[row.id])
            row = _derived(row, first, redact(title))
            said += row.said
        done.append(row)
    return done


def _derived(row: Suggested, first: str, title: str) -> Suggested:
    if title:
        return replace(row, title=title, said=True)
    if first:
        return replace(row, said=True, reason="Its first words make no title.", code="no_title")
    return replace(row, reason="Nobody said anything in it.", code="nothing_said")
