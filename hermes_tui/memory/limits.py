"""What another limit would do to a store as it stands."""

from __future__ import annotations

from hermes_tui.memory.entries import FILE_NAMES, StoreName, Usage

LIMIT_KEYS: dict[str, StoreName] = {"memory.memory_char_limit": "memory", "memory.user_char_limit": "user"}
"""The settings that are limits, and of which store."""


def limit_effect(store: StoreName, chars: int, limit: int) -> str:
    """How full a store of `chars` characters is under `limit`, and what the agent can do; one or two sentences."""
    usage = Usage(chars, limit)
    said = f"{FILE_NAMES[store]} is at {usage.label}."
    if usage.over:
        return f"{said} Nothing is cut, but every addition is refused until {usage.over:,} characters are gone."
    return said if usage.room > 0 else f"{said} Nothing more fits."
