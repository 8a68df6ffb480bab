"""Who most likely made a change that nothing recorded: said as likely, never as a fact."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import Change, State
from hermes_tui.history.events import Ours
from hermes_tui.history.reviews import Reviews, Written
from hermes_tui.history.spans import state_at
from hermes_tui.memory.entries import Usage, count

MOST_TOGETHER = 6
"""Changes seen at once of which all combinations are tried as the work of one call."""
SLACK_SECONDS = 1.5
"""The log is written a moment after the file."""

_SAVED = "Write saved. This update is complete — do not repeat it."
_WORDS = {"add": ("Entry added.",), "edit": ("Entry replaced.", "Entry patched."), "remove": ("Entry removed.",)}


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that points to an author.

    Args:
        calls: of the same store, those that were staged among them.
        ours: our own changes to it: an approval says which staged write it was.
        reviews: the background reviews there were.
        limits: the lengths that the store may have had.
    """

    calls: Sequence[MemoryCall]
    ours: Sequence[Ours]
    reviews: Reviews
    limits: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Attributed:
    """The changes of a store, with the most likely author of each."""

    changes: tuple[Change, ...]
    explained: frozenset[Written]
    """The writes of reviews that may have made one of them."""


def attributed(changes: Sequence[Change], states: Sequence[State], evidence: Evidence) -> Attributed:
    """The changes, with the most likely author for those of which none is known.

    Args:
        changes: of one store.
        states: what it held.
        evidence: what points to an author.
    """
    staged = {call.pending_id or call.print: call for call in evidence.calls if call.outcome == "staged"}
    approved = {each.record.id: each.pending_id for each in evidence.ours if each.pending_id}
    decided = {each.pending_id for each in evidence.ours if not each.taken_back}
    waiting = [call for id, call in staged.items() if id not in decided]
    unsure = [call for call in evidence.calls if call.outcome == "unknown"]
    changes = _joined(changes, [*waiting, *unsure])
    together: dict[tuple[float | None, float], list[Change]] = {}
    for change in changes:
        if change.certainty == "unknown":
            together.setdefault((change.since, change.until), []).append(change)
    explained: set[Written] = set()

    def author(change: Change) -> Change:
        if call := staged.get(approved.get(change.record_id, "")):
            return replace(change, session_id=call.session_id, message_id=call.message_id)
        if change.certainty != "unknown":
            return change
        for call in reversed(waiting):
            if _may_have(call, change):
                return _by_call(change, call, "approved elsewhere")
        for call in reversed(unsure):
            if _may_have(call, change):
                return _by_call(change, call, "tool call")
        state = state_at(states, change.until)
        group = together[change.since, change.until]
        writes, sessions = _review(change, group, state.entries if state else (), evidence)
        explained.update(writes)
        if not sessions:
            return change
        only = next(iter(sessions)) if len(sessions) == 1 else ""
        return replace(change, by="background review", certainty="likely", session_id=only)

    return Attributed(tuple(map(author, changes)), frozenset(explained))


def _joined(changes: Sequence[Change], calls: Sequence[MemoryCall]) -> Sequence[Change]:
    """The changes, where a text that went and one that came are one edit if a call says so that may have done it."""
    found = list(changes)
    for call in reversed(calls):
        for operation in call.operations:
            if operation.action not in ("replace", "patch") or not operation.old_text:
                continue
            for place, gone in enumerate(found):
                if gone.kind != "remove" or gone.certainty != "unknown" or operation.old_text not in gone.before:
                    continue
                patched = gone.before.replace(operation.old_text, operation.content, 1)
                after = (operation.content if operation.action == "replace" else patched).strip()
                come = replace(gone, kind="add", before="", after=after)
                if after and call.at <= gone.until and come in found:
                    found[place] = replace(gone, kind="edit", after=after, likely_edit=True)
                    found.remove(come)
                    break
    return found


def _by_call(change: Change, call: MemoryCall, by: str) -> Change:
    found = replace(change, certainty="likely", session_id=call.session_id, message_id=call.message_id)
    return replace(found, by="tool call" if by == "tool call" else "approved elsewhere")


def _may_have(call: MemoryCall, change: Change) -> bool:
    """Whether a write that was staged, or of which nobody knows what became, does just this, and in time."""
    return call.at <= change.until and _would(call, change)


def _would(call: MemoryCall, change: Change) -> bool:
    for operation in call.operations:
        content = operation.content.strip()
        if operation.action == "add" and change.after == content and not change.before:
            return True
        if operation.action == "remove" and not change.after and change.before and operation.old_text in change.before:
            return bool(operation.old_text)
        if operation.action == "replace" and change.after == content:
            return True
        patched = change.before.replace(operation.old_text, operation.content, 1) if operation.old_text else ""
        if operation.action == "patch" and change.before and patched.strip() == change.after:
            return True
    return False


# Background reviews


def _review(
    change: Change, group: Sequence[Change], after: Sequence[str], evidence: Evidence
) -> tuple[list[Written], set[str]]:
    """The writes of reviews that may have made a change, and the sessions that those went over."""
    reviews = evidence.reviews
    if change.since is None:
        return [], set()
    low, high = change.since - SLACK_SECONDS, change.until + SLACK_SECONDS
    writes = [write for write in reviews.writes if low <= write.at <= high]
    if fitting := [write for write in writes if _has_length(write, change, group, after, evidence.limits)]:
        return fitting, {write.session_id for write in fitting}
    if change.since >= reviews.logged_since:
        return [], set()
    spans = [span for span in reviews.spans if span.since <= change.until and span.until >= change.since]
    return [], {span.session_id for span in spans}


def _has_length(
    write: Written, change: Change, group: Sequence[Change], after: Sequence[str], limits: Iterable[int]
) -> bool:
    """Whether the answer to a call that makes this change would have the length that the log tells of."""
    lengths = _lengths(change, group, after, frozenset(limits))
    return not lengths or write.length in lengths


def _lengths(change: Change, group: Sequence[Change], after: Sequence[str], limits: frozenset[int]) -> set[int]:
    """The lengths that the answer may have had; empty when too much is not known."""
    if not after or not limits or len(group) > MOST_TOGETHER:
        return set()
    others = [other for other in group if other is not change]
    found: set[int] = set()
    for number in range(len(others) + 1):
        # Of what was seen at once, some came after this change: they were not there yet.
        for later in combinations(others, number):
            chars, entries = _sizes(after, later)
            for limit in limits:
                usage = Usage(chars, limit).agent_label
                done = [each for each in group if each not in later]
                found.update(len(text) for text in _answers(change, done, usage, entries))
    return found


def _sizes(after: Sequence[str], later: Iterable[Change]) -> tuple[int, int]:
    """How long the store was, and how many entries it had, before some of the changes."""
    chars, entries = count(after), len(after)
    for change in later:
        if change.kind == "edit":
            chars += len(change.before) - len(change.after)
        else:
            sign = -1 if change.kind == "add" else 1
            chars += sign * (len(change.after or change.before) + (3 if entries > (sign < 0) else 0))
            entries += sign
    return chars, entries


def _answers(change: Change, done: Sequence[Change], usage: str, entries: int) -> Iterator[str]:
    """What a tool of either line would have answered to it: alone, or to a batch of what was done."""
    for words in _WORDS[change.kind]:
        yield _answer(change, usage, entries, words, {})
        if change.kind == "remove":
            yield _answer(change, usage, entries, words, {"removed_entry": change.before})
        if change.kind == "edit":
            pins = {"patched_entry_before": change.before, "patched_entry_after": change.after}
            yield _answer(change, usage, entries, words, pins)
    for number in range(1, len(done) + 3):
        words = f"Applied {number} operation(s)."
        yield _answer(change, usage, entries, words, {})
        gone = {str(place): each.before for place, each in enumerate(done, 1) if each.kind == "remove"}
        if gone:
            yield _answer(change, usage, entries, words, {"removed_entries": gone})


def _answer(change: Change, usage: str, entries: int, words: str, extra: Mapping[str, object]) -> str:
    result = {"success": True, "done": True, "target": change.store, "usage": usage, "entry_count": entries}
    return json.dumps({**result, "message": words, **extra, "note": _SAVED}, ensure_ascii=False)
