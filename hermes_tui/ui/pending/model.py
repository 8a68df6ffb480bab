"""What the list is made of: each record of the queue, what approving it would do, and equal proposals as one row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from hermes_tui.pending.preview import Preview
from hermes_tui.pending.proposals import proposal_of, proposed_of, steps_of, text_in
from hermes_tui.pending.records import PendingRecord
from hermes_tui.text import plural
from hermes_tui.ui.memory.cards import finding_words

Weight = Literal["good", "quiet", "mend", "dead"]
"""How a verdict is drawn: it can go ahead, it changes nothing, something has to be mended first, or never."""

_WEIGHTS: dict[str, Weight] = {
    "applies": "good",
    "duplicate": "quiet",
    "over": "mend",
    "blocked": "mend",
    "disabled": "mend",
    "drift": "mend",
    "no_match": "dead",
    "ambiguous": "dead",
    "stale": "dead",
    "invalid": "dead",
}
MARKS: dict[Weight, str] = {"good": "✓", "quiet": "=", "mend": "!", "dead": "✗"}
"""A mark for each, so that colour is not needed."""

VERDICT_WORDS = {
    "applies": "applies",
    "duplicate": "duplicate",
    "over": "over the limit",
    "blocked": "blocked",
    "disabled": "store off",
    "drift": "file out of order",
    "no_match": "no match",
    "ambiguous": "several matches",
    "stale": "stale",
    "invalid": "invalid",
}
"""Verdicts as a person names them, in the order of how soon they can be decided."""


class RecordKey(NamedTuple):
    """Which record a row stands for: its file and the exact bytes that were shown."""

    path: Path
    digest: str


def key_of(record: PendingRecord) -> RecordKey:
    """Names a record across readings."""
    return RecordKey(record.path, record.digest)


@dataclass(frozen=True, slots=True)
class Item:
    """One record, with what the list says about it; made off the event loop."""

    record: PendingRecord
    key: RecordKey
    proposal: str
    """Equal for records that propose the same."""
    words: str
    """The proposed text, or else what there is to say; raw."""
    searched: str
    """What the text filter looks in, in small letters."""

    @property
    def origin(self) -> str:
        """Who wants it: `chat`, `review`, or the record's own word."""
        return origin_word(self.record)

    @property
    def store(self) -> str:
        """`memory`, `user`, `skill`, or nothing where the record names none."""
        return "skill" if self.record.subsystem == "skills" else self.record.store or "–"


class Row(NamedTuple):
    """One row: equal proposals together, or one record by itself."""

    items: tuple[Item, ...]
    place: int = 0
    """Which of several equal ones it is when they are shown one by one, from 1; 0 for all of them."""
    equal: int = 1
    """How many records propose the same."""

    @property
    def item(self) -> Item:
        """The oldest of them, which speaks for all."""
        return self.items[0]

    @property
    def records(self) -> list[PendingRecord]:
        """The records that a decision over the row is about."""
        return [item.record for item in self.items]

    @property
    def keys(self) -> frozenset[RecordKey]:
        """Their names."""
        return frozenset(item.key for item in self.items)


def origin_word(record: PendingRecord) -> str:
    """`chat` for a conversation, `review` for the background review, else what the record says."""
    if record.from_review:
        return "review"
    return {"assistant_tool": "chat", "foreground": "chat", "": "–"}.get(record.origin, record.origin)


def weight_of(preview: Preview) -> Weight:
    """How the verdict is drawn."""
    return _WEIGHTS[preview.verdict]


def short_words(preview: Preview) -> str:
    """The verdict in a few words: `over by 41`, `blocked: U+200D at 14`."""
    if preview.verdict == "blocked" and preview.findings:
        first, *more = finding_words(preview.findings)
        return f"blocked: {first}" + (f" +{len(more)}" if more else "")
    return preview.short


def items_of(records: Iterable[PendingRecord], before: Iterable[Item] = ()) -> list[Item]:
    """The list's items; those of records that are the same as before are taken over."""
    known = {item.key.path: item for item in before}
    return [
        item if (item := known.get(record.path)) is not None and item.record is record else _item(record)
        for record in records
    ]


def _item(record: PendingRecord) -> Item:
    words = "\n".join(_words(record))
    searched = f"{words}\n{record.id}\n{record.action}".casefold()
    return Item(record, key_of(record), proposal_of(record), words, searched)


def _words(record: PendingRecord) -> Iterator[str]:
    """What the list shows of a record: the proposed text, from the payload and never from the summary."""
    payload = record.payload
    if record.problem:
        yield record.problem
    steps = steps_of(record)
    if record.subsystem == "skills" and not record.problem:
        names = dict.fromkeys(text_in(raw, "name") for raw in (payload, *steps))
        yield " ".join([*(name for name in names if name), text_in(payload, "file_path")]).strip()
    if record.action == "batch" and steps:
        yield plural(len(steps), "operation") + ":"
    for raw in steps:
        yield from (text for text in _texts(raw) if text)


def _texts(raw: Mapping[str, Any]) -> Iterator[str]:
    proposed = proposed_of(raw)
    if raw.get("action") == "remove":
        yield text_in(raw, "matched_entry") or text_in(raw, "old_text")
    elif proposed:
        yield proposed
    else:
        yield text_in(raw, "old_text")


def rows_of(items: Sequence[Item], unfolded: frozenset[str] = frozenset()) -> list[Row]:
    """Equal proposals as one row, where the oldest of them stands; those in `unfolded` one by one."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.proposal, []).append(item)
    rows = []
    for proposal, members in groups.items():
        if proposal in unfolded and len(members) > 1:
            rows += [Row((item,), place, len(members)) for place, item in enumerate(members, 1)]
        else:
            rows.append(Row(tuple(members), 0, len(members)))
    return rows
