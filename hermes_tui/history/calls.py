"""The agent's own changes to its memory: the calls of its memory tool, with what became of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from hermes_tui.errors import Refused
from hermes_tui.memory.batch import Operation, operations_from
from hermes_tui.memory.entries import STORES, StoreName, parse

Outcome = Literal["accepted", "refused", "staged", "unknown"]

_PIN_KEYS = ("removed_entry", "replaced_entry", "patched_entry_before")
_PINS_KEYS = ("removed_entries", "replaced_entries", "patched_entries")
_DECODER = json.JSONDecoder()


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
    """For each operation the whole entry that was removed or changed; empty where the answer does not name it."""
    pending_id: str = ""
    """What a staged write was called in the queue."""
    idle: bool = False
    """Whether the answer says that nothing was to be done."""
    length: int = 0
    """Characters of the answer, which is what the agent's log says of it."""
    review: bool = False
    """Whether a background review made it, which older agents kept in the session that it went over."""
    written_later: bool = False
    """Whether it was written again, so that it was made at some time before: its original is gone."""
    print: str = ""
    """Names the call and its answer: a copy, such as a compaction makes, has the same one. Empty for no name."""

    def texts(self) -> Iterator[str]:
        """The entries that it tells of."""
        yield from filter(None, self.pinned)
        for place, operation in enumerate(self.operations):
            pin = self.pinned[place] if place < len(self.pinned) else ""
            if operation.action == "patch":
                yield from parse(pin.replace(operation.old_text, operation.content, 1)) if operation.old_text else ()
            else:
                yield from parse(operation.content)


def call_of(
    session_id: str,
    message_id: int,
    result_id: int,
    at: float,
    arguments: str,
    answer: str,
    *,
    call_id: str = "",
    review: bool = False,
    written_later: bool = False,
) -> MemoryCall | None:
    """A call by its arguments and its answer, as they are stored; None when it cannot have changed anything."""
    asked, result = decoded(arguments), decoded(answer)
    target = asked.get("target") or result.get("target") or "memory"
    operations = _operations(asked)
    if target not in STORES or not operations:
        return None
    message = result.get("message")
    return MemoryCall(
        session_id=session_id,
        message_id=message_id,
        result_id=result_id,
        at=at,
        store=target,
        operations=operations,
        outcome=_outcome(result),
        chars=_chars(result.get("usage")),
        count=result["entry_count"] if type(result.get("entry_count")) is int else None,
        pinned=_pinned(result, len(operations)),
        pending_id=str(result.get("pending_id") or ""),
        idle=isinstance(message, str) and message.startswith("Entry already exists"),
        length=len(answer),
        review=review,
        written_later=written_later,
        print=_print(call_id, arguments, answer),
    )


def decoded(text: str) -> Mapping[str, Any]:
    """The JSON object that a text begins with, for the agent may append a warning; empty when there is none."""
    try:
        found, _ = _DECODER.raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _print(call_id: str, arguments: str, answer: str) -> str:
    if not call_id:
        return ""
    text = "\0".join((call_id, arguments, answer)).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=9).hexdigest()


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
    return int(number) if number.isdecimal() and len(number) < 16 else None


def _pinned(result: Mapping[str, Any], operations: int) -> tuple[str, ...]:
    pins = [""] * operations
    if operations == 1:
        pins[0] = next((text for key in _PIN_KEYS if isinstance(text := result.get(key), str)), "")
    for key in _PINS_KEYS:
        numbered = result.get(key)
        for number, text in numbered.items() if isinstance(numbered, dict) else ():
            if isinstance(text, str) and str(number).isdecimal() and 0 < int(str(number)[:9]) <= operations:
                pins[int(str(number)[:9]) - 1] = text
    return tuple(pins) if any(pins) else ()
