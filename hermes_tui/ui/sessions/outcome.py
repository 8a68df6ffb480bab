"""How a change to sessions ended, said once: a toast, or a list where some of several were left as they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.text import plural, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs.paper import Paper

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.changes import Change
    from hermes_tui.ui.sessions.screen import SessionsScreen

LISTED = 200
"""So many of those that were left are listed."""


def say_change(screen: SessionsScreen, change: Change, undo: Callable[[], None]) -> None:
    """Say what was done, and how it is taken back.

    Args:
        screen: where it was asked for.
        change: what was done.
        undo: takes it back.
    """
    if len(change.done) + len(change.failed) > 1 and change.failed:
        screen.run_worker(_list(screen, change, undo), name="results", group="ask", exit_on_error=False)
        return
    words = change.message
    if change.failed:
        words = f"{words} {change.failed[0].reason}".strip()
    if change.step:
        takes = f"{key_for('sessions.undo')} takes {'it' if len(change.done) == 1 else 'all of it'} back"
        words = f"{words.rstrip('.')} – {takes}"
    screen.hermes.say(words, severity="warning" if change.failed else "information", seconds=6)


async def _list(screen: SessionsScreen, change: Change, undo: Callable[[], None]) -> None:
    from hermes_tui.ui.dialogs.results import Results
    from hermes_tui.ui.sessions.naming import names_of

    base, ids = screen.reader.base, [failure.id for failure in change.failed]
    names: dict[str, str] = {}
    if base is not None:
        try:
            names = dict(await asyncio.to_thread(lambda: list(names_of(base, screen.reader.briefs, ids))))
        except HermesTuiError:
            names = {}  # their ids will do
    heading = f"{len(change.done):,} done, {len(change.failed):,} not"
    back = f"{key_for('sessions.undo')} takes back what is done" if change.step else ""
    dialog = Results(heading, results_paper(change, names), undo=back)
    screen.hermes.push_screen(dialog, lambda wanted: undo() if wanted else None)


def results_paper(change: Change, names: Mapping[str, str]) -> Paper:
    """What is done, then everything that is not with its reason.

    Args:
        change: what was done.
        names: how to call the sessions that were left, by their ids.
    """
    paper = Paper()
    paper.line(("✓ " if change.done else "") + visible(change.message), "good" if change.done else "warning")
    paper.line().line(f"✗ {plural(len(change.failed), 'conversation')} left as before:", "error")
    for failure in change.failed[:LISTED]:
        paper.line().line(names.get(failure.id) or visible(failure.id, multiline=False), "strong")
        paper.raw(failure.reason).fresh()
    if len(change.failed) > LISTED:
        paper.line().line(f"… and {len(change.failed) - LISTED:,} more", "muted")
    return paper
