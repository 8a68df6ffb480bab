"""All that is tried, by what it is about."""

from __future__ import annotations

from tests.faults import of_memory, of_queue, of_settings
from tests.faults.operation import Operation

GROUPS: dict[str, tuple[Operation, ...]] = {
    "memory": of_memory.OPERATIONS,
    "pending": of_queue.OPERATIONS,
    "settings": of_settings.OPERATIONS,
}
