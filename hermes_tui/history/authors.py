"""Who most likely made a change that nothing recorded: said as likely, never as a fact."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import Change
from hermes_tui.history.replay import Ours
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.stored import text_of

LOG_BYTES = 6_000_000
"""The agent keeps three logs of five megabytes."""
_LOG = re.compile(
    rb"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[^\n]*?(?:\[([\w.:-]+)\])?[^\n]*?bg-review[^\n]*?tool memory completed",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Review:
    """A background review that may have written."""

    since: float
    until: float
    session_id: str
    """The session that it went over; empty when it is not known."""


def reviews_in(base: Database) -> list[Review]:
    """The reviews that newer agents account for in their usage."""
    if not {"task", "first_seen", "last_seen"} <= base.columns("session_model_usage"):
        return []
    rows = base.rows(
        "SELECT session_id, first_seen, last_seen FROM session_model_usage WHERE task = 'background_review'"
    )
    return [
        Review(first, moment(last) or first, text_of(id))
        for id, seen, last in rows
        if (first := moment(seen)) is not None
    ]


def reviews_logged(folder: Path) -> list[Review]:
    """The reviews whose memory writes are in the agent's logs, which do not say what they wrote."""
    found: list[Review] = []
    for path in sorted(folder.glob("agent.log*")):
        try:
            with path.open("rb") as stream:
                data = stream.read(LOG_BYTES)
        except OSError:
            continue
        for match in _LOG.finditer(data):
            try:
                at = time.mktime(time.strptime(match[1].decode(), "%Y-%m-%d %H:%M:%S"))
            except (ValueError, OverflowError):
                continue
            found.append(Review(at, at + 1, (match[2] or b"").decode()))
    return found


def attributed(
    changes: Sequence[Change], calls: Iterable[MemoryCall], ours: Iterable[Ours], reviews: Sequence[Review]
) -> tuple[Change, ...]:
    """The changes, with the most likely author for those of which none is known.

    Args:
        changes: of one store.
        calls: of the same store, those that were staged among them.
        ours: our own changes to it: an approval says which staged write it was.
        reviews: the background reviews there were.
    """
    staged = [call for call in calls if call.outcome == "staged"]
    by_id = {call.pending_id: call for call in staged if call.pending_id}
    approved = {each.record.id: by_id[each.pending_id] for each in ours if each.pending_id in by_id}
    return tuple(_attributed(change, staged, approved, reviews) for change in changes)


def _attributed(
    change: Change, staged: Sequence[MemoryCall], approved: dict[str, MemoryCall], reviews: Sequence[Review]
) -> Change:
    if change.record_id in approved:
        call = approved[change.record_id]
        return replace(change, session_id=call.session_id, message_id=call.message_id)
    if change.certainty != "unknown":
        return change
    for call in reversed(staged):
        if call.at <= change.until and _would(call, change):
            found = replace(change, by="approved elsewhere", certainty="likely")
            return replace(found, session_id=call.session_id, message_id=call.message_id)
    during = [
        review
        for review in reviews
        if review.since <= change.until and (change.since is None or review.until >= change.since)
    ]
    if during and change.since is not None:
        only = during[0].session_id if len({review.session_id for review in during}) == 1 else ""
        return replace(change, by="background review", certainty="likely", session_id=only)
    return change


def _would(call: MemoryCall, change: Change) -> bool:
    """Whether a staged write does just this."""
    for operation in call.operations:
        content = operation.content.strip()
        if operation.action == "add" and change.after == content and not change.before:
            return True
        if operation.action == "remove" and not change.after and change.before and operation.old_text in change.before:
            return bool(operation.old_text)
        if operation.action == "replace" and change.after == content:
            return True
        patched = change.before.replace(operation.old_text, operation.content, 1) if operation.old_text else ""
        if operation.action == "patch" and change.before and patched.strip() == change.after:
            return True
    return False
