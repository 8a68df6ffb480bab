"""Looking through a home for secrets that lie about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.memory.view import StoreView
from hermes_tui.secrets_found.allowance import Allowance, Progress
from hermes_tui.secrets_found.files import OpenFile, in_config, in_logs, in_session_files, open_files
from hermes_tui.secrets_found.found import Found
from hermes_tui.secrets_found.sessions import in_sessions
from hermes_tui.secrets_found.stored import in_journal, in_memory, in_queues
from hermes_tui.sessions.database import Database

PATIENCE_SECONDS = 0.3
"""Another check has waited for a locked database already."""
MOST_FOUND = 5_000
"""More are not told of one kind of place: by then it is clear."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found, and what was not looked through."""

    found: tuple[Found, ...]
    open_files: tuple[OpenFile, ...]
    left: tuple[str, ...]
    """What was not looked through, in sentences."""
    deep: bool
    stopped: bool = False
    """Whether somebody stopped it."""


def look(
    home: HermesHome, views: Sequence[StoreView], *, deep: bool = False, progress: Progress | None = None
) -> Looked:
    """Secrets in memory, the queues, sessions, logs and settings; changes nothing, and ctrl+c ends it early.

    Args:
        home: where.
        views: both stores.
        deep: whether to look through all sessions and files, however large; else through the newest.
        progress: told how far it is.
    """
    found: list[Found] = []
    left: list[str] = []
    stopped = False
    try:
        _take(found, left, in_memory(views))
        _take(found, left, in_queues(home))
        _take(found, left, in_config(home))
        sessions, files = Allowance(deep, progress, left=left), Allowance(deep, progress, left=left)
        sessions.begin()
        _take_sessions(home, found, left, sessions)
        files.begin()
        _take(found, left, in_logs(home, files))
        _take(found, left, in_session_files(home, files))
        _take(found, left, in_journal(data_dir(home.path)))
    except KeyboardInterrupt:
        stopped = True
        left.append("It was stopped before everything was looked through.")
    return Looked(tuple(found), tuple(open_files(home)), tuple(left), deep, stopped)


def _take(found: list[Found], left: list[str], some: Iterable[Found]) -> None:
    for number, each in enumerate(some):
        if number >= MOST_FOUND:
            left.append(f"More than {MOST_FOUND:,} were found in one kind of place; the rest is not told.")
            return
        found.append(each)


def _take_sessions(home: HermesHome, found: list[Found], left: list[str], allowance: Allowance) -> None:
    try:
        with Database(home.state_db, patience=PATIENCE_SECONDS) as base:
            _take(found, left, in_sessions(base, allowance))
    except NotFound:
        return
    except HermesTuiError as error:
        left.append(f"Sessions were not all looked through: {error.message}")
