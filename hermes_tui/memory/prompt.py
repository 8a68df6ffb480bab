"""The block that the agent puts into its system prompt: as the next session will see it, and as a past one did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hermes_tui.memory.dialects import DialectName
from hermes_tui.memory.entries import DELIMITER, FILE_NAMES, STORES, StoreName, Usage, count, join, unique
from hermes_tui.memory.threats import blocking_ids
from hermes_tui.memory.view import StoreView, cached_scan

RULE = "═" * 46
TITLES: dict[StoreName, str] = {
    "memory": "MEMORY (your personal notes)",
    "user": "USER PROFILE (who the user is)",
}
BLOCKED_MARK = "[BLOCKED:"

_STORE_OF = {name: store for store, name in FILE_NAMES.items()}

_HEADER = re.compile(
    rf"{RULE}\n({'|'.join(map(re.escape, TITLES.values()))})"
    rf" \[([0-9]{{1,9}})% — ([0-9][0-9,]{{0,14}})/([0-9][0-9,]{{0,14}}) chars\]\n{RULE}\n"
)
_STORE_TITLED: dict[str, StoreName] = {title: store for store, title in TITLES.items()}


@dataclass(frozen=True, slots=True)
class Block:
    """One store's part of a stored prompt."""

    store: StoreName
    entries: tuple[str, ...]
    usage: Usage
    start: int
    """Offset of the block in the prompt, in code points."""
    end: int
    complete: bool
    """False when the prompt ends before the length its header names."""
    framed: bool
    """Whether it stands as the agent sets it: apart from what is before and after it, with the percentage it has."""


def sanitized(file_name: str, entry: str, dialect: DialectName = "0.22") -> str:
    """An entry as the model sees it: itself, or a note in its place when the threat scan blocks it."""
    if entry.startswith(BLOCKED_MARK):
        return entry
    ids = blocking_ids(cached_scan(entry), dialect)
    if not ids:
        return entry
    target = f", target='{_STORE_OF[file_name]}'" if dialect == "0.22" else ""
    return (
        f"{BLOCKED_MARK} {file_name} entry contained threat pattern(s): {', '.join(ids)}."
        f" Removed from system prompt; use memory(action=remove{target}) to delete the original.]"
    )


def render_block(store: StoreName, entries: Iterable[str], limit: int) -> str:
    """The block for entries as they shall appear; empty when there are none."""
    shown = list(entries)
    if not shown:
        return ""
    usage = Usage(count(shown), limit)
    return f"{RULE}\n{TITLES[store]} [{usage.agent_label}]\n{RULE}\n{join(shown)}"


def block_of(view: StoreView, dialect: DialectName = "0.22") -> str:
    """The block that a session started now would get from this store; empty when it gets none."""
    if not view.enabled or view.state in ("unreadable", "invalid_utf8", "missing"):
        return ""
    texts = unique(view.texts)
    if view.state == "bom" and dialect == "0.19":
        texts[:1] = ["\ufeff" + "".join(texts[:1])]  # that line reads the mark as part of the first entry, or as one
    shown = [sanitized(view.file_name, text, dialect) for text in texts]
    return render_block(view.store, shown, view.usage.limit)


def next_session(views: Iterable[StoreView], dialect: DialectName = "0.22") -> str:
    """What the next session will be told: both blocks, the way they stand in its prompt."""
    by_store = {view.store: view for view in views}
    blocks = (block_of(by_store[store], dialect) for store in STORES if store in by_store)
    return "\n\n".join(block for block in blocks if block)


def parse_blocks(prompt: str) -> Iterator[Block]:
    """The memory blocks of a stored prompt, cut by the length that each header names, not by what follows.

    An entry may hold anything, a copy of a whole block included: what lies within a block that stands as the agent
    sets it is part of that block. Where none stands like that, the last that looks like one is given, not framed.
    """
    weak: dict[StoreName, _Head] = {}
    strong: set[StoreName] = set()
    at = 0
    while (head := _next_head(prompt, at)) is not None:
        if head.framed(prompt):
            yield head.block(prompt, framed=True)
            strong.add(head.store)
            at = head.end
        else:
            weak[head.store] = head
            at = head.body
    yield from (head.block(prompt, framed=False) for store, head in weak.items() if store not in strong)


class _Head(NamedTuple):
    """A header, and what it says of the block below it."""

    store: StoreName
    usage: Usage
    label: str
    start: int
    body: int
    """Where the entries begin."""

    @property
    def end(self) -> int:
        """Where they end, if the header tells the truth and the prompt is whole."""
        return self.body + self.usage.chars

    def framed(self, prompt: str) -> bool:
        """Whether the block stands as the agent sets it."""
        return (
            self.usage.agent_label == self.label
            and self.body < self.end <= len(prompt)
            and prompt[max(0, self.start - 2) : self.start] in ("", "\n\n")
            and prompt[self.end : self.end + 2] in ("", "\n\n")
        )

    def block(self, prompt: str, *, framed: bool) -> Block:
        """The block."""
        end = min(self.end, len(prompt))
        return Block(
            store=self.store,
            entries=tuple(prompt[self.body : end].split(DELIMITER)),
            usage=self.usage,
            start=self.start,
            end=end,
            complete=self.end <= len(prompt),
            framed=framed,
        )


def _next_head(prompt: str, at: int) -> _Head | None:
    while (at := prompt.find(f"{RULE}\n", at)) >= 0:
        match = _HEADER.match(prompt, at)
        if match is not None and (at == 0 or prompt[at - 1] == "\n"):
            title, percent, chars, limit = match.groups()
            usage = Usage(int(chars.replace(",", "")), int(limit.replace(",", "")))
            label = f"{percent}% — {chars}/{limit} chars"
            return _Head(_STORE_TITLED[title], usage, label, at, match.end())
        at += 1
    return None
