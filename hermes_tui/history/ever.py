"""Every entry that ever was: in which store, from when to when, and how many sessions ran with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hermes_tui.history.replay import Past
from hermes_tui.history.spans import state_at
from hermes_tui.memory.entries import StoreName
from hermes_tui.sessions.folding import fold

__all__ = ("Ever", "entries_ever", "search", "state_at")


@dataclass(frozen=True, slots=True)
class Ever:
    """An entry that is, or was."""

    store: StoreName
    text: str
    since: float
    """No later than this it was there for the first time, in epoch seconds."""
    until: float | None
    """When it was gone for good; None while it is there."""
    sessions: int
    """How many sessions that are known ran with it."""
    gone: tuple[tuple[float, float], ...] = ()
    """From when to when it was gone meanwhile."""
    sessions_since: int | None = None
    """How many sessions ran with it since it is back; None when it never came back, or only as its going was taken
    back here."""


def entries_ever(
    pasts: Mapping[StoreName, Past],
    uses: Mapping[StoreName, Mapping[str, int]],
    since: Mapping[StoreName, Mapping[str, int]] | None = None,
) -> tuple[Ever, ...]:
    """All of them, those that were there last first.

    Args:
        pasts: of the stores.
        uses: for each store, how many sessions ran with each entry.
        since: the same since they are back, for entries that came back.
    """
    found: list[Ever] = []
    for store, past in pasts.items():
        first: dict[str, float] = {}
        gone: dict[str, float | None] = {}
        away: dict[str, list[tuple[float, float]]] = {}
        before: frozenset[str] = frozenset()
        for state in past.states:
            here = frozenset(state.entries)
            for text in here - before:
                first.setdefault(text, state.at)
                if (went := gone.get(text)) is not None:
                    away.setdefault(text, []).append((went, state.at))
                gone[text] = None
            for text in before - here:
                gone[text] = state.at
            before = here
        for change in past.changes:  # what came and went between two moments that are known
            for text in (change.before, change.after):
                if text not in first and change.is_whole(text):
                    first[text] = gone[text] = change.until
        counted = uses.get(store, {})
        back = (since or {}).get(store, {})
        found += [
            Ever(store, text, at, gone[text], counted.get(text, 0), tuple(away.get(text, ())), back.get(text))
            for text, at in first.items()
        ]
    return tuple(sorted(found, key=_last_there, reverse=True))


def _last_there(ever: Ever) -> tuple[float, float]:
    return ever.until if ever.until is not None else float("inf"), ever.since


def search(entries: Iterable[Ever], text: str) -> tuple[Ever, ...]:
    """Those that have all the words, whatever their capitals and accents; all of them when there are no words."""
    words = fold(text).split()
    return tuple(ever for ever in entries if all(word in fold(ever.text) for word in words))
