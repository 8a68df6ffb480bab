"""One operation of a batch: which one, what it would do by itself, and what to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.pending.preview import Preview
from hermes_tui.pending.proposals import proposed_of, steps_of
from hermes_tui.pending.records import PendingRecord
from hermes_tui.text import one_line, plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.pending.detail_paper import operation_paper
from hermes_tui.ui.pending.model import MARKS, short_words, weight_of


@dataclass(frozen=True, slots=True)
class StepChoice:
    """What a person wants done with one operation."""

    verb: Literal["approve", "reject", "edit"]
    step: int
    """Which one, from 1."""


class OneOperation(Dialog[StepChoice | None]):
    """The operations of a batch; the others stay queued whatever is decided over one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "decide('approve')", "Approve", show=False),
        Binding("r", "decide('reject')", "Reject", show=False),
        Binding("e", "decide('edit')", "Edit", show=False),
        Binding("enter", "enter", "Edit", show=False),
        Binding("tab", "other", "Other part", show=False),
        Binding("x,q", "leave", "Back", show=False),
        *(Binding(str(number), f"go({number})", str(number), show=False) for number in range(1, 10)),
    ]
    AUTO_FOCUS = "OptionRows"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, record: PendingRecord, alone: Sequence[Preview], *, editing: bool = False) -> None:
        """Show the operations of a batch.

        Args:
            record: the batch.
            alone: what each operation would do by itself.
            editing: whether the person came to edit one, so that enter does that.
        """
        super().__init__()
        self._record = record
        self._raws = steps_of(record)
        self._alone = tuple(alone)
        self._editing = editing
        self.step = 1
        """The operation under the cursor."""
        self.heading = "Edit one operation, then approve the batch" if editing else "One operation of the batch"
        self.footing = visible(f"{record.id} · {plural(len(self._raws), 'operation')}", multiline=False)

    def compose_body(self) -> ComposeResult:
        """The operations, and the one under the cursor whole."""
        yield OptionRows(*self._options())
        yield TextPane(id="operation")

    def _options(self) -> list[Option]:
        options = []
        for number, (raw, alone) in enumerate(zip(self._raws, self._alone, strict=True), 1):
            weight = weight_of(alone)
            color = {"good": "$success", "quiet": "$text-muted", "mend": "$warning", "dead": "$error"}[weight]
            options.append(
                Option(
                    Content.assemble(
                        (f"{number} ", "bold"),
                        one_line(str(raw.get("action")), 12),
                        (f"  {MARKS[weight]} {one_line(short_words(alone), 30)}", color),
                        (f"  {one_line(proposed_of(raw) or str(raw.get('old_text') or ''), 60)}", "$text-muted"),
                    )
                )
            )
        return options

    def on_mount(self) -> None:
        """Rest on the first one."""
        super().on_mount()
        self.rows.highlighted = 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show that operation whole."""
        event.stop()
        self.step = event.option_index + 1
        paper = Paper()
        operation_paper(paper, self._raws[event.option_index], self._alone[event.option_index])
        self.pane.show(paper)
        self.pane.scroll_home(animate=False)
        self.query_one(KeyBar).show(self.key_hints())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only moves the cursor."""
        event.stop()

    def _why_not(self, verb: str) -> str:
        alone, raw = self._alone[self.step - 1], self._raws[self.step - 1]
        if verb == "approve" and not alone.can_apply:
            return f"It cannot be approved by itself: {short_words(alone)}."
        if verb == "edit" and (self._record.subsystem == "skills" or raw.get("action") == "remove"):
            return "There is no text in it to edit."
        return ""

    def key_hints(self) -> list[KeyHint]:
        """What can be done with the one under the cursor."""
        edit = KeyHint("e", "Edit, then approve all", "screen.decide('edit')", not self._why_not("edit"))
        if self._editing:
            return [edit, KeyHint("esc", "Back", "screen.leave")]
        return [
            KeyHint("a", "Approve this one", "screen.decide('approve')", not self._why_not("approve")),
            KeyHint("r", "Reject this one", "screen.decide('reject')"),
            edit,
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def action_go(self, number: int) -> None:
        """Go to an operation by its number."""
        if number <= len(self._raws):
            self.rows.highlighted = number - 1

    def action_other(self) -> None:
        """To the text, or back to the operations."""
        (self.rows if self.pane.has_focus else self.pane).focus()

    def action_enter(self) -> None:
        """Edit, where that is what the person came for; else it decides nothing."""
        if self._editing:
            self.action_decide("edit")

    def action_decide(self, verb: Literal["approve", "reject", "edit"]) -> None:
        """Leave with a decision."""
        if reason := self._why_not(verb):
            self.app.notify(visible(reason), markup=False)
        elif not self._editing or verb == "edit":
            self.dismiss(StepChoice(verb, self.step))
