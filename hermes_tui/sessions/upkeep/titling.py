"""What has to change so that a session gets a title, by the agent's rules."""

from __future__ import annotations

from typing import Literal

from hermes_tui.errors import NotFound, Refused
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.lineage import Lineages
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.upkeep.naming import BOT_CHAT, TitleTaken, clean_title, next_free
from hermes_tui.sessions.upkeep.steps import Cell, Value

Source = Literal["user", "derived", "llm"]


def rename(base: Reader, session_id: str, text: str) -> list[Cell]:
    """The changes that give a session a title, or take the one away that its conversation shows.

    Args:
        base: read within the transaction that will make the changes.
        session_id: the session.
        text: what was typed; nothing clears the title.

    Raises:
        NotFound: there is no such session.
        Refused: the title is too long, or must not be changed.
        TitleTaken: another session has it.
    """
    title = clean_title(text).text
    parts = Lineages(base).parts(session_id)
    if _row(base, session_id) is None:
        raise gone(session_id)
    target = session_id
    if not title:
        upto = parts[: parts.index(session_id) + 1]
        target = next((id for id in reversed(upto) if _titled(base, id)), session_id)
    _check_bot_chat(base, target, title)
    moved = _freed(base, target, title) if title else []
    return [*moved, *_set(base, target, title, "user")]


def entitle(base: Reader, session_id: str, text: str, source: Source) -> list[Cell]:
    """The same for a session that has no title, which gets the next number when the title is taken; else none.

    Raises:
        NotFound: there is no such session.
        Refused: the title is too long.
    """
    row = _row(base, session_id)
    if row is None:
        raise gone(session_id)
    title = clean_title(text).text
    if row[0] is not None or not title or any(_titled(base, id) for id in Lineages(base).parts(session_id)):
        return []
    if base.rows("SELECT 1 FROM sessions WHERE title = ?", (title,)):
        title = next_free(base, title)
    return _set(base, session_id, title, source)


def gone(session_id: str) -> NotFound:
    """The error of a session that is not there."""
    return NotFound(
        f"There is no session {session_id} any more.", code="no_such_session", hint="Look at the sessions again."
    )


def _titled(base: Reader, id: str) -> bool:
    row = _row(base, id)
    return row is not None and row[0] is not None


def _row(base: Reader, id: str) -> tuple[Value, Value] | None:
    """Title and its source; None when there is no such session."""
    source = "title_source" if "title_source" in base.features().sessions else "NULL"
    rows = base.rows(f"SELECT title, {source} FROM sessions WHERE id = ?", (id,))
    return (rows[0][0], rows[0][1]) if rows else None


def _set(base: Reader, id: str, title: str, source: Source) -> list[Cell]:
    row = _row(base, id)
    if row is None:
        raise gone(id)
    cells = [Cell(id, "title", row[0], title or None)]
    if "title_source" in base.features().sessions:
        cells.append(Cell(id, "title_source", row[1], source if title else None))
    return [cell for cell in cells if cell.before != cell.after]


def _freed(base: Reader, id: str, title: str) -> list[Cell]:
    """What frees a title: its own conversation's earlier parts give it up, and so does what nobody uses any more.

    Raises:
        TitleTaken: another session has it, and keeps it.
    """
    holders = base.rows("SELECT id FROM sessions WHERE title = ? AND id != ?", (title, id))
    if not holders:
        return []
    holder = text_of(holders[0][0])
    parts = Lineages(base).parts(id)
    if holder in parts[: parts.index(id)]:
        return [Cell(holder, "title", title, None)]
    if _is_leftover(base, holder) or _is_retired_bot_chat(base, holder):
        return [cell for cell in _set(base, holder, "", "user") if cell.before is not None]
    raise TitleTaken(title, holder, next_free(base, title))


def _is_leftover(base: Reader, id: str) -> bool:
    """Whether a session is what newer agents take a title from: ended, empty, and in no list."""
    if not {"hidden", "archived", "ended_at", "message_count"} <= base.features().sessions:
        return False
    return bool(
        base.rows(
            "SELECT 1 FROM sessions WHERE id = ? AND message_count = 0 AND ended_at IS NOT NULL AND archived = 0"
            " AND coalesce(hidden, 0) = 0 AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id)",
            (id,),
        )
    )


def _is_retired_bot_chat(base: Reader, id: str) -> bool:
    """Whether a session is a bot's hidden chat that was put away, so that another one may be found by the title."""
    if not {"hidden", "archived"} <= base.features().sessions:
        return False
    where = "id = ? AND title = ? AND archived != 0 AND coalesce(hidden, 0) != 0"
    return bool(base.rows(f"SELECT 1 FROM sessions WHERE {where}", (id, BOT_CHAT)))


def _check_bot_chat(base: Reader, id: str, title: str) -> None:
    if "hidden" not in base.features().sessions or title == BOT_CHAT:
        return
    if base.rows("SELECT 1 FROM sessions WHERE id = ? AND title = ? AND coalesce(hidden, 0) != 0", (id, BOT_CHAT)):
        raise Refused(
            f"This is the hidden chat that a bot finds by its title “{BOT_CHAT}”; without it the bot would lose it.",
            code="title_fixed",
            hint="Leave its title as it is.",
        )
