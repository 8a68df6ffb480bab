"""A week of background reviews in numbers, each with how sure it is, and the ledger of all weeks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from hermes_tui.history.review_decisions import Subsystem
from hermes_tui.memory.entries import StoreName

Fate = Literal["waiting", "approved", "edited", "rejected", "taken back", "written"]
Sure = Literal["exact", "at least", "likely", "unknown"]
"""Counted; counted where not all may be told; nothing records it, all points to it; nothing says anything."""


@dataclass(frozen=True, slots=True)
class Write:
    """One write behind the numbers."""

    at: float
    """When it was staged (while it waits), decided, or written."""
    subsystem: Subsystem
    fate: Fate
    action: str
    """add, replace, patch, remove, batch, …; for what was written: add, edit or remove."""
    store: StoreName | None
    text: str
    """What it writes or takes away; for a skill the agent's own line about it."""
    before: str = ""
    """For what was written: the entry that was changed."""
    stored: tuple[str, ...] = ()
    """For an edited one: what was stored instead."""
    staged_at: float | None = None
    pending_id: str = ""
    session_id: str = ""
    """The session that the review went over; empty when it is not known."""
    since: float | None = None
    """For what was written: not before this."""
    there: bool | None = None
    """Whether memory holds just this text today; None for what is no text of an entry."""
    part: bool = False
    """Whether it is one operation of a batch, the rest of which was left in the queue."""
    certainty: Sure = "exact"


@dataclass(frozen=True, slots=True)
class Tally:
    """Pending writes of one queue, in a week."""

    staged: int = 0
    """Those that wait or were decided here."""
    waiting: int = 0
    """Of those staged in this week."""
    approved: int = 0
    edited: int = 0
    """Approved with another text."""
    rejected: int = 0
    taken_back: int = 0
    """Decisions that were undone since, which are none of those above."""


@dataclass(frozen=True, slots=True)
class Week:
    """A week in local time, from Monday on."""

    start: date
    since: float
    until: float
    memory: Tally
    skills: Tally
    runs: int
    runs_certainty: Sure
    elsewhere: int | None
    """Memory writes that the logs tell were staged, which neither wait nor were decided here; None: no logs."""
    wrote: int
    """Changes to memory that reviews have most likely made themselves: never more than likely."""
    unseen: int
    """Answers of the memory tool in reviews of which no change is known."""
    calls: int | None
    """Requests to the model; None where no account was kept."""
    tokens: int | None
    dollars: float | None
    spans_weeks: bool
    """Whether an account that is in here began in an earlier week: it counts where it ended."""
    writes: tuple[Write, ...] = ()

    @property
    def end(self) -> date:
        """Its Sunday."""
        return self.start + timedelta(days=6)

    @property
    def name(self) -> str:
        """`2026-W48`."""
        year, week, _ = self.start.isocalendar()
        return f"{year}-W{week:02}"


@dataclass(frozen=True, slots=True)
class Source:
    """Something that the numbers are counted from."""

    name: Literal["queue", "journal", "timeline", "accounts", "logs"]
    since: float | None
    """How far back it goes; None when there is nothing in it."""
    found: int
    """How much of reviews is in it."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All weeks from the first of which anything is known to this one, oldest first."""

    weeks: tuple[Week, ...]
    known_since: float | None
    """When the first thing happened of which anything is known."""
    sources: tuple[Source, ...]
    missing: tuple[str, ...]
    """What cannot be known, and why, in sentences."""
