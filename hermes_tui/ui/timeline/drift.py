"""Sessions that were told a block of memory which is no longer what the files hold. Pure, so a thread can do it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hermes_tui.history.snapshots import Blocks
from hermes_tui.memory.view import StoreView
from hermes_tui.ui.timeline.then import compared_next


def is_older(told: Blocks, views: Sequence[StoreView]) -> bool:
    """Whether a session that begins now would be told something else."""
    for view in views:
        if view.state == "unreadable":
            continue
        stated = told.get(view.store)
        if any(each.sign != "same" for each in compared_next(stated.entries if stated else (), view, {})):
            return True
    return False


def older_sessions(
    sessions: Iterable[tuple[str, int]], blocks: Sequence[Blocks], views: Sequence[StoreView]
) -> frozenset[str]:
    """Those that were told something else than a session would be now.

    Args:
        sessions: each with the number of what it was told; negative for nothing. A prompt that speaks of no store makes
            no session older: memory may be switched off for it.
        blocks: what was told, by number.
        views: the stores as they are.
    """
    older = [is_older(told, views) for told in blocks]
    return frozenset(id for id, block in sessions if block >= 0 and blocks[block] and older[block])
