"""Everything that the cache holds, in one file that is read in a moment: columns, unfolded when they are asked for.

Its lines are the truth; this file only says the same, up to some line, and is made anew when it does not fit them.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.lines import call_from, call_row
from hermes_tui.history.snapshots import Blocks, Stated
from hermes_tui.history.told import Told

MAGIC = b"hermes-tui history 1\n"
FLOATS = ("at", "since", "until", "last")
WHOLE = ("row", "size", "block")
UNREADABLE = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""What comes up when something is not what we would have written."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept, as far as it is not needed yet."""

    blocks: Sequence[tuple[str, Blocks]]
    """Each with its name."""
    ids: Sequence[str]
    """Of the sessions, in the order in which they came; after them those of what sessions were told before."""
    columns: Mapping[str, Sequence[Any]]
    """The rest of what is known of them."""
    sessions: int
    """So many of them are what sessions were told last."""
    texts: Mapping[str, str]
    """The entries of all blocks, by their names."""
    keys: bytes
    calls: bytes
    calls_to: int
    calls_mark: float

    def told(self) -> list[Told]:
        """All sessions, and after them what they were told before."""
        columns = self.columns
        keys = map(json.loads(self.keys).__getitem__, columns["key"])
        first = (columns[name] for name in ("row", "at", "since", "until", "size"))
        return list(map(Told._make, zip(self.ids, *first, keys, columns["last"], columns["block"], strict=True)))

    def all_calls(self) -> list[MemoryCall]:
        """The calls."""
        return [call_from(row) for row in json.loads(self.calls)]


def folded(
    blocks: Iterable[tuple[str, Blocks]],
    texts: Mapping[str, str],
    sessions: Sequence[Told],
    former: Sequence[Told],
    calls: Iterable[MemoryCall],
    reached: tuple[int, float],
) -> dict[str, Any]:
    """Everything, as parts that can be written.

    Args:
        blocks: each with its name.
        texts: their entries by their names.
        sessions: what they were told last.
        former: what they were told before.
        calls: the calls.
        reached: the last message that was looked at for calls, and when it was stored.
    """
    numbers = {text: number for number, text in enumerate(texts.values())}
    told = [*sessions, *former]
    stated: dict[Stated, int] = {}
    rows = []
    for name, block in blocks:
        rows.append([name, {store: stated.setdefault(each, len(stated)) for store, each in block.items()}])
    keys = dict.fromkeys(each.key for each in told)
    places = {key: place for place, key in enumerate(keys)}
    return {
        "texts": [[*texts], [*texts.values()]],
        "stated": [[[numbers[text] for text in each.entries], each.limit, each.doubt] for each in stated],
        "blocks": rows,
        "ids": [each.session_id for each in told],
        "sessions": len(sessions),
        "keys": [*keys],
        "key": array("q", (places[each.key] for each in told)),
        **{name: array("d", map(attrgetter(name), told)) for name in FLOATS},
        **{name: array("q", map(attrgetter(name), told)) for name in WHOLE},
        "calls": [call_row(call) for call in calls],
        "reached": [*reached],
    }


def packed(parts: Mapping[str, Any], about: Mapping[str, Any]) -> bytes:
    """Parts as bytes.

    Args:
        parts: arrays of numbers, and what JSON can say.
        about: what to know before they are read.
    """
    data = {
        name: part.tobytes() if isinstance(part, array) else json.dumps(part, separators=(",", ":")).encode("ascii")
        for name, part in parts.items()
    }
    body = b"".join(data.values())
    head = {
        **about,
        "order": sys.byteorder,
        "check": zlib.crc32(body),
        "parts": [[name, len(each)] for name, each in data.items()],
    }
    return MAGIC + json.dumps(head).encode("ascii") + b"\n" + body


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What to know of them, and the parts, as bytes.

    Raises:
        ValueError, KeyError, TypeError: it is none of ours, or not whole.
    """
    if not data.startswith(MAGIC):
        raise ValueError("another version")
    end = data.index(b"\n", len(MAGIC))
    head = json.loads(data[len(MAGIC) : end])
    at = end + 1
    if head["order"] != sys.byteorder or zlib.crc32(memoryview(data)[at:]) != head["check"]:
        raise ValueError("not whole")
    parts = {}
    for name, length in head["parts"]:
        parts[str(name)] = data[at : at + length]
        at += length
    return head, parts


def kept_from(parts: Mapping[str, bytes]) -> Kept:
    """What was kept.

    Raises:
        ValueError, KeyError, TypeError, IndexError, OverflowError: it is none of ours.
    """
    names, texts = json.loads(parts["texts"])
    stated = [
        Stated.of(tuple(map(texts.__getitem__, each)), limit, doubt)
        for each, limit, doubt in json.loads(parts["stated"])
    ]
    blocks: list[tuple[str, Blocks]] = [
        (name, {store: stated[number] for store, number in block.items()})
        for name, block in json.loads(parts["blocks"])
    ]
    ids = json.loads(parts["ids"])
    columns: dict[str, Sequence[Any]] = {}
    for name in (*FLOATS, *WHOLE, "key"):
        column = array("d" if name in FLOATS else "q")
        column.frombytes(parts[name])
        if len(column) != len(ids):
            raise ValueError(name)
        columns[name] = column
    to, mark = json.loads(parts["reached"])
    block = columns["block"]
    if len(block) and not -1 <= min(block) <= max(block) < len(blocks):
        raise ValueError("block")
    return Kept(
        blocks=blocks,
        ids=ids,
        columns=columns,
        sessions=int(json.loads(parts["sessions"])),
        texts=dict(zip(names, texts, strict=True)),
        keys=parts["keys"],
        calls=parts["calls"],
        calls_to=int(to),
        calls_mark=float(mark),
    )
