"""The agent's own changes to its memory: the calls of its memory tool, with what became of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hermes_tui.errors import Refused, Unreadable
from hermes_tui.memory.batch import Operation, operations_from
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.messages import message_text, tool_calls
from hermes_tui.sessions.narrowing import id_range
from hermes_tui.sessions.salvage import is_damage
from hermes_tui.sessions.stored import text_of

SLICE_IDS = 20_000
"""Messages one statement looks at, for no index knows which tool they come from: some milliseconds."""
CALLERS = 12
"""A result stands within so many of the agent's messages after its call."""

Outcome = Literal["accepted", "refused", "staged", "unknown"]


@dataclass(frozen=True, slots=True)
class MemoryCall:
    """One call of the memory tool that was answered."""

    session_id: str
    message_id: int
    """The agent's message that made it; the answer's own where that is not to be found."""
    result_id: int
    """The message that answered it."""
    at: float
    """When it was answered, in epoch seconds."""
    store: StoreName
    operations: tuple[Operation, ...]
    outcome: Outcome
    chars: int | None
    """How long the store was afterwards, as the answer says; None when it does not."""
    count: int | None
    """How many entries it had afterwards."""
    pinned: tuple[str, ...] = ()
    """The whole entries that were removed or changed, where the answer names them."""
    pending_id: str = ""
    """What a staged write was called in the queue."""


def read_calls(
    base: Database, after: int, stopped: Callable[[], bool] = lambda: False
) -> Iterator[tuple[list[MemoryCall], int, int]]:
    """The calls answered after a message, oldest first, some at a time, each time with how far it got and the end.

    Args:
        base: the database.
        after: the id of the last message that was looked at.
        stopped: whether to give up.

    Raises:
        Interrupted: `stopped` said so.
    """
    low, high = id_range(base)
    if high is None or "tool_name" not in base.features().messages:
        return
    start = max(after, int(low) - 1)
    while start < int(high):
        if stopped():
            raise Interrupted
        end = min(start + SLICE_IDS, int(high))
        yield _between(base, start, end), end, int(high)
        start = end


def _between(base: Database, start: int, end: int) -> list[MemoryCall]:
    try:
        rows = base.rows(
            "SELECT id, session_id, tool_call_id, content, timestamp FROM messages"
            " WHERE id > ? AND id <= ? AND tool_name = 'memory' AND role = 'tool' ORDER BY id",
            (start, end),
        )
    except Unreadable as error:
        if not is_damage(error) or end - start <= 1:
            if is_damage(error):
                return []
            raise
        middle = (start + end) // 2
        return [*_between(base, start, middle), *_between(base, middle, end)]
    found = []
    for id, session, call_id, content, stamp in rows:
        caller, arguments = _caller(base, text_of(session), int(id), text_of(call_id))
        call = call_of(
            text_of(session), caller, int(id), moment(stamp) or 0.0, arguments, _object(message_text(content))
        )
        if call is not None:
            found.append(call)
    return found


def _caller(base: Database, session_id: str, result_id: int, call_id: str) -> tuple[int, Mapping[str, Any]]:
    """The message that made a call, and its arguments; the result's own id and none when it is not to be found."""
    rows = base.rows(
        "SELECT id, tool_calls FROM messages WHERE session_id = ? AND id < ? AND role = 'assistant'"
        " AND tool_calls IS NOT NULL ORDER BY id DESC LIMIT ?",
        (session_id, result_id, CALLERS),
    )
    for id, stored in rows:
        for call in tool_calls(stored):
            if call.call_id == call_id and call.name == "memory":
                return int(id), _object(call.arguments)
    return result_id, {}


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def call_of(
    session_id: str, message_id: int, result_id: int, at: float, arguments: Mapping[str, Any], result: Mapping[str, Any]
) -> MemoryCall | None:
    """A call by its arguments and its answer; None when it cannot have changed anything."""
    target = arguments.get("target") or result.get("target") or "memory"
    operations = _operations(arguments)
    if target not in STORES or not operations:
        return None
    return MemoryCall(
        session_id=session_id,
        message_id=message_id,
        result_id=result_id,
        at=at,
        store=target,
        operations=operations,
        outcome=_outcome(result),
        chars=_chars(result.get("usage")),
        count=result["entry_count"] if isinstance(result.get("entry_count"), int) else None,
        pinned=_pinned(result),
        pending_id=str(result.get("pending_id") or ""),
    )


def _operations(arguments: Mapping[str, Any]) -> tuple[Operation, ...]:
    several = arguments.get("operations")
    listed: Sequence[Any] = several if isinstance(several, list) and several else [arguments]
    try:
        return tuple(operations_from([_one(each) for each in listed if isinstance(each, dict) and each.get("action")]))
    except Refused:
        return ()


def _one(each: Mapping[str, Any]) -> Mapping[str, Any]:
    """Newer agents call the new text of a patch `new_text`."""
    return {**each, "content": each.get("new_text")} if not each.get("content") and each.get("new_text") else each


def _outcome(result: Mapping[str, Any]) -> Outcome:
    if result.get("staged"):
        return "staged"
    success = result.get("success")
    if success is True:
        return "accepted"
    return "refused" if success is False or "error" in result else "unknown"


def _chars(usage: object) -> int | None:
    """The first number of `67% — 1,474/2,200 chars`."""
    if not isinstance(usage, str):
        return None
    _, _, rest = usage.partition("—")
    number = rest.partition("/")[0].strip().replace(",", "")
    return int(number) if number.isdecimal() else None


def _pinned(result: Mapping[str, Any]) -> tuple[str, ...]:
    keys = ("removed_entry", "replaced_entry", "patched_entry_before")
    return tuple(text for key in keys if isinstance(text := result.get(key), str) and text)
