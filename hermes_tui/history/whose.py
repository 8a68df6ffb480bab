"""Which sessions knew something, wrote it, or staged it."""

from __future__ import annotations

from dataclasses import replace

from hermes_tui.history.index import Index
from hermes_tui.sessions.folding import fold
from hermes_tui.sessions.query import Filters


def answered(filters: Filters, index: Index) -> Filters:
    """Filters with the sessions that `knew:`, `wrote:` and `staged:` let through, all of them together."""
    if not filters.memory:
        return filters
    found: frozenset[str] | None = None
    for name, text in filters.memory:
        words = fold(text).split()
        ids = _told(index, words) if name == "knew" else _called(index, words, name == "staged")
        found = ids if found is None else found & ids
    return replace(filters, memory_ids=found)


def _told(index: Index, words: list[str]) -> frozenset[str]:
    blocks = {
        number
        for number, block in enumerate(index.blocks)
        if any(_has(text, words) for stated in block.values() for text in stated.entries)
    }
    return frozenset(told.session_id for told in (*index.former, *index.sessions.values()) if told.block in blocks)


def _called(index: Index, words: list[str], staged: bool) -> frozenset[str]:
    outcome = "staged" if staged else "accepted"
    return frozenset(
        call.session_id
        for call in index.calls.values()
        if call.outcome == outcome and any(_has(f"{each.content} {each.old_text}", words) for each in call.operations)
    )


def _has(text: str, words: list[str]) -> bool:
    folded = fold(text)
    return all(word in folded for word in words)
