"""The ledger of a home's background reviews, put together from the queue, the journal, the timeline and the rest."""

from __future__ import annotations

import time
from dataclasses import replace

from hermes_tui.errors import HermesTuiError, Unreadable
from hermes_tui.history.history import History, Timeline
from hermes_tui.history.review_decisions import decisions_in, staged_of
from hermes_tui.history.review_ledger import Facts, make_ledger
from hermes_tui.history.review_spending import Spent, spent_in
from hermes_tui.history.review_week import Ledger
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.memory.journal import Journal, JournalRecord
from hermes_tui.memory.view import StoreView
from hermes_tui.pending.records import list_records
from hermes_tui.sessions.database import Database


def read_ledger(
    home: HermesHome, history: History, timeline: Timeline, views: list[StoreView], *, now: float | None = None
) -> Ledger:
    """The ledger; never raises and never writes: what cannot be read is said in it.

    Args:
        home: whose reviews.
        history: read to its end.
        timeline: what it has made.
        views: both stores as they are.
        now: the moment it is made for, in epoch seconds; the clock's by default.
    """
    troubles: list[str] = []
    records, spent = _journal(home, troubles), _accounts(home, troubles)
    waiting = [
        replace(staged, at=record.created_at)  # where it does not say, the file does
        for record in list_records(home)
        if (staged := staged_of(record.id, record.subsystem, record.body)) is not None
    ]
    facts = Facts(
        waiting=waiting,
        decided=decisions_in(records),
        changes=timeline.changes(),
        reviews=history.reviews,
        spent=spent,
        held={view.store: frozenset(view.texts) for view in views},
        journal_since=records[0].at if records else None,
        troubles=troubles,
    )
    return make_ledger(facts, time.time() if now is None else now)


def _journal(home: HermesHome, troubles: list[str]) -> list[JournalRecord]:
    try:
        return Journal(data_dir(home.path)).records()
    except Unreadable as error:
        troubles.append(f"{error.message} What was decided here is not in it.")
        return []


def _accounts(home: HermesHome, troubles: list[str]) -> tuple[Spent, ...] | None:
    try:
        with Database(home.state_db) as base:
            return spent_in(base)
    except HermesTuiError as error:
        troubles.append(error.message)
        return None
