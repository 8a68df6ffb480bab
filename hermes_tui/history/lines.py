"""Blocks and calls as lines of the cache; blocks and their entries go by names, so that each is kept once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.snapshots import Blocks
from hermes_tui.memory.batch import Operation
from hermes_tui.memory.entries import STORES

Json = dict[str, Any]

NAME_BYTES = 9
"""Of a digest: enough to tell a million texts apart."""


@lru_cache(maxsize=8192)
def text_name(text: str) -> str:
    """What an entry is called."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=NAME_BYTES).hexdigest()


def block_named(blocks: Blocks) -> str:
    """What a block is called; empty where there is none."""
    if not blocks:
        return ""
    digest = blake2b(digest_size=NAME_BYTES)
    for store in STORES:
        stated = blocks.get(store)
        if stated is not None:
            digest.update(f"{store} {stated.limit} {stated.doubtful}{'' if stated.placed else ' unplaced'}\n".encode())
            digest.update("".join(map(text_name, stated.entries)).encode())
    return digest.hexdigest()


def block_row(blocks: Blocks) -> Json:
    """A block, as the names of its entries."""
    return {store: [[*map(text_name, each.entries)], each.limit, each.doubt] for store, each in blocks.items()}


def call_row(call: MemoryCall) -> list[Any]:
    """A call."""
    operations = [[each.action, each.content, each.old_text] for each in call.operations]
    return [
        *(call.session_id, call.message_id, call.result_id, call.at, call.store, operations, call.outcome),
        *(call.chars, call.count, list(call.pinned), call.pending_id, call.idle, call.length, call.review),
        *(call.written_later, call.print),
    ]


def call_from(row: Sequence[Any]) -> MemoryCall:
    """The call of a row.

    Raises:
        TypeError, ValueError: it is none of ours.
    """
    session, message, result, at, store, operations, outcome, chars, count, pinned, *rest = row
    if store not in STORES:
        raise ValueError(store)
    done = tuple(Operation(*map(str, each)) for each in operations)
    pending, idle, length, review, later, print_ = rest
    return MemoryCall(
        *(session, message, result, at, store, done, outcome, chars, count, tuple(pinned)),
        *(pending, idle, length, review, later, print_),
    )
