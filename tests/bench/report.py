"""The measures of one run: as a table for a person, as JSON for a machine, and whether any budget is broken."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

NOISE = 0.15
"""What repeated runs on a quiet machine differ by."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measure."""

    name: str
    ours: float
    unit: str
    floor: float | None = None
    """The same taken of what it is compared with, in the same run."""
    budget: float | None = None
    """The most allowed: of the ratio where there is a floor, else of the value. None: for information."""
    exact: bool = False
    """Whether the value must be the budget."""
    note: str = ""
    noise: float = NOISE
    """How far over its budget it may be before it counts as broken."""

    @property
    def ratio(self) -> float | None:
        """Ours as a multiple of the floor."""
        return None if self.floor is None else self.ours / self.floor

    @property
    def verdict(self) -> str:
        """ok, within noise, BROKEN, or info where there is no budget."""
        if self.budget is None:
            return "info"
        value = self.ours if self.ratio is None else self.ratio
        if self.exact:
            return "ok" if value == self.budget else "BROKEN"
        if value <= self.budget:
            return "ok"
        return "within noise" if value <= self.budget * (1 + self.noise) else "BROKEN"

    @property
    def broken(self) -> bool:
        """Whether the budget is exceeded by more than noise."""
        return self.verdict == "BROKEN"


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all are no larger than."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * round(share * 100) // 100) - 1)]


def spread(values: Sequence[float]) -> str:
    """The middle half of some values, in words for a note."""
    if len(values) < 4:
        return f"{min(values):.0f}-{max(values):.0f}"
    low, _, high = statistics.quantiles(values, n=4)
    return f"{low:.0f}-{high:.0f}"


def machine() -> dict[str, str]:
    """What the numbers depend on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": f"{os.cpu_count()} x {model}",
        "load": " ".join(f"{load:.2f}" for load in os.getloadavg()),
        "python": sys.version.split()[0],
        **{name: version(name) for name in ("hermes-tui", "textual", "click", "watchfiles")},
    }


def as_json(rows: Sequence[Row], facts: dict[str, str], noise: float) -> dict[str, object]:
    """Everything in one object."""
    measures = [{**asdict(row), "ratio": row.ratio, "verdict": row.verdict} for row in rows]
    return {"ok": not any(row.broken for row in rows), "noise": noise, "machine": facts, "measures": measures}


def table(rows: Sequence[Row]) -> str:
    """Measure, floor, ours, ratio, budget, verdict, note."""
    head = ("measure", "floor", "ours", "ratio", "budget", "verdict", "")
    lines = [head, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    shown = []
    for line in lines:
        left, *middle, verdict, note = line
        numbers = [text.rjust(width) for text, width in zip(middle, widths[1:-2], strict=True)]
        shown.append("  ".join([left.ljust(widths[0]), *numbers, verdict.ljust(widths[-2]), note]).rstrip())
    shown.insert(1, "-" * max(map(len, shown)))
    return "\n".join(shown)


def _cells(row: Row) -> tuple[str, ...]:
    def number(value: float | None, unit: str = row.unit) -> str:
        if value is None:
            return ""
        digits = 0 if row.exact else 2 if unit in ("x", "%") else 1
        return f"{value:.{digits}f} {unit}"

    sign = "= " if row.exact else "<= "
    budget = "" if row.budget is None else sign + number(row.budget, row.unit if row.ratio is None else "x")
    return (row.name, number(row.floor), number(row.ours), number(row.ratio, "x"), budget, row.verdict, row.note)
