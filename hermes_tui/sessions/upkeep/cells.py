"""Single values of sessions, changed together and put back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.upkeep.changes import Failure
from hermes_tui.sessions.upkeep.family import batches, marks
from hermes_tui.sessions.upkeep.steps import Cell, Value
from hermes_tui.sessions.upkeep.writer import Writer


def apply(writer: Writer, cells: Iterable[Cell]) -> None:
    """Make changes, within a transaction; they were worked out in it."""
    for cell in cells:
        writer.execute(f"UPDATE sessions SET {cell.column} = ? WHERE id = ?", (cell.after, cell.id))


def revert(writer: Writer, cells: Sequence[Cell]) -> tuple[list[str], list[Failure]]:
    """Put values back, within a transaction; those that somebody changed since are left as they are.

    Returns:
        the sessions that are as they were, and those that are not.
    """
    done: dict[str, None] = {}
    failed: dict[str, Failure] = {}
    there = writer.columns("sessions")
    for cell in reversed(cells):
        if cell.column not in there:
            continue
        now = writer.rows(f"SELECT {cell.column} FROM sessions WHERE id = ?", (cell.id,))
        if not now:
            failed[cell.id] = Failure(cell.id, "It is not there any more.")
        elif now[0][0] == cell.after:
            writer.execute(f"UPDATE sessions SET {cell.column} = ? WHERE id = ?", (cell.before, cell.id))
            done[cell.id] = None
        elif now[0][0] != cell.before:
            failed[cell.id] = Failure(cell.id, "It was changed since, and is left as it is.")
    return [id for id in done if id not in failed], list(failed.values())


def differing(base: Reader, ids: Iterable[str], column: str, value: Value) -> list[Cell]:
    """The changes that give sessions a value which they do not have yet."""
    found: list[Cell] = []
    for some in batches(ids):
        rows = base.rows(f"SELECT id, {column} FROM sessions WHERE id IN ({marks(some)})", some)
        found += [Cell(text_of(id), column, now, value) for id, now in rows if now != value]
    return found
