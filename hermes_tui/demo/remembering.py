"""What the agent of the demo remembered at any time, and the prompts that its sessions ran on because of it."""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from hermes_tui.demo.conversations import Conversation, joined, moment
from hermes_tui.demo.spending import provider_of
from hermes_tui.memory.batch import Operation, apply_operations, operations_from
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, unique
from hermes_tui.memory.prompt import render_block, sanitized

STORY = Path(__file__).parent / "data" / "memory.json"
"""What changed the memory without a conversation that says so, and what stands around it in a prompt."""

REVIEWED_AFTER_SECONDS = 9.0
"""A background review writes so long after the last message."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that changed a store."""

    at: float
    store: StoreName
    operations: tuple[Operation, ...]
    order: tuple[str, ...] = ()
    """How the entries begin, in the order in which they stood afterwards; what is not named was gone."""

    def apply(self, entries: Sequence[str]) -> tuple[str, ...]:
        """The entries after it."""
        after = apply_operations(entries, self.operations)
        if self.order:
            after = [next(text for text in after if text.startswith(start)) for start in self.order]
        return tuple(after)


@dataclass(frozen=True, slots=True)
class Review:
    """A background review that wrote."""

    session_id: str
    """The session that it went over."""
    at: float


State = Mapping[StoreName, tuple[str, ...]]


class Remembered:
    """Both stores over time."""

    def __init__(self, deeds: Iterable[Deed], reviews: Sequence[Review] = ()) -> None:
        self.reviews = reviews
        self._states: list[State] = [dict.fromkeys(STORES, ())]
        self._times: list[float] = []
        for deed in sorted(deeds, key=attrgetter("at")):
            before = self._states[-1]
            self._states.append({**before, deed.store: deed.apply(before[deed.store])})
            self._times.append(deed.at)

    def at(self, when: float) -> State:
        """What both held at some time."""
        return self._states[bisect_right(self._times, when)]


def remember(conversations: Sequence[Conversation], now: float) -> Remembered:
    """What the conversations, and what no conversation tells of, made of the memory."""
    by_key = {found.key: found for found in conversations}
    saved: list[Deed] = []
    staged: dict[str, Deed] = {}
    for found in conversations:
        for pending_id, deed in _deeds(found):
            if pending_id:
                staged[pending_id] = deed
            else:
                saved.append(deed)
    reviews = []
    for entry in _story()["unseen"]:
        if "approves" in entry:
            deed = staged[entry["approves"]]
            saved.append(Deed(moment(entry["when"], now), deed.store, deed.operations))
            continue
        if "review_of" in entry:
            reviewed = by_key[entry["review_of"]]
            at = reviewed.messages[-1].at + REVIEWED_AFTER_SECONDS
            reviews.append(Review(reviewed.id, at))
        else:
            at = moment(entry["when"], now)
        operations = tuple(operations_from(entry.get("operations", ())))
        saved.append(Deed(at, entry["store"], operations, tuple(entry.get("order", ()))))
    return Remembered(saved, reviews)


def prompts(conversations: Sequence[Conversation], memory: Remembered, now: float) -> dict[str, str]:
    """The prompt that each conversation ran on, by its key; the ghosts, in which nothing was said, have none."""
    story = _story()
    scanned_since = moment(story["scanned_since"], now)
    around = story["prompt"]
    head = joined(around["head"])
    blocks: dict[tuple[object, ...], str] = {}
    found = {}
    for talk in conversations:
        if not talk.messages:
            continue
        built_at = _built_at(talk)
        parts = [head, around["places"][talk.source]]
        if talk.source not in around["without_memory"]:
            for store, entries in memory.at(built_at).items():
                key = store, entries, scanned_since < built_at
                if key not in blocks:
                    shown = _shown(store, entries) if scanned_since < built_at else unique(entries)
                    blocks[key] = render_block(store, shown, story["limits"][store])
                parts.append(blocks[key])
        day = time.strftime("%A, %B %d, %Y", time.localtime(built_at))
        parts.append(f"Conversation started: {day}\nModel: {talk.model}\nProvider: {provider_of(talk.model)}")
        found[talk.key] = "\n\n".join(part for part in parts if part)
    return found


def _story() -> Any:
    return json.loads(STORY.read_text("utf-8"))


def _deeds(conversation: Conversation) -> Iterator[tuple[str, Deed]]:
    """What the memory tool was told in a conversation and did not refuse, each with its id if it has to wait."""
    asked: dict[str | None, Any] = {}
    for message in conversation.messages:
        if message.tool_calls and '"memory"' in message.tool_calls:
            for call in json.loads(message.tool_calls):
                asked[call["id"]] = call["function"]["arguments"]
        elif message.tool_name == "memory":
            arguments, result = json.loads(asked[message.tool_call_id]), json.loads(message.content)
            if result["success"]:
                operations = operations_from(arguments.get("operations") or [arguments])
                yield result.get("pending_id", ""), Deed(message.at, arguments["target"], tuple(operations))


def _built_at(conversation: Conversation) -> float:
    """A prompt is built as a session begins, and anew at a compaction in place."""
    compacted = [message.at for message in conversation.messages if message.state == "compacted"]
    return compacted[-1] if compacted else conversation.started_at


def _shown(store: StoreName, entries: Sequence[str]) -> list[str]:
    """The entries with a note for each that the scan of the agent holds back."""
    return [sanitized(FILE_NAMES[store], text, "0.19") for text in unique(entries)]
