"""Local times of a transcript: the clock beside a message, the day above the first one of it, the zone once."""

from __future__ import annotations

import time

from hermes_tui.sessions.dates import local


def clock_words(stamp: float | None) -> str:
    """`14:02:33`; nothing for what is no moment."""
    then = local(stamp)
    return time.strftime("%H:%M:%S", then) if then else ""


def day_words(stamp: float | None) -> str:
    """`Tue 4 March 2025`; nothing for what is no moment."""
    then = local(stamp)
    return f"{time.strftime('%a', then)} {then.tm_mday} {time.strftime('%B %Y', then)}" if then else ""


def zone_words(stamp: float | None) -> str:
    """`CET`, or `UTC+02:00` where the zone has no name."""
    then = local(stamp) or time.localtime()
    name = then.tm_zone or ""
    if name[:1].isalpha():
        return name
    offset = then.tm_gmtoff or 0
    return f"UTC{'+' if offset >= 0 else '-'}{abs(offset) // 3600:02}:{abs(offset) // 60 % 60:02}"
