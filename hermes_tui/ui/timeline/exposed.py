"""Texts that the threat scan blocks today, and the sessions that ran with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from hermes_tui.history.exposure import Exposure
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.memory.view import cached_scan
from hermes_tui.text import cells, first_words, one_line, plural
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper, finding_words
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.timeline.words import day_words, stamp_words

TEXT_CELLS, BESIDE_CELLS = 100, 12
"""So long a text may be on its row, and what else there is beside it."""
NAMED_SESSIONS = 40
"""So many sessions are named; the count says how many there are."""


class ExposureDialog(Dialog[str | None]):
    """The texts, the latest first; leaves with the first session that ran with one, to go there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go there", show=False),
        Binding("y", "copy", "Copy", show=False),
        Binding("x,q", "leave", "Back", show=False),
        Binding("tab", "switch", "Switch", show=False),
    ]
    AUTO_FOCUS = "OptionRows"
    DEFAULT_CSS = """
    ExposureDialog #exposures { max-height: 40%; }
    ExposureDialog #exposure { border-top: solid $card-border; }
    """

    heading = "Texts that are blocked now, and ran before"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, exposures: Sequence[Exposure]) -> None:
        super().__init__()
        self._exposures = tuple(exposures)
        ids = {id for each in exposures for id in each.session_ids}
        self.footing = f"{plural(len(exposures), 'text')} · {plural(len(ids), 'session')}"

    def compose_body(self) -> ComposeResult:
        """The texts, and all about the one under the cursor."""
        room = min(TEXT_CELLS, self.app.size.width - BESIDE_CELLS)
        yield OptionRows(*(Option(_row(each, room)) for each in self._exposures), id="exposures")
        yield TextPane(id="exposure")

    def on_mount(self) -> None:
        """Show the first."""
        super().on_mount()
        self.rows.highlighted = 0

    def key_hints(self) -> list[KeyHint]:
        """Go there, copy, back."""
        return [
            KeyHint("enter", "Go to the first session", "screen.go"),
            KeyHint("y", "Copy the text", "screen.copy"),
            KeyHint("tab", "Scroll", "screen.switch"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    @property
    def chosen(self) -> Exposure | None:
        """The text under the cursor."""
        place = self.rows.highlighted
        return self._exposures[place] if place is not None and self._exposures else None

    def on_option_list_option_highlighted(self) -> None:
        """Another text is under the cursor."""
        if each := self.chosen:
            self.pane.show(exposure_paper(each))

    def on_option_list_option_selected(self) -> None:
        """Enter, or a click on the row under the cursor."""
        self.action_go()

    def action_go(self) -> None:
        """Leave towards the first session that ran with it."""
        if each := self.chosen:
            self.dismiss(each.session_ids[0])

    def action_copy(self) -> None:
        """Ask for the exact text on the clipboard."""
        if each := self.chosen:
            self.post_message(CopyRequested(each.text, f"an entry of {FILE_NAMES[each.store]}"))

    def action_switch(self) -> None:
        """From the list to the text, and back."""
        (self.pane if self.rows.has_focus else self.rows).focus()


def _row(each: Exposure, room: int) -> Content:
    """The text, and below it why it is blocked, for how many and when."""
    words = f"{plural(len(each.session_ids), 'session')} · {day_words(each.since)} – {day_words(each.until)}"
    findings = one_line(", ".join(each.findings), max(8, room - cells(words) - 3))
    return Content.assemble(
        one_line(first_words(each.text), room), "\n", (findings, "$error"), (f" · {words}", "$text-muted")
    )


def exposure_paper(each: Exposure) -> Paper:
    """All about one text."""
    paper = Paper()
    name = FILE_NAMES[each.store]
    paper.line(f"{name} · ran in {plural(len(each.session_ids), 'session')}", "heading")
    first, last = stamp_words(each.since), stamp_words(each.until)
    paper.line(f"first on {first}, last on {last}" if first != last else f"on {first}")
    paper.line()
    findings = cached_scan(each.text)
    paper.found(each.text, findings).fresh()
    for finding in findings:
        paper.line(f"✗ {finding_words(finding, explained=True)}", "error")
    paper.line().line("Sessions, oldest first", "heading")
    for id in each.session_ids[:NAMED_SESSIONS]:
        paper.fresh().raw(id)
    more = len(each.session_ids) - NAMED_SESSIONS
    if more > 0:
        paper.line(f"and {more:,} more", "muted")
    return paper
