"""Saying once, and only once, that an entry will not reach the agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.view import EntryView, StoreView
from hermes_tui.ui.memory.cards import finding_words


class BlockedToasts:
    """Remembers which blocked texts were spoken of, per store."""

    def __init__(self) -> None:
        self._said: set[tuple[StoreName, int]] = set()

    def words_for(self, views: Iterable[StoreView]) -> Iterator[str]:
        """A sentence for each store that has blocked entries nobody was told about."""
        for view in views:
            new: list[EntryView] = []
            for entry in view.entries:
                key = (view.store, hash(entry.text))
                if entry.blocked and key not in self._said:
                    self._said.add(key)
                    new.append(entry)
            if new:
                yield _sentence(view, new)


def _sentence(view: StoreView, entries: list[EntryView]) -> str:
    older_only = all(finding.newer_pass for entry in entries for finding in entry.findings)
    whose = "by agents of the 0.19 line" if older_only else "by the agent's scan and hidden from the model"
    if len(entries) > 1:
        return f"{view.file_name}: {len(entries)} entries are blocked {whose}."
    named = next(finding_words(entries[0].findings), "")
    return f"{view.file_name}: entry {entries[0].index} is blocked {whose} ({named})."
