"""The blocks of memory that sessions ran on, found in their stored prompts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hermes_tui.history.heads import Built, Head, HeadReader
from hermes_tui.history.prompts import BETWEEN, CONTEXT, SKILLS_END, Blocks, Prompt, Stated, blocks_in, read_prompt
from hermes_tui.memory.prompt import RULE
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.salvage import salvaged
from hermes_tui.sessions.stored import text_of

__all__ = ("Blocks", "Snapshot", "SnapshotReader", "Stated", "blocks_in")

SLICE_ROWS = 200
"""Sessions that one statement looks at."""
STATEMENT_BYTES = 4_000_000
"""So much of prompts one statement reads: some milliseconds."""
MARK = f"{RULE}\n".encode()
"""Where the first block of a prompt can begin, as bytes: SQLite ends a text at the first NUL."""
MARKS = (MARK, CONTEXT.encode(), SKILLS_END.encode())
NO_PROMPT = Prompt({}, None)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one session was told."""

    session_id: str
    row: int
    """Where the session is stored, which grows with every new one."""
    at: float
    """When the prompt was built, most likely, in epoch seconds: as the session began, or at its last compaction in
    place; 0 when it is not known."""
    since: float
    """Not before this were the stores read."""
    until: float
    """Not after this was it built."""
    size: int
    """Bytes of the prompt in the session's row: another number means another prompt."""
    key: str
    """The hash of the prompt where the database has one."""
    last: float
    """When the session's last message was stored; nothing stored since, and the prompt is the same."""
    blocks: Blocks
    """Empty where the prompt speaks of no store: scheduled runs and subagents have no memory."""
    silent: bool = False
    """Whether it speaks of no store though its kind has memory: both may have been empty, or switched off."""


Signs = tuple[int, str, float]
"""`size`, `key` and `last` of a snapshot: whether it has to be read again."""


class SnapshotReader:
    """Reads prompts, the newest sessions first.

    Args:
        base: the database.
        known: for a session, the signs of its snapshot that is known already; None when it is not.
    """

    def __init__(self, base: Database, known: Callable[[str], Signs | None]) -> None:
        self._base = base
        self._known = known
        self._heads = HeadReader(base)
        self._by_key: dict[str, Prompt] = {}

    def slices(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[tuple[list[Snapshot], int, int]]:
        """Snapshots that are not known yet, some at a time, with how many rows are through and how many there are.

        Raises:
            Interrupted: `stopped` said so.
        """
        if not (self._heads.inline or self._heads.hashed):
            return
        highest = last = self._heads.highest()
        while last > 0:
            if stopped():
                raise Interrupted
            first = max(0, last - SLICE_ROWS)
            yield self._snapshots(self._heads.between(first + 1, last)), highest - first, highest
            last = first

    def named(self, ids: Sequence[str]) -> Iterator[list[Snapshot]]:
        """Those of these sessions that are not known yet, some at a time."""
        if self._heads.inline or self._heads.hashed:
            for start in range(0, len(ids), SLICE_ROWS):
                yield self._snapshots(self._heads.named(ids[start : start + SLICE_ROWS]))

    def _snapshots(self, heads: Sequence[Head]) -> list[Snapshot]:
        found = [head for head in reversed(heads) if self._known(head.session_id) != (head.size, head.key, head.last)]
        self._read_hashed({head.key for head in found if head.key})
        inline = self._inline([head for head in found if head.size and head.key not in self._by_key])
        prompts: dict[str, Prompt] = {}
        for head in found:
            # What cannot be read, for its place is damaged, is left for another time.
            prompt = self._by_key.get(head.key) or inline.get(head.row)
            if prompt is not None or not (head.size or head.key):
                prompts[head.session_id] = prompt or NO_PROMPT
        read = [head for head in found if head.session_id in prompts]
        built = self._heads.built(
            [head for head in read if _counts(head, prompts[head.session_id])], prompts, time.time()
        )
        return [_snapshot(head, prompts[head.session_id], built.get(head.session_id)) for head in read]

    def _inline(self, heads: Sequence[Head]) -> dict[int, Prompt]:
        def read(some: Sequence[Head]) -> dict[int, Prompt]:
            rows = self._base.rows(
                f"SELECT rowid, {_from_mark('system_prompt')} FROM sessions"
                f" WHERE rowid IN ({', '.join('?' * len(some))})",
                (*MARKS, *(head.row for head in some)),
            )
            return {int(row): _prompt(data, below) for row, data, below in rows}

        parts = (
            part for batch in _batches(heads, lambda head: head.size) for part in salvaged(read, batch, lambda _: {})
        )
        return {row: prompt for part in parts for row, prompt in part.items()}

    def _read_hashed(self, hashes: set[str]) -> None:
        missing = sorted(hashes - self._by_key.keys())
        sizes: dict[str, int] = {}
        for start in range(0, len(missing), SLICE_ROWS):
            sizes |= self._sizes(missing[start : start + SLICE_ROWS])

        def read(some: Sequence[str]) -> dict[str, Prompt]:
            rows = self._base.rows(
                f"SELECT hash, {_from_mark('prompt')} FROM system_prompts WHERE hash IN ({', '.join('?' * len(some))})",
                (*MARKS, *some),
            )
            return {text_of(hash_): _prompt(data, below) for hash_, data, below in rows}

        for batch in _batches(missing, lambda hash_: sizes.get(hash_, 0)):
            for found in salvaged(read, batch, lambda _: {}):
                self._by_key.update(found)

    def _sizes(self, hashes: Sequence[str]) -> dict[str, int]:
        def read(some: Sequence[str]) -> dict[str, int]:
            rows = self._base.rows(
                "SELECT hash, coalesce(octet_length(prompt), 0) FROM system_prompts"
                f" WHERE hash IN ({', '.join('?' * len(some))})",
                some,
            )
            return {text_of(hash_): int(size) for hash_, size in rows}

        return {hash_: size for found in salvaged(read, hashes, lambda _: {}) for hash_, size in found.items()}


def _from_mark(column: str) -> str:
    """SQL for a prompt from shortly before the first place where a block can begin, empty when there is none; and for
    whether that is below files of the project."""
    data = f"CAST({column} AS BLOB)"
    first, context = f"instr({data}, ?1)", f"instr({data}, ?2)"
    return (
        f"CASE {first} WHEN 0 THEN x'' ELSE substr({data}, max(1, {first} - {BETWEEN})) END,"
        f" CASE WHEN {context} BETWEEN 1 AND {first}"
        f" THEN instr(substr({data}, {context}, {first} - {context}), ?3) = 0 ELSE 0 END"
    )


def _prompt(data: object, below_context: object) -> Prompt:
    if not isinstance(data, bytes) or not data:
        return NO_PROMPT
    return read_prompt(data.decode("utf-8", errors="replace"), below_context=bool(below_context))


def _counts(head: Head, prompt: Prompt) -> bool:
    """Whether it matters when a prompt was built: what it says, or does not say, tells of the stores."""
    return bool(prompt.blocks) or bool((head.size or head.key) and not head.barred)


def _snapshot(head: Head, prompt: Prompt, built: Built | None) -> Snapshot:
    if built is None:  # it was told nothing, so that it does not matter when
        at = max(head.started, head.first)
        built = Built(at, at, at)
    return Snapshot(
        session_id=head.session_id,
        row=head.row,
        at=built.at,
        since=built.since,
        until=built.until,
        size=head.size,
        key=head.key,
        last=head.last,
        blocks=prompt.blocks,
        silent=not prompt.blocks and _counts(head, prompt),
    )


def _batches(items: Sequence[Item], size_of: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Items whose prompts can be read together."""
    batch: list[Item] = []
    held = 0
    for item in items:
        size = size_of(item)
        if batch and (held + size > STATEMENT_BYTES or len(batch) >= SLICE_ROWS):
            yield batch
            batch, held = [], 0
        batch.append(item)
        held += size
    if batch:
        yield batch
