"""The story of an entry: when it came, what it was before, who wrote it, and how many sessions ran with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hermes_tui.history.changes import By, Certainty, Change
from hermes_tui.history.replay import Past
from hermes_tui.history.taken_back import seen_through
from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.view import StoreView

MOVED_SECONDS = 2.0
"""An entry that goes from one store and comes into the other within this time was moved."""


@dataclass(frozen=True, slots=True)
class Blame:
    """Who wrote an entry, as far as anything tells."""

    store: StoreName
    index: int
    """Its place in the file, from 1."""
    text: str
    story: tuple[Change, ...]
    """The changes that led to it, the newest first; with those that it was before, when it was edited or moved."""
    sessions: int
    """How many sessions that are known ran with it, word for word."""
    sessions_since: int | None = None
    """How many of them since it is back; None when it never was gone."""

    @property
    def last(self) -> Change | None:
        """The change that made it what it is; None when nothing tells."""
        return self.story[0] if self.story else None

    @property
    def back_since(self) -> float | None:
        """No later than this it was back; None when it never was gone, or has got other words since."""
        return self.last.until if self.last and self.last.back else None

    @property
    def first(self) -> Change | None:
        """The change with which it began."""
        return self.story[-1] if self.story else None

    @property
    def first_seen(self) -> float | None:
        """No later than this it was there, in whatever words that were certainly this entry's; epoch seconds."""
        known = known_part(self.story)
        return known[-1].until if known else None

    @property
    def likely_first_seen(self) -> float | None:
        """The same, if what is only likely to have been this entry was it."""
        return self.first.until if self.first else None

    @property
    def last_changed(self) -> float | None:
        """No later than this it got the words it has."""
        return self.last.until if self.last else None

    @property
    def by(self) -> By:
        """Who gave it the words it has."""
        return self.last.by if self.last else "outside edit or unknown"

    @property
    def certainty(self) -> Certainty:
        """How sure that is."""
        return self.last.certainty if self.last else "unknown"


def blame(
    views: Iterable[StoreView],
    pasts: Mapping[StoreName, Past],
    uses: Mapping[StoreName, Mapping[str, int]],
    since: Mapping[StoreName, Mapping[str, int]] | None = None,
) -> tuple[Blame, ...]:
    """The story of every entry on disk.

    Args:
        views: the stores as they are.
        pasts: their pasts.
        uses: for each store, how many sessions ran with each entry.
        since: the same since they are back, for entries that came back.
    """
    changes = seen_through(sorted((change for past in pasts.values() for change in past.changes), key=_until))
    return tuple(
        Blame(
            view.store,
            entry.index,
            entry.text,
            story_of(view.store, entry.text, changes),
            uses.get(view.store, {}).get(entry.text, 0),
            (since or {}).get(view.store, {}).get(entry.text),
        )
        for view in views
        for entry in view.entries
    )


def story_of(store: StoreName, text: str, changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes that led to an entry, the newest first; where it had gone and came back, with those as well.

    Args:
        store: where it stands.
        text: the entry.
        changes: of both stores, the oldest first, as `seen_through` leaves them.
    """
    story: list[Change] = []
    place: StoreName = store
    words = text
    at = len(changes)
    while at > 0:
        at -= 1
        change = changes[at]
        if change.after != words or change.store != place or change.after_partial:
            continue
        story.append(change)
        if change.partial:
            break  # what it was before is not known
        if change.before:
            words = change.before
            continue
        origin = _origin(change, changes)
        if origin is None:
            gone = _went(changes, at, place, words) if change.back else -1
            if gone < 0:
                break
            story.append(changes[gone])
            at = gone
            continue
        place, words = origin.store, origin.before
        if origin.store == change.store:
            story.append(origin)
    return tuple(story)


def _went(changes: Sequence[Change], before: int, store: StoreName, text: str) -> int:
    """The place of the last change before one with which an entry went; -1 when there is none."""
    for at in range(before - 1, -1, -1):
        change = changes[at]
        if (change.store, change.kind, change.before) == (store, "remove", text) and not change.partial:
            return at
    return -1


def known_part(story: Sequence[Change]) -> Sequence[Change]:
    """A story as far as it certainly is that of one entry: from the last change to the first likely edit, if any."""
    guess = next((place for place, change in enumerate(story) if change.likely_edit), len(story))
    return story[: guess + 1]


def _origin(come: Change, changes: Sequence[Change]) -> Change | None:
    """The entry that went as this one came: moved from the other store, or joined with others into one."""
    for change in changes:
        if change.kind != "remove" or not change.before or change.partial:
            continue
        # In which order the two calls of one message were carried out does not matter.
        together = bool(come.record_id and change.record_id == come.record_id) or (
            come.message_id != 0 and change.message_id == come.message_id
        )
        if change.before == come.after and change.store != come.store:
            if together or abs(change.until - come.until) <= MOVED_SECONDS:
                return change
        elif together and change.before in come.after and (change.before != come.after or change.until <= come.until):
            return change
    return None


def _until(change: Change) -> float:
    return change.until
