"""What a stored prompt says: the blocks of memory in it, and the day on which it was built."""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.prompt import Block, parse_blocks

BETWEEN = len("\n\n")
"""What stands between two parts of a prompt."""

# Newer agents keep the day on which the conversation began, and add a line when they build the prompt on another one.
_BUILT = re.compile(
    r"^(?:Conversation started|Today's date \(as of the last context rebuild\)): (\w+, \w+ \d{1,2}, \d{4})\b",
    re.MULTILINE,
)
CONTEXT = "# Project Context\n"
"""The line that the agent sets before the files of a project, which come before its memory."""
SKILLS_END = "</available_skills>"
"""The end of the list of skills, which newer agents set between those files and the memory."""

_MODEL = re.compile(r"^Model: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a prompt says of one store."""

    entries: tuple[str, ...]
    limit: int
    doubtful: bool = False
    """Whether the prompt ends within the block, or has another one that could as well be it."""
    placed: bool = True
    """Whether it stands where only the agent's own block can stand; else a file of the project may have it in it."""

    @property
    def doubt(self) -> int:
        """Both as one number, for the cache: 1 for doubtful, 2 where its place does not tell."""
        return int(self.doubtful) + 2 * (not self.placed)

    @classmethod
    def of(cls, entries: tuple[str, ...], limit: int, doubt: int) -> Stated:
        """The one with such a number."""
        return cls(entries, limit, bool(doubt & 1), not doubt & 2)


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


def read_prompt(prompt: str, *, below_context: bool = False) -> Prompt:
    """What a prompt says.

    Args:
        prompt: all of it, or the part from shortly before its first block.
        below_context: whether files of the project, and nothing that only the agent sets, came before that part.
    """
    found = list(parse_blocks(prompt))
    end = max((block.end for block in found), default=0)
    models = _MODEL.findall(prompt, end)
    return Prompt(_chosen(prompt, found, below_context), _built_on(prompt[end:]), models[-1] if models else "")


def blocks_in(prompt: str) -> Blocks:
    """The stores that a prompt speaks of.

    Where several blocks could be a store's own, for somebody may have written one into another file that goes into
    the prompt, it is the one that stands together with the other store's, else the last one; doubtful either way.
    """
    return _chosen(prompt, list(parse_blocks(prompt)), below_context=False)


def _chosen(prompt: str, blocks: Sequence[Block], below_context: bool) -> Blocks:
    found, unplaced = _own(prompt, blocks, below_context)
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
            placed=block.start not in unplaced,
        )
    return chosen


def _own(prompt: str, blocks: Sequence[Block], below_context: bool) -> tuple[list[Block], set[int]]:
    """The blocks that may be the agent's own, and where those of them begin that may be part of a file of the project.

    A file may hold thousands, so that they are told apart by where they begin.
    """
    found: set[int] = set()
    unplaced: set[int] = set()
    at = 0
    for block in sorted(blocks, key=attrgetter("start")):
        between = prompt[at : block.start]
        context, skills = between.rfind(CONTEXT), between.rfind(SKILLS_END)
        if skills > context and (below_context or context >= 0):
            # What came before the list of skills is certainly none of memory.
            found -= unplaced
            unplaced = set()
        below_context = context > skills or (below_context and skills < 0)
        found.add(block.start)
        if below_context:
            unplaced.add(block.start)
        at = max(at, block.end)
    rest = prompt[at:]
    if SKILLS_END in rest and unplaced:
        found -= unplaced
    return [each for each in blocks if each.start in found], unplaced


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
