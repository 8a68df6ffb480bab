"""Moments in words: short ones for rows, whole ones with the zone for the preview; all in local time."""

from __future__ import annotations

import time

from hermes_tui.sessions.dates import local

HOUR, DAY = 3_600.0, 86_400.0
WHEN_CELLS = 10
"""The longest of the short ones, `2024-05-12`."""


def _noon(day: time.struct_time) -> float:
    """A moment in the middle of a local day, which no change of the clocks reaches."""
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 12, 0, 0, 0, 0, -1))


def when_words(stamp: float | None, now: float) -> str:
    """`now`, `12m ago`, `14:02`, `yesterday`, `Tue`, `12 May`, `2024-05-12`: the largest part that tells."""
    then, today = local(stamp), local(now)
    if stamp is None or then is None or today is None:
        return "–"
    if -60 < now - stamp < 60:
        return "now"
    if 60 <= now - stamp < HOUR:
        return f"{int(now - stamp) // 60}m ago"
    days = round((_noon(today) - _noon(then)) / DAY)
    if days == 0:
        return time.strftime("%H:%M", then)
    if days == 1:
        return "yesterday"
    if 1 < days < 7:
        return time.strftime("%a", then)
    if then.tm_year == today.tm_year and days > 0:
        return f"{then.tm_mday} {time.strftime('%b', then)}"
    return time.strftime("%Y-%m-%d", then)


def moment_words(stamp: float | None) -> str:
    """`Tue 2024-05-12 14:02:33 CEST`; a dash for what is no moment."""
    then = local(stamp)
    if then is None:
        return "–"
    zone = then.tm_zone or ""
    return f"{time.strftime('%a %Y-%m-%d %H:%M:%S', then)} {zone}".rstrip()


def span_words(seconds: float) -> str:
    """`3 h 20 min`: how long something took, in its two largest units."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, hours, days = whole // 60 % 60, whole // 3_600 % 24, whole // 86_400
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{minutes} min" if minutes else ""]
    return " ".join([part for part in parts if part][:2])
