"""config.yaml, as far as it concerns memory, approval and sessions: read, explained and edited."""

from __future__ import annotations

from hermes_tui.config.reading import (
    DEFAULTS,
    SYSTEM_MANAGED_DIR,
    TRUE_WORDS,
    ConfigNote,
    HermesConfig,
    Origin,
    load_config,
)

__all__ = [
    "DEFAULTS",
    "SYSTEM_MANAGED_DIR",
    "TRUE_WORDS",
    "ConfigNote",
    "HermesConfig",
    "Origin",
    "load_config",
]
