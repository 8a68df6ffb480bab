"""What conversations are called now, read off the event loop for those who ask about them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from hermes_tui.sessions.summaries import derived_title, summaries
from hermes_tui.sessions.transcript import TranscriptReader
from hermes_tui.ui.dialogs.rename import Named
from hermes_tui.ui.sessions.aim import name_of

if TYPE_CHECKING:
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.listing import Brief

BATCH = 200
"""Conversations looked at in one go."""


def looked_up(base: Database, brief: Brief, part: str) -> Named | None:
    """In a thread: what a conversation is called, and what the list would call it without that; None if it is gone.

    Args:
        base: the database.
        brief: the conversation.
        part: the one of its parts that is meant; empty for the whole.
    """
    parts = {each.id: each.title for each in TranscriptReader(base, brief.id).facts().parts}
    if part and part not in parts:
        return None
    if not parts:
        return None
    newest = next(reversed(parts))
    holder = part or next((id for id, title in reversed(parts.items()) if title), newest)
    others = [title for id, title in reversed(parts.items()) if title and id != holder]
    suggestion = derived_title(base, next(iter(parts)))
    return Named(
        session_id=part or newest,
        title=parts[holder],
        suggestion="" if part else suggestion,
        below=others[0] if others else suggestion,
    )


def all_pinned(base: Database, briefs: Sequence[Brief]) -> bool:
    """In a thread: whether all of these are pinned; the first that is not ends the search."""
    for start in range(0, len(briefs), BATCH):
        if not all(summary.pinned for summary in summaries(base, briefs[start : start + BATCH], time.time())):
            return False
    return True


def names_of(base: Database, briefs: Iterable[Brief], ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """In a thread: how to call the conversations of some sessions, `(id, name)`."""
    wanted = set(ids[:BATCH])
    found = [brief for brief in briefs if not wanted.isdisjoint(brief.parts)]
    for summary in summaries(base, found, time.time()):
        for id in wanted.intersection(summary.brief.parts):
            yield id, name_of(summary.brief, summary)
