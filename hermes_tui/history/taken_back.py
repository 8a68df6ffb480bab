"""What was taken back here, and made again: which change each is about, and which of them stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from hermes_tui.history.changes import Change, Difference, Kind, changed_in
from hermes_tui.history.events import Ours
from hermes_tui.memory.changes import Hunk
from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.journal import JournalRecord

REVERTS = ("undo", "redo")
EDITS = frozenset({"edit", "patch", "replace"})
"""What the journal calls a change of one entry."""
_INVERSE: dict[Kind, Kind] = {"add": "remove", "edit": "edit", "remove": "add"}


def concerned(records: Iterable[JournalRecord]) -> dict[str, str]:
    """For each record that takes a change back or makes it again, by its id, the id of that change.

    Args:
        records: the whole journal, the oldest first.
    """
    about: dict[str, str] = {}
    for record in records:
        if record.kind in REVERTS:
            about[record.id] = about.get(record.of, record.of)
    return about


def standing(records: Sequence[JournalRecord]) -> set[str]:
    """The ids of the changes that are made and not taken back.

    Args:
        records: the same.
    """
    about = concerned(records)
    found: set[str] = set()
    for record in records:
        if record.state not in ("done", "dropped"):
            continue
        if record.kind == "undo":
            found.discard(about[record.id])
        else:
            found.add(about.get(record.id, record.id))
    return found


def ours_in(records: Sequence[JournalRecord], store: StoreName) -> list[Ours]:
    """Our changes to one store, each with what it is about and whether it was taken back.

    Args:
        records: the same.
        store: which one.
    """
    about, stand = concerned(records), standing(records)
    by_id = {record.id: record for record in records}
    found: list[Ours] = []
    for record in records:
        first = about.get(record.id, record.id)
        gone = record.kind != "undo" and first not in stand
        for change in record.files:
            if change.store == store:
                origin = by_id.get(first) if first != record.id else None
                found.append(Ours(record, change, first if first != record.id else "", origin, gone))
    return found


def done_by(ours: Ours) -> Iterator[Difference]:
    """What a change of ours did to entries; what takes back a change did just the reverse of it, where that fits."""
    origin = ours.origin
    change = next((each for each in origin.files if each.store == ours.change.store), None) if origin else None
    if origin is None or change is None:
        yield from changed_in(ours.change.hunks, edit=ours.record.kind in EDITS)
        return
    back = ours.record.kind == "undo"
    effect, told = _effect(ours.change.hunks), _effect(change.hunks)
    if effect != (told[::-1] if back else told):
        yield from changed_in(ours.change.hunks, edit=origin.kind in EDITS)
        return
    for kind, before, after, likely in changed_in(change.hunks, edit=origin.kind in EDITS):
        yield Difference(_INVERSE[kind], after, before, likely) if back else Difference(kind, before, after, likely)


def _effect(hunks: Sequence[Hunk]) -> tuple[Counter[str], Counter[str]]:
    """The texts that went, and those that came."""
    old = Counter(text for hunk in hunks for text in hunk.old)
    new = Counter(text for hunk in hunks for text in hunk.new)
    return old - new, new - old


def seen_through(changes: Sequence[Change]) -> Sequence[Change]:
    """Changes without those that were taken back, and without what took them back, where nothing is left of both.

    What was made again counts once, as it was made first. What was done to an entry in between is told with all of it.

    Args:
        changes: the oldest first.
    """
    chains = {change.about for change in changes if change.about}
    if not chains:
        return changes
    touched: dict[tuple[StoreName, str], list[int]] = {}
    steps: dict[tuple[str, StoreName, str, str], list[int]] = {}
    for place, change in enumerate(changes):
        old, new = (change.after, change.before) if change.undoes else (change.before, change.after)
        for text in (old, new):
            touched.setdefault((change.store, text), []).append(place)
        if (chain := change.about or change.record_id) in chains:
            steps.setdefault((chain, change.store, old, new), []).append(place)
    gone: set[int] = set()
    pairs = [pair for places in steps.values() for pair in _pairs(changes, places)]
    for first, last in sorted(pairs, key=lambda pair: pair[1] - pair[0]):  # the inner ones first
        store, texts = changes[first].store, (changes[first].before, changes[first].after)
        between = (place for text in texts if text for place in _between(touched[store, text], first, last))
        if gone.issuperset(between):
            gone |= {first, last}
    return list(_really_back(change for place, change in enumerate(changes) if place not in gone))


def _pairs(changes: Sequence[Change], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The steps of one change that make up for one another: the last of them, by twos."""
    took = [changes[place].undoes for place in places]
    if not took[0] and all(one != other for one, other in pairwise(took)):
        left = places[len(places) % 2 :]
        yield from zip(left[::2], left[1::2], strict=True)


def _between(places: Sequence[int], first: int, last: int) -> Sequence[int]:
    return places[bisect_right(places, first) : bisect_left(places, last)]


def _really_back(changes: Iterable[Change]) -> Iterator[Change]:
    """What is left, where nothing counts as having come back of which no going is left."""
    went: set[tuple[StoreName, str]] = set()
    for change in changes:
        if change.kind == "remove" and not change.partial:
            went.add((change.store, change.before))
        back = change.back and (change.store, change.after) in went
        yield change if back == change.back else replace(change, back=False)


def marked(change: Change, ours: Ours) -> Change:
    """A change with what our journal says of its being taken back, and of another profile."""
    return replace(change, about=ours.about, taken_back=ours.taken_back, profile=ours.profile)
