"""One change to a memory, with all that is known about it, and what a store held at some time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from hermes_tui.memory.changes import Hunk
from hermes_tui.memory.entries import StoreName
from hermes_tui.text import one_line

By = Literal[
    "tool call",
    "approved here",
    "edited here",
    "taken back here",
    "made again here",
    "copied here",
    "moved here",
    "approved elsewhere",
    "background review",
    "outside edit or unknown",
]
Certainty = Literal["exact", "likely", "unknown"]
Kind = Literal["add", "edit", "remove"]

PROFILE_CELLS = 24
"""So much of the name of another profile is told."""
MOST_COMPARED = 10_000
"""Pairs that are compared; beyond that entries come and go."""
MOST_WORDS = 400
"""So many words of an entry are compared: the start tells enough."""
MOST_KEPT, SOME_KEPT = 1 / 2, 1 / 3
"""An edit keeps more than the first share of the words of the shorter text, and at least the other of the longer."""
NEARLY_ALL = 4 / 5
"""One that was moved as well keeps more than this of the longer."""

_WORD = re.compile("[^\\W\u2e80-\U0003ffff]+|[\u2e80-\U0003ffff]")
"""A word; in scripts that do not part them, a character."""


@dataclass(frozen=True, slots=True)
class Change:
    """An entry that came, changed or went."""

    store: StoreName
    kind: Kind
    before: str
    """Empty when it came."""
    after: str
    """Empty when it went."""
    since: float | None
    """It happened after this, in epoch seconds; the same as `until` when the moment is known, None when nothing is."""
    until: float
    """It happened no later than this."""
    by: By = "outside edit or unknown"
    certainty: Certainty = "unknown"
    session_id: str = ""
    """The session behind it; empty when it is not known."""
    message_id: int = 0
    """The message behind it; 0 when it is not known."""
    record_id: str = ""
    """Our own record of it in the journal."""
    partial: bool = False
    """Whether `before` is only a part of the entry: all that the agent's call says of one that nobody had seen."""
    after_partial: bool = False
    """The same of `after`: newer agents splice words into an entry."""
    likely_edit: bool = False
    """For an edit: whether it is only likely that what went and what came are one entry. Nothing says so but that one
    stands where the other stood, and has many of its words."""
    back: bool = False
    """Whether an entry came back that had gone before, word for word."""
    about: str = ""
    """For what was taken back or made again here: our record of the change that it is about."""
    taken_back: bool = False
    """Whether it was taken back here since, and not made again."""
    profile: str = ""
    """The other profile, for an entry that was copied or moved from it, or moved to it."""

    @property
    def credit(self) -> str:
        """Who made it, in words: `tool call`, `restored here`, `copied here from work`."""
        if self.restored:
            return "restored here"
        if self.profile:
            way = "moved to" if self.by == "edited here" else f"{self.by} from"
            return f"{way} {one_line(self.profile, PROFILE_CELLS)}"
        return self.by

    @property
    def undoes(self) -> bool:
        """Whether it took another change back."""
        return self.by == "taken back here"

    @property
    def restored(self) -> bool:
        """Whether the person brought it back here."""
        return self.back and self.by == "edited here"

    def is_whole(self, text: str) -> bool:
        """Whether one of its texts is this, and all of an entry."""
        return bool(text) and (
            (text == self.before and not self.partial) or (text == self.after and not self.after_partial)
        )

    def is_part(self, text: str) -> bool:
        """Whether one of its texts is this, and may be but a part of an entry."""
        return (text == self.before and self.partial) or (text == self.after and self.after_partial)


class Difference(NamedTuple):
    """An entry that came, went, or most likely became another, between two moments."""

    kind: Kind
    before: str
    after: str
    likely_edit: bool = False
    """The same as of a change."""


@dataclass(frozen=True, slots=True)
class State:
    """What a store held from some time on."""

    at: float
    entries: tuple[str, ...]
    certain: bool
    """Whether something recorded says so; else it follows from what was there before and the changes since."""


def differences(before: Sequence[str], after: Sequence[str], *, at_once: bool = False) -> Iterator[Difference]:
    """What turned one list of entries into another; their order does not count.

    Two texts are one entry that was edited when one stands where the other stood and most words are the same. That is
    only likely where more than one text could be it, or where the place says little: at the end of the file, to which
    everything new is added, and in a file that was put in another order, where nearly all words have to be the same.

    Args:
        before: the earlier entries.
        after: the later ones.
        at_once: whether they are two sides of one place that was written once.
    """
    stayed = set(before) & set(after)
    gone, come = _placed(before, stayed), _placed(after, stayed)
    for edit in _edits(gone, come, at_once=at_once):
        del gone[edit.before], come[edit.after]
        yield edit
    yield from (Difference("remove", text, "") for text in gone)
    yield from (Difference("add", "", text) for text in come)


def with_returns(changes: Iterable[Change]) -> Iterator[Change]:
    """The changes of one store, the oldest first, with those marked by which an entry came back that had gone."""
    gone: set[str] = set()
    for change in changes:
        if change.before and not change.partial and change.kind == "remove":
            gone.add(change.before)
        back = change.kind == "add" and change.after in gone
        if not change.after_partial:
            gone.discard(change.after)
        yield replace(change, back=True) if back else change


def changed_in(hunks: Sequence[Hunk], *, edit: bool = False) -> Iterator[Difference]:
    """The same for the places where a file was changed at one time.

    Args:
        hunks: the places.
        edit: whether it is known that an entry was edited, if there is but one.
    """
    moved = {text for hunk in hunks for text in hunk.old} & {text for hunk in hunks for text in hunk.new}
    for hunk in hunks:
        old = [text for text in hunk.old if text not in moved]
        new = [text for text in hunk.new if text not in moved]
        if edit and len(hunks) == len(old) == len(new) == 1:
            yield Difference("edit", old[0], new[0])
        else:
            yield from differences(old, new, at_once=True)


Slot = tuple[str | None, str | None]
"""The entries that stayed before and behind a place; None for the ends of the file."""


def _placed(entries: Sequence[str], stayed: Container[str]) -> dict[str, Slot]:
    """Where the entries stand that did not stay."""
    found: dict[str, Slot] = {}
    waiting: list[str] = []
    last: str | None = None
    for text in entries:
        if text not in stayed:
            waiting.append(text)
            continue
        found |= dict.fromkeys(waiting, (last, text))
        waiting.clear()
        last = text
    return found | dict.fromkeys(waiting, (last, None))


def _edits(gone: Mapping[str, Slot], come: Mapping[str, Slot], *, at_once: bool) -> list[Difference]:
    """Those that are edits, of which each text is part of one at most: first those that kept the most."""
    if len(gone) * len(come) > MOST_COMPARED:
        return []
    crowded = Counter(gone.values()) + Counter(come.values())
    scored = []
    for place, (old, new) in enumerate(product(gone, come)):
        slot, here = gone[old], gone[old] == come[new]
        kept, share = _kept(old, new)
        if kept if here else share > NEARLY_ALL:
            clear = here and share > MOST_KEPT and crowded[slot] == 2 and (at_once or slot[1] is not None)
            scored.append((not here, -share, place, Difference("edit", old, new, not clear)))
    taken: list[Difference] = []
    used_old, used_new = set[str](), set[str]()
    for *_, edit in sorted(scored):
        if edit.before not in used_old and edit.after not in used_new:
            used_old.add(edit.before)
            used_new.add(edit.after)
            taken.append(edit)
    return taken


def _kept(old: str, new: str) -> tuple[bool, float]:
    """Whether most words of one text are in another, in whatever order, and the share of all words that is in both."""
    olds, news = _words(old), _words(new)
    kept, least, most = (olds & news).total(), min(olds.total(), news.total()), max(olds.total(), news.total(), 1)
    return kept > least * MOST_KEPT and kept >= most * SOME_KEPT, kept / most


@lru_cache(maxsize=4096)
def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()[: MOST_WORDS * 12])[:MOST_WORDS])
