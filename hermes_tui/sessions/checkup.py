"""How the database of sessions is: whether it can be read, what it has, how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.failures import REPAIR
from hermes_tui.sessions.features import Features, unindexed
from hermes_tui.sessions.listing import SessionIndex
from hermes_tui.text import plural

State = Literal["ok", "missing", "locked", "damaged", "unreadable"]

PATIENCE_SECONDS = 1.0
COUNTED_SESSIONS = 100
"""Sessions whose messages one statement counts."""

_STATES: dict[str, State] = {"sessions_locked": "locked", "sessions_corrupt": "damaged"}


@dataclass(frozen=True, slots=True)
class Checkup:
    """The database, as far as it can be read."""

    path: Path
    state: State
    problem: str = ""
    """What is wrong, in a sentence; empty when nothing is."""
    hint: str = ""
    features: Features | None = None
    """None when it cannot be read."""
    journal: str = ""
    """How it is written: `wal` or `delete`."""
    sessions: int = 0
    unindexed: int = 0
    """Messages that the index of words does not have yet."""
    size: int = 0
    """Bytes of the file and of what lies beside it."""
    free: int = 0
    """Bytes in it that are not used."""


def check_up(path: Path, *, whole_list: bool = False) -> Checkup:
    """Look at a home's state.db; nothing is raised.

    Args:
        path: the file.
        whole_list: whether to read every session, to find out whether all can be.
    """
    try:
        base = Database(path, patience=PATIENCE_SECONDS)
    except NotFound as error:
        return Checkup(path, "missing", error.message, error.hint, size=_size(path))
    except HermesTuiError as error:
        return _trouble(path, error)
    try:
        return _read(base, whole_list=whole_list)
    except HermesTuiError as error:
        return _trouble(path, error)
    finally:
        base.close()


def _trouble(path: Path, error: HermesTuiError) -> Checkup:
    return Checkup(path, _STATES.get(error.code, "unreadable"), error.message, error.hint, size=_size(path))


def _read(base: Database, *, whole_list: bool) -> Checkup:
    features = base.features()
    pages, page_size = (int(base.rows(f"PRAGMA {name}")[0][0]) for name in ("freelist_count", "page_size"))
    gaps = unindexed(base.rows, features) if features.words else ()
    index = SessionIndex(base)
    if whole_list:
        index.load()
    return Checkup(
        base.path,
        "damaged" if index.lost else "ok",
        problem=lost_words(base.path, index.lost) if index.lost else "",
        hint=REPAIR if index.lost else "",
        features=features,
        journal=base.journal(),
        sessions=int(base.rows("SELECT count(*) FROM sessions")[0][0]),
        unindexed=sum(last - first + 1 for first, last in gaps),
        size=_size(base.path),
        free=pages * page_size,
    )


def lost_words(path: Path, lost: int) -> str:
    """How many sessions lie in damaged pages, in a sentence."""
    return f"{plural(lost, 'session')} cannot be read: {path} is damaged where they lie."


def _size(path: Path) -> int:
    total = 0
    for ending in ("", "-wal", "-shm", "-journal"):
        try:
            total += path.with_name(path.name + ending).stat().st_size
        except OSError:
            continue
    return total


def stored_messages(base: Database, ids: Sequence[str]) -> dict[str, int]:
    """How many messages of each session are stored, also those that were undone or compacted; nothing for none."""
    found: dict[str, int] = {}
    for start in range(0, len(ids), COUNTED_SESSIONS):
        some = ids[start : start + COUNTED_SESSIONS]
        marks = ", ".join("?" * len(some))
        rows = base.rows(
            f"SELECT session_id, count(*) FROM messages WHERE session_id IN ({marks}) GROUP BY session_id", some
        )
        found.update((str(id), int(count)) for id, count in rows)
    return found


def index_words(features: Features) -> str:
    """What can be looked up, in a few words."""
    words = {"": "no word index", "inline": "word index (inline)", "external": "word index (external content)"}
    parts = "trigram index" + (" (partial)" if features.trigram_partial else "") if features.trigram else ""
    pairs = "CJK bigram index" if features.bigrams else ""
    return ", ".join(filter(None, (words[features.words], parts, pairs)))
