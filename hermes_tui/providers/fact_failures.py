"""What can be wrong with Holographic's database, as errors with a way on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable

_HINTS = {
    "sessions_locked": ("facts_locked", "Try again in a moment; if it stays, see which agent is at work in this home."),
    "sessions_corrupt": ("facts_corrupt", "Stop the agent and put a copy of the file in its place."),
    "sessions_unfinished": ("facts_unfinished", "Start the agent once with Holographic; then it can be read."),
    "sessions_readonly": ("facts_readonly", "Give yourself write access to it and to its folder."),
    "sessions_replaced": ("facts_replaced", "Look at the facts and do it again."),
    "sessions_unreadable": ("facts_unreadable", "Try again in a moment."),
    "constraint": ("facts_constraint", "Look at the facts again, then try once more."),
    "index_refused": ("facts_index", "Start the agent once with Holographic, which mends its tables."),
}
"""What the reader of databases says, and what it means here."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Within, a failure of the database is told as one of facts."""
    try:
        yield
    except HermesTuiError as error:
        meant = _of_facts(path, error)
        if meant is error:
            raise
        raise meant from error


def _of_facts(path: Path, error: HermesTuiError) -> HermesTuiError:
    if error.code == "no_sessions":
        empty = "is empty (0 bytes)" if path.exists() else "does not exist"
        return NotFound(
            f"There are no facts: {path} {empty}.",
            code="no_facts",
            hint="Holographic makes it when the agent runs with it for the first time.",
        )
    if error.code == "sessions_foreign":
        return foreign(path)
    code, hint = _HINTS.get(error.code, ("", ""))
    if not code:
        return error
    kind = Refused if isinstance(error, Refused) else Unreadable
    return kind(error.message, code=code, hint=hint)


def foreign(path: Path) -> Unreadable:
    """The error of a database that has no facts in the form that is known."""
    return Unreadable(
        f"{path} is a database, but not one of Holographic: it has no table of facts that is known.",
        code="facts_foreign",
        hint="Check plugins.hermes-memory-store.db_path in config.yaml.",
    )
