"""Two homes side by side: what each remembers that the other does not, and entries that go from one to the other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from hermes_tui.config import HermesConfig
from hermes_tui.disk import read_file
from hermes_tui.errors import HermesTuiError, Refused, Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.conflict import SURE_SHARE, locate
from hermes_tui.memory.editing import MemoryStore, Outcome, without
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, Usage, parse, usage_of
from hermes_tui.memory.rules import refuse_disorder
from hermes_tui.memory.store import OnDisk, StoreFiles, Written
from hermes_tui.memory.view import BOM, EntryView, StoreView, view_store
from hermes_tui.memory.worddiff import words_of

NEAR_MAX_CHARS = 1_000
"""So much of an entry is compared with others; the start tells enough."""
SHORT_CHARS = 60
"""Texts up to this length are compared letter by letter, longer ones word by word."""
NEAR_MAX_PAIRS = 20_000
"""Past so many pairs none is looked at."""
NEAR_MAX_RATIOS = 1_000
"""So many pairs that look alike at first are compared in earnest: each may take some milliseconds."""

SECOND_LOCK_SECONDS = 10.0
"""So long the second lock is waited for: meanwhile an agent waits for the first."""

CLOSED = ("unreadable", "invalid_utf8")
"""States of a store of whose entries nobody can be sure."""

_Side = tuple[StoreFiles, StoreName]


@dataclass(frozen=True, slots=True)
class Near:
    """An entry of one home and one of the other that say nearly the same."""

    one: EntryView
    other: EntryView
    share: float
    """How much they have in common, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One store of two homes."""

    one: StoreView
    other: StoreView
    both: tuple[tuple[EntryView, EntryView], ...]
    """Entries with the very same text, as they stand in each."""
    near: tuple[Near, ...]
    """Pairs of the rest that are likely two states of one entry, in the order of the first home."""
    only_one: tuple[EntryView, ...]
    only_other: tuple[EntryView, ...]
    looked_for_near: bool = True
    """False where there are too many entries to look for pairs."""

    @property
    def store(self) -> StoreName:
        """Which store it is."""
        return self.one.store

    @property
    def closed(self) -> StoreView | None:
        """A side that cannot be read: then what is said to be missing there may well be there."""
        return next((view for view in (self.one, self.other) if view.state in CLOSED), None)

    @property
    def same(self) -> bool:
        """Whether both hold the same entries, in whatever order."""
        return not (self.near or self.only_one or self.only_other or self.closed)


def compare(
    one: HermesHome, one_config: HermesConfig, other: HermesHome, other_config: HermesConfig
) -> tuple[Comparison, ...]:
    """Both stores of two homes, compared entry by entry; nothing is written, and every failure is a state."""
    return tuple(
        compare_views(view_store(one, one_config, store), view_store(other, other_config, store)) for store in STORES
    )


def compare_views(one: StoreView, other: StoreView) -> Comparison:
    """The same for one store that was read; an entry that repeats within a store counts once."""
    ours = {entry.text: entry for entry in one.entries if entry.duplicate_of is None}
    theirs = {entry.text: entry for entry in other.entries if entry.duplicate_of is None}
    mine = [entry for text, entry in ours.items() if text not in theirs]
    rest = [entry for text, entry in theirs.items() if text not in ours]
    near, looked = _near_pairs(mine, rest)
    paired = {id(entry) for pair in near for entry in (pair.one, pair.other)}
    return Comparison(
        one=one,
        other=other,
        both=tuple((entry, theirs[text]) for text, entry in ours.items() if text in theirs),
        near=near,
        only_one=tuple(entry for entry in mine if id(entry) not in paired),
        only_other=tuple(entry for entry in rest if id(entry) not in paired),
        looked_for_near=looked,
    )


def _near_pairs(mine: Sequence[EntryView], rest: Sequence[EntryView]) -> tuple[tuple[Near, ...], bool]:
    """The most alike first, each entry in one pair at most; and whether all were looked at."""
    if len(mine) * len(rest) > NEAR_MAX_PAIRS:
        return (), False
    found: list[Near] = []
    ratios = 0
    words = {id(entry): words_of(entry.text[:NEAR_MAX_CHARS]) for entry in (*mine, *rest)}
    by_letter: SequenceMatcher[str] = SequenceMatcher(None, autojunk=False)
    by_word: SequenceMatcher[str] = SequenceMatcher(None, autojunk=False)
    for other in rest:
        by_letter.set_seq2(other.text[:SHORT_CHARS])
        by_word.set_seq2(words[id(other)])
        for one in mine:
            short = max(one.chars, other.chars) <= SHORT_CHARS
            matcher = by_letter if short else by_word
            matcher.set_seq1(one.text if short else words[id(one)])
            if matcher.real_quick_ratio() > SURE_SHARE and matcher.quick_ratio() > SURE_SHARE:
                ratios += 1
                if ratios > NEAR_MAX_RATIOS:
                    return (), False
                share = matcher.ratio()
                if share > SURE_SHARE:
                    found.append(Near(one, other, share))
    found.sort(key=lambda pair: (-pair.share, pair.one.index, pair.other.index))
    taken: set[int] = set()
    pairs = []
    for pair in found:
        if id(pair.one) not in taken and id(pair.other) not in taken:
            taken |= {id(pair.one), id(pair.other)}
            pairs.append(pair)
    return tuple(sorted(pairs, key=lambda pair: pair.one.index)), True


def fullness(home: HermesHome, config: HermesConfig) -> tuple[Usage | None, ...]:
    """How full both stores are, and nothing else of them; None for one that cannot be read."""
    return tuple(_usage(home, config, store) for store in STORES)


def _usage(home: HermesHome, config: HermesConfig, store: StoreName) -> Usage | None:
    try:
        found = read_file(home.memories / FILE_NAMES[store])
        text = found[0].removeprefix(BOM).decode() if found else ""
    except (Unreadable, UnicodeDecodeError):
        return None
    return usage_of(parse(text), config.limit(store))


@dataclass(frozen=True, slots=True)
class Sent:
    """How it ended that entries went to another home."""

    message: str
    """What happened, in a sentence."""
    there: Outcome
    """In the home they went to; nothing was written where it had them all."""
    here: Outcome | None
    """In the home they came from; None where they stay in it."""

    @property
    def already(self) -> bool:
        """True when nothing was written in either home."""
        return self.there.already and (self.here is None or self.here.already)


def send(
    source: MemoryStore,
    refs: Sequence[EntryRef],
    target: MemoryStore,
    *,
    keep: bool,
    to: StoreName | None = None,
    accept_newer: bool = False,
) -> Sent:
    """Copy entries of one store to the end of a store of another home, or move them there.

    Both stores are locked and each keeps its own rules and its own journal. The entries are added first and taken
    away then: what is refused leaves both homes as they were, and a crash between the two leaves a copy, never a
    loss. Undo in either home takes back what happened there.

    Args:
        source: the home they are in.
        refs: the entries, as they were seen.
        target: the home they go to.
        keep: copy; else they leave the first home.
        to: the store they go to; the one they are in when left out.
        accept_newer: let pass what the 0.22 line of the agent lets pass.

    Raises:
        EntryConflict: one of them changed meanwhile.
        HermesTuiError: another rule or the disk refused; nothing was written.
    """
    if len({ref.store for ref in refs}) != 1:
        raise Refused("Only entries of one store go to another home at once.", code="two_stores")
    store = refs[0].store
    into = to or store
    _refuse_same_file((source, store), (target, into))
    _refuse_target(target, into)
    kind = "copy" if keep else "move"
    taken: list[Written | None] = []
    cut_off: list[BaseException] = []

    def added(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
        here = source.read(store)
        _refuse_source(here, keep=keep)
        for ref in refs:
            locate(ref, here.view.texts, mine="")
        return {into: target.with_added(on_disk[into], [ref.text for ref in refs], accept_newer=accept_newer)}

    def take_away() -> None:
        label = f"move to {name_of(target.home)} in {FILE_NAMES[store]}"
        try:
            written = source.change_held("move", [store], lambda now: {store: without(now[store], refs)}, label=label)
        except HermesTuiError:
            raise  # the file is as it was, and what was added is put back
        except BaseException as error:
            cut_off.append(error)  # nobody knows how far it came: what was added stays
        else:
            taken.append(written)

    source.settle_doubts()
    target.settle_doubts()
    with _held((source, store), (target, into)):
        label = f"{kind} from {name_of(source.home)} in {FILE_NAMES[into]}"
        then = None if keep else take_away
        written = target.change_held(kind, [into], added, label=label, then=then)
        if written is None and then is not None:
            then()
    if cut_off:
        raise cut_off[0]
    return _sent(source, target, (store, into), written, taken, keep=keep)


def _sent(
    source: MemoryStore,
    target: MemoryStore,
    stores: tuple[StoreName, StoreName],
    written: Written | None,
    taken: Sequence[Written | None],
    *,
    keep: bool,
) -> Sent:
    store, into = stores
    where = f"{FILE_NAMES[into]} of {name_of(target.home)}"
    if written is None and keep:
        message = f"{where} has it already; nothing was written."
    elif written is None:
        message = f"{where} had it already; it was only removed from {name_of(source.home)}."
    else:
        message = f"{'Copied' if keep else 'Moved'} to {where}."
        if not target.config.enabled(into):
            message += " That profile's agent does not read it: the store is switched off there."
    there = _outcome(message, into, written)
    return Sent(message, there, None if keep else _outcome(message, store, taken[0] if taken else None))


def _outcome(message: str, store: StoreName, written: Written | None) -> Outcome:
    if written is None:
        return Outcome(message, (store,))
    return Outcome(message, (store,), written.journal_id, written.backup)


def name_of(home: HermesHome) -> str:
    """What a home is called beside another one: its profile, or where it is."""
    return home.profile if home.profile != "custom" else str(home.path)


def _refuse_source(on_disk: OnDisk, *, keep: bool) -> None:
    """Say no where the entries cannot be taken as they stand; to copy one, its file need not be in order."""
    view = on_disk.view
    if not keep:
        refuse_disorder(on_disk)
    elif view.state in CLOSED:
        raise Unreadable(view.problem, code=view.state, hint=view.hint)


def _refuse_target(target: MemoryStore, into: StoreName) -> None:
    """Say no where the other home's file is not in order, by its name: one would put this one in order."""
    try:
        refuse_disorder(target.read(into))
    except HermesTuiError as error:
        name = name_of(target.home)
        error.message = f"In {name}: {error.message}"
        error.hint = f"Put it in order there first: open the profile {name}. Nothing was written."
        raise


def _refuse_same_file(*sides: _Side) -> None:
    """Say no where links make both one file: its lock would be waited for by whoever holds it."""
    files = {os.path.realpath(files.path(store)) for files, store in sides}
    locks = {os.path.realpath(files.lock_path(store)) for files, store in sides}
    if len(files) == 1 or len(locks) == 1:
        raise Refused(
            f"Both are one and the same file ({files.pop()}); nothing was written.",
            code="same_file",
            hint="Name another profile.",
        )


@contextlib.contextmanager
def _held(*sides: _Side) -> Iterator[None]:
    """Hold the locks of both sides, in the order of where they really are: two who move towards each other both end."""
    first, second = sorted(sides, key=lambda side: _place(*side))
    with first[0].hold([first[1]]), second[0].hold([second[1]], timeout=SECOND_LOCK_SECONDS):
        yield


def _place(files: StoreFiles, store: StoreName) -> tuple[str, Literal[0, 1]]:
    # Within a home the stores are locked in their own order, by whoever needs both.
    return os.path.realpath(files.home.memories), 0 if store == STORES[0] else 1
