"""Reading around the places where a database is damaged: everything else of it is still there."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from hermes_tui.errors import Unreadable
from hermes_tui.sessions.database import Database, Interrupted

Item = TypeVar("Item")
Result = TypeVar("Result")

SCANNED_IDS = 2_000
LEAST_IDS = 32
"""A range of ids is not cut further than this to find out which of them can be read."""


def is_damage(error: Exception) -> bool:
    """Whether a failure means that the file is damaged, so that other places in it may be read."""
    return isinstance(error, Unreadable) and error.code == "sessions_corrupt"


def salvaged(
    read: Callable[[Sequence[Item]], Result], ids: Sequence[Item], lost: Callable[[Item], Result]
) -> Iterator[Result]:
    """What can be read of some messages or sessions, in order; `lost` stands for one that cannot be."""
    try:
        yield read(ids)
        return
    except Unreadable as error:
        if not is_damage(error):
            raise
    if len(ids) <= 1:
        yield from map(lost, ids)
        return
    middle = len(ids) // 2
    yield from salvaged(read, ids[:middle], lost)
    yield from salvaged(read, ids[middle:], lost)


def scanned_ids(base: Database, session_id: str, high: int, stopped: Callable[[], bool]) -> array[int]:
    """The ids of a session's messages without the help of an index, damaged ranges left out.

    Raises:
        Interrupted: `stopped` said so.
    """
    found = array("q")
    for start in range(0, high + 1, SCANNED_IDS):
        if stopped():
            raise Interrupted
        found.extend(_in_range(base, session_id, start, min(high, start + SCANNED_IDS - 1)))
    return found


def _in_range(base: Database, session_id: str, first: int, last: int) -> Iterator[int]:
    try:
        rows = base.rows(
            "SELECT id FROM messages NOT INDEXED WHERE id BETWEEN ? AND ? AND session_id = ? ORDER BY id",
            (first, last, session_id),
        )
    except Unreadable as error:
        if not is_damage(error):
            raise
    else:
        yield from (int(row[0]) for row in rows)
        return
    if last - first < LEAST_IDS:
        return
    middle = (first + last) // 2
    yield from _in_range(base, session_id, first, middle)
    yield from _in_range(base, session_id, middle + 1, last)
