"""Which sessions ran with a text that the agent's threat scan blocks today."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_tui.history.index import Index, Told
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
    since: float | None
    """When the first session that is known began with it, in epoch seconds; None when no time is known."""
    until: float | None
    """When something was last said in one of them."""
    session_ids: tuple[str, ...]
    """Those sessions, the oldest first."""


def exposures(index: Index) -> tuple[Exposure, ...]:
    """All of them, the latest first."""
    told: dict[tuple[StoreName, str], list[Told]] = {}
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
            told.setdefault(which, []).append(session)
    listed = []
    for (store, text), ran in told.items():
        ran.sort(key=_at)
        sessions = tuple(dict.fromkeys(each.session_id for each in ran))
        since = min((each.at for each in ran if each.at), default=None)
        until = max((at for each in ran for at in _times(each)), default=None)
        listed.append(Exposure(store, text, ids[store, text], since, until, sessions))
    return tuple(sorted(listed, key=_until, reverse=True))


def _times(session: Told) -> Iterator[float]:
    """When it ran, as far as that is known: from when its prompt was built to when its last message was stored."""
    yield from (at for at in (session.at, session.last) if 0 < at < math.inf)


def _at(session: Told) -> float:
    return session.at


def _until(exposure: Exposure) -> float:
    return exposure.until or 0.0
