"""The files of the pending queue: counting them, and putting a write there for a person to decide."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

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


def stage(home: HermesHome, subsystem: Subsystem, payload: Mapping[str, Any], *, summary: str, origin: str) -> str:
    """Put a write into the queue, in the agent's own form; on return it is on the disk.

    Args:
        home: the home whose queue it is.
        subsystem: which queue.
        payload: the arguments to replay on approval.
        summary: the line that lists show.
        origin: who wants it, such as `foreground`.

    Returns:
        The id of the pending write.

    Raises:
        Unreadable: the disk refused; nothing is queued.
    """
    import json  # these are loaded here: counting, which a shell prompt does, needs none of them
    import secrets
    import uuid

    from hermes_tui.disk import make_folder, replace_file

    folder = home.pending(subsystem)
    make_folder(folder)
    pending_id = uuid.uuid4().hex[:8]
    record = {
        "id": pending_id,
        "subsystem": subsystem,
        "action": payload.get("action", ""),
        "summary": summary.strip(),
        "origin": origin,
        "created_at": time.time(),
        "payload": payload,
    }
    try:
        data = json.dumps(record, indent=2, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a character: escaped, it comes back as it was
        data = json.dumps(record, indent=2).encode()
    path = folder / f"{pending_id}.json"
    replace_file(path, data, temp_name=f".{pending_id}.{secrets.token_hex(4)}.tmp")
    return pending_id
