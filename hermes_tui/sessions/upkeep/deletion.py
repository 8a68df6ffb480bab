"""What deleting conversations would do, worked out before anybody is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.lineage import Kind, read_facts
from hermes_tui.sessions.listing import Brief, SessionIndex
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.summaries import summaries
from hermes_tui.sessions.upkeep.changes import Progress, Stopped
from hermes_tui.sessions.upkeep.family import batches, children, compacted_together, delegates, marks
from hermes_tui.sessions.upkeep.in_use import leased, unended, use_words
from hermes_tui.sessions.upkeep.session_files import SessionFiles

WEIGHED_SESSIONS = 50
"""Sessions whose messages are weighed by one statement."""
TITLED = 100
"""So many conversations without a title get one derived for the preview."""
MANY = 30
"""From here on it is quicker to read the list of all sessions."""
SECONDS_A_SESSION, SECONDS_A_MESSAGE, SECONDS_A_BYTE = 0.2e-3, 40e-6, 0.12e-6
"""What deleting takes, roughly, with two indexes to be kept up."""
LONG_SECONDS = 0.1
"""A conversation that takes longer keeps the agent waiting for its turn to write noticeably."""


@dataclass(frozen=True, slots=True)
class Load:
    """How much a session holds."""

    messages: int
    bytes: int
    newest: int
    """The highest id of its messages; 0 when it has none."""
    active: float
    """When its newest message was written, in epoch seconds; 0 when that is not known."""

    @property
    def seconds(self) -> float:
        """How long the database is held while it is deleted, roughly."""
        return SECONDS_A_SESSION + self.messages * SECONDS_A_MESSAGE + self.bytes * SECONDS_A_BYTE


@dataclass(frozen=True, slots=True)
class Doomed:
    """A conversation that would go."""

    id: str
    """The newest part."""
    parts: tuple[str, ...]
    """What goes of it, oldest first."""
    delegates: tuple[str, ...]
    """The runs of subagents that go with it."""
    title: str
    messages: int
    """With those of its subagents."""
    bytes: int
    last_active: float
    """When it or one of its subagents wrote last, in epoch seconds."""
    in_use: str
    """Why it may be in use, in a sentence; empty when nothing speaks for it."""
    pinned: bool
    newest: int
    """The highest id of its messages when it was looked at."""
    seconds: float
    """How long the database is held while it is deleted, roughly."""

    @property
    def ids(self) -> tuple[str, ...]:
        """All sessions that go."""
        return (*self.parts, *self.delegates)


@dataclass(frozen=True, slots=True)
class Other:
    """A session besides those that were asked for."""

    id: str
    title: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A conversation that matches and still stays."""

    id: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What would go, what would go with it, and what would stay."""

    doomed: tuple[Doomed, ...]
    delegates: tuple[Other, ...]
    """Runs of subagents that go with them."""
    surfacing: tuple[Other, ...]
    """Sessions that lose their parent and stand in the list by themselves from then on, or go on doing so."""
    messages: int
    bytes: int
    files: tuple[Path, ...]
    left_alone: tuple[LeftAlone, ...] = ()
    missing: tuple[str, ...] = ()
    """Ids that were asked for and are not there."""

    @property
    def slow(self) -> str:
        """A sentence when deleting keeps the agent waiting; else empty."""
        longest = max((each.seconds for each in self.doomed), default=0.0)
        if longest <= LONG_SECONDS:
            return ""
        count = sum(each.seconds > LONG_SECONDS for each in self.doomed)
        which = "It is long" if len(self.doomed) == 1 else f"{count:,} of them {'is' if count == 1 else 'are'} long"
        return f"{which}: an agent that writes meanwhile waits for up to {max(longest, 0.2):.1f} s."


def plan_for(
    base: Database,
    files: SessionFiles,
    ids: Sequence[str],
    *,
    now: float,
    whole: bool = True,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> Plan:
    """What deleting these sessions would do.

    Args:
        base: the database.
        files: what lies beside it.
        ids: any part of each conversation.
        now: epoch seconds.
        whole: whether all parts of each go, or only these very sessions.
        progress: told how many conversations were looked at.
        stopped: whether to give up.

    Raises:
        Interrupted: somebody gave up.
    """
    wanted = list(dict.fromkeys(ids))
    briefs = _briefs(base, wanted)
    missing = tuple(id for id in wanted if id not in briefs)
    chosen = list(dict.fromkeys(briefs.values()))
    if not whole:
        chosen = [replace(brief, id=id, parts=(id,)) for id, brief in briefs.items()]
    made = plan_of(base, files, chosen, now=now, progress=progress, stopped=stopped)
    return replace(made, missing=missing)


def _briefs(base: Database, ids: Sequence[str]) -> dict[str, Brief]:
    """The conversation of each session that is there."""
    index = SessionIndex(base)
    if len(ids) < MANY:
        index.take(compacted_together(base, ids))
    else:
        index.load()
    by_part = {part: brief for brief in index.briefs for part in brief.parts}
    return {id: by_part[id] for id in ids if id in by_part}


def plan_of(
    base: Database,
    files: SessionFiles,
    briefs: Sequence[Brief],
    *,
    now: float,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> Plan:
    """What deleting these conversations would do; see `plan_for`."""
    parts = [part for brief in briefs for part in brief.parts]
    runs = delegates(base, parts)
    whose = {part: brief.id for brief in briefs for part in brief.parts}
    given_away: dict[str, list[str]] = {}
    for run, part in runs.items():
        given_away.setdefault(whose[part], []).append(run)
    everything = [*parts, *runs]
    loads = _loads(base, everything, progress, stopped)
    at_work = leased(base, everything, now)
    open_ = unended(base, [*(brief.id for brief in briefs), *runs])
    pinned = _pinned(base, parts)
    titles = _titles(base, briefs, now)
    doomed = []
    for brief in briefs:
        given = tuple(given_away.get(brief.id, ()))
        held = [loads[id] for id in (*brief.parts, *given)]
        # While a subagent is at work, the conversation that sent it out says nothing.
        last_active = max(brief.last_active, *(loads[id].active for id in given)) if given else brief.last_active
        doomed.append(
            Doomed(
                id=brief.id,
                parts=brief.parts,
                delegates=given,
                title=titles.get(brief.id, ""),
                messages=sum(load.messages for load in held),
                bytes=sum(load.bytes for load in held),
                last_active=last_active,
                in_use=use_words(
                    at_work=not at_work.isdisjoint((*brief.parts, *given)),
                    open_=not open_.isdisjoint((brief.id, *given)),
                    idle=now - last_active,
                ),
                pinned=not pinned.isdisjoint(brief.parts),
                newest=max((load.newest for load in held), default=0),
                seconds=sum(load.seconds for load in held),
            )
        )
    return Plan(
        doomed=tuple(doomed),
        delegates=_others(base, runs),
        surfacing=_others(base, children(base, everything)),
        messages=sum(each.messages for each in doomed),
        bytes=sum(each.bytes for each in doomed),
        files=files.of(everything),
    )


def _loads(base: Database, ids: Sequence[str], progress: Progress | None, stopped: Stopped | None) -> dict[str, Load]:
    there = base.features().messages
    columns = [name for name in ("content", "tool_calls", "reasoning", "reasoning_content") if name in there]
    size = " + ".join(f"coalesce(octet_length({name}), 0)" for name in columns) or "0"
    found = dict.fromkeys(ids, Load(0, 0, 0, 0.0))
    for start in range(0, len(ids), WEIGHED_SESSIONS):
        if stopped and stopped():
            raise Interrupted
        some = ids[start : start + WEIGHED_SESSIONS]
        rows = base.rows(
            f"SELECT session_id, count(*), sum({size}), max(id), max(timestamp) FROM messages"
            f" WHERE session_id IN ({marks(some)}) GROUP BY session_id",
            some,
        )
        found.update(
            (text_of(id), Load(count, weight, newest, moment(active) or 0.0))
            for id, count, weight, newest, active in rows
        )
        if progress:
            progress(min(start + WEIGHED_SESSIONS, len(ids)), len(ids))
    return found


def _pinned(base: Database, ids: Sequence[str]) -> set[str]:
    if "pinned" not in base.features().sessions:
        return set()
    found: set[str] = set()
    for some in batches(ids):
        rows = base.rows(f"SELECT id FROM sessions WHERE id IN ({marks(some)}) AND pinned != 0", some)
        found.update(text_of(row[0]) for row in rows)
    return found


def _titles(base: Database, briefs: Sequence[Brief], now: float) -> dict[str, str]:
    """What the list calls them: the newest title of a part, or one derived from what was said first."""
    found: dict[str, str] = {}
    if "title" in base.features().sessions:
        whose = {part: brief.id for brief in briefs for part in brief.parts}
        for some in batches(whose):
            rows = base.rows(f"SELECT id, title FROM sessions WHERE id IN ({marks(some)}) AND title != ''", some)
            titles = {text_of(id): text_of(title) for id, title in rows}
            found.update((whose[id], titles[id]) for id in some if id in titles)
    unnamed = [brief for brief in briefs if brief.id not in found][:TITLED]
    found.update((summary.brief.id, summary.title) for summary in summaries(base, unnamed, now))
    return found


def _others(base: Database, ids: Iterable[str]) -> tuple[Other, ...]:
    found = []
    for some in batches(ids):
        facts = read_facts(base, f"s.id IN ({marks(some)})", some)
        found += [Other(fact.id, fact.title, "branch" if fact.continues else fact.kind) for fact in facts]
    return tuple(found)
