"""The two queues of pending writes, and how many files wait in them; cheap enough for a shell prompt."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

from hermes_tui.home import HermesHome

Subsystem = Literal["memory", "skills"]
SUBSYSTEMS: tuple[Subsystem, ...] = ("memory", "skills")


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
        with os.scandir(home.pending(subsystem)) as entries:
            return sum(entry.name.endswith(".json") and entry.is_file() for entry in entries)
    except OSError:
        return 0
