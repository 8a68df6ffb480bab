"""The ledger of background reviews: what they ran, staged and wrote, and what became of it, week by week.

Every number is counted from something that is there, and says how sure it is: nothing is filled in.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple, TypeVar

from hermes_tui.history.changes import Change
from hermes_tui.history.review_decisions import Decided, Staged, Subsystem
from hermes_tui.history.review_spending import Spent
from hermes_tui.history.review_week import Ledger, Source, Sure, Tally, Week, Write
from hermes_tui.history.reviews import REVIEW_SECONDS, Reviews
from hermes_tui.memory.entries import StoreName
from hermes_tui.sessions.dates import local
from hermes_tui.text import plural

Item = TypeVar("Item")

DAY_SECONDS = 86_400.0
EARLIEST = 1_577_836_800.0
"""The beginning of 2020: no agent is older."""
SLACK_SECONDS = 1.5
"""The log is written a moment after the file."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the ledger is made of, as plain values.

    Args:
        waiting: the queue's records that reviews have staged.
        decided: what was decided here over such records.
        changes: all changes of the timeline.
        reviews: what the logs tell.
        spent: what the accounts say; None where none are kept.
        held: the entries that the stores hold today.
        journal_since: when the journal begins; None when there is none.
        troubles: what could not be read, in sentences.
    """

    waiting: Sequence[Staged] = ()
    decided: Sequence[Decided] = ()
    changes: Sequence[Change] = ()
    reviews: Reviews = field(default_factory=Reviews)
    spent: Sequence[Spent] | None = None
    held: Mapping[StoreName, frozenset[str]] = field(default_factory=dict)
    journal_since: float | None = None
    troubles: Sequence[str] = ()


def monday(at: float) -> date:
    """The first day of the week of a moment, in local time."""
    then = local(at)
    day = date(then.tm_year, then.tm_mon, then.tm_mday) if then else date(1970, 1, 1)
    return day - timedelta(days=day.weekday())


def make_ledger(facts: Facts, now: float) -> Ledger:
    """The ledger of all that is known."""
    writes = sorted([*_queued(facts), *_written(facts)], key=lambda write: write.at)
    staged = {(each.subsystem, each.id): each.at for each in (*facts.waiting, *(d.staged for d in facts.decided))}
    begun = [*(run.at for run in facts.reviews.begun), *_runs_not_logged(facts)]
    proposed, unseen, spent = [each.at for each in facts.reviews.proposed], _unseen(facts), facts.spent or ()
    moments = [
        *(write.at for write in writes), *(at for at in staged.values() if at is not None), *begun, *proposed, *unseen,
        *(each.until for each in spent),
    ]  # fmt: skip
    first = min((at for at in moments if EARLIEST <= at <= now + DAY_SECONDS), default=None)
    heaps = _Heaps(
        _by_week(writes, lambda write: write.at),
        _by_week([(name, at) for (name, _), at in staged.items() if at is not None], lambda each: each[1]),
        Counter(map(monday, begun)),
        Counter(map(monday, proposed)),
        Counter(map(monday, unseen)),
        _by_week(spent, lambda each: each.until),
    )
    weeks: list[Week] = []
    day = monday(now)
    while first is not None and day >= monday(first):
        weeks.append(_week(day, heaps, facts.reviews.logged_since))
        day -= timedelta(days=7)
    lost = sum(not EARLIEST <= write.at <= now + DAY_SECONDS for write in writes)
    return Ledger(tuple(reversed(weeks)), first, _sources(facts), _missing(facts, weeks, lost))


class _Heaps(NamedTuple):
    """Everything, by the Monday of its week."""

    writes: Mapping[date, list[Write]]
    staged: Mapping[date, list[tuple[Subsystem, float]]]
    begun: Mapping[date, int]
    proposed: Mapping[date, int]
    unseen: Mapping[date, int]
    spent: Mapping[date, list[Spent]]


def _by_week(items: Iterable[Item], at: Callable[[Item], float]) -> dict[date, list[Item]]:
    found: dict[date, list[Item]] = {}
    for item in items:
        found.setdefault(monday(at(item)), []).append(item)
    return found


def _week(day: date, heaps: _Heaps, logged_since: float) -> Week:
    since, until = _moment(day), _moment(day + timedelta(days=7))
    writes, spent = heaps.writes.get(day, []), heaps.spent.get(day, [])
    staged = heaps.staged.get(day, [])
    memory = sum(name == "memory" for name, _ in staged)
    # The log is written a moment after the file.
    logged = sum(name == "memory" and at >= logged_since - SLACK_SECONDS for name, at in staged)
    runs, proposed = heaps.begun.get(day, 0), heaps.proposed.get(day, 0)
    less = logged > proposed or (bool(staged) and not runs)
    known = [each.dollars for each in spent if each.dollars is not None]
    return Week(
        start=day,
        since=since,
        until=until,
        memory=_tally(writes, "memory", memory),
        skills=_tally(writes, "skills", len(staged) - memory),
        runs=runs or int(less),  # what was staged was staged by some review
        runs_certainty=_sure_of(runs, whole=logged_since <= since, less=less),
        elsewhere=max(0, proposed - logged) if logged_since < until else None,
        wrote=sum(write.fate == "written" for write in writes),
        unseen=heaps.unseen.get(day, 0),
        calls=sum(each.calls for each in spent) if spent else None,
        tokens=sum(each.tokens for each in spent) if spent else None,
        dollars=sum(known) if known else None,
        spans_weeks=any(each.since < since for each in spent),
        writes=tuple(writes),
    )


def _moment(day: date) -> float:
    return datetime(day.year, day.month, day.day).timestamp()


def _tally(writes: Iterable[Write], subsystem: Subsystem, staged: int) -> Tally:
    fates = [write.fate for write in writes if write.subsystem == subsystem]
    return Tally(
        staged,
        fates.count("waiting"),
        fates.count("approved"),
        fates.count("edited"),
        fates.count("rejected"),
        fates.count("taken back"),
    )


def _sure_of(runs: int, *, whole: bool, less: bool) -> Sure:
    """How sure a number of runs is: the logs have to tell of the whole week, and of all that is known otherwise."""
    if whole and not less:
        return "exact"
    return "at least" if runs or less else "unknown"


def _queued(facts: Facts) -> Iterable[Write]:
    for each in facts.waiting:
        if each.at is not None:
            yield Write(each.at, each.subsystem, "waiting", each.action, each.store, each.text,
                        staged_at=each.at, pending_id=each.id)  # fmt: skip
    for done in facts.decided:
        each, fate = done.staged, "taken back" if done.taken_back else done.verdict
        there = None
        if each.store and fate in ("approved", "edited") and done.stored:
            there = set(done.stored) <= facts.held.get(each.store, frozenset())
        yield Write(done.at, each.subsystem, fate, each.action, each.store, each.text,
                    stored=done.stored if fate == "edited" else (), staged_at=each.at, pending_id=each.id,
                    there=there, part=done.part)  # fmt: skip


def _by_review(facts: Facts) -> list[Change]:
    return [change for change in facts.changes if change.by == "background review"]


def _written(facts: Facts) -> Iterable[Write]:
    for change in _by_review(facts):
        lines = [each.at for each in facts.reviews.writes if _fits(each.at, each.session_id, change)]
        at = lines[0] if len(lines) == 1 else change.until
        write = Write(at, "memory", "written", change.kind, change.store, change.after or change.before,
                      before=change.before if change.kind == "edit" else "", session_id=change.session_id,
                      since=change.since, certainty="likely")  # fmt: skip
        if change.after and not change.after_partial:
            write = replace(write, there=change.after in facts.held.get(change.store, frozenset()))
        yield write


def _fits(at: float, session_id: str, change: Change) -> bool:
    since = -math.inf if change.since is None else change.since
    return since - SLACK_SECONDS <= at <= change.until + SLACK_SECONDS and change.session_id in ("", session_id)


def _unseen(facts: Facts) -> list[float]:
    changes = _by_review(facts)
    return [
        each.at
        for each in facts.reviews.writes
        if not any(_fits(each.at, each.session_id, change) for change in changes)
    ]


def _runs_not_logged(facts: Facts) -> list[float]:
    """When a run was over of which only an account tells: of each account one at least."""
    logged = facts.reviews.begun
    return [
        each.since
        for each in facts.spent or ()
        if not any(
            run.session_id == each.session_id and each.since - REVIEW_SECONDS <= run.at <= each.until for run in logged
        )
    ]


def _sources(facts: Facts) -> tuple[Source, ...]:
    reviews, spent, changes = facts.reviews, facts.spent or (), _by_review(facts)
    earliest = min((each.at for each in facts.waiting if each.at is not None), default=None)
    logged = reviews.logged_since if math.isfinite(reviews.logged_since) else None
    return (
        Source("queue", earliest, len(facts.waiting)),
        Source("journal", facts.journal_since, len(facts.decided)),
        Source("timeline", min((each.until for each in facts.changes), default=None), len(changes)),
        Source("accounts", min((each.since for each in spent), default=None), len(spent)),
        Source("logs", logged, len(reviews.begun)),
    )


def _missing(facts: Facts, weeks: Sequence[Week], lost: int) -> tuple[str, ...]:
    said = list(facts.troubles)
    if lost:
        said.append(f"{plural(lost, 'write')} of reviews with a time that cannot be: in no week.")
    since = local(facts.reviews.logged_since) if math.isfinite(facts.reviews.logged_since) else None
    if since is None:
        said.append("The agent's logs tell nothing (none there, or not read): runs are known from its accounts alone.")
    else:
        day = date(since.tm_year, since.tm_mon, since.tm_mday)
        said.append(f"The agent's logs begin on {day}; runs before that are known only where an account tells of them.")
    if facts.spent is None or (not facts.spent and facts.reviews.begun):
        said.append("This agent has kept no account of reviews (0.19 keeps none): tokens and cost are not known.")
    elif any(each.dollars is None for each in facts.spent):
        said.append("Of some reviews the agent does not know the cost; it is not in the sums.")
    if any(week.spans_weeks for week in weeks):
        said.append("An account sums up all reviews of a session; where they span weeks, it counts in the last.")
    said.append("What was decided in the agent itself, a rejection above all, leaves no record.")
    if elsewhere := sum(week.elsewhere or 0 for week in weeks):
        said.append(f"The logs tell of {elsewhere:,} staged by reviews that neither wait nor were decided here.")
    if any(week.wrote for week in weeks):
        said.append("Nothing records what reviews write past the queue: what is told as theirs is likely, not certain.")
    if any(week.unseen for week in weeks):
        said.append("Some answers in reviews fit no known change: what was written is gone, or was there before.")
    said.append("What reviews write to skills past the queue is not known here.")
    return tuple(said)
