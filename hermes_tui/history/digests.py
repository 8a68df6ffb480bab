"""What a store held, by the digests that our journal keeps of its file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from hermes_tui.history.events import Event, Ours, Sight
from hermes_tui.memory.changes import DoesNotFit, apply_exactly, reversed_hunks
from hermes_tui.memory.entries import join, parse
from hermes_tui.memory.view import BOM, digest_of


@lru_cache(maxsize=4096)
def _digest(entries: tuple[str, ...]) -> str:
    return digest_of(join(entries).encode("utf-8", "surrogatepass"))


class Digests:
    """Finds what a store held from all that was ever seen of it.

    Args:
        events: everything that is known of the store.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._wanted = {
            digest
            for event in events
            if isinstance(event, Ours)
            for digest in (event.change.before, event.change.after)
        }
        self._known: dict[str, list[str]] = {}
        self.learn(())
        for event in events:
            if isinstance(event, Sight):
                self.learn(event.entries)

    def learn(self, entries: Sequence[str]) -> None:
        """Take in something that the store held, or may have held."""
        if self._wanted and (digest := _digest(tuple(entries))) in self._wanted:
            self._known.setdefault(digest, list(entries))

    def of(self, entries: Sequence[str]) -> str:
        """The digest of the file that holds these entries, as the agent writes it."""
        return _digest(tuple(entries))

    def before(self, ours: Ours) -> list[str] | None:
        """What a store held just before a change of ours; None when that cannot be told."""
        change = ours.change
        if change.raw_before is not None:
            return parse(change.raw_before.removeprefix(BOM).decode("utf-8", errors="replace"))
        found = self._known.get(change.before)
        if found is None and (left := self._known.get(change.after)) is not None:
            try:
                found = apply_exactly(left, reversed_hunks(change.hunks))
            except DoesNotFit:
                return None
        return found if found is not None and self.of(found) == change.before else None

    def after(self, ours: Ours, there: Sequence[str] | None) -> list[str] | None:
        """What it held just after, by what was there before; None when that cannot be told."""
        if there is not None:
            try:
                return apply_exactly(there, ours.change.hunks)
            except DoesNotFit:
                pass
        return self._known.get(ours.change.after)
