"""One store at one place of the line, entry by entry against another moment. Pure, so that a thread can make it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hermes_tui.history.changes import State
from hermes_tui.history.snapshots import Blocks
from hermes_tui.memory.dialects import DialectName
from hermes_tui.memory.entries import FILE_NAMES, StoreName, Usage, unique, usage_of
from hermes_tui.memory.prompt import BLOCKED_MARK, sanitized
from hermes_tui.memory.view import StoreView
from hermes_tui.ui.timeline.line import NOW, Line, Place, StoreLine

Against = Literal["before", "now"]
"""What is compared with: how it was before the change, or how it is on disk."""
DIALECTS: tuple[DialectName, ...] = ("0.22", "0.19")
Sign = Literal["came", "went", "edited", "same"]


class Compared(NamedTuple):
    """An entry of one of two moments, or of both."""

    sign: Sign
    """What the later moment did to the earlier one."""
    before: str
    after: str
    number: int
    """Its place in the store as of then, from 1; 0 when it is not in it."""


@dataclass(frozen=True, slots=True)
class Then:
    """What a store held."""

    store: StoreName
    known: bool
    """Whether anything tells what it held."""
    certain: bool
    """Whether something recorded it."""
    usage: Usage
    compared: tuple[Compared, ...]
    against: Against
    against_known: bool
    """Whether the other moment is known."""
    told: bool
    """Whether it is what a session was told."""
    stale: bool = False
    """Whether what the session was told was out of date already."""
    doubtful: bool = False
    """Whether it may not be what it looks like, for a prompt was cut or held a copy of a block."""
    now: bool = False
    """Whether it is the present."""
    maybe_empty: bool = False
    """Whether it is not certain, for a session was told nothing of it around then."""
    repeats: tuple[tuple[int, int], ...] = ()
    """The entries that say the very same as one before them, by their places: it, and the first of them."""

    @property
    def file_name(self) -> str:
        """`MEMORY.md` or `USER.md`."""
        return FILE_NAMES[self.store]

    def with_sign(self, sign: Sign) -> list[Compared]:
        """The entries of one kind."""
        return [each for each in self.compared if each.sign == sign]


Told = Mapping[str, Blocks]


def then(line: Line, told: Told, view: StoreView, place: Place, against: Against) -> Then:
    """A store at a place.

    Args:
        line: all changes and states.
        told: what each session was told.
        view: the store as it is on disk.
        place: where one stands.
        against: what to compare with.
    """
    store_line = line.stores.get(view.store) or StoreLine()
    stated = told.get(place.session, {}) if place.session else {}
    mine = stated.get(view.store)
    state = store_line.then(place.at)
    entries: Sequence[str] | None
    if place.session:
        entries = mine.entries if mine else ()
    elif place.at == NOW and view.state != "unreadable":
        entries = view.texts
    else:
        entries = state.entries if state else None
    other = _other(line, store_line, told, view, place, against)
    if place.session and against == "now" and entries and other:
        other = _as_told(other, set(entries), view.file_name)
    limit = mine.limit if mine else view.usage.limit if place.at == NOW else store_line.limit(place.at)
    return Then(
        store=view.store,
        known=entries is not None,
        certain=bool(place.session) or place.at == NOW or (state is not None and state.certain),
        usage=usage_of(entries or (), view.usage.limit if limit is None else limit),
        compared=_compared(line, view.store, place, against, entries, other),
        against=against,
        against_known=other is not None,
        told=bool(place.session),
        stale=place.session in store_line.stale,
        doubtful=mine is not None and mine.doubtful,
        now=place.at == NOW,
        maybe_empty=not place.session and place.at != NOW and store_line.maybe_empty(place.at),
        repeats=tuple(_repeats(entries or ())),
    )


def _other(
    line: Line,
    store_line: StoreLine,
    told: Told,
    view: StoreView,
    place: Place,
    against: Against,
) -> Sequence[str] | None:
    """What the store held at the moment that is compared with."""
    if against == "now":
        return None if view.state == "unreadable" else unique(view.texts)
    if place.session:
        # What it is compared with is what the session before was told.
        earlier = line.earlier_session(place)
        stated = told.get(earlier.session, {}).get(view.store) if earlier else None
        return None if earlier is None else stated.entries if stated else ()
    state = store_line.before(line.untils[place.row]) if place.row >= 0 else None
    return _entries(state)


def _as_told(texts: Sequence[str], told: Collection[str], file_name: str) -> list[str]:
    """Texts of the file, with the note in the place of each that a session was told a note of, as it is blocked."""
    if not any(text.startswith(BLOCKED_MARK) for text in told):
        return list(texts)
    found: list[str] = []
    for text in texts:
        notes = (sanitized(file_name, text, dialect) for dialect in DIALECTS)
        found.append(next((note for note in notes if note in told), text))
    return found


def _entries(state: State | None) -> Sequence[str] | None:
    return state.entries if state else None


def _compared(
    line: Line,
    store: StoreName,
    place: Place,
    against: Against,
    entries: Sequence[str] | None,
    other: Sequence[str] | None,
) -> tuple[Compared, ...]:
    """The entries of both moments: first those that differ, then the others in the order of the file."""
    if entries is None:
        return ()
    numbers = numbered(entries)
    if other is None:
        return tuple(Compared("same", text, text, numbers[text]) for text in unique(entries))
    if against == "now":
        return tuple(paired(entries, other, line.became(store, unique(entries), place.row), numbers))
    earlier = line.earlier_session(place) if place.session else None
    row = earlier.row if earlier else bisect_left(line.untils, line.untils[place.row]) - 1
    return tuple(paired(other, entries, line.became(store, other, row, place.row), numbers))


def numbered(entries: Sequence[str]) -> dict[str, int]:
    """The place of each entry, from 1; of one that is repeated, the first."""
    found: dict[str, int] = {}
    for number, text in enumerate(entries, 1):
        found.setdefault(text, number)
    return found


def _repeats(entries: Sequence[str]) -> Iterator[tuple[int, int]]:
    numbers = numbered(entries)
    yield from ((place, numbers[text]) for place, text in enumerate(entries, 1) if numbers[text] != place)


def paired(
    before: Sequence[str], after: Sequence[str], became: Mapping[str, str], numbers: Mapping[str, int]
) -> Iterator[Compared]:
    """What turned one list into another: those that differ first, then the others in their order.

    Args:
        before: the earlier list.
        after: the later one.
        became: what is known to have become of texts of the earlier one.
        numbers: where each text stands in the list that is looked at.
    """
    stayed = set(before) & set(after)
    edits = {old: new for old, new in became.items() if old not in stayed and new in after and new not in stayed}
    made = set(edits.values())
    for text in unique(after):
        if text not in stayed and text not in made:
            yield Compared("came", "", text, numbers.get(text, 0))
    for old, new in edits.items():
        yield Compared("edited", old, new, numbers.get(new) or numbers.get(old, 0))
    for text in unique(before):
        if text not in stayed and text not in edits:
            yield Compared("went", text, "", numbers.get(text, 0))
    for text in sorted(stayed, key=lambda text: numbers[text]):
        yield Compared("same", text, text, numbers[text])


def compared_next(before: Sequence[str], view: StoreView, became: Mapping[str, str]) -> list[Compared]:
    """What a store will be told as, against what it was told as; by the agent whose notes fit better."""
    told = view.enabled and view.state not in ("unreadable", "invalid_utf8", "missing")
    texts = unique(view.texts) if told else []
    answers = []
    for dialect in DIALECTS:
        shown = [sanitized(view.file_name, text, dialect) for text in texts]
        answers.append(list(paired(before, shown, became, numbered(shown))))
    return min(answers, key=lambda found: sum(each.sign != "same" for each in found))
