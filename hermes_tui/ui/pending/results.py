"""How a decision over several records ended: what is done, and what stays with its own reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.pending.model import VERDICT_WORDS

if TYPE_CHECKING:
    from hermes_tui.ui.pending.decisions import Tally


class Results(Dialog[bool | None]):
    """Names the counts, then every record that stays; True when what is done shall be taken back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "leave", "Back", show=False),
        Binding("u", "undo", "Undo", show=False),
    ]
    AUTO_FOCUS = "TextPane"

    def __init__(self, past: str, tally: Tally) -> None:
        super().__init__()
        self._past = past
        self._tally = tally
        self.heading = f"{past} {len(tally.done):,}, {len(tally.failed):,} stay"
        self.footing = "u brings back what is done" if tally.done else "nothing was changed"

    def compose_body(self) -> ComposeResult:
        """The list."""
        yield TextPane(self.paper())

    def paper(self) -> Paper:
        """All that is shown."""
        paper = Paper()
        if self._tally.done:
            paper.line(f"✓ {self._past} {plural(len(self._tally.done), 'write')}.", "good").line()
        paper.line(f"✗ {plural(len(self._tally.failed), 'write')} in the queue still:", "error")
        for record, failure in self._tally.failed:
            where = record.store or ("skill" if record.subsystem == "skills" else "no store")
            name = visible(f"{record.id} · {record.action or 'no action'} · {where}", multiline=False)
            paper.line().line(name, "strong")
            if word := VERDICT_WORDS.get(failure.verdict):
                paper.words(f"{word}: ", "warning")
            paper.raw(failure.reason).fresh()
        return paper

    def key_hints(self) -> list[KeyHint]:
        """Scroll and back."""
        return [KeyHint("↑↓", "Scroll", "screen.focus_next"), KeyHint("esc", "Back", "screen.leave")]

    def action_undo(self) -> None:
        """Leave, and take back what was done."""
        if self._tally.done:
            self.dismiss(True)
