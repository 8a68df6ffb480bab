"""The keys of the Pending screen that only look: what is shown, in what order, and the record under the cursor."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.timer import Timer

from hermes_tui.pending.proposals import proposed_text
from hermes_tui.text import plural
from hermes_tui.ui.pending.choosing import ORDERS, Choice, Facet
from hermes_tui.ui.pending.detail_paper import Subject, detail_paper
from hermes_tui.ui.pending.reading import previews_alone

if TYPE_CHECKING:
    from hermes_tui.ui.pending.screen import PendingScreen

DETAIL_SECONDS = 0.02
"""The detail follows the cursor this late, so that a held key does not make a page per row."""


class Looking:
    """What the screen shows of the queue, as a person asked for it."""

    def __init__(self, screen: PendingScreen) -> None:
        self._screen = screen
        self._soon: Timer | None = None

    # The detail

    @property
    def waiting(self) -> bool:
        """Whether the detail will follow in a moment."""
        return self._soon is not None

    def show_detail(self) -> None:
        """Show the record under the cursor, in a moment."""
        if self._soon is None:
            self._soon = self._screen.set_timer(DETAIL_SECONDS, self._begin, name="detail")

    def _begin(self) -> None:
        self._soon = None
        self._screen.run_worker(self._show(), name="detail", group="detail", exclusive=True, exit_on_error=False)

    async def _show(self) -> None:
        screen = self._screen
        row = screen.queue_list.current
        if row is None:
            screen.detail.show_nothing()
            return
        preview = screen.reader.previews.get(row.item.key)
        subject = Subject(
            row=row,
            preview=preview,
            stayed=next((screen.stayed[key] for key in row.keys if key in screen.stayed), ""),
            warned=screen.decisions.warned == row.keys,
            now=screen.queue_list.clock(),
        )
        record = row.item.record
        if record.action == "batch" and preview and not record.problem:
            alone = await asyncio.to_thread(previews_alone, screen.hermes.home, screen.state.config, record)
            subject = replace(subject, alone=alone)
        paper = await asyncio.to_thread(detail_paper, subject)
        if screen.queue_list.current == row:
            screen.detail.show(subject, paper)

    def action_open(self) -> None:
        """Go to the detail; where there is room for one of both, it takes the place of the list."""
        self._screen.query_one("#queue").add_class("-reading")
        self._screen.detail.pane.focus()

    def action_switch(self) -> None:
        """To the detail, or back to the list."""
        if self._screen.detail.pane.has_focus:
            self._close()
        else:
            self.action_open()

    def _close(self) -> None:
        self._screen.query_one("#queue").remove_class("-reading")
        self._screen.queue_list.focus()

    def action_next_record(self) -> None:
        """The next record, also from within the detail."""
        self._screen.queue_list.action_next()

    def action_previous_record(self) -> None:
        """The one before."""
        self._screen.queue_list.action_previous()

    def action_copy(self) -> None:
        """Copy the exact proposed text."""
        rows = self._screen.decisions.chosen()
        texts = [proposed_text(row.item.record) for row in rows]
        what = f"the proposal {rows[0].item.record.id}" if len(rows) == 1 else plural(len(rows), "proposal")
        self._screen.hermes.copy_out("\n§\n".join(texts), what)

    # What is shown

    def choose(self, choice: Choice) -> None:
        """Show something else."""
        if choice != self._screen.choice:
            self._screen.choice = choice
            self._screen.show_rows()

    @property
    def count_words(self) -> str:
        """`12 of 2,000`."""
        return f"{self._screen.shown_records:,} of {len(self._screen.reader.items):,}"

    def show_counts(self) -> None:
        """Say beside the filter how many records it leaves."""
        if self._screen.filter_bar:
            self._screen.filter_bar.show_counts()

    def find(self, needle: str) -> None:
        """Show only what holds every word of `needle`."""
        self.choose(replace(self._screen.choice, needle=needle))

    @property
    def needle(self) -> str:
        """What is filtered for."""
        return self._screen.choice.needle

    async def show_filter(self) -> None:
        """Have a filter line that says what is filtered for."""
        screen = self._screen
        bar = await screen.open_filter_bar(self, "words to find in the proposed texts")
        if bar.input.value.strip() != self.needle:
            bar.input.value = self.needle

    def end_filter(self) -> None:
        """Have no filter line."""
        if self._screen.filter_bar:
            self._screen.filter_bar.end()
            self._screen.queue_list.focus()

    async def action_filter(self) -> None:
        """Open the filter line, or go back into it."""
        await self.show_filter()
        if self._screen.filter_bar:
            self._screen.filter_bar.input.focus()

    def action_order(self) -> None:
        """The next order."""
        choice = self._screen.choice
        order = ORDERS[(ORDERS.index(choice.order) + 1) % len(ORDERS)]
        self.choose(replace(choice, order=order))

    def action_narrow(self) -> None:
        """Tick what to show."""
        from hermes_tui.ui.pending.facet_picker import FacetPicker

        screen = self._screen
        picker = FacetPicker(screen.reader.items, screen.reader.previews, screen.choice, screen.queue_list.clock())

        def picked(values: frozenset[tuple[Facet, str]] | None) -> None:
            if values is not None:
                self.choose(replace(screen.choice, values=values))

        screen.hermes.push_screen(picker, picked)

    def action_unfold(self) -> None:
        """Equal proposals one by one, or as one again."""
        row = self._screen.queue_list.current
        if row:
            self._screen.unfolded ^= {row.item.proposal}
            self._screen.show_rows()

    def action_select(self) -> None:
        """Select the row, or take it out of the selection."""
        self._screen.queue_list.toggle_selected()
        self._screen.show_selection()

    def action_back(self) -> None:
        """Back out one step: the detail, the text filter, the ticks, then the selection."""
        screen = self._screen
        if screen.detail.pane.has_focus:
            self._close()
        elif screen.filter_bar:
            self.end_filter()
        elif screen.choice.values:
            self.choose(replace(screen.choice, values=frozenset()))
        elif screen.queue_list.selection:
            screen.queue_list.clear_selection()
            screen.show_selection()
