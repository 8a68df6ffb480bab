"""What is known to have happened to a store: what it was seen to hold, the agent's calls, and changes of ours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.changes import By
from hermes_tui.memory.journal import FileChange, JournalRecord

Why = Literal["snapshot", "seen", "now"]
_REVERTS: dict[str, By] = {"undo": "taken back here", "redo": "made again here"}
_FROM = ("copy from ", "move from ")
"""How the journal's label begins for what came from another profile."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a store was seen to hold."""

    at: float
    """When, most likely, in epoch seconds; for a file, since when it had not been written."""
    until: float
    """Not later than this; for a file, when it was looked at."""
    entries: tuple[str, ...]
    why: Why
    session_id: str = ""
    doubtful: bool = False
    """Whether it may not be what it looks like."""
    since: float = -math.inf
    """Not before this."""
    run: tuple[tuple[float, str], ...] = ()
    """The sessions in a row that were told the same, and when, this one among them."""
    absent: bool = False
    """Whether there was no file."""


@dataclass(frozen=True, slots=True)
class Ours:
    """A change of ours: its record, and what it did to this store."""

    record: JournalRecord
    change: FileChange
    about: str = ""
    """For what was taken back or made again: the id of the change that it is about."""
    origin: JournalRecord | None = None
    """That change; None when there is none, or the journal has lost it."""
    taken_back: bool = False
    """Whether it was taken back since, and not made again."""

    @property
    def at(self) -> float:
        """When it was made, in epoch seconds."""
        return self.record.at

    @property
    def by(self) -> By:
        """Whose change it was: the agent's, which a person approved here, or the person's own."""
        if self.record.kind in _REVERTS:
            return _REVERTS[self.record.kind]
        if self.record.origin == "tool":
            return "tool call"
        if self.profile and self.record.label.startswith(_FROM):
            return "copied here" if self.record.kind == "copy" else "moved here"
        return "approved here" if self.pending_id else "edited here"

    @property
    def profile(self) -> str:
        """The other profile that entries came from or went to; empty when there is none."""
        kind, label = self.record.kind, self.record.label
        if kind not in ("copy", "move") or not label.startswith((*_FROM, "move to ")):
            return ""
        return label.rpartition(" in ")[0].split(" ", 2)[2]

    @property
    def pending_id(self) -> str:
        """The pending write that was approved with it; empty when none was."""
        if self.record.kind == "undo":
            return ""
        paths = (Path(other.path) for other in self.record.others)
        return next((path.stem for path in paths if path.parent.parent.name == "pending"), "")


Event = Sight | MemoryCall | Ours


def time_of(event: Event) -> float:
    """When something is taken to have happened; a file is looked at when it is looked at."""
    return event.until if isinstance(event, Sight) and event.why != "snapshot" else event.at


def in_order(event: Event) -> tuple[float, int]:
    """What events are sorted by: what is seen at the very time of a change is seen after it, what is there now last."""
    if isinstance(event, Sight) and event.why == "now":
        return math.inf, 2
    return time_of(event), int(isinstance(event, Sight))
