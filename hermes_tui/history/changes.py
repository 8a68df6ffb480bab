"""One change to a memory, with all that is known about it, and what a store held at some time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_tui.memory.conflict import alike
from hermes_tui.memory.entries import StoreName

By = Literal[
    "tool call", "approved here", "edited here", "approved elsewhere", "background review", "outside edit or unknown"
]
Certainty = Literal["exact", "likely", "unknown"]
Kind = Literal["add", "edit", "remove"]

SAME_STORY = 0.5
"""From this likeness on, an entry that went and one that came are taken for one that was edited."""
MOST_COMPARED = 10_000
"""Pairs that are compared; beyond that entries come and go."""


@dataclass(frozen=True, slots=True)
class Change:
    """An entry that came, changed or went."""

    store: StoreName
    kind: Kind
    before: str
    """Empty when it came."""
    after: str
    """Empty when it went."""
    since: float | None
    """It happened after this, in epoch seconds; the same as `until` when the moment is known, None when nothing is."""
    until: float
    """It happened no later than this."""
    by: By = "outside edit or unknown"
    certainty: Certainty = "unknown"
    session_id: str = ""
    """The session behind it; empty when it is not known."""
    message_id: int = 0
    """The message behind it; 0 when it is not known."""
    record_id: str = ""
    """Our own record of it in the journal."""
    partial: bool = False
    """Whether the words are only a part of the entry: all that the agent's call says of one that nobody had seen."""


@dataclass(frozen=True, slots=True)
class State:
    """What a store held from some time on."""

    at: float
    entries: tuple[str, ...]
    certain: bool
    """Whether something recorded says so; else it follows from what was there before and the changes since."""


def differences(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[Kind, str, str]]:
    """What turned one list of entries into another; their order does not count.

    Entries that are alike are one entry that was edited.
    """
    stayed = set(before) & set(after)
    gone = [text for text in before if text not in stayed]
    come = [text for text in after if text not in stayed]
    for old, new in _pairs(gone, come):
        gone.remove(old)
        come.remove(new)
        yield "edit", old, new
    yield from (("remove", text, "") for text in gone)
    yield from (("add", "", text) for text in come)


def _pairs(gone: Sequence[str], come: Sequence[str]) -> list[tuple[str, str]]:
    """Those that are most alike, each taken once."""
    if not gone or not come or len(gone) * len(come) > MOST_COMPARED:
        return []
    scored = sorted(
        ((alike(old, new), -at, -to) for at, old in enumerate(gone) for to, new in enumerate(come)), reverse=True
    )
    taken: list[tuple[str, str]] = []
    used_old: set[int] = set()
    used_new: set[int] = set()
    for likeness, at, to in scored:
        if likeness < SAME_STORY:
            break
        if at not in used_old and to not in used_new:
            used_old.add(at)
            used_new.add(to)
            taken.append((gone[-at], come[-to]))
    return taken
