"""What is behind a change: the message that made it, or why there is none to go to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.history.changes import Change
from hermes_tui.redaction import redact
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.transcript import TranscriptReader
from hermes_tui.text import one_line

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

TITLE_CELLS = 48
PATIENCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Behind:
    """A session that something is said of."""

    id: str
    there: bool
    """Whether the database still has it."""
    title: str = ""
    """Safe to show; empty when it has none."""

    @property
    def words(self) -> str:
        """`“Login loop”`, or its id."""
        return f"“{one_line(self.title, TITLE_CELLS)}”" if self.title else one_line(self.id, TITLE_CELLS)


def looked_up(path: Path, session_id: str) -> Behind:
    """In a thread: what a session is called, and whether it is there.

    Raises:
        Unreadable: the database cannot be read.
    """
    try:
        with Database(path, patience=PATIENCE_SECONDS) as base:
            facts = TranscriptReader(base, session_id).facts()
    except NotFound:
        return Behind(session_id, there=False)
    return Behind(session_id, there=True, title=one_line(redact(facts.title), 200))


def why_no_message(change: Change) -> str | None:
    """Why nothing can be gone to, as far as that is known without looking; None when something may be there."""
    if change.session_id:
        return None
    return {
        "edited here": "It was edited here, by hand: no message is behind it.",
        "taken back here": "It took back a change that was made here: no message is behind it.",
        "made again here": "It made a change again that was taken back here: no message is behind it.",
        "copied here": "It was copied here from another profile: no message of this one is behind it.",
        "moved here": "It was moved here from another profile: no message of this one is behind it.",
        "approved here": "It was approved here; which conversation staged it is not known.",
        "approved elsewhere": "It was approved elsewhere; which conversation staged it is not known.",
        "background review": "A background review most likely made it, and such reviews keep no messages.",
        "tool call": "The agent's own tool made it, outside any session that is known.",
        "outside edit or unknown": "Nothing recorded who made this change, so there is no message to go to.",
    }[change.by]


async def open_message(app: HermesTuiApp, change: Change) -> None:
    """Go to the message behind a change, or say why there is none."""
    if reason := why_no_message(change):
        app.say(reason, seconds=6)
        return
    kept = change.message_id != 0
    if await open_session(app, change.session_id, change.message_id) and not kept:
        app.say("No message of the change itself is kept; this is the session that it comes from.", seconds=6)


async def open_session(app: HermesTuiApp, session_id: str, message_id: int = 0) -> bool:
    """Open a session's transcript, or say that it is gone; whether it was opened."""
    try:
        behind = await asyncio.to_thread(looked_up, app.home.state_db, session_id)
    except HermesTuiError as error:
        app.say_error(error)
        return False
    if not behind.there:
        app.say(
            f"The session {session_id} was deleted since. What it changed stays in the timeline, its messages do not.",
            severity="warning",
            seconds=8,
        )
        return False
    from hermes_tui.ui.transcript.screen import TranscriptScreen  # loaded here: on the first visit

    await app.show_filled(TranscriptScreen(session_id, message_id=message_id or None, title=behind.title))
    return True
