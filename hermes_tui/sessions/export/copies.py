"""Messages that a compaction took along: written again after its summary, though they were said once. Pure."""

from __future__ import annotations

from collections.abc import Sequence

MOST_TAKEN = 2_000
"""A compaction takes some dozens of messages along."""


def taken_along(keys: Sequence[int], groups: Sequence[int], summaries: Sequence[int]) -> set[int]:
    """The places of messages that are there a second time because a compaction took them along.

    An agent goes on with some of the first messages, a summary of the others, and the last ones. So before a
    summary there may be those with which everything began, and after it those that were the last. Where there is
    no summary nothing was taken along: a person may well say the same again.

    Args:
        keys: a number for each message in order, the same for the same.
        groups: a number for each that is another one where messages cannot have been written together.
        summaries: the places of the summaries.
    """
    found: set[int] = set()
    begin, done = 0, -1
    for place in summaries:
        if place <= done:
            continue
        first = _same_as_first(keys, groups, begin, place)
        last = _same_as_last(keys, groups, begin, first, place + 1)
        found.update(range(first, place))
        found.update(range(place + 1, last))
        begin, done = first, last - 1
    return found


def _same_as_first(keys: Sequence[int], groups: Sequence[int], begin: int, summary: int) -> int:
    """Where the messages begin that stand before a summary and are the first ones again."""
    most = min((summary - begin) // 2, MOST_TAKEN)
    together = 0
    while together < most and groups[summary - together - 1] == groups[summary]:
        together += 1
    for count in range(together, 0, -1):
        if list(keys[summary - count : summary]) == list(keys[begin : begin + count]):
            return summary - count
    return summary


def _same_as_last(keys: Sequence[int], groups: Sequence[int], begin: int, end: int, after: int) -> int:
    """Where the messages end that follow a summary and are the last ones again."""
    if after >= len(keys):
        return after
    for start in range(max(begin, end - MOST_TAKEN), end):
        count = end - start
        if keys[start] != keys[after] or after + count > len(keys):
            continue
        same = groups[after + count - 1] == groups[after - 1]
        if same and list(keys[start:end]) == list(keys[after : after + count]):
            return after + count
    return after
