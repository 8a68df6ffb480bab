"""A worker's own way to the database, and what a failure of it means."""

from __future__ import annotations

import asyncio
import threading
import traceback
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.transcript import TranscriptReader

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.screen import TranscriptScreen

PASSING = ("sessions_locked",)
"""Failures that are over by themselves."""
PATIENCE_SECONDS = 0.5
"""How long a statement waits for a lock before the screen says that it waits."""


class Link:
    """A connection that is opened when it is needed, and opened anew after a failure.

    A file may have been emptied or replaced since it was opened. So a failure counts only when the
    file has just been opened: then it is one of the file that is there now.
    """

    def __init__(self, screen: TranscriptScreen) -> None:
        self._screen = screen
        self._reader: TranscriptReader | None = None
        self._fresh = False
        self._lock = threading.Lock()
        self._over = False
        self.renewed = False
        """Whether it was opened anew since somebody asked."""

    def open(self) -> TranscriptReader:
        """The reader to use; in a thread, because a disk may be slow to answer.

        Raises:
            NotFound: there is no such file, or it is empty.
            Unreadable: it is no database, or the disk refused.
        """
        with self._lock:
            if self._over:
                raise Interrupted
            self._fresh = self._reader is None
            if self._reader is None:
                base = Database(self._screen.path, patience=PATIENCE_SECONDS)
                outline = self._screen.view.conversation.outline
                self._reader = TranscriptReader(base, self._screen.session_id, outline)
                self.renewed = True
            return self._reader

    def counts(self, error: Exception) -> bool:
        """Whether a failure is to be told; otherwise it is to be tried again at once."""
        if getattr(error, "code", "") in PASSING:
            return True
        self.drop()
        return self._fresh

    @property
    def damaged(self) -> bool:
        """Whether something could not be read because the file is damaged there."""
        return self._reader is not None and self._reader.damaged

    def forgive(self) -> None:
        """Another file has taken the place of the damaged one."""
        if self._reader is not None:
            self._reader.damaged = False

    def interrupt(self) -> None:
        """Stop what runs."""
        if self._reader is not None:
            self._reader.base.interrupt()

    def leave(self) -> None:
        """Stop what runs, and close it for good: in a thread, for another one may still be at work with it."""
        self.interrupt()
        asyncio.get_running_loop().run_in_executor(None, self._end)

    def _end(self) -> None:
        with self._lock:
            self._over = True
            self.drop()

    def drop(self) -> None:
        """Close it, when nothing runs; the next reading opens the file anew."""
        if self._reader is not None:
            self._reader.base.close()
        self._reader = None


def as_trouble(error: Exception, screen: TranscriptScreen) -> HermesTuiError:
    """A failure in words; one that nobody foresaw is no fault of the file as far as anybody knows."""
    if isinstance(error, HermesTuiError):
        return error
    screen.log.error("reading the transcript failed", "".join(traceback.format_exception(error)))
    said = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")
    return HermesTuiError(
        f"Reading the conversation failed with an unexpected error ({said}); the file itself may well be fine.",
        code="unexpected",
        hint="Started with TEXTUAL_LOG=FILE, hermes-tui writes the details into that file.",
    )
