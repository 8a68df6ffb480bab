"""Whether somebody may be at work in a session."""

from __future__ import annotations

from collections.abc import Iterable

from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.summaries import LIVE_SECONDS
from hermes_tui.sessions.upkeep.family import batches, marks

MAYBE_SECONDS = 3_600.0
"""A session that was not ended and wrote so recently may be open in some terminal."""

_LEASES = (("session_turn_leases", "conversation_id"), ("compression_locks", "session_id"))


def leased(base: Reader, ids: Iterable[str], now: float) -> set[str]:
    """The sessions that an agent has marked as its own for now: a turn or a compaction goes on."""
    found: set[str] = set()
    for table, column in _LEASES:
        if not {column, "expires_at"} <= base.columns(table):
            continue
        for some in batches(ids):
            where = f"{column} IN ({marks(some)}) AND expires_at > ?"
            found.update(
                text_of(row[0]) for row in base.rows(f"SELECT {column} FROM {table} WHERE {where}", (*some, now))
            )
    return found


def unended(base: Reader, ids: Iterable[str]) -> set[str]:
    """The sessions that nobody has ended; an agent that was killed leaves them so for ever."""
    found: set[str] = set()
    if "ended_at" not in base.features().sessions:
        return set(ids)
    for some in batches(ids):
        rows = base.rows(f"SELECT id FROM sessions WHERE id IN ({marks(some)}) AND ended_at IS NULL", some)
        found.update(text_of(row[0]) for row in rows)
    return found


def use_words(*, at_work: bool, open_: bool, idle: float) -> str:
    """Why a session may be in use, in a sentence; empty when nothing speaks for it.

    Args:
        at_work: whether an agent has marked it as its own.
        open_: whether nobody has ended it.
        idle: seconds since it last wrote.
    """
    if at_work:
        return "An agent is at work in it right now."
    if not open_ or idle >= MAYBE_SECONDS:
        return ""
    ago = "a moment" if idle < 60 else f"{idle / 60:.0f} min"
    verb = "It is most likely in use" if idle < LIVE_SECONDS else "It may be in use"
    return f"{verb}: it wrote {ago} ago."
