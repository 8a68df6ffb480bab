"""Trying the whole queue in order on a copy: what fails, what overflows after what, and what fits together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.config import HermesConfig
from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.pending.preview import Preview, Simulation, preview, simulate, views_of
from hermes_tui.pending.proposals import proposed_text
from hermes_tui.pending.records import PendingRecord
from hermes_tui.text import cells, first_words, one_line, plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.pending.detail_paper import TONES
from hermes_tui.ui.pending.model import MARKS, short_words, weight_of
from hermes_tui.ui.widgets.usage_bar import fitting_words

TEXT_CELLS = 70
"""The most of a write that is shown below its verdict."""
INDENT_CELLS = 6


class SimulationDialog(Dialog[frozenset[str] | None]):
    """The outcome; leaves with the ids of the largest set that fits, when the person wants it selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f,enter", "pick", "Select what fits", show=False),
        Binding("s,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "TextPane"

    heading = "The queue in order, tried on a copy"
    footing = "nothing is written"

    pane = getters.query_one(TextPane)

    def __init__(self, home: HermesHome, config: HermesConfig, records: Sequence[PendingRecord]) -> None:
        super().__init__()
        self._home, self._config, self._records = home, config, tuple(records)
        self._simulation: Simulation | None = None

    def compose_body(self) -> ComposeResult:
        """The outcome, when it is known."""
        yield TextPane(Paper().line("Working through the queue …", "muted"), id="simulation")

    def on_mount(self) -> None:
        """Start once it is known how wide the lines may be."""
        super().on_mount()
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        self.run_worker(self._run(), name="simulate", exit_on_error=False)

    async def _run(self) -> None:
        room = max(20, self.pane.line_cells - INDENT_CELLS)
        simulation, paper = await asyncio.to_thread(self._work, min(TEXT_CELLS, room))
        self._simulation = simulation
        self.pane.show(paper)
        self.query_one(KeyBar).show(self.key_hints())

    def _work(self, text_cells: int) -> tuple[Simulation, Paper]:
        views = views_of(self._home, self._config)
        simulation = simulate(self._records, views)
        alone = {record.path: preview(record, views) for record in self._records}
        return simulation, simulation_paper(simulation, alone, text_cells)

    def key_hints(self) -> list[KeyHint]:
        """Select, scroll, back."""
        return [
            KeyHint(
                "f", "Select what fits together", "screen.pick", bool(self._simulation and self._simulation.fitting)
            ),
            KeyHint("↑↓", "Scroll", "screen.focus_next"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def action_pick(self) -> None:
        """Leave with the largest set that fits."""
        if self._simulation and self._simulation.fitting:
            self.dismiss(frozenset(self._simulation.fitting))


def simulation_paper(simulation: Simulation, alone: Mapping[Path, Preview], text_cells: int = TEXT_CELLS) -> Paper:
    """The summary, then every record in order."""
    paper = Paper()
    results = simulation.results
    fine = sum(result.can_apply for result in results)
    paper.line(f"In this order {fine:,} of {plural(len(results), 'write')} can be applied.", "strong")
    fitting = len(simulation.fitting)
    if fitting > fine:
        paper.line(f"The largest set that fits together has {fitting:,}: f selects it.", "good")
    elif fitting:
        paper.line(f"No larger set fits: f selects these {fitting:,}.", "muted")
    for store, missing in simulation.missing_room.items():
        paper.line(f"To take all of them, free {plural(missing, 'char')} in {FILE_NAMES[store]}.", "warning")
    if not simulation.missing_room and fine < len(results):
        paper.line("Room is not what is missing: those that fail do so for reasons of their own.", "muted")
    for number, result in enumerate(results, 1):
        record, weight = result.record, weight_of(result)
        paper.fresh()
        if number == 1:
            paper.line()
        number_and_mark = f"{number:>3} {MARKS[weight]} "
        what = visible(f"{record.action or 'no action'} {record.store or ''}".strip(), multiline=False)
        verdict = f"  {visible(short_words(result), multiline=False)}  "
        paper.words(number_and_mark, TONES[weight]).words(what, "strong").words(verdict.rstrip(), TONES[weight])
        if result.can_apply and result.usage_after:
            room = text_cells + INDENT_CELLS - cells(number_and_mark + what + verdict)
            paper.words(f"  {fitting_words(result.usage_after, room)}", "muted")
        text = one_line(first_words(record.problem or proposed_text(record)), text_cells)
        paper.fresh().words(" " * INDENT_CELLS).words(text, "plain")
        _because(paper, result, alone.get(record.path))
    return paper


def _because(paper: Paper, result: Preview, alone: Preview | None) -> None:
    """What those before it have to do with its failing."""
    if result.can_apply or alone is None:
        return
    if alone.can_apply:
        why = (
            "would fit by itself; those before it take the room"
            if result.verdict == "over"
            else ("would apply by itself; those before it change what it needs")
        )
        paper.fresh().words(f"      {why}", "warning")
    elif alone.verdict != result.verdict and result.reason:
        paper.fresh().words("      ").raw(result.reason, "muted")
