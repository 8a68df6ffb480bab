"""What the app holds while it runs: memory, handles, threads, children; and whether any of it grows."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

EVERY_SECONDS = 15.0
MEGABYTES_AN_HOUR = 2.0
PERCENT_AN_HOUR = 5.0
"""Of the first plateau; either of the two may be used up."""
KILOBYTES_A_CHANGE = 20.0
"""And so much for every change of a memory file: the timeline knows them all, after a new start as well."""
SPARE = {"handles": 2, "threads": 2}
"""What is kept to be used again may become more once: SQLite keeps a handle for each connection that was ever open at
the same time as others, and the loop's pool a thread for each call that ever ran at the same time as others."""
COUNTED = ("handles", "threads", "watches", "children")


@dataclass(frozen=True, slots=True)
class Sample:
    """One look."""

    minute: float
    """Since the beginning."""
    megabytes: float
    """Resident memory."""
    private: float
    """The part of it that no file stands behind, in megabytes."""
    handles: int
    threads: int
    watches: int
    """Files and folders it is told about by the system."""
    children: int
    cpu_seconds: float
    """Used so far."""
    resting: bool
    """Whether it was taken before the memory screen, with no key pressed for seconds."""


def look(pid: int, began: float, *, resting: bool = False) -> Sample:
    """What a process holds now."""
    root = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (root / "status").read_text().splitlines() if ":" in line)
    stat = (root / "stat").read_text().rpartition(")")[2].split()
    return Sample(
        minute=round((time.monotonic() - began) / 60, 2),
        megabytes=round(int(status["VmRSS"].split()[0]) / 1024, 2),
        private=round(int(status["RssAnon"].split()[0]) / 1024, 2),
        handles=len(list((root / "fd").iterdir())),
        threads=int(status["Threads"]),
        watches=sum(_watches(path) for path in (root / "fdinfo").iterdir()),
        children=sum(len(_children(task)) for task in (root / "task").iterdir()),
        cpu_seconds=sum(int(field) for field in stat[11:15]) / os.sysconf("SC_CLK_TCK"),
        resting=resting,
    )


def _watches(path: Path) -> int:
    try:
        return path.read_text().count("inotify wd:")
    except OSError:  # it was closed meanwhile
        return 0


def _children(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except OSError:  # the thread has ended
        return []


def handles_of(pid: int) -> dict[str, int]:
    """What its handles are of, with how many each."""
    found: dict[str, int] = {}
    for path in Path(f"/proc/{pid}/fd").iterdir():
        try:
            name = str(path.readlink())
        except OSError:
            continue
        found[name] = found.get(name, 0) + 1
    return found


class Sampler(threading.Thread):
    """Looks every fifteen seconds."""

    def __init__(self, pid: int, tell: Callable[[Sample], None]) -> None:
        super().__init__(name="sampler", daemon=True)
        self.pid = pid
        self.began = time.monotonic()
        self.samples: list[Sample] = []
        self.over = threading.Event()
        self._tell = tell

    def run(self) -> None:
        """Until it is over."""
        while not self.over.wait(EVERY_SECONDS):
            try:
                self.take()
            except (OSError, KeyError):
                return  # it has ended; who started it will say so

    def take(self, *, resting: bool = False) -> Sample:
        """Look now."""
        sample = look(self.pid, self.began, resting=resting)
        self.samples.append(sample)
        self._tell(sample)
        return sample


def slope(samples: Sequence[Sample]) -> float:
    """Megabytes an hour: the line through what it held, by least squares."""
    if len({sample.minute for sample in samples}) < 2:
        return 0.0
    fit = statistics.linear_regression(
        [sample.minute / 60 for sample in samples], [sample.megabytes for sample in samples]
    )
    return fit.slope


@dataclass(frozen=True, slots=True)
class Growth:
    """Whether it grew."""

    first: float
    """Megabytes on the first plateau."""
    an_hour: float
    """Megabytes an hour after that, by all samples."""
    an_hour_resting: float
    """The same by those at rest."""
    changes_an_hour: float
    """Of memory files, by whomever."""
    plateau: dict[str, int]
    """Handles, threads, watches and children at rest, on the first plateau."""
    end: dict[str, int]

    @property
    def allowed(self) -> float:
        """Megabytes an hour."""
        by_itself = max(MEGABYTES_AN_HOUR, self.first * PERCENT_AN_HOUR / 100)
        return by_itself + self.changes_an_hour * KILOBYTES_A_CHANGE / 1024

    @property
    def broken(self) -> list[str]:
        """What grew, in words."""
        found = [
            f"{name} at rest: {self.plateau[name]} on the first plateau, {self.end[name]} at the end"
            for name in COUNTED
            if self.end[name] > self.plateau[name] + SPARE.get(name, 0)
        ]
        allowed = self.allowed
        if self.an_hour_resting > allowed:
            found.append(f"memory grows by {self.an_hour_resting:.1f} MB an hour; {allowed:.1f} are allowed")
        return found


def growth(samples: Sequence[Sample], warm_minutes: float, changes: int) -> Growth:
    """How what is held changed, after the first minutes.

    Args:
        samples: all of them.
        warm_minutes: how long what is loaded once is loaded.
        changes: how often a memory file was changed in all this time.
    """
    warm = [sample for sample in samples if sample.minute >= warm_minutes] or list(samples)
    resting = [sample for sample in warm if sample.resting] or warm
    counts = [{name: int(getattr(sample, name)) for name in COUNTED} for sample in (resting[0], resting[-1])]
    an_hour = round(60 * changes / max(1.0, samples[-1].minute), 1)
    return Growth(resting[0].megabytes, round(slope(warm), 2), round(slope(resting), 2), an_hour, *counts)


def quarters(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """The samples at rest nearest to start, a quarter, half, three quarters and the end."""
    resting = [sample for sample in samples if sample.resting] or list(samples)
    end = resting[-1].minute
    wanted = [resting[0].minute, end / 4, end / 2, end * 3 / 4, end]
    return [asdict(min(resting, key=lambda sample, at=at: abs(sample.minute - at))) for at in wanted]  # type: ignore[misc]


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which such a share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
