"""config.yaml, as far as it concerns memory, approval and sessions: read, explained and edited."""

from __future__ import annotations

from hermes_tui.config.reading import (
    DEFAULTS,
    TRUE_WORDS,
    ConfigNote,
    HermesConfig,
    Origin,
    load_config,
    managed_dir,
)

__all__ = [
    "DEFAULTS",
    "TRUE_WORDS",
    "ConfigNote",
    "HermesConfig",
    "Origin",
    "load_config",
    "managed_dir",
]
