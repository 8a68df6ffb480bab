"""All that is tried, by what it is about."""

from __future__ import annotations

from tests.faults import of_memory, of_own, of_queue, of_sessions, of_settings
from tests.faults.operation import Operation

GROUPS: dict[str, tuple[Operation, ...]] = {
    "memory": of_memory.OPERATIONS,
    "pending": of_queue.OPERATIONS,
    "settings": of_settings.OPERATIONS,
    "sessions": of_sessions.OPERATIONS,
    "facts": of_sessions.FACTS,
    "own": of_own.OPERATIONS,
}
