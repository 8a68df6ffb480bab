"""The block that the agent puts into its system prompt: as the next session will see it, and as a past one did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
    rf"{RULE}\n({'|'.join(map(re.escape, TITLES.values()))}) \[(\d+)% — ([\d,]+)/([\d,]+) chars\]\n{RULE}\n"
)


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
    if view.state == "bom" and texts and dialect == "0.19":
        texts[0] = "\ufeff" + texts[0]  # that line reads the mark as part of the first entry
    shown = [sanitized(view.file_name, text, dialect) for text in texts]
    return render_block(view.store, shown, view.usage.limit)


def next_session(views: Iterable[StoreView], dialect: DialectName = "0.22") -> str:
    """What the next session will be told: both blocks, the way they stand in its prompt."""
    by_store = {view.store: view for view in views}
    blocks = (block_of(by_store[store], dialect) for store in STORES if store in by_store)
    return "\n\n".join(block for block in blocks if block)


def parse_blocks(prompt: str) -> Iterator[Block]:
    """The memory blocks of a stored prompt, cut by the length that each header names, not by what follows.

    An entry may hold anything, a copy of a header included; only the length tells where a block ends.
    """
    at = prompt.find(f"{RULE}\n")
    while at >= 0:
        match = _HEADER.match(prompt, at)
        if match is None or (at and prompt[at - 1] != "\n"):
            at = prompt.find(f"{RULE}\n", at + 1)
            continue
        title, percent, chars, limit = match.groups()
        store = next(name for name in STORES if TITLES[name] == title)
        usage = Usage(int(chars.replace(",", "")), int(limit.replace(",", "")))
        end = min(match.end() + usage.chars, len(prompt))
        body = prompt[match.end() : end]
        apart = prompt[max(0, at - 2) : at] in ("", "\n\n") and prompt[end : end + 2] in ("", "\n\n")
        yield Block(
            store=store,
            entries=tuple(body.split(DELIMITER)),
            usage=usage,
            start=at,
            end=end,
            complete=len(body) == usage.chars,
            framed=apart and usage.agent_label == f"{percent}% — {chars}/{limit} chars",
        )
        at = prompt.find(f"{RULE}\n", end)
