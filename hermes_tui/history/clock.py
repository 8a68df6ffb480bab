"""Times that contradict the order in which things were stored: the clock was set back, so that they are not exact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from operator import attrgetter

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.events import Sight
from hermes_tui.history.told import Told

BACK_SECONDS = 60.0
"""Messages that are stored at about the same time need not come in the order of their times."""


def straightened(
    calls: Sequence[MemoryCall], sights: Sequence[Sight], told: Mapping[str, Told]
) -> tuple[list[MemoryCall], list[Sight]]:
    """Calls and prompts of one store, those whose times cannot be right put in the order in which they were stored.

    Such a call is only known to have been made before the next session that has a time after all of them; when a
    prompt of that time was built is not known at all, so that it is left out.

    Args:
        calls: the calls.
        sights: the prompts.
        told: every session, by its id.
    """
    left: dict[tuple[str, int], MemoryCall] = {(call.session_id, call.result_id): call for call in calls}
    rows: list[tuple[int, int]] = []
    for group in _turned(calls, told):
        first, last = (end(told[call.session_id].row for call in group) for end in (min, max))
        end = max(call.at for call in group)
        following = min((each.at for each in told.values() if each.row > last and each.at > end), default=math.inf)
        at = end if following == math.inf else following
        for call in reversed(group):
            at = math.nextafter(at, -math.inf)
            left[call.session_id, call.result_id] = replace(call, at=at, written_later=True)
        rows.append((first, last))
    if not rows:
        return list(calls), list(sights)
    wrong = {id for id, each in told.items() if any(first <= each.row <= last for first, last in rows)}
    return [*left.values()], [sight for sight in sights if sight.session_id not in wrong]


def _turned(calls: Sequence[MemoryCall], told: Mapping[str, Told]) -> Iterator[list[MemoryCall]]:
    """The calls that fit to one another in the order in which they were stored, and not in the order of their times."""
    stored = [call for call in calls if call.outcome == "accepted" and call.session_id in told]
    stored.sort(key=attrgetter("result_id"))
    highest = list(accumulate((call.at for call in stored), max))
    lowest = list(accumulate((call.at for call in reversed(stored)), min))[::-1]
    start = 0
    for end in range(1, len(stored) + 1):
        if end < len(stored) and highest[end - 1] > lowest[end] + BACK_SECONDS:
            continue
        group, start = stored[start:end], end
        if len(group) < 2 or any(told[one.session_id].row > told[other.session_id].row and one.at > other.at
                                 for one, other in pairwise(group)):  # fmt: skip
            continue  # messages that were written again have new numbers and their old times
        if _fit(group) and not _fit(sorted(group, key=attrgetter("at"))):
            yield group


def _fit(calls: Sequence[MemoryCall]) -> bool:
    """Whether each call found as many entries as the one before it left."""
    return all(
        one.count is not None and other.count is not None and one.count == other.count - _grown(other)
        for one, other in pairwise(calls)
    )


def _grown(call: MemoryCall) -> int:
    """How many entries more there were after a call."""
    if call.idle:
        return 0
    signs = {"add": 1, "remove": -1}
    return sum(signs.get(operation.action, 0) for operation in call.operations)
