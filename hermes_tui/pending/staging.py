"""Putting a write into the pending queue, for a person to decide."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from typing import Any

from hermes_tui.disk import make_folder, replace_file
from hermes_tui.home import HermesHome
from hermes_tui.pending.queue import Subsystem


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
    path = folder / f"{pending_id}.json"
    replace_file(path, record_bytes(record))
    return pending_id


def record_bytes(record: Mapping[str, Any]) -> bytes:
    """The file of a record as the agent writes it: indented, other scripts as they are, no newline at the end."""
    try:
        return json.dumps(record, indent=2, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a character: escaped, it comes back as it was
        return json.dumps(record, indent=2).encode()
