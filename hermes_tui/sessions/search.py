"""Searching all conversations: results grouped by conversation, newest first, page by page."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.expressions import whole_words
from hermes_tui.sessions.gathering import Gathered, Hit, lines_of
from hermes_tui.sessions.lineage import HIDDEN_KINDS, Fact, Kind, Lineages
from hermes_tui.sessions.listing import briefs_of
from hermes_tui.sessions.named import Names
from hermes_tui.sessions.narrowing import ids_between, message_condition, newest_first, session_condition
from hermes_tui.sessions.query import MEMORY_WORDS, Archived, Filters, Query, Reading
from hermes_tui.sessions.relevance import ranked
from hermes_tui.sessions.snippets import snippet
from hermes_tui.sessions.sources import Match, Sources
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.summaries import Summary, summaries

Sort = Literal["newest", "relevance"]
Named = Literal["id", "title"]

PAGE_CONVERSATIONS = 20
PATIENCE_SECONDS = 0.04
"""A page comes after this time with what there is, if there is something; or after the double of it with nothing."""
MOST_MATCHES = 5_000
"""Matches looked at for one page: a conversation may have very many."""
SESSION_SPAN = 2_000
"""Sessions that one statement looks through for a filter."""
FEW_SESSIONS = 200
"""So few sessions are read through, rather than going through everything that matches."""
NAMED_FIRST = 3
"""Conversations found by their title that come before those found by what was said."""
STORED_SO = "in the way it is stored"
"""The label of messages that match by the JSON around a picture, which nobody said."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which conversations are looked at."""

    kinds: frozenset[Kind] = frozenset()
    """Kinds that are hidden otherwise."""
    archived: Archived = "also"

    @classmethod
    def everything(cls) -> Scope:
        """Every conversation there is."""
        return cls(HIDDEN_KINDS, "also")


@dataclass(frozen=True, slots=True)
class Found:
    """A conversation that matches."""

    summary: Summary
    hits: tuple[Hit, ...]
    """The best lines, newest first."""
    more: int
    """Matching messages seen besides."""
    reading: str = ""
    """How it was understood, if not just as typed."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some more results."""

    found: tuple[Found, ...]
    done: bool
    """Whether there is nothing more."""
    reading: str
    """How what was typed is understood now, if not just so: `any of the words`."""
    hidden: dict[str, int]
    """Conversations that match and are left out, by kind."""
    matches: int
    """Matching messages so far."""
    progress: float
    """How much of the history was looked through, 0 to 1."""
    as_text: tuple[str, ...] = ()
    """Filter words that were looked for as text, for they let nothing through or make no sense."""
    notes: tuple[str, ...] = ()
    """What a person should know about how it was searched, in sentences."""


class Search:
    """One search, continued page by page; a new one for each key typed.

    Args:
        base: the database, for this search alone while it runs.
        query: what to look for.
        sort: newest first, or the best matches of the whole history first.
        scope: which conversations are looked at; filter words in the query win.
        known: titles that were read before; read now if none are given.
        exhaustive: whether looser readings follow when the words as typed are nowhere, although beginnings of
            words were found; a person who still types does not want them.
    """

    def __init__(
        self,
        base: Database,
        query: Query,
        *,
        sort: Sort = "newest",
        scope: Scope | None = None,
        known: Names | None = None,
        exhaustive: bool = False,
    ) -> None:
        self._base = base
        self.query = query
        self._asked = query
        self._sort = sort
        self._scope = scope or Scope()
        self._known = known
        self._exhaustive = exhaustive
        self._lineages = Lineages(base)
        self._stopped = False
        self._groups: dict[str, Gathered] = {}
        self._hidden: dict[str, set[str]] = {}
        self._reading = self._found_by = ""
        self._matches = 0
        self._all_matches = 0
        self._notes: list[str] = []
        self._within: list[str] | None = None
        self._let: set[str] | None = None
        self._sources = Sources(base)
        self._stream = self._steps()
        self._held: Gathered | None = None
        self._done = False

    def stop(self) -> None:
        """End it, from any thread: nothing more is needed of it."""
        self._stopped = True
        self._base.interrupt()

    def close(self) -> None:
        """Let go of what it holds once nothing more is asked of it; a search that goes on refers to itself."""
        self._stream.close()

    def more(self, conversations: int = PAGE_CONVERSATIONS, *, patience: float = PATIENCE_SECONDS) -> Page:
        """The next conversations that match.

        Args:
            conversations: how many at most.
            patience: seconds after which what there is will do.

        Raises:
            Interrupted: it was stopped.
            Unreadable: the database could not be read.
        """
        new: list[Gathered] = [self._held] if self._held else []
        self._held = None
        self._know_names()
        began, looked = time.monotonic(), 0
        while True:
            if self._stopped:
                raise Interrupted
            try:
                step = next(self._stream)
            except StopIteration:
                self._done = True
                break
            if step is None:
                waited = time.monotonic() - began
                if waited > patience * (1 if new else 2):
                    break
                continue
            looked += 1
            if not step.shown:
                step.shown = True
                new.append(step)
            if len(new) > conversations:
                self._held = new.pop()
                break
            if looked > MOST_MATCHES and new:
                break
        return self._page(new)

    def all(self) -> Page:
        """Every conversation that matches, in one page."""
        self._know_names()
        while not self._done:
            if self._stopped:
                raise Interrupted
            for _ in self._stream:
                if self._stopped:
                    raise Interrupted
            self._done = True
        return self._page(list(self._groups.values()))

    def _page(self, groups: Sequence[Gathered]) -> Page:
        return Page(
            found=self._found(groups),
            done=self._done,
            reading=self._found_by if self._done else self._reading,
            hidden={kind: len(roots) for kind, roots in self._hidden.items()},
            matches=self._matches,
            progress=1.0 if self._done else self._sources.progress,
            as_text=self._asked.as_text if self._groups else (),
            notes=tuple(dict.fromkeys([*self._base.features().missing, *self._sources.notes, *self._notes])),
        )

    # Going through the history

    def _steps(self) -> Generator[Gathered | None, None, None]:
        """The conversation of each match, in order; None after every statement, to look around."""
        for chunk in self._run():
            yield from chunk
            yield None

    def _run(self) -> Iterator[list[Gathered]]:
        """The conversation of each match, by chunks."""
        yield from self._answers(self.query)
        if not self.query.instead or self._met or self._half_typed():
            return
        for asked in self.query.instead:
            filters = asked.filters
            if filters.memory == self.query.filters.memory:
                filters = replace(filters, memory_ids=self.query.filters.memory_ids)
            if not filters.memory or filters.memory_ids is not None:
                yield from self._answers(replace(asked, filters=filters))
            if self._met:
                return

    @property
    def _met(self) -> bool:
        """Whether anything matches, shown or hidden."""
        return bool(self._all_matches or self._groups or self._hidden)

    def _half_typed(self) -> bool:
        """Whether the last filter finds nothing only because the person is not done with it."""
        chunk, has = self.query.growing, self._base.features().sessions
        if chunk is None or chunk.filter in MEMORY_WORDS:
            return chunk is not None
        column = {"source": "source", "in": "title"}.get(chunk.filter)
        if column not in has:
            return False
        begins = f"SELECT 1 FROM sessions WHERE substr(lower({column}), 1, ?) = lower(?) LIMIT 1"
        return bool(self._base.rows(begins, (len(chunk.text), chunk.text)))

    def _answers(self, asked: Query) -> Iterator[list[Gathered]]:
        """What is found when it is taken in one of several ways."""
        self._asked, self._within = asked, None
        self._reading = asked.label
        filters = asked.filters
        if asked.empty:
            return
        if filters.of_sessions:
            yield from self._let_through(filters)
        within = self._within
        self._let = None if within is None else set(within)
        few = within if within is not None and len(within) <= FEW_SESSIONS else None
        timed = filters.after is not None or filters.before is not None
        likely = ids_between(self._base, filters.after, filters.before) if timed else None
        self._sources = Sources(self._base, message_condition(filters), few, likely, self._exhaustive)
        if not asked.readings:
            yield from self._filtered()
            return
        named = self._named()
        yield from self._called(self._first_named(named))
        seen: set[int] = set()
        for number, reading in enumerate(asked.readings, 1):
            if not (yield from self._wanted(reading)):
                continue
            self._reading = ", ".join(filter(None, (asked.label, reading.label)))
            if self._sort == "relevance":
                stream = ranked(self._base, self._sources, reading)
            else:
                stream = self._sources.stream(reading)
            remembered = self._exhaustive or any(later.when == "after" for later in asked.readings[number:])
            for chunk in stream:
                new = [match for match in chunk if match.id not in seen]
                if remembered:
                    seen.update(match.id for match in new)
                yield self._placed(new)
        if self._sources.stored_so:
            self._reading = STORED_SO
            yield self._placed([match for match in self._sources.stored_so if match.id not in seen])
        yield from self._called(named)

    def _wanted(self, reading: Reading) -> Generator[list[Gathered], None, bool]:
        """Whether a reading is to be tried after those before it."""
        if reading.when in ("first", "after") or not self._all_matches:
            return True
        if reading.when == "if nothing" or not self._exhaustive:
            return False
        if reading.when == "at last":
            return True
        for chunk in self._sources.stream(whole_words(self._asked.readings[0])):
            if chunk:
                return False
            yield []
        return True

    def _placed(self, matches: Sequence[Match]) -> list[Gathered]:
        """Each match in its conversation, as far as it may be seen."""
        ids = [match.session_id for match in matches]
        facts, roots = self._lineages.facts(ids), self._lineages.roots(ids)
        placed = []
        for match in matches:
            fact = facts.get(match.session_id)
            if fact is None or (self._let is not None and match.session_id not in self._let):
                continue
            self._all_matches += 1
            root = roots[match.session_id]
            if self._left_out(fact, root):
                continue
            self._matches += 1
            self._found_by = self._reading
            gathered = self._gathered(root, self._reading)
            gathered.add(match)
            placed.append(gathered)
        return placed

    def _gathered(self, root: str, reading: str) -> Gathered:
        if root not in self._groups:
            self._groups[root] = Gathered(root, reading)
        return self._groups[root]

    def _left_out(self, fact: Fact, root: str) -> bool:
        kind: str = fact.kind
        if fact.continues:
            kind = self._lineages.facts([root])[root].kind
        archived = self._asked.filters.archived or self._scope.archived
        if kind in HIDDEN_KINDS and kind not in self._scope.kinds and not self._asked.filters.source:
            self._hidden.setdefault(kind, set()).add(root)
            return True
        if archived == "no" and fact.archived:
            self._hidden.setdefault("archived", set()).add(root)
            return True
        return archived == "only" and not fact.archived

    # Titles and ids

    def _know_names(self) -> None:
        if self._known is None:
            self._known = Names(self._base)
            self._known.refresh()

    def _named(self) -> Iterator[tuple[str, Named]]:
        """Sessions found by id or title, and by which of them; the newest titles first."""
        text, known = self._asked.plain, self._known
        assert known is not None
        if message_condition(self._asked.filters).sql:
            return  # a title was said by nobody at no time
        ids = known.with_id(text)
        for id in ids:
            yield id, "id"
        for id in known.titled(text):
            if id not in ids:
                yield id, "title"

    def _first_named(self, named: Iterator[tuple[str, Named]]) -> Iterator[tuple[str, Named]]:
        """Those that come before what was said: all ids, and a few titles."""
        titles = 0
        for id, kind in named:
            yield id, kind
            titles += kind == "title"
            if titles == NAMED_FIRST:
                return

    def _called(self, named: Iterator[tuple[str, Named]]) -> Iterator[list[Gathered]]:
        """The conversations of these sessions."""
        while part := list(islice(named, 50)):
            facts = self._lineages.facts(id for id, _ in part)
            roots = self._lineages.roots(facts)
            placed = []
            for id, kind in part:
                fact = facts.get(id)
                if fact is None or (self._let is not None and id not in self._let):
                    continue
                if self._left_out(fact, roots[id]) and kind != "id":
                    continue
                shown = snippet(fact.title if kind == "title" else id, self.query.matcher)
                self._found_by = self._found_by or self._asked.label
                gathered = self._gathered(roots[id], self._asked.label)
                gathered.named.append(Hit(id, 0, "", None, shown.text, shown.marks, kind))
                placed.append(gathered)
            yield placed

    # Filters

    def _let_through(self, filters: Filters) -> Iterator[list[Gathered]]:
        """Find the sessions that the filters let through, newest first."""
        asked = session_condition(filters, self._base.features().sessions)
        self._notes += asked.notes
        found: list[str] = []
        (below,) = self._base.rows("SELECT coalesce(max(rowid), 0) + 1 FROM sessions")[0]
        while below > 0:
            first = below - SESSION_SPAN
            rows = self._base.rows(
                f"SELECT id FROM sessions WHERE rowid >= ? AND rowid < ? AND {asked.sql} ORDER BY rowid DESC",
                (first, below, *asked.values),
            )
            found += (text_of(row[0]) for row in rows)
            below = first
            if not rows and first > 0:
                (below,) = self._base.rows(
                    "SELECT coalesce(max(rowid), 0) + 1 FROM sessions WHERE rowid < ?", (first,)
                )[0]
            yield []
        if filters.within:
            found = list(dict.fromkeys(part for id in found[:50] for part in self._lineages.parts(id)[::-1]))
        self._within = found

    def _filtered(self) -> Iterator[list[Gathered]]:
        """Conversations for filters alone: each with the newest message that they let through."""
        sessions: Iterable[str] = self._within if self._within is not None else newest_first(self._base)
        for id in sessions:
            match = self._sources.newest(id)
            yield self._placed([match] if match else [])

    # What is shown

    def _found(self, groups: Sequence[Gathered]) -> tuple[Found, ...]:
        chosen = {group.root: group.best() for group in groups}
        lines = lines_of(self._base, self.query.matcher, [match for matches in chosen.values() for match in matches])
        briefs = briefs_of(self._base, self._lineages, [group.root for group in groups])
        known = {each.brief.root: each for each in summaries(self._base, list(briefs.values()), time.time())}
        found = []
        for group in groups:
            summary = known.get(group.root)
            if summary is None:
                continue
            best = [lines[match.id] for match in chosen[group.root] if match.id in lines]
            found.append(Found(summary, (*group.named, *best), max(0, group.count - len(best)), group.reading))
        return tuple(found)
