"""Reading the calls of the memory tool out of the messages, each once however often it was copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from hermes_tui.errors import Unreadable
from hermes_tui.history.calls import MemoryCall, call_of
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.messages import message_text, tool_calls
from hermes_tui.sessions.narrowing import id_range
from hermes_tui.sessions.salvage import is_damage
from hermes_tui.sessions.stored import text_of

SLICE_IDS = 20_000
"""Messages one statement looks at, for no index knows which tool they come from: some milliseconds."""
LOOKED_BACK = 24
"""A result stands within so many messages of the agent and the person after its call."""
MOST_PARENTS = 50
"""So many sessions one came out of the other are followed back."""
REVIEW_STARTS = ("Review the conversation above",)
"""How a message begins with which the agent asks itself to go over a conversation."""

AT_ONCE_SECONDS = 5e-5
"""A call and its answer that were stored within this time were not carried out in between."""


class Caller(NamedTuple):
    """The message that made a call."""

    id: int
    arguments: str
    at: float
    review: bool
    """Whether it is part of a review."""


Known = Callable[[str], Sequence[MemoryCall]]
"""The calls of a print that are known already."""


MOST_TOUCHED = 2_000
"""If something was said in more sessions than this, all sessions are looked at."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one slice gave."""

    calls: tuple[MemoryCall, ...]
    """New ones, oldest first."""
    moved: tuple[tuple[MemoryCall, MemoryCall], ...]
    """Known ones whose messages were written anew elsewhere: as they were, and as they are."""
    start: int
    """The last message that had been looked at before."""
    to: int
    """The last message that was looked at."""
    end: int
    """The last message there is."""


@dataclass(slots=True)
class CallReader:
    """Reads the calls that were answered after a message, oldest first.

    Args:
        base: the database.
        known: the calls of a print that are known already.
    """

    base: Database
    known: Known
    _fresh: dict[str, list[MemoryCall]] = field(default_factory=dict)
    _moved: dict[tuple[str, int], MemoryCall] = field(default_factory=dict)
    _parents: dict[str, str] = field(default_factory=dict)

    def slices(self, after: int, stopped: Callable[[], bool] = lambda: False) -> Iterator[Reading]:
        """The calls, some at a time.

        Raises:
            Interrupted: `stopped` said so.
        """
        low, high = id_range(self.base)
        if high is None or not {"tool_name", "tool_call_id"} <= self.base.features().messages:
            return
        start = max(after, int(low) - 1)
        while start < int(high):
            if stopped():
                raise Interrupted
            end = min(start + SLICE_IDS, int(high))
            yield self._reading(self._between(start, end), after, end, int(high))
            start = after = end

    def _reading(self, found: Sequence[MemoryCall], start: int, to: int, end: int) -> Reading:
        calls: list[MemoryCall] = []
        moved: list[tuple[MemoryCall, MemoryCall]] = []
        for call in found:
            original, there = self._original(call)
            if original is None:
                calls.append(call)
                if call.print:
                    self._fresh.setdefault(call.print, []).append(call)
            elif not there:
                again = replace(
                    original, session_id=call.session_id, message_id=call.message_id, result_id=call.result_id
                )
                moved.append((original, again))
                self._moved[original.session_id, original.result_id] = again
        return Reading(tuple(calls), tuple(moved), start, to, end)

    def _between(self, start: int, end: int) -> list[MemoryCall]:
        try:
            rows = self.base.rows(
                "SELECT id, session_id, tool_call_id, content, timestamp FROM messages"
                " WHERE id > ? AND id <= ? AND tool_name = 'memory' AND role = 'tool' ORDER BY id",
                (start, end),
            )
        except Unreadable as error:
            if not is_damage(error):
                raise
            if end - start <= 1:
                return []
            middle = (start + end) // 2
            return [*self._between(start, middle), *self._between(middle, end)]
        return [call for row in rows if (call := self._call(row)) is not None]

    def _call(self, row: Sequence[Any]) -> MemoryCall | None:
        id, session, stored_id, content, stamp = row
        session_id, call_id = text_of(session), text_of(stored_id)
        caller = self._caller(session_id, int(id), call_id)
        at = moment(stamp) or 0.0
        return call_of(
            *(session_id, caller.id or int(id), int(id), at, caller.arguments, message_text(content)),
            call_id=call_id,
            review=caller.review,
            written_later=0 <= at - caller.at < AT_ONCE_SECONDS,
        )

    def _caller(self, session_id: str, result_id: int, call_id: str) -> Caller:
        """The message that made a call; one without a number where that is not to be found."""
        try:
            rows = self.base.rows(
                "SELECT id, role, timestamp, CASE role WHEN 'user' THEN substr(content, 1, 40) ELSE tool_calls END"
                " FROM messages WHERE session_id = ? AND id < ?"
                " AND (role = 'user' OR role = 'assistant' AND tool_calls IS NOT NULL) ORDER BY id DESC LIMIT ?",
                (session_id, result_id, LOOKED_BACK),
            )
        except Unreadable as error:
            if not is_damage(error):
                raise
            rows = []
        found: Caller | None = None
        for id, role, stamp, stored in rows:
            if role == "user":
                if found is not None:
                    return found._replace(review=text_of(stored).startswith(REVIEW_STARTS))
                continue
            for call in tool_calls(stored) if found is None else ():
                if call.call_id == call_id and call.name == "memory":
                    found = Caller(int(id), call.arguments, moment(stamp) or 0.0, False)
        return found or Caller(0, "", 0.0, False)

    # Copies: a compaction, a branch and a rewritten conversation write the same messages again

    def _original(self, call: MemoryCall) -> tuple[MemoryCall | None, bool]:
        """The call of which one is a copy, and whether that one's message is still there; None when it is none."""
        if not call.print:
            return None, False
        for found in (*self.known(call.print), *self._fresh.get(call.print, ())):
            other = self._moved.get((found.session_id, found.result_id), found)
            if (other.session_id, other.result_id) == (call.session_id, call.result_id):
                return other, True
            if other.session_id == call.session_id:
                state = self._state(other)
                if state != 1:  # it is gone, or the agent has put it away
                    return other, state is not None
            elif other.at == call.at or self._comes_from(call.session_id, other.session_id):
                return other, True
        return None, False

    def _state(self, call: MemoryCall) -> int | None:
        """Whether the message that answered a call is still before the agent; None when it is gone."""
        active = "coalesce(active, 1)" if "active" in self.base.features().messages else "1"
        rows = self.base.rows(
            f"SELECT {active} FROM messages WHERE id = ? AND session_id = ? AND tool_name = 'memory'",
            (call.result_id, call.session_id),
        )
        return int(rows[0][0]) if rows else None

    def _comes_from(self, session_id: str, other: str) -> bool:
        """Whether a session goes on from another one."""
        for _ in range(MOST_PARENTS):
            session_id = self._parent(session_id)
            if session_id in ("", other):
                return bool(session_id)
        return False

    def _parent(self, session_id: str) -> str:
        if "parent_session_id" not in self.base.features().sessions:
            return ""
        if session_id not in self._parents:
            rows = self.base.rows("SELECT parent_session_id FROM sessions WHERE id = ?", (session_id,))
            self._parents[session_id] = text_of(rows[0][0]) if rows else ""
        return self._parents[session_id]


def latest_message(base: Database) -> int:
    """The id of the last message; 0 when there is none."""
    _, high = id_range(base)
    return int(high or 0)


def message_time(base: Database, id: int) -> float:
    """When a message was stored, as a mark of its database; 0 when it is gone."""
    rows = base.rows("SELECT timestamp FROM messages WHERE id = ?", (id,))
    return (moment(rows[0][0]) or 0.0) if rows else 0.0


def sessions_after(base: Database, id: int) -> list[str] | None:
    """The sessions of the messages after one; None when they are too many."""
    rows = base.rows("SELECT DISTINCT session_id FROM messages WHERE id > ? LIMIT ?", (id, MOST_TOUCHED + 1))
    return None if len(rows) > MOST_TOUCHED else [text_of(row[0]) for row in rows]
