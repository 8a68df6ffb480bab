"""Days as people type them into a search: `2025`, `2025-03`, `2025-03-30`, `today`, `7d`."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta

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


def local_day(when: float | None) -> str:
    """The local date of a time in epoch seconds, `2025-03-30`; empty for a time that is none."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(when)) if when is not None else ""
    except (ValueError, OverflowError, OSError):
        return ""


LATEST = 32_503_680_000.0
"""The year 3000: a number beyond it counts milliseconds."""


def moment(value: object) -> float | None:
    """A stored time as epoch seconds, whatever form it has; None when it is none."""
    if type(value) is float and 0.0 < value <= LATEST:
        return value
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            try:
                value = datetime.fromisoformat(str(value)).timestamp()
            except (ValueError, OverflowError, OSError):
                return None
    if not isinstance(value, (int, float)) or value != value:
        return None
    seconds = float(value)
    while seconds > LATEST and seconds < 1e19:
        seconds /= 1000.0
    return seconds if 0 < seconds <= LATEST else None
