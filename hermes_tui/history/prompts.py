"""What a stored prompt says: the blocks of memory in it, and the day on which it was built."""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.prompt import Block, parse_blocks

BETWEEN = len("\n\n")
"""What stands between two parts of a prompt."""

# Newer agents keep the day on which the conversation began, and add a line when they build the prompt on another one.
_BUILT = re.compile(
    r"^(?:Conversation started|Today's date \(as of the last context rebuild\)): (\w+, \w+ \d{1,2}, \d{4})\b",
    re.MULTILINE,
)
_MODEL = re.compile(r"^Model: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a prompt says of one store."""

    entries: tuple[str, ...]
    limit: int
    doubtful: bool = False
    """Whether the prompt ends within the block, or has another one that could as well be it."""


Blocks = Mapping[StoreName, Stated]
"""The stores that a prompt speaks of."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be known of one prompt."""

    blocks: Blocks
    built_on: float | None
    """The day on which it was built, as the moment it began in a zone without an offset; None when it does not say."""
    model: str = ""
    """The model that it was built for."""


def read_prompt(prompt: str) -> Prompt:
    """What a prompt says."""
    found = list(parse_blocks(prompt))
    end = max((block.end for block in found), default=0)
    models = _MODEL.findall(prompt, end)
    return Prompt(_chosen(found), _built_on(prompt[end:]), models[-1] if models else "")


def blocks_in(prompt: str) -> Blocks:
    """The stores that a prompt speaks of.

    Where several blocks could be a store's own, for somebody may have written one into another file that goes into
    the prompt, it is the one that stands together with the other store's, else the last one; doubtful either way.
    """
    return _chosen(list(parse_blocks(prompt)))


def _chosen(found: Sequence[Block]) -> Blocks:
    pairs = [pair for pair in pairwise(found) if _together(*pair)]
    chosen: dict[StoreName, Stated] = {}
    for store in STORES:
        candidates = [block for block in found if block.store == store]
        if not candidates:
            continue
        block = candidates[-1]
        if len(pairs) == 1:
            block = next((each for each in pairs[0] if each.store == store), block)
        chosen[store] = Stated(
            entries=block.entries,
            limit=block.usage.limit,
            doubtful=len(candidates) > 1 or not block.framed or not block.complete,
        )
    return chosen


def _together(one: Block, other: Block) -> bool:
    """Whether two blocks follow one another as the agent sets them."""
    in_order = (one.store, other.store) == STORES
    return in_order and one.framed and other.framed and other.start == one.end + BETWEEN


def _built_on(tail: str) -> float | None:
    days = _BUILT.findall(tail)
    if not days:
        return None
    try:
        return float(calendar.timegm(time.strptime(days[-1], "%A, %B %d, %Y")))
    except (ValueError, OverflowError):
        return None
