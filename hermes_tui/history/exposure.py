"""Which sessions ran with a text that the agent's threat scan blocks today."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_tui.history.index import Index
from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.prompt import BLOCKED_MARK
from hermes_tui.memory.threats import blocking_ids
from hermes_tui.memory.view import cached_scan


@dataclass(frozen=True, slots=True)
class Exposure:
    """A text that is blocked now, and was not always."""

    store: StoreName
    text: str
    findings: tuple[str, ...]
    """The scan's names for what it finds."""
    since: float
    """When the first session that is known ran with it, in epoch seconds."""
    until: float
    """When the last one did."""
    session_ids: tuple[str, ...]
    """Those sessions, the oldest first."""


def exposures(index: Index) -> tuple[Exposure, ...]:
    """All of them, the latest first."""
    told: dict[tuple[StoreName, str], list[tuple[float, str]]] = {}
    ids: dict[tuple[StoreName, str], tuple[str, ...]] = {}
    suspects: dict[int, list[tuple[StoreName, str]]] = {}
    for number, block in enumerate(index.blocks):
        for store, stated in block.items():
            for text in stated.entries:
                found = () if text.startswith(BLOCKED_MARK) else tuple(blocking_ids(cached_scan(text)))
                if found:
                    ids[store, text] = found
                    suspects.setdefault(number, []).append((store, text))
    for session in (*index.former, *index.sessions.values()):
        for which in suspects.get(session.block, ()):
            told.setdefault(which, []).append((session.at, session.session_id))
    listed = []
    for (store, text), times in told.items():
        times.sort()
        sessions = tuple(dict.fromkeys(id for _, id in times))
        listed.append(Exposure(store, text, ids[store, text], times[0][0], times[-1][0], sessions))
    return tuple(sorted(listed, key=_until, reverse=True))


def _until(exposure: Exposure) -> float:
    return exposure.until
