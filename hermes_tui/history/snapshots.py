"""The blocks of memory that sessions ran on, found in their stored prompts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.prompt import RULE, parse_blocks
from hermes_tui.sessions.database import Database, Interrupted, Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.salvage import salvaged
from hermes_tui.sessions.stored import text_of

SLICE_ROWS = 200
"""Sessions whose prompts one statement looks at: with 40 kB each some ten milliseconds."""
MARK = f"{RULE}\n"


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
class Snapshot:
    """What one session was told."""

    session_id: str
    row: int
    """Where the session is stored, which grows with every new one."""
    at: float
    """When the prompt was built, in epoch seconds: as the session began, or at its last compaction in place;
    0 when it is not known."""
    until: float
    """When the session ended; infinite when it has not: until then the prompt may have been built anew."""
    size: int
    """Bytes of the prompt, or of its hash: another one means another prompt."""
    key: str
    """The hash of the prompt where the database has one."""
    blocks: Blocks
    """Empty where the prompt speaks of no store: scheduled runs and subagents have no memory."""


class SnapshotReader:
    """Reads prompts, the newest sessions first.

    Args:
        base: the database.
        known: for a session, the `size` and `key` under which its snapshot is known already; None when it is not.
    """

    def __init__(self, base: Database, known: Callable[[str], tuple[int, str] | None]) -> None:
        self._base = base
        self._known = known
        self._by_text: dict[str, Blocks] = {}
        self._by_key: dict[str, Blocks] = {}
        has = base.features().sessions
        self._inline = "system_prompt" in has
        self._hashed = base.features().prompts_table and "system_prompt_hash" in has

    def slices(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[tuple[list[Snapshot], int, int]]:
        """Snapshots that are not known yet, some at a time, with how many rows are through and how many there are.

        Raises:
            Interrupted: `stopped` said so.
        """
        (highest,) = self._base.rows("SELECT coalesce(max(rowid), 0) FROM sessions")[0]
        if not (self._inline or self._hashed):
            return
        last = int(highest)
        while last > 0:
            if stopped():
                raise Interrupted
            first = max(0, last - SLICE_ROWS)
            yield self._slice(first, last), int(highest) - first, int(highest)
            last = first

    def _slice(self, first: int, last: int) -> list[Snapshot]:
        size = "coalesce(octet_length(system_prompt), 0)" if self._inline else "0"
        key = "system_prompt_hash" if self._hashed else "NULL"
        ended = "ended_at" if "ended_at" in self._base.features().sessions else "NULL"

        def heads(rows: Sequence[int]) -> list[Row]:
            return self._base.rows(
                f"SELECT rowid, id, started_at, {ended}, {size}, {key} FROM sessions WHERE rowid BETWEEN ? AND ?",
                (rows[0], rows[-1]),
            )

        found: list[Snapshot] = []
        for rows in salvaged(heads, range(first + 1, last + 1), lambda _: []):
            for row, id, started, over, bytes_, hash_ in rows:
                head = Snapshot(
                    session_id=text_of(id),
                    row=row,
                    at=moment(started) or 0.0,
                    until=moment(over) or math.inf,
                    size=bytes_,
                    key=text_of(hash_),
                    blocks={},
                )
                if self._known(head.session_id) != (head.size, head.key):
                    found.append(head)
        texts = self._inline_texts([head.row for head in found if head.size and not head.key])
        self._read_hashed({head.key for head in found if head.key})
        built = self._compacted([head.session_id for head in found])
        return [
            replace(
                head,
                at=built.get(head.session_id, head.at),
                blocks=self._by_key.get(head.key, {}) if head.key else self.blocks_in(texts.get(head.row, "")),
            )
            for head in reversed(found)
        ]

    def _compacted(self, ids: Sequence[str]) -> dict[str, float]:
        """When sessions were compacted in place the last time: their prompts were built anew then."""
        if "compacted" not in self._base.features().messages or not ids:
            return {}
        rows = self._base.rows(
            f"SELECT session_id, max(timestamp) FROM messages WHERE session_id IN ({', '.join('?' * len(ids))})"
            " AND compacted = 1 GROUP BY session_id",
            ids,
        )
        times = ((text_of(id), moment(stamp)) for id, stamp in rows)
        return {id: stamp for id, stamp in times if stamp is not None}

    def _inline_texts(self, rows: Sequence[int]) -> dict[int, str]:
        if not rows:
            return {}
        marks = ", ".join("?" * len(rows))
        found = self._base.rows(
            "SELECT rowid, CASE instr(system_prompt, ?1) WHEN 0 THEN '' ELSE"
            f" substr(system_prompt, instr(system_prompt, ?1)) END FROM sessions WHERE rowid IN ({marks})",
            (MARK, *rows),
        )
        return {int(row): text_of(text) for row, text in found}

    def _read_hashed(self, hashes: set[str]) -> None:
        missing = sorted(hashes - self._by_key.keys())
        for start in range(0, len(missing), SLICE_ROWS):
            some = missing[start : start + SLICE_ROWS]
            found = self._base.rows(
                "SELECT hash, CASE instr(prompt, ?1) WHEN 0 THEN '' ELSE substr(prompt, instr(prompt, ?1)) END"
                f" FROM system_prompts WHERE hash IN ({', '.join('?' * len(some))})",
                (MARK, *some),
            )
            self._by_key.update((text_of(hash_), self.blocks_in(text_of(text))) for hash_, text in found)

    def blocks_in(self, text: str) -> Blocks:
        """The stores that a prompt speaks of; the same text is taken apart once."""
        if not text:
            return {}
        found = self._by_text.get(text)
        if found is None:
            found = blocks_in(text)
            self._by_text[text] = found
        return found


def blocks_in(prompt: str) -> Blocks:
    """The stores that a prompt speaks of.

    Where several blocks could be a store's own, for somebody may have written one into another file that goes into
    the prompt, it is the last one, and doubtful.
    """
    found: dict[StoreName, Stated] = {}
    for block in parse_blocks(prompt):
        if not block.framed and block.store in found:
            continue
        found[block.store] = Stated(
            entries=block.entries,
            limit=block.usage.limit,
            doubtful=not block.complete or not block.framed or block.store in found,
        )
    return found
