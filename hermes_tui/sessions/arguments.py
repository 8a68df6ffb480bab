"""Arguments of the agent's search tool, which come from a model: anything may stand where a number should."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

from hermes_tui.sessions.excerpts import SPOKEN
from hermes_tui.sessions.recall import Sort

MOST_EXCLUDED = 20

_AGO = re.compile(r"(\d{1,6})\s*([hdw])", re.IGNORECASE)
_AGO_SECONDS = {"h": 3_600.0, "d": 86_400.0, "w": 604_800.0}


def plain(value: object) -> str:
    """Text without space around it; empty for what is no text, and no half characters, which SQLite does not take."""
    return value.encode("utf-8", "replace").decode().strip() if isinstance(value, str) else ""


def worded(value: object) -> str:
    """What was given as text, a number too; empty for nothing."""
    return "" if value is None else plain(str(value))


def _read(value: object) -> int | None:
    """A number as Python reads a whole one, also from text; of other numbers the part before the point."""
    try:
        return int(value) if isinstance(value, (int, float, str)) else None
    except (ValueError, OverflowError):  # no number, or one without an end: JSON of Python has both
        return None


def whole_number(value: object) -> int | None:
    """A whole number that SQLite can hold; None for anything else."""
    found = _read(value)
    return found if found is not None and -(2**63) <= found < 2**63 else None


def number(value: object, default: int, least: int, most: int) -> int:
    """A whole number within bounds; the default for what is none."""
    found = _read(value)
    return default if found is None else max(least, min(most, found))


def roles(value: object) -> tuple[str, ...]:
    """Roles between commas; what was said if none are named."""
    named = tuple(role.strip() for role in plain(value).split(",") if role.strip())
    return named or SPOKEN


def sort(value: object) -> Sort:
    """The order that is asked for; empty for the best first."""
    word = plain(value).lower()
    return "newest" if word == "newest" else "oldest" if word == "oldest" else ""


def ids(value: object) -> tuple[str, ...]:
    """Ids in a list, or a single one."""
    given = value if isinstance(value, list) else [value]
    return tuple(filter(None, map(plain, given)))[:MOST_EXCLUDED]


def bound(value: object) -> float | None:
    """A bound on when sessions began: an ISO date (midnight UTC), or a span such as `7d` back from now.

    Raises:
        ValueError: it is neither.
    """
    text = worded(value)
    if not text:
        return None
    if found := _AGO.fullmatch(text):
        return time.time() - int(found[1]) * _AGO_SECONDS[found[2].lower()]
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"“{text}” is no time; write 2026-07-01, 7d, 24h or 2w.") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
