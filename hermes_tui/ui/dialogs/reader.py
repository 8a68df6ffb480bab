"""The whole text of one entry, with its findings marked and explained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.memory.threats import suggest_rewrite
from hermes_tui.memory.view import EntryView
from hermes_tui.memory.worddiff import word_diff
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper, finding_words
from hermes_tui.ui.dialogs.text_pane import ClosePane
from hermes_tui.ui.dialogs.verdict import OLDER_AGENTS, offer


class EntryReader(Dialog[str | None]):
    """Shows one entry; leaves with `edit` when the person wants to edit it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", show=False),
        Binding("e,enter", "edit", "Edit", show=False),
        Binding("v,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "TextPane"
    size_class = "-close"

    def __init__(
        self,
        entry: EntryView,
        *,
        file_name: str,
        was: str | None = None,
        facts: Sequence[str] = (),
        can_edit: bool = True,
    ) -> None:
        """Show `entry`.

        Args:
            entry: the entry as it stands in its file.
            file_name: `MEMORY.md` or `USER.md`.
            was: what it said before its last change, when that is known.
            facts: further lines worth knowing about it, as raw text.
            can_edit: whether `e` makes sense.
        """
        super().__init__()
        self.entry = entry
        self.heading = f"Entry {entry.index} of {file_name}"
        self.footing = f"{plural(entry.chars, 'character')} · {plural(entry.text.count(chr(10)) + 1, 'line')}"
        self._file_name = file_name
        self._was = was
        self._facts = tuple(facts)
        self._can_edit = can_edit

    def compose_body(self) -> ComposeResult:
        """The text, then what is to be said about it."""
        yield ClosePane(self.paper())

    def paper(self) -> Paper:
        """All that is shown."""
        entry = self.entry
        paper = Paper().found(entry.text, entry.findings)
        if self._was is not None:
            paper.fresh().line().line("What its last change did", "heading").diff(word_diff(self._was, entry.text))
        if entry.findings:
            paper.fresh().line().line(plural(len(entry.findings), "finding"), "heading")
            for finding in entry.findings:
                paper.line(f"✗ {finding_words(finding, explained=True)}", "warning" if finding.newer_pass else "error")
                paper.line(visible(finding.explanation), "muted")
                rewrite = suggest_rewrite(entry.text, finding)
                if rewrite is not None:
                    paper.line(f"In the editor, f3 {offer(entry.text, rewrite)}. {finding.rewrite_note}")
            paper.line().line(self._consequence(), "muted")
        if entry.duplicate_of is not None:
            paper.fresh().line().line(
                f"Says the same as entry {entry.duplicate_of}; the agent drops it at its next write.", "warning"
            )
        for fact in self._facts:
            paper.fresh().line().line(visible(fact, multiline=False), "muted")
        return paper

    def _consequence(self) -> str:
        entry = self.entry
        if not entry.blocked:
            return "The entry is a [BLOCKED] note already; the model sees it as it stands."
        if all(finding.newer_pass for finding in entry.findings):
            return OLDER_AGENTS
        return "As long as it is blocked, a [BLOCKED] note stands in its place in the prompt."

    def key_hints(self) -> list[KeyHint]:
        """Copy, edit, back."""
        return [
            KeyHint("y", "Copy exact text", "screen.copy"),
            KeyHint("e", "Edit", "screen.edit", self._can_edit),
            KeyHint("↑↓", "Scroll", "screen.focus_next"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def action_copy(self) -> None:
        """Ask for the exact text on the clipboard."""
        self.post_message(CopyRequested(self.entry.text, f"entry {self.entry.index} of {self._file_name}"))

    def action_edit(self) -> None:
        """Leave towards the editor."""
        if self._can_edit:
            self.dismiss("edit")
