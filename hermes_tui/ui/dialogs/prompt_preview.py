"""What the next session will be told about the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper, Tone
from hermes_tui.ui.dialogs.text_pane import TextPane


@dataclass(frozen=True, slots=True)
class PreviewBlock:
    """One store's part of the preview."""

    title: str
    """`MEMORY.md`."""
    text: str
    """The block as the session will see it; empty when it gets none."""
    notes: tuple[str, ...] = ()
    """Things worth knowing: a store that is off, entries that are hidden, room that is left."""


class PromptPreview(Dialog[None]):
    """The blocks of both stores, exactly as they will stand in the prompt."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", show=False),
        Binding("p,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "TextPane"

    heading = "What the next session will see"

    def __init__(self, blocks: Sequence[PreviewBlock]) -> None:
        super().__init__()
        self._blocks = tuple(blocks)
        self.footing = plural(len(self.prompt), "character")

    @property
    def prompt(self) -> str:
        """The raw text of all blocks."""
        return "\n\n".join(block.text for block in self._blocks if block.text)

    def compose_body(self) -> ComposeResult:
        """The blocks, each with its notes before it."""
        yield TextPane(self.paper())

    def paper(self) -> Paper:
        """All that is shown."""
        return self.write_blocks(Paper())

    def write_blocks(self, paper: Paper) -> Paper:
        """Add the blocks, each with its notes before it."""
        for number, block in enumerate(self._blocks):
            if number:
                paper.fresh().line()
            paper.line(visible(block.title, multiline=False), "heading")
            for note in block.notes:
                paper.line(f"· {visible(note, multiline=False)}", "muted")
            if not block.text:
                paper.line("Nothing: a session started now gets no block from this store.", "muted")
                continue
            for position, line in enumerate(block.text.split("\n")):
                paper.fresh() if position == 0 else paper.words("\n")
                paper.raw(line, _tone(line))
        return paper

    def key_hints(self) -> list[KeyHint]:
        """Copy and back."""
        return [
            KeyHint("y", "Copy", "screen.copy", bool(self.prompt)),
            KeyHint("↑↓", "Scroll", "screen.focus_next"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def action_copy(self) -> None:
        """Ask for the exact text on the clipboard."""
        if self.prompt:
            self.post_message(CopyRequested(self.prompt, "what the next session will see"))


def _tone(line: str) -> Tone:
    """The frame and the separators step back, a blocked entry stands out; the words are the agent's own."""
    if line.startswith("[BLOCKED:"):
        return "error"
    return "muted" if line == "§" or line.startswith("═══") else "plain"
