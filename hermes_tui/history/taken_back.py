"""What was taken back here, and made again: which change each is about, and which of them stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

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

    What was made again counts once, as it was made first.

    Args:
        changes: the oldest first.
    """
    chains = {change.about for change in changes if change.about}
    if not chains:
        return changes
    steps: dict[Any, list[int]] = {}
    for place, change in enumerate(changes):
        chain = change.about or change.record_id
        if chain in chains:
            texts = (change.before, change.after)
            key = (chain, change.store, texts[::-1] if change.undoes else texts)
            steps.setdefault(key, []).append(place)
    gone: set[int] = set()
    for places in steps.values():
        took = [changes[place].undoes for place in places]
        if not took[0] and all(one != other for one, other in pairwise(took)):
            gone.update(places[len(places) % 2 :])
    return [change for place, change in enumerate(changes) if place not in gone]


def marked(change: Change, ours: Ours) -> Change:
    """A change with what our journal says of its being taken back, and of another profile."""
    return replace(change, about=ours.about, taken_back=ours.taken_back, profile=ours.profile)
