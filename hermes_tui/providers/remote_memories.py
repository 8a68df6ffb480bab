"""What a provider's server holds, in one form whatever it calls it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

MILLISECONDS_FROM = 1e11
"""A larger number of seconds would be after the year 5000; these are milliseconds."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory."""

    id: str
    """What deleting names; empty when it cannot be named."""
    text: str
    created_at: float | None = None
    """In epoch seconds."""
    score: float | None = None
    """How well it matches a search, by the server's own measure."""
    kind: str = ""
    """What the server calls it: `conclusion`, `world`, `document`."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """What else is worth knowing, by name."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the memories."""

    memories: tuple[Memory, ...]
    cursor: str = ""
    """Where the next page begins; empty after the last."""
    total: int | None = None
    """How many there are in all, where the server says."""
    note: str = ""
    """A sentence about what is not among them; usually empty."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a server answered when it was only asked whether it is there."""

    where: str
    words: str
    """What works, in a sentence."""


@dataclass(frozen=True, slots=True)
class Representation:
    """What Honcho makes of one person."""

    about: str
    """Whose: the id of a peer."""
    observer: str
    """By whom: the id of the peer that observed them."""
    card: tuple[str, ...]
    """Its short facts."""
    text: str
    """The longer account."""
    conclusions: tuple[Memory, ...]
    """The newest of what was concluded."""


def text_in(row: Mapping[str, object], *names: str) -> str:
    """The first of these values that says something."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def time_in(row: Mapping[str, object], *names: str) -> float | None:
    """The first of these values that is a time."""
    for name in names:
        value = row.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
            return value / 1000 if value >= MILLISECONDS_FROM else float(value)
        if isinstance(value, str):
            try:
                when = datetime.fromisoformat(value.strip())
                return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
            except (ValueError, OverflowError):
                continue
    return None


def score_in(row: Mapping[str, object], *names: str) -> float | None:
    """The first of these values that is a number."""
    for name in names:
        value = row.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    return None


def count_in(row: object, *names: str) -> int | None:
    """The first of these values that is a count."""
    values: Mapping[str, object] = row if isinstance(row, Mapping) else {}
    for name in names:
        value = values.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and math.isfinite(value):
            return int(value)
    return None


def id_in(row: Mapping[str, object], *names: str) -> str:
    """The first of these values that names something."""
    for name in names or ("id",):
        value = row.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    return ""


def extras(row: Mapping[str, object], names: Mapping[str, str]) -> dict[str, str]:
    """Values by the names they are shown under; what is empty is left out."""
    found: dict[str, str] = {}
    for name, shown in names.items():
        value = row.get(name)
        if isinstance(value, list):
            value = ", ".join(str(each) for each in value if isinstance(each, str | int | float))
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            found[shown] = str(value)
    return found


def rows_in(found: object, *names: str) -> Sequence[Mapping[str, object]] | None:
    """The list of objects in an answer: the answer itself, or what stands under one of these names; None for none."""
    if isinstance(found, Mapping):
        found = next((found[name] for name in names if isinstance(found.get(name), list)), None)
    if not isinstance(found, list) or not all(isinstance(row, Mapping) for row in found):
        return None
    return found
