"""Writing conversations to a file: which, in what form, what is left out, and where to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from hermes_tui.sessions.export.wish import Format, Wish
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.base import KeyBar, KeyHint
from hermes_tui.ui.dialogs.form import Choices, Line, Tick
from hermes_tui.ui.dialogs.form_dialog import SAVES, FormDialog

if TYPE_CHECKING:
    from hermes_tui.sessions.listing import Brief

FORMATS: tuple[Format, ...] = ("markdown", "html", "text", "jsonl")
FORMAT_WORDS: dict[Format, str] = {
    "markdown": "Markdown",
    "html": "HTML",
    "text": "plain text",
    "jsonl": "JSONL",
}
ABOUT: dict[Format, str] = {
    "markdown": "To read, and to paste elsewhere.",
    "html": "One file for a browser: readable, searchable, light and dark.",
    "text": "To read anywhere.",
    "jsonl": "For programs, and to be imported again: lossless when nothing is masked.",
}


@dataclass(frozen=True, slots=True)
class Source:
    """Conversations that can be exported."""

    words: str
    """`3 selected`."""
    briefs: tuple[Brief, ...]


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What a person wants written, and where."""

    briefs: tuple[Brief, ...]
    wish: Wish
    target: Path
    together: bool
    """Whether all of them go into one file."""


Suggest = Callable[[Source, Format, bool], str]
"""Where to write to unless somebody says otherwise: a path, as it is typed."""


class ExportDialog(FormDialog[ExportChoice | None]):
    """A form; leaves with what to write."""

    BINDINGS: ClassVar[list[BindingType]] = [SAVES]
    AUTO_FOCUS = "#format"

    heading = "Export"
    size_class = "-small"

    def __init__(self, sources: Sequence[Source], suggest: Suggest) -> None:
        """Ask how to export.

        Args:
            sources: which conversations can be chosen; the first at first.
            suggest: names a path for a choice.
        """
        super().__init__()
        self._sources = tuple(sources)
        self._suggest = suggest
        self._suggested = suggest(self._sources[0], "markdown", True)

    def compose_body(self) -> ComposeResult:
        """The form, and what it means."""
        with VerticalScroll(id="form", can_focus=False):
            yield Choices("What", [source.words for source in self._sources], id="what")
            yield Choices("Format", [FORMAT_WORDS[format] for format in FORMATS], id="format")
            yield Tick("mask secrets", ticked=True, id="masked")
            yield Tick("only what you said", id="prompts")
            yield Tick("everything: taken back, thinking, whole tool output", id="everything")
            yield Choices("Into", ["one file", "one file each"], id="into")
            yield Line("To", self._suggested, id="path")
        yield Static(id="export-note", markup=False)

    def on_mount(self) -> None:
        """Show what the usual means."""
        super().on_mount()
        self.follow()

    def key_hints(self) -> list[KeyHint]:
        """Export, move, tick, leave."""
        return [
            KeyHint("enter", "Export", "screen.go", bool(self.path_text)),
            KeyHint("↑↓", "Move", "app.focus_next"),
            KeyHint("←→", "Choose", "screen.choose"),
            KeyHint("space", "Tick", "screen.tick"),
            KeyHint("esc", "Leave", "screen.leave"),
        ]

    # What is chosen

    @property
    def source(self) -> Source:
        """The conversations."""
        return self._sources[self.query_one("#what", Choices).at]

    @property
    def format(self) -> Format:
        """The form."""
        return FORMATS[self.query_one("#format", Choices).at]

    @property
    def together(self) -> bool:
        """Whether there will be one file."""
        return len(self.source.briefs) < 2 or self.query_one("#into", Choices).at == 0

    @property
    def path_text(self) -> str:
        """Where to write to, as it is typed."""
        return self.query_one("#path", Line).text.strip() if self.is_mounted else self._suggested

    @property
    def wish(self) -> Wish:
        """How to write."""
        return Wish(
            self.format,
            masked=self.query_one("#masked", Tick).ticked,
            prompts_only=self.query_one("#prompts", Tick).ticked,
            everything=self.query_one("#everything", Tick).ticked,
        )

    def follow(self) -> None:
        """Say what is chosen means; a path that nobody has typed follows."""
        several = len(self.source.briefs) > 1
        self.query_one("#into", Choices).display = several
        line = self.query_one("#path", Line)
        suggested = self._suggest(self.source, self.format, self.together)
        if line.text == self._suggested and suggested != self._suggested:
            self._suggested = suggested
            line.input.put(suggested)
        self.query_one("#export-note", Static).update(Content.styled(self.note(), "$text-muted"))
        self.query_one(KeyBar).show(self.key_hints())

    def note(self) -> str:
        """What is chosen in a sentence."""
        briefs = self.source.briefs
        messages = sum(brief.messages for brief in briefs)
        count = f"{plural(len(briefs), 'conversation')}, {plural(messages, 'message')}."
        words = [count, ABOUT[self.format]]
        if not self.wish.masked:
            words.append("Secrets stand in it as they are.")
        elif self.format == "jsonl":
            words.append("With secrets masked it is not.")
        return f"{visible(' '.join(words), multiline=False)}\n{self._where()}"

    def _where(self) -> str:
        """The whole path, which the line may be too short for."""
        if not self.path_text:
            return "Say where to."
        kind = "" if self.together else "Folder "
        return f"{kind}{visible(str(self.target), multiline=False)}"

    @property
    def target(self) -> Path:
        """Where to write to."""
        typed = Path(self.path_text)
        try:
            return typed.expanduser().absolute()
        except RuntimeError:
            return typed.absolute()  # `~somebody` who is not known here

    # Going on

    def action_go(self) -> None:
        """Leave with what is chosen."""
        if self.path_text:
            self.dismiss(ExportChoice(self.source.briefs, self.wish, self.target, self.together))
