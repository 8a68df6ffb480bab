"""What has to change so that conversations are archived or pinned, or are not any more."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.errors import Refused
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.upkeep.cells import differing
from hermes_tui.sessions.upkeep.family import conversation_of
from hermes_tui.sessions.upkeep.naming import BOT_CHAT
from hermes_tui.sessions.upkeep.steps import Cell


def archive(base: Reader, ids: Sequence[str], archived: bool) -> list[Cell]:
    """The changes that put conversations away, all that compactions tie to them, or bring them back.

    Raises:
        Refused: this database does not know the archive.
    """
    _check_column(base, "archived", "archive")
    together = conversation_of(base, ids)
    cells = differing(base, together, "archived", int(archived))
    if "auto_archived" in base.features().sessions:
        # What a person puts away does not come back by itself, as what the agent's sweep put away does.
        cells += differing(base, together, "auto_archived", 0)
    return cells


def pin(base: Reader, ids: Sequence[str], pinned: bool) -> list[Cell]:
    """The changes that keep conversations from being pruned and put away, or no longer do.

    Raises:
        Refused: this database does not know pins.
    """
    _check_column(base, "pinned", "pin")
    together = conversation_of(base, ids)
    cells = differing(base, together, "pinned", int(pinned))
    if pinned and "hidden" in base.features().sessions:
        shown = [cell for cell in differing(base, together, "hidden", 0) if not _is_bot_chat(base, cell.id)]
        cells += shown
    return cells


def _is_bot_chat(base: Reader, id: str) -> bool:
    return bool(base.rows("SELECT 1 FROM sessions WHERE id = ? AND title = ?", (id, BOT_CHAT)))


def _check_column(base: Reader, column: str, verb: str) -> None:
    if column not in base.features().sessions:
        raise Refused(
            f"The agent that made this database cannot {verb} sessions: it has no column {column}.",
            code="not_supported",
            hint="Newer agents add it when they open the database.",
        )
