"""Single values of sessions, changed together and put back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hermes_tui.errors import Refused
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


def by_session(cells: Iterable[Cell]) -> list[list[Cell]]:
    """The changes of each session, those made last first, as they are to be put back."""
    found: dict[str, list[Cell]] = {}
    for cell in reversed(list(cells)):
        found.setdefault(cell.id, []).append(cell)
    return list(found.values())


def revert(writer: Writer, cells: Sequence[Cell]) -> Failure | None:
    """Put the values of one session back, within a transaction: all, or none when somebody changed one since.

    Returns:
        why it is not as it was; None when it is.
    """
    id = cells[0].id
    there = [cell for cell in cells if cell.column in writer.columns("sessions")]
    names = ", ".join(cell.column for cell in there) or "NULL"
    rows = writer.rows(f"SELECT {names} FROM sessions WHERE id = ?", (id,))
    if not rows:
        return Failure(id, "It is not there any more.")
    now = dict(zip(there, rows[0], strict=False))
    if any(value not in (cell.before, cell.after) for cell, value in now.items()):
        return Failure(id, "It was changed since, and is left as it is.")
    if not now:
        return None
    values = ", ".join(f"{cell.column} = ?" for cell in there)
    try:
        writer.execute(f"UPDATE sessions SET {values} WHERE id = ?", (*(cell.before for cell in there), id))
    except Refused as error:
        if error.code != "constraint":
            raise
        return Failure(id, "Its title has been given to another session since.")
    return None


def stands(base: Reader, cells: Iterable[Cell]) -> Iterator[bool]:
    """Whether each change has been made, or another one since: whether the value is not the one before it."""
    first: dict[tuple[str, str], Value] = {}
    for cell in cells:
        first.setdefault((cell.id, cell.column), cell.before)
    for (id, column), before in first.items():
        rows = base.rows(f"SELECT {column} FROM sessions WHERE id = ?", (id,))
        yield not rows or rows[0][0] != before


def differing(base: Reader, ids: Iterable[str], column: str, value: Value) -> list[Cell]:
    """The changes that give sessions a value which they do not have yet."""
    found: list[Cell] = []
    for some in batches(ids):
        rows = base.rows(f"SELECT id, {column} FROM sessions WHERE id IN ({marks(some)})", some)
        found += [Cell(text_of(id), column, now, value) for id, now in rows if now != value]
    return found
