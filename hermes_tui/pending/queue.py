"""The two queues of pending writes, and how many files wait in them; cheap enough for a shell prompt."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Literal, NamedTuple

from hermes_tui.home import HermesHome

Subsystem = Literal["memory", "skills"]
SUBSYSTEMS: tuple[Subsystem, ...] = ("memory", "skills")


HALF_WRITTEN_SECONDS = 60.0
"""A temp file older than this belongs to a writer that is gone."""


class PendingCount(NamedTuple):
    """How many files wait in either queue, readable or not."""

    memory: int
    skills: int

    @property
    def total(self) -> int:
        """Both together."""
        return self.memory + self.skills


def count_pending(home: HermesHome) -> PendingCount:
    """Count the record files; a queue that is not there, or may not be looked into, counts as empty."""
    return PendingCount(_count(home, "memory"), _count(home, "skills"))


def _count(home: HermesHome, subsystem: Subsystem) -> int:
    try:
        return len(queued_names(home.pending(subsystem)))
    except OSError:
        return 0


def queued_names(folder: Path) -> list[str]:
    """The names of all that waits in a queue's folder, whatever it is; counting and listing both go by this.

    Raises:
        OSError: the folder is not there or may not be looked into.
    """
    oldest_in_flight = time.time() - HALF_WRITTEN_SECONDS
    with os.scandir(folder) as entries:
        return sorted(entry.name for entry in entries if _waits(entry, oldest_in_flight))


def _waits(entry: os.DirEntry[str], oldest_in_flight: float) -> bool:
    if entry.name.endswith(".json"):
        return True
    if not entry.name.endswith(".json.tmp") or entry.name.startswith("."):
        return False
    try:
        return entry.stat(follow_symlinks=False).st_mtime < oldest_in_flight
    except OSError:
        return False
