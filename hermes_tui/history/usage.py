"""How full a store was over time, and when it will be full if it goes on like that."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.history.changes import State
from hermes_tui.memory.entries import count

TREND_DAYS = 60.0
"""So far back a trend is looked for."""
LEAST_POINTS = 5
"""Fewer changes than this are no trend."""
LEAST_FIT = 0.6
"""How much of the ups and downs a straight line has to explain (the coefficient of determination)."""
MOST_DAYS = 365.0
"""What lies further ahead is not said."""
DAY_SECONDS = 86_400.0


def curve(states: Sequence[State]) -> tuple[tuple[float, int], ...]:
    """When a store began to hold so many characters, oldest first."""
    points: list[tuple[float, int]] = []
    for state in states:
        chars = count(state.entries)
        if not points or points[-1][1] != chars:
            points.append((state.at, chars))
    return tuple(points)


def full_in_days(points: Sequence[tuple[float, int]], limit: int, now: float) -> float | None:
    """In how many days a store will be full; None when nothing points to it."""
    recent = [(at, chars) for at, chars in points if at >= now - TREND_DAYS * DAY_SECONDS]
    if len(recent) < LEAST_POINTS or not points or points[-1][1] >= limit:
        return None
    recent.append((now, points[-1][1]))  # it has held as much since: a trend that has ended is none
    days = [(at - now) / DAY_SECONDS for at, _ in recent]
    chars = [float(value) for _, value in recent]
    mean_day, mean_chars = sum(days) / len(days), sum(chars) / len(chars)
    spread = sum((day - mean_day) ** 2 for day in days)
    scatter = sum((value - mean_chars) ** 2 for value in chars)
    if not spread or not scatter:
        return None
    both = sum((day - mean_day) * (value - mean_chars) for day, value in zip(days, chars, strict=True))
    slope, fit = both / spread, both**2 / (spread * scatter)
    if slope <= 0 or fit < LEAST_FIT:
        return None
    left = (limit - points[-1][1]) / slope
    return left if left <= MOST_DAYS else None
