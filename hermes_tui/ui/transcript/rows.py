"""Which messages of an outline are shown, which are folded into a line, and what stands above each."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from hermes_tui.sessions.messages import State, size_words
from hermes_tui.sessions.outline import ASSISTANT, CALLS, TOOL, Outline
from hermes_tui.text import plural
from hermes_tui.ui.transcript.times import day_words

_COMPACTED = re.compile(rb"\x02(?:[\x02-\x04]*\x02)?")
"""Compacted messages one after the other, with what was rewound or hidden between them."""


MOST_TIMELESS = 50
"""So many messages without a time are looked past to find the day before."""


class Run(NamedTuple):
    """Compacted messages one after the other."""

    start: int
    end: int
    open: bool


class Rows:
    """An outline as it is shown."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.show_rewound = False
        self.all_open = False
        """Whether everything is unfolded unless it was folded."""
        self._toggled: set[int] = set()
        """A message of each run that is not as all the others."""
        self._runs: list[Run] = []
        self._run_starts: list[int] = []
        self._stale = True
        self._left_out: int | None = None

    def changed(self) -> None:
        """States or ids are others now."""
        self._stale = True
        self._left_out = None

    @property
    def runs(self) -> list[Run]:
        """All runs of compacted messages, in order."""
        if self._stale:
            self._stale = False
            self._find_runs()
        return self._runs

    def _find_runs(self) -> None:
        outline = self.outline
        toggled = sorted(place for id in self._toggled if (place := outline.place_of(id)) is not None)
        self._runs = []
        for part in range(len(outline.parts)):
            for match in _COMPACTED.finditer(outline.states, *outline.bounds(part)):
                start, end = match.span()
                index = bisect_right(toggled, end - 1) - 1
                other = index >= 0 and toggled[index] >= start
                self._runs.append(Run(start, end, self.all_open != other))
        self._run_starts = [run.start for run in self._runs]

    def run_at(self, place: int) -> Run | None:
        """The run that a place is in."""
        runs = self.runs
        index = bisect_right(self._run_starts, place) - 1
        return runs[index] if index >= 0 and place < runs[index].end else None

    def toggle_run(self, run: Run) -> None:
        """Fold a run, or unfold it."""
        inside = {id for id in self._toggled if run.start <= self.outline.nearest(id) < run.end}
        self._toggled = self._toggled - inside if inside else self._toggled | {self.outline.ids[run.start]}
        self._stale = True

    def toggle_all(self) -> None:
        """Fold all runs, or unfold them."""
        self.all_open = not self.all_open
        self._toggled.clear()
        self._stale = True

    def shown(self, place: int) -> bool:
        """Whether anything is drawn for a place."""
        state = self.outline.states[place]
        if state in (State.LIVE, State.UNKNOWN):
            return True
        run = self.run_at(place)
        if run is not None and not run.open:
            return place == run.start
        return state == State.COMPACTED or (state == State.REWOUND and self.show_rewound) or self.stands_for_run(place)

    def stands_for_run(self, place: int) -> bool:
        """Whether a place is drawn as the one line of a folded run."""
        run = self.run_at(place)
        return run is not None and not run.open and place == run.start

    def next(self, place: int) -> int | None:
        """The next place that is shown."""
        place += 1
        while place < len(self.outline):
            if self.shown(place):
                return place
            run = self.run_at(place)
            place = run.end if run is not None and not run.open else place + 1
        return None

    def previous(self, place: int) -> int | None:
        """The place before that is shown."""
        place -= 1
        while place >= 0:
            run = self.run_at(place)
            if run is not None and not run.open:
                return run.start
            if self.shown(place):
                return place
            place -= 1
        return None

    def counted(self, end: int | None = None) -> int:
        """The messages that are shown or behind a fold, all or those before a place."""
        states = self.outline.states
        if self._left_out is None:
            self._left_out = states.count(State.HIDDEN) + states.count(State.REWOUND)
        end = len(states) if end is None else end
        if not self._left_out:
            return end
        count = end - states.count(State.HIDDEN, 0, end)
        return count if self.show_rewound else count - states.count(State.REWOUND, 0, end)

    # What stands above a message

    def day(self, place: int) -> str:
        """The local day, for the first message of it."""
        words = day_words(self.outline.times[place])
        before = self.previous(place) if words else None
        for _ in range(MOST_TIMELESS):
            if before is None:
                return words
            if self.outline.states[before] == State.UNKNOWN:
                return ""
            if earlier := self._last_day(before):
                return "" if earlier == words else words
            before = self.previous(before)
        return words

    def _last_day(self, place: int) -> str:
        """The day of a place; of a folded run that of its last message."""
        run = self.run_at(place) if self.stands_for_run(place) else None
        return day_words(self.outline.times[run.end - 1 if run else place])

    def part(self, place: int) -> str:
        """Which part begins here, for the first message of it that is shown, in a conversation of several."""
        outline = self.outline
        if len(outline.parts) < 2:
            return ""
        number = outline.part_at(place)
        before = self.previous(place)
        if before is not None and outline.part_at(before) == number:
            return ""
        return f"part {number + 1:,} of {len(outline.parts):,} · {outline.parts[number]}"

    def run_words(self, place: int) -> str:
        """`41 compacted messages · 120 KB`, where a run begins."""
        run = self.run_at(place)
        if run is None or run.start != place:
            return ""
        states, sizes = self.outline.states, self.outline.sizes
        count = states.count(State.COMPACTED, run.start, run.end)
        size = size_words(sum(sizes[run.start : run.end]))
        return f"{plural(count, 'compacted message')} · {size}"

    def head(self, place: int) -> bool:
        """Whether a message names its role: calls and results that follow each other do not."""
        outline = self.outline
        if outline.roles[place] == TOOL:
            return False
        if outline.roles[place] != ASSISTANT or outline.sizes[place] or not outline.flags[place] & CALLS:
            return True
        before = self.previous(place)
        if before is None or self.stands_for_run(before):
            return True
        return outline.roles[before] not in (ASSISTANT, TOOL)
