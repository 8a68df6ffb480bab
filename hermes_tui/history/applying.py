"""What a call of the memory tool made of the entries, and whether that is what its answer says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hermes_tui.history.calls import MemoryCall
from hermes_tui.memory.batch import Operation, StepFailed, Walk
from hermes_tui.memory.entries import count, join, parse, unique


class Done(NamedTuple):
    """One entry that came, changed or went."""

    before: str
    """Empty when it came."""
    after: str
    """Empty when it went."""
    partial: bool = False
    """Whether the words before are only a part of the entry: all that the call says of it."""
    after_partial: bool = False
    """The same of the words after."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The entries after a call."""

    entries: tuple[str, ...]
    done: tuple[Done, ...]
    fits: bool
    """Whether the call found what there was, and left behind what its answer says."""
    told_whole: bool
    """Whether the call itself tells of every entry there is now."""
    sized: bool
    """Whether it left behind as much as its answer says, whatever it found."""
    repeated: bool
    """Whether all of it was there already, though the answer says that it was added."""


def applied(entries: Sequence[str], call: MemoryCall, *, known: bool = True) -> Applied:
    """Carry out an accepted call on what a store held.

    Args:
        entries: what it held, as far as that is known.
        call: the call.
        known: whether that is all it held.
    """
    walk = Walk(unique(entries))
    done: list[Done] = []
    fits = known
    for place, operation in enumerate(call.operations):
        pin = call.pinned[place] if place < len(call.pinned) else ""
        there = list(walk.entries)
        try:
            walk.take(operation, pin or None)
        except StepFailed:
            fits = False
            done += _unfitting(operation, pin, walk.entries)
            continue
        step = walk.steps[-1]
        if walk.entries != there:
            done += _pieces(step.before or "", step.after or "")
        elif call.idle != (operation.action == "add") and len(call.operations) == 1:
            fits = False  # it is there already, which the answer does not say
    if call.idle and done:
        fits, done = False, []  # it was there already, and nobody knew
        if known:
            walk.entries[:] = unique(entries)  # something changed before, which is still to be found
    after = tuple(walk.entries)
    sized = call.count is not None or call.chars is not None
    sizes = call.count in (None, len(after)) and call.chars in (None, count(after))
    written = {step.after for step in walk.steps}
    return Applied(
        entries=tuple(unique(after if all(map(_plain, after)) else parse(join(after)))),
        done=tuple(_joined(done)),
        fits=fits and sizes,
        told_whole=sizes and call.count == len(after) and call.chars is not None and written.issuperset(after),
        sized=sizes,
        repeated=known and not done and not call.idle and sized and sizes,
    )


@lru_cache(maxsize=8192)
def _plain(text: str) -> bool:
    """Whether an entry is read again as it is, whatever stands around it."""
    return "§" not in text and parse(text) == [text]


def _joined(done: Sequence[Done]) -> Iterator[Done]:
    """What came of several changes made at once: an entry that came and went again never was."""
    left: list[Done] = []
    for change in done:
        at = next((at for at, other in enumerate(left) if change.before and other.after == change.before), None)
        if at is None:
            left.append(change)
            continue
        left[at] = left[at]._replace(after=change.after)
    yield from (change for change in left if change.before != change.after)


def _unfitting(operation: Operation, pin: str, entries: list[str]) -> Iterator[Done]:
    """A change to an entry that nobody knew of: of what was before, there is only what the call says of it."""
    before, partial = pin or operation.old_text.strip(), not pin
    after = operation.content.strip()
    if operation.action == "patch" and pin:
        after = pin.replace(operation.old_text, operation.content, 1).strip()
    if operation.action == "remove":
        yield Done(before, "", partial)
        return
    spliced = operation.action == "patch" and partial
    yield Done(before, after, partial, spliced)
    if after not in entries and not spliced:
        entries.append(after)


def _pieces(before: str, after: str) -> Iterator[Done]:
    """A change; a text with the separator in it becomes several entries."""
    pieces = parse(after)
    if before or not pieces:
        yield Done(before, pieces[0] if pieces else "")
    yield from (Done("", piece) for piece in (pieces[1:] if before else pieces))
