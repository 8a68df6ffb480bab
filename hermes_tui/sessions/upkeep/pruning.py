"""Deleting what is old, small or empty: which conversations that is, and which stay all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.features import names
from hermes_tui.sessions.listing import Brief, SessionIndex
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.upkeep.changes import Progress, Stopped
from hermes_tui.sessions.upkeep.deletion import LONG_SECONDS, Doomed, LeftAlone, Plan, plan_of
from hermes_tui.sessions.upkeep.family import batches, marks
from hermes_tui.sessions.upkeep.session_files import SessionFiles

if TYPE_CHECKING:
    from hermes_tui.sessions.query import Archived

DAY_SECONDS = 86_400.0
BUSY_SECONDS = 600.0
"""When some session wrote so recently, an agent is taken to be at work in this home."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What is to go; conditions that are given all have to hold."""

    older_than_days: float | None = None
    """Not active for so long."""
    before: float | None = None
    """Last active before this, in epoch seconds."""
    after: float | None = None
    """Last active at this time or later."""
    sources: frozenset[str] = frozenset()
    title: str = ""
    """Part of the title, capitals or not."""
    model: str = ""
    """Part of the model's name, capitals or not."""
    cwd: str = ""
    """The folder it ran in, or one above."""
    end_reason: str = ""
    min_messages: int | None = None
    max_messages: int | None = None
    archived: Archived = "no"
    empty_only: bool = False
    include_pinned: bool = False
    include_large: bool = False
    """Also those that keep an agent waiting while they are deleted, although one is at work."""

    @property
    def anything(self) -> bool:
        """Whether any condition is given; without one it would be everything."""
        bounds = (self.older_than_days, self.before, self.after, self.min_messages, self.max_messages)
        words = (self.sources, self.title, self.model, self.cwd, self.end_reason)
        return self.empty_only or any(bound is not None for bound in bounds) or any(words)


@dataclass(frozen=True, slots=True)
class _More:
    """What is known of a conversation besides its brief."""

    titles: tuple[str, ...]
    end_reason: str
    active: float


def plan_prune(
    base: Database,
    files: SessionFiles,
    wanted: Pruned,
    *,
    now: float,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> Plan:
    """What pruning would delete, and what it leaves alone: what is pinned, in use, or long while an agent works.

    Args:
        base: the database.
        files: what lies beside it.
        wanted: which conversations.
        now: epoch seconds.
        progress: told how many sessions were looked at.
        stopped: whether to give up.

    Raises:
        Interrupted: somebody gave up.
    """
    index = SessionIndex(base)
    index.load(stopped=stopped or (lambda: False))
    if not index.complete:
        raise Interrupted
    likely = [brief for brief in index.briefs if _may_match(brief, wanted, now)]
    more = _more(base, likely)
    matching = [brief for brief in likely if _matches(more[brief.id], wanted, now)]
    plan = plan_of(base, files, matching, now=now, progress=progress, stopped=stopped)
    busy = any(now - brief.last_active < BUSY_SECONDS for brief in index.briefs)
    _, until = _bounds(wanted, now)
    doomed = [each for each in plan.doomed if each.last_active < until]  # a subagent may have gone on for longer
    reasons = {each.id: _stays(each, wanted, busy=busy) for each in doomed}
    if len(doomed) == len(plan.doomed) and not any(reasons.values()):
        return plan
    going = [brief for brief in matching if reasons.get(brief.id) == ""]
    stay = tuple(LeftAlone(each.id, each.title, reasons[each.id]) for each in doomed if reasons[each.id])
    return replace(plan_of(base, files, going, now=now, progress=progress, stopped=stopped), left_alone=stay)


def _stays(each: Doomed, wanted: Pruned, *, busy: bool) -> str:
    """Why a conversation is left alone, in a sentence; empty when it goes."""
    if each.pinned and not wanted.include_pinned:
        return "It is pinned."
    if each.in_use:
        return each.in_use
    if each.seconds > LONG_SECONDS and busy and not wanted.include_large:
        return f"It is long: the agent that is at work here would wait for about {each.seconds:.1f} s."
    return ""


def _bounds(wanted: Pruned, now: float) -> tuple[float, float]:
    """From when, and until before when, a conversation has to have been active last."""
    until = [bound for bound in (wanted.before,) if bound is not None]
    if wanted.older_than_days is not None:
        until.append(now - wanted.older_than_days * DAY_SECONDS)
    return wanted.after if wanted.after is not None else float("-inf"), min(until, default=float("inf"))


def _may_match(brief: Brief, wanted: Pruned, now: float) -> bool:
    first, until = _bounds(wanted, now)
    return (
        brief.last_active < until
        and brief.last_active >= first
        and (not wanted.sources or brief.source in wanted.sources)
        and wanted.model.lower() in brief.model.lower()
        and (not wanted.cwd or _is_within(brief.cwd, wanted.cwd))
        and (wanted.min_messages is None or brief.messages >= wanted.min_messages)
        and (wanted.max_messages is None or brief.messages <= wanted.max_messages)
        and (wanted.archived == "also" or brief.archived == (wanted.archived == "only"))
        and (not wanted.empty_only or brief.kind == "empty")
    )


def _is_within(folder: str, above: str) -> bool:
    stem = above.rstrip("/\\")
    return bool(folder) and (folder in (above, stem) or folder.startswith((f"{stem}/", f"{stem}\\")))


def _matches(more: _More, wanted: Pruned, now: float) -> bool:
    _, until = _bounds(wanted, now)
    return (
        more.active < until
        and (not wanted.title or any(wanted.title.lower() in title.lower() for title in more.titles))
        and (not wanted.end_reason or more.end_reason == wanted.end_reason)
    )


def _more(base: Database, briefs: Sequence[Brief]) -> dict[str, _More]:
    columns = names(("id", "title", "end_reason", "last_activity_at"), base.features().sessions)
    rows: dict[str, tuple[str, str, float]] = {}
    for some in batches(part for brief in briefs for part in brief.parts):
        for id, title, reason, active in base.rows(f"SELECT {columns} FROM sessions WHERE id IN ({marks(some)})", some):
            rows[text_of(id)] = text_of(title), text_of(reason), moment(active) or 0.0
    nothing = ("", "", 0.0)
    return {
        brief.id: _More(
            titles=tuple(rows.get(part, nothing)[0] for part in brief.parts),
            end_reason=rows.get(brief.id, nothing)[1],
            # The agent notes some activity beside the messages.
            active=max(rows.get(part, nothing)[2] for part in brief.parts),
        )
        for brief in briefs
    }
