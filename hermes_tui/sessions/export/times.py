"""Moments in the words of an export."""

from __future__ import annotations

from datetime import datetime

from hermes_tui.sessions.dates import local, to_the_minute


def iso(stamp: float | None) -> str:
    """A moment with its zone, as programs read it; empty for none."""
    if local(stamp) is None or stamp is None:
        return ""
    return datetime.fromtimestamp(int(stamp)).astimezone().isoformat()


def clock(stamp: float | None) -> str:
    """A moment in local time, to the minute; empty for none."""
    return to_the_minute(stamp)
