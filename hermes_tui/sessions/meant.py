"""Which session a person means by an id, a title, or the beginning of an id."""

from __future__ import annotations

import re

from hermes_tui.errors import NotFound, Refused
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.stored import text_of

LISTED = 10
"""So many are named when several could be meant."""


def meant(base: Database, text: str) -> str:
    """The id of the session that is meant: an exact id, an exact title, the newest `title #N`, a unique beginning.

    Titles are compared letter by letter first, and then without regard to capitals.

    Raises:
        NotFound: there is none.
        Refused: there are several.
    """
    if base.rows("SELECT 1 FROM sessions WHERE id = ?", (text,)):
        return text
    id = titled(base, text)
    if id:
        return id
    return _begun(base, text)


def titled(base: Database, title: str, *, newest: bool = False) -> str:
    """The id of the session with a title, or with the highest number after it; empty when there is none.

    Args:
        base: the database.
        title: without a number.
        newest: whether `title #3` comes before `title` itself.

    Raises:
        Refused: several titles are it, but for capitals.
    """
    if not title or "title" not in base.features().sessions:
        return ""
    for collation in ("BINARY", "NOCASE"):
        same = base.rows(f"SELECT id, title FROM sessions WHERE title = ? COLLATE {collation} LIMIT 20", (title,))
        numbered = _numbered(base, title, collation)
        if newest and numbered:
            return numbered
        if len(same) > 1:
            names = ", ".join(f"“{text_of(row[1])}” ({text_of(row[0])})" for row in same[:LISTED])
            raise Refused(
                f"“{title}” could be any of {names}.",
                code="ambiguous_session",
                hint="Mind the capitals, or give the id.",
            )
        if same or numbered:
            return text_of(same[0][0]) if same else numbered
    return ""


def _numbered(base: Database, title: str, collation: str) -> str:
    """The session with the highest ` #N` after this title."""
    rows = base.rows(
        f"SELECT id, title FROM sessions WHERE title COLLATE {collation} >= ? AND title COLLATE {collation} < ?",
        (f"{title} #", f"{title} $"),
    )
    pattern = re.compile(re.escape(title) + r" #(\d{1,9})", re.IGNORECASE if collation == "NOCASE" else 0)
    found = [(int(match[1]), text_of(id)) for id, each in rows if (match := pattern.fullmatch(text_of(each)))]
    return max(found)[1] if found else ""


def _begun(base: Database, text: str) -> str:
    rows = (
        base.rows(
            "SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
            (text, f"{text}\U0010ffff", LISTED + 1),
        )
        if text
        else []
    )
    ids = [text_of(row[0]) for row in rows]
    if not ids:
        raise NotFound(
            f"There is no session “{text}”.",
            code="no_such_session",
            hint="Look for it with `hermes-tui sessions search`.",
        )
    if len(ids) > 1:
        listed = ", ".join(ids[:LISTED]) + (", …" if len(ids) > LISTED else "")
        raise Refused(
            f"“{text}” is the beginning of several ids: {listed}.", code="ambiguous_session", hint="Give more of it."
        )
    return ids[0]
