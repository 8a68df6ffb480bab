"""Records that were read before, so that looking at a long queue again costs only what has changed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from hermes_tui.pending.queue import Subsystem
from hermes_tui.pending.records import PendingRecord, read_record

UNSETTLED_SECONDS = 1.0
"""A file written this short a time ago is read again: two writes in one tick of its clock look alike."""


class _Stamp(NamedTuple):
    """What changes about a file whenever its bytes do."""

    inode: int
    size: int
    written_ns: int
    changed_ns: int


class KnownRecords:
    """Reads records, and gives out again those whose files are as they were."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_Stamp, PendingRecord]] = {}
        self._seen: dict[Path, tuple[_Stamp, PendingRecord]] = {}

    def read(self, subsystem: Subsystem, path: Path) -> PendingRecord:
        """One file of the queue, as `read_record` reads it."""
        try:
            status = os.lstat(path)
        except OSError:
            return read_record(subsystem, path)
        stamp = _Stamp(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            self._seen[path] = known
            return known[1]
        record = read_record(subsystem, path)
        if record.digest and time.time() - max(status.st_mtime, status.st_ctime) > UNSETTLED_SECONDS:
            self._seen[path] = (stamp, record)
        return record

    def end(self) -> None:
        """A look at the queue is over: forget what was not met in it."""
        self._known, self._seen = self._seen, {}
