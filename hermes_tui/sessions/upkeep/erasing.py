"""Deleting conversations: a copy first, then the rows, in batches between which an agent gets its turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from hermes_tui.errors import Conflict, HermesTuiError, NotFound, Refused
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.features import Reader, names
from hermes_tui.sessions.upkeep.changes import Failure, Progress, Stopped
from hermes_tui.sessions.upkeep.copies import Copy
from hermes_tui.sessions.upkeep.deletion import Doomed, Plan
from hermes_tui.sessions.upkeep.family import marks
from hermes_tui.sessions.upkeep.indexes import old_ones
from hermes_tui.sessions.upkeep.session_files import SessionFiles
from hermes_tui.sessions.upkeep.writer import Writer

BATCH_SECONDS = 0.02
"""What one batch may take, as far as that can be told before: an agent waits for no longer."""
BATCH_SESSIONS = 100

_FACTS = ("message_count", "title", "ended_at", "archived", "parent_session_id")

Print = tuple[object, ...]
"""What a conversation looks like; any writing of an agent changes it."""


@dataclass(slots=True)
class Erased:
    """What became of a deletion."""

    done: list[Doomed] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    stopped: bool = False
    trouble: str = ""
    """Why it went no further, in a sentence; empty when it was through."""
    files_left: int = 0
    """Files that could not be deleted."""


@dataclass(frozen=True, slots=True)
class Eraser:
    """What deleting needs."""

    base: Database
    writer: Writer
    files: SessionFiles
    copy: Copy
    note_old: Callable[[], object]
    """Told that messages go which older SQLite has put into the index."""

    def erase(self, plan: Plan, erased: Erased, progress: Progress | None, stopped: Stopped | None) -> None:
        """Delete what a plan says, but for what was written to since; `erased` says at any time how far it is."""
        pace = _Pace()
        for batch in pace.batches(plan.doomed):
            if stopped and stopped():
                erased.stopped = True
                break
            self._erase_batch(batch, erased, pace)
            if progress:
                progress(len(erased.done) + len(erased.failed), len(plan.doomed))

    def _erase_batch(self, batch: Sequence[Doomed], erased: Erased, pace: _Pace) -> None:
        going: dict[Doomed, Print] = {}
        old: list[int] = []
        for each in batch:
            try:
                going[each] = self._looked_at(each)
                old += old_ones(self.writer, each.ids)
            except HermesTuiError as error:
                if error.code not in ("index_refused", "changed", "no_such_session"):
                    raise
                going.pop(each, None)
                erased.failed.append(Failure(each.id, error.message))
        while going and (failure := self._keep(list(going))):
            going.pop(next(each for each in going if each.id == failure.id))
            erased.failed.append(failure)
        if not going:
            return
        beside = self.files.of([id for each in going for id in each.ids])
        self.files.keep(beside, self.copy.files)
        if old:
            self.note_old()
        self.writer.give_way(pace.held)
        with self.writer.transaction():
            started = time.monotonic()
            changed = [each for each, seen in going.items() if _print(self.writer, each.ids) != seen]
            for each in changed:
                del going[each]
            gone = {id for each in going for id in each.ids}
            _delete(self.writer, sorted(gone), [id for id in old if going])
            deleted = time.monotonic()
        pace.took(deleted - started, time.monotonic() - started, sum(each.seconds for each in going))
        erased.failed += [Failure(each.id, _CHANGED) for each in changed]
        erased.done += going
        # Nothing but what was kept: a file that could not be seen before would be gone for good.
        erased.files_left += len(self.files.remove([path for path in self.files.of(gone) if path in beside]))

    def _looked_at(self, each: Doomed) -> Print:
        """What a conversation looks like now.

        Raises:
            Refused: it is not there any more.
            Conflict: it was written to since somebody looked at it.
        """
        seen = _print(self.base, each.ids)
        if not seen:
            raise Refused("It was deleted already.", code="no_such_session")
        count, newest = self.base.rows(
            f"SELECT count(*), coalesce(max(id), 0) FROM messages WHERE session_id IN ({marks(each.ids)})", each.ids
        )[0]
        if (count, newest) != (each.messages, each.newest):
            raise Conflict(_CHANGED, code="changed")
        return seen

    def _keep(self, going: Sequence[Doomed]) -> Failure | None:
        """Copy conversations; or say which of them cannot be, and then nothing was copied."""
        from hermes_tui.sessions.export.lossless import write_session

        doomed = going[0]
        try:
            with self.copy.batch() as write:
                for doomed in going:
                    for id in doomed.ids:
                        write_session(self.base, id, write)
        except (Conflict, NotFound):
            return Failure(doomed.id, _CHANGED)
        return None


_CHANGED = "It was written to since you looked, and is left alone."


def _print(base: Reader, ids: Sequence[str]) -> Print:
    """What sessions look like; empty when none of them is there."""
    there = base.features()
    rows = base.rows(
        f"SELECT id, {names(_FACTS, there.sessions)} FROM sessions WHERE id IN ({marks(ids)}) ORDER BY id", ids
    )
    sums = ", ".join(f"sum({name})" for name in ("active", "compacted") if name in there.messages)
    said = base.rows(
        "SELECT session_id, count(*), max(id), sum(octet_length(content))"
        f"{', ' if sums else ''}{sums} FROM messages WHERE session_id IN ({marks(ids)}) GROUP BY session_id ORDER BY 1",
        ids,
    )
    return tuple(rows + said) if rows else ()


def _delete(writer: Writer, ids: Sequence[str], old: Sequence[int]) -> None:
    """Delete sessions within a transaction, messages first: an index asks for the session while they go."""
    if not ids:
        return
    has = writer.features().sessions
    hashes: list[object] = []
    pinned = (
        [name for name in ("system_prompt_hash", "tool_names") if name in has]
        if writer.features().prompts_table
        else []
    )
    for name in pinned:
        hashes += [
            row[0] for row in writer.rows(f"SELECT DISTINCT {name} FROM sessions WHERE id IN ({marks(ids)})", ids)
        ]
    if "parent_session_id" in has:
        writer.execute(f"UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id IN ({marks(ids)})", ids)
    gone = set(ids)
    writer.trigrams.old = True
    for id in old:
        owner = writer.rows("SELECT session_id FROM messages WHERE id = ?", (id,))
        if owner and owner[0][0] in gone:
            writer.execute("DELETE FROM messages WHERE id = ?", (id,))
    writer.trigrams.old = False
    writer.execute(f"DELETE FROM messages WHERE session_id IN ({marks(ids)})", ids)
    writer.execute(f"DELETE FROM sessions WHERE id IN ({marks(ids)})", ids)
    for hash in {value for value in hashes if value is not None}:
        used = " OR ".join(f"{name} = ?1" for name in pinned)
        writer.execute(
            f"DELETE FROM system_prompts WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE {used})", (hash,)
        )


class _Pace:
    """How much is done at once, so that nobody waits for long."""

    def __init__(self) -> None:
        self._factor = 1.0
        """What it takes, of what was expected."""
        self.held = 0.0
        """Seconds for which the last batch kept others out."""

    def batches(self, doomed: Sequence[Doomed]) -> Iterator[list[Doomed]]:
        """Conversations in lists that take about as long as a batch may."""
        batch: list[Doomed] = []
        expected = 0.0
        sessions = 0
        for each in doomed:
            cost = each.seconds * self._factor
            if batch and (expected + cost > BATCH_SECONDS or sessions + len(each.ids) > BATCH_SESSIONS):
                yield batch
                batch, expected, sessions = [], 0.0, 0
            batch.append(each)
            expected += each.seconds * self._factor
            sessions += len(each.ids)
        if batch:
            yield batch

    def took(self, deleting: float, holding: float, expected: float) -> None:
        """Learn from what a batch took.

        Args:
            deleting: seconds until all was deleted; what comes then, the disk takes for any batch.
            holding: seconds for which nobody else could write.
            expected: what deleting was expected to take.
        """
        self.held = holding
        if expected > 0.001:
            # A machine that is busy with other things makes single batches much longer, which says little.
            now = min(max(deleting / expected, 0.1), self._factor * 3, 20.0)
            self._factor = 0.7 * self._factor + 0.3 * now
