"""Titles and previews of the rows in view, fetched a page at a time and kept for a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.listing import Brief
from hermes_tui.sessions.summaries import Summary, summaries
from hermes_tui.sessions.transcript import Part, TranscriptReader
from hermes_tui.ui.sessions.sheets import ListSheet

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

KEPT = 600
"""Rows whose details are kept: some pages."""
BATCH = 40
"""Rows fetched at once: a few milliseconds."""


class Details:
    """Fetches what the rows in view, and a page before and behind, have to say."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        self._made: OrderedDict[str, tuple[Brief, int]] = OrderedDict()
        self._round = 0
        self._running = False
        self.failure: HermesTuiError | None = None
        """Why there are rows without details."""
        self.rows: dict[str, Summary] = {}
        """What is known of conversations, by their first session."""
        self._parted: dict[str, tuple[tuple[str, ...], int]] = {}
        self.parts: dict[str, Part] = {}
        """What is known of the parts of those that are unfolded, by their ids."""

    def age(self) -> None:
        """Something was written, or time has passed: what is shown stays until it is fetched again."""
        self._round += 1

    def want(self) -> None:
        """Fetch what is missing."""
        if not self._running:
            self._running = True
            self._screen.run_worker(self._fetch(), name="details", group="details", exit_on_error=False)

    @property
    def settled(self) -> bool:
        """Whether nothing is missing."""
        return not self._running and not self._missing() and not self._missing_parts()

    def _missing(self) -> list[Brief]:
        """Rows without details or with old ones, those in view first."""
        found: list[Brief] = []
        for low, high in self._ranges():
            found += self._sheet().briefs_between(low, high)
        return [brief for brief in found if self._made.get(brief.root) != (brief, self._round)]

    def _missing_parts(self) -> list[Brief]:
        """Conversations with parts in view of which nothing is known."""
        found: dict[str, Brief] = {}
        for low, high in self._ranges():
            for row in self._sheet().parts_between(low, high):
                if self._parted.get(row.brief.root) != (row.brief.parts, self._round):
                    found[row.brief.root] = row.brief
        return list(found.values())

    def _sheet(self) -> ListSheet:
        sheet = self._screen.session_list.sheet
        return sheet if isinstance(sheet, ListSheet) else ListSheet(())

    def _ranges(self) -> tuple[tuple[int, int], ...]:
        """The rows in view, the page behind and the page before."""
        first, last = self._screen.session_list.in_view
        page = max(1, last - first)
        return (first, last), (last, last + page), (max(0, first - page), first)

    async def _fetch(self) -> None:
        try:
            while base := self._screen.reader.base:
                made = self._round
                missing = self._missing()[:BATCH]
                parted = [] if missing else self._missing_parts()[:BATCH]
                if missing:
                    self.take(missing, await asyncio.to_thread(summaries, base, missing, time.time()), made)
                elif parted:
                    parts = await asyncio.to_thread(_parts, base, parted)
                    self.parts.update(parts)
                    self._parted.update((brief.root, (brief.parts, made)) for brief in parted)
                else:
                    if self.failure is not None:
                        self.failure = None
                        self._screen.show_recovered()
                    return
                self._screen.show_details()
        except HermesTuiError as error:
            # The next commit tries again.
            self.failure = error
            self._screen.show_failure()
        finally:
            self._running = False

    def take(self, briefs: Sequence[Brief], found: Sequence[Summary], made: int | None = None) -> None:
        """Keep what was fetched."""
        for brief in briefs:
            self._made[brief.root] = (brief, self._round if made is None else made)
            self._made.move_to_end(brief.root)
        self.rows.update((summary.brief.root, summary) for summary in found)
        while len(self._made) > KEPT:
            root, _ = self._made.popitem(last=False)
            self.rows.pop(root, None)


def _parts(base: Database, briefs: Sequence[Brief]) -> dict[str, Part]:
    return {part.id: part for brief in briefs for part in TranscriptReader(base, brief.id).facts().parts}
