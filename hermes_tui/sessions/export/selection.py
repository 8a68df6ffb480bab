"""Which messages of a conversation are exported."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.export.copies import taken_along
from hermes_tui.sessions.export.reading import messages_of
from hermes_tui.sessions.export.wish import Wish
from hermes_tui.sessions.message_rows import by_bytes, json_list
from hermes_tui.sessions.messages import MERGED_SUMMARY_START, Kind, Message, State, kind_of
from hermes_tui.sessions.outline import TOOL, USER
from hermes_tui.sessions.salvage import salvaged
from hermes_tui.sessions.stored import JSON_MARK, exact_text
from hermes_tui.sessions.transcript import Part, TranscriptReader
from hermes_tui.sessions.upkeep.changes import Stopped

SLICE = 1_000
HEAD_BYTES = 300
"""So much of a message says what kind it is, nearly always."""
_LEFT_OUT = (State.REWOUND, State.HIDDEN)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The messages of one session that are exported."""

    part: Part
    ids: array[int]
    last: float
    """When the last of them was written; 0 when it is not known."""


class _Line:
    """The messages of all parts in columns, as far as they may be seen."""

    def __init__(self) -> None:
        self.ids = array("q")
        self.parts = array("I")
        self.states = array("B")
        self.users = array("B")
        self.times = array("d")
        self.kinds: dict[int, Kind] = {}
        """By id; plain messages are not in it."""

    def place(self, kind: Kind) -> list[int]:
        """The places of one kind."""
        return [place for place, id in enumerate(self.ids) if self.kinds.get(id) == kind] if self.kinds else []


def choose(reader: TranscriptReader, parts: Sequence[Part], wish: Wish, stopped: Stopped) -> list[Chosen]:
    """The messages of these sessions that are wished for, in order.

    Raises:
        Interrupted: `stopped` said so.
    """
    line = _Line()
    for number, part in enumerate(parts):
        ids = reader.all_ids([part.id], stopped)[0]
        for start in range(0, len(ids), SLICE):
            if stopped():
                raise Interrupted
            _add(line, reader, number, ids[start : start + SLICE], wish)
    left_out = set() if wish.everything else _second_time(line, reader, stopped)
    chosen = [Chosen(part, array("q"), 0.0) for part in parts]
    last = [0.0] * len(parts)
    for place, id in enumerate(line.ids):
        kind = line.kinds.get(id, "message")
        if place in left_out or (wish.prompts_only and (not line.users[place] or kind != "message")):
            continue
        chosen[line.parts[place]].ids.append(id)
        if line.times[place] > last[line.parts[place]]:
            last[line.parts[place]] = line.times[place]
    return [Chosen(each.part, each.ids, moment) for each, moment in zip(chosen, last, strict=True)]


def _add(line: _Line, reader: TranscriptReader, part: int, ids: Sequence[int], wish: Wish) -> None:
    details = reader.details(ids)
    kept = [place for place, state in enumerate(details.states) if wish.everything or state not in _LEFT_OUT]
    talk = [place for place in kept if details.roles[place] != TOOL and details.states[place] != State.UNKNOWN]
    for some in by_bytes([details.ids[place] for place in talk], [details.sizes[place] for place in talk]):
        line.kinds.update(_kinds(reader, some))
    for place in kept:
        id = details.ids[place]
        if line.kinds.get(id) == "notice" and not wish.everything:
            continue
        line.ids.append(id)
        line.parts.append(part)
        line.states.append(details.states[place])
        line.users.append(details.roles[place] == USER)
        line.times.append(details.times[place])


def _kinds(reader: TranscriptReader, ids: Sequence[int]) -> Iterator[tuple[int, Kind]]:
    """Those of some messages that are no plain ones."""
    has = reader.base.features().messages
    note = "CAST(display_kind AS BLOB)" if "display_kind" in has else "NULL"
    marked = "_compressed_summary" if "_compressed_summary" in has else "0"
    sql = (
        f"SELECT m.id, {note}, {marked}, substr(CAST(content AS BLOB), 1, {HEAD_BYTES})"
        " FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value"
    )
    unsure: list[int] = []
    readable = salvaged(lambda some: reader.base.rows(sql, (json_list(some),)), ids, lambda _: [])
    for id, said, summary, head in chain.from_iterable(readable):
        text = exact_text(head)
        if text.startswith((JSON_MARK, MERGED_SUMMARY_START)):
            unsure.append(id)
            continue
        kind = kind_of(text, exact_text(said).strip(), marked=bool(summary))
        if kind != "message":
            yield id, kind
    for some, _lost in messages_of(reader, unsure):
        yield from ((message.id, message.kind) for message in some if message.kind != "message")


def _second_time(line: _Line, reader: TranscriptReader, stopped: Stopped) -> set[int]:
    """The places of messages that are there twice because a compaction took them along."""
    summaries = line.place("summary")
    if not summaries:
        return set()
    keys = array("q", bytes(8 * len(line.ids)))
    place = 0
    for some, _lost in messages_of(reader, line.ids):
        if stopped():
            raise Interrupted
        for message in some:
            place = line.ids.index(message.id, place)
            keys[place] = _key(message)
    groups = array("Q", (part * len(State) + state for part, state in zip(line.parts, line.states, strict=True)))
    return taken_along(keys, groups, summaries)


def _key(message: Message) -> int:
    """A number that is the same for a message and for what a compaction made of it, and hardly for any other."""
    calls = tuple(call.call_id for call in message.calls if call.call_id)
    said = message.tool_call_id or calls or message.text
    return hash((message.role, said))
