"""A sign that a write has arrived and waits, for people who look elsewhere; off unless asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from hermes_tui.pending.queue import PendingCount
from hermes_tui.text import plural

VARIABLE = "HERMES_TUI_NOTIFY"
"""`bell` rings the terminal's bell, `osc9` asks the terminal for a desktop notice; anything else is off."""


def announce_arrival(
    before: PendingCount,
    after: PendingCount,
    *,
    bell: Callable[[], object],
    write: Callable[[str], object],
    environ: Mapping[str, str] | None = None,
) -> None:
    """Ring or notify when more writes wait than before."""
    if after.total <= before.total:
        return
    wanted = (os.environ if environ is None else environ).get(VARIABLE, "").strip().lower()
    if wanted == "bell":
        bell()
    elif wanted == "osc9":
        write(f"\x1b]9;hermes-tui: {plural(after.total, 'write')} waiting for approval\x07")
