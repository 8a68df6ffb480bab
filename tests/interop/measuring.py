"""What is measured, on whatever machine: how slow it is just now, and another try where something came between."""

from __future__ import annotations

import time
from statistics import median

TRIES = 3
"""What keeps others waiting by itself does so each time; a machine that stops for a moment, once."""
USUAL_SECONDS = 0.028
"""How long the piece of work takes on the machine that the limits are for, with nothing beside it."""


def slowness() -> float:
    """How many times slower than that machine this one is just now, with all that goes on beside us; never below 1."""
    return max(1.0, median(_work() for _ in range(7)) / USUAL_SECONDS)


def _work() -> float:
    began = time.perf_counter()
    sum(len(str(number)) for number in range(500_000))
    return time.perf_counter() - began
