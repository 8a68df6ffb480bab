"""Days as people type them into a search: `2025`, `2025-03`, `2025-03-30`, `today`, `7d`."""

from __future__ import annotations

import math
import re
import time
from datetime import datetime, timedelta

from hermes_tui.sessions.stored import text_of

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,4})\s*([hdwmy])")
_DAYS = {"d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}


def period(text: str, now: float) -> tuple[float, float] | None:
    """Where a period in local time begins, and where the next one does, in epoch seconds; None when it is no date.

    A span such as `7d` is the day so long ago, `12h` the hour.
    """
    text = text.strip().lower()
    today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    if text in ("today", "yesterday"):
        first = today - timedelta(days=text == "yesterday")
        return first.timestamp(), (first + timedelta(days=1)).timestamp()
    if found := _AGO.fullmatch(text):
        count, unit = int(found[1]), found[2]
        if unit == "h":
            return now - count * 3600.0, now - (count - 1) * 3600.0
        try:
            first = today - timedelta(days=count * _DAYS[unit])
        except OverflowError:
            return None
        return first.timestamp(), (first + timedelta(days=1)).timestamp()
    if found := _DATE.fullmatch(text):
        return _of(int(found[1]), found[2], found[3])
    return None


def _of(year: int, month: str | None, day: str | None) -> tuple[float, float] | None:
    try:
        first = datetime(year, int(month or 1), int(day or 1))
        if day:
            after = first + timedelta(days=1)
        elif month:
            after = datetime(year + (first.month == 12), first.month % 12 + 1, 1)
        else:
            after = datetime(year + 1, 1, 1)
        return first.timestamp(), after.timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def local(stamp: float | None) -> time.struct_time | None:
    """A moment in local time; None for what no calendar knows."""
    if stamp is None or stamp != stamp:
        return None
    try:
        return time.localtime(stamp)
    except (ValueError, OverflowError, OSError):
        return None


def to_the_minute(stamp: float | None, unknown: str = "") -> str:
    """`2026-03-12 14:05` in local time; `unknown` for what no calendar knows."""
    then = local(stamp)
    return time.strftime("%Y-%m-%d %H:%M", then) if then else unknown


_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From which number on a time is in nano-, micro- or milliseconds, and how many of them are a second."""
_LAST_SECOND = 253_402_214_400.0
"""The last day of the year 9999, which no calendar of ours goes beyond."""


def moment(value: object) -> float | None:
    """A stored time as epoch seconds: other units, numbers in text and ISO dates are understood; None for the rest."""
    if type(value) is float and 0.0 < value < _UNITS[-1][0]:
        return value  # nearly all of them: worth not looking further
    if isinstance(value, bytes | str):
        text = text_of(value).strip()
        try:
            return moment(float(text))
        except ValueError:
            pass
        try:
            return datetime.fromisoformat(text).timestamp()
        except (ValueError, OverflowError, OSError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    seconds = next((value / unit for start, unit in _UNITS if value >= start), value)
    return float(seconds) if 0 < seconds < _LAST_SECOND else None
