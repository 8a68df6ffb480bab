"""The entry changed on disk while a person changed it too: both versions, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from hermes_tui.memory.conflict import EntryConflict
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.memory.worddiff import word_diff
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.confirm import Answer
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import Side

LEGEND = "[-Struck-] words stood there as you opened it; {+underlined+} ones came since."

ChoiceKind = Literal["back", "keep_theirs", "save_merged", "save_mine", "add_mine"]


@dataclass(frozen=True, slots=True)
class ConflictChoice:
    """What a person decided over a conflict."""

    kind: ChoiceKind
    text: str
    """The text that goes with it: the merged one, mine, or what is on disk now."""


class ConflictDialog(Dialog[ConflictChoice | None]):
    """Both versions of an entry with their changes marked, and a merged one where they do not touch.

    Rests on the way back to the editor, which loses nothing; escape decides and writes nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "next_choice(-1)", "Previous choice", show=False),
        Binding("down,j", "next_choice(1)", "Next choice", show=False),
        Binding("b", "choose('back')", "Back to the editor", show=False),
        Binding("t", "choose('keep_theirs')", "Keep theirs", show=False),
        Binding("g", "choose('save_merged')", "Save merged", show=False),
        Binding("m", "choose('save_mine')", "Save mine", show=False),
        Binding("a", "choose('add_mine')", "Add mine", show=False),
    ]
    AUTO_FOCUS = "Answer"

    heading = "Changed meanwhile"

    def __init__(self, conflict: EntryConflict) -> None:
        super().__init__()
        self.conflict = conflict
        self.footing = f"entry {conflict.ref.index} of {FILE_NAMES[conflict.ref.store]} · nothing was written"

    @property
    def changed(self) -> bool:
        """Whether there is a text here that leaving the app would lose."""
        return bool(self.conflict.mine) and not self.conflict.undo_of

    @property
    def choices(self) -> dict[ChoiceKind, tuple[str, str]]:
        """Key and words of everything that can be chosen here."""
        conflict = self.conflict
        choices: dict[ChoiceKind, tuple[str, str]] = {}
        if conflict.mine:
            choices["back"] = ("b", "back to the editor with my text")
        if conflict.merged is not None and conflict.merged not in (conflict.mine, conflict.theirs):
            choices["save_merged"] = ("g", "save the merged text")
        if conflict.theirs is None:
            choices["keep_theirs"] = ("t", "leave it removed" if conflict.mine else "it is gone already: fine")
        else:
            choices["keep_theirs"] = ("t", "keep what is on disk, drop mine")
        if conflict.theirs is not None:
            words = "save mine in its place" if conflict.mine else "remove it all the same"
            choices["save_mine"] = ("m", words)
        if conflict.mine:
            choices["add_mine"] = ("a", "add mine as a new entry, keep both" if conflict.theirs else "add it again")
        return choices

    def compose_body(self) -> ComposeResult:
        """What happened, the versions, and the choices."""
        yield Static(Content(visible(self.conflict.message, multiline=False)), id="lead")
        yield Static(Content(LEGEND), id="legend")
        with Container(classes="sides"):
            yield Side(self._mine(), "Yours", id="mine")
            yield Side(self._theirs(), "On disk now", id="theirs")
        with Vertical(id="choices"):
            for kind, (key, words) in self.choices.items():
                yield Answer(key, words, id=kind)

    def _mine(self) -> Paper:
        conflict = self.conflict
        if not conflict.mine:
            paper = Paper().line("You removed it:", "muted").raw(conflict.base, "del")
        else:
            paper = Paper().diff(word_diff(conflict.base, conflict.mine))
        if "save_merged" in self.choices and conflict.merged is not None:
            paper.fresh().line().line("Both changes together (g saves this):", "heading")
            paper.diff(word_diff(conflict.base, conflict.merged), "after")
        return paper

    def _theirs(self) -> Paper:
        conflict = self.conflict
        if conflict.theirs is None:
            return Paper().line("Somebody removed it:", "muted").raw(conflict.base, "del")
        paper = Paper().diff(word_diff(conflict.base, conflict.theirs))
        if conflict.mine and conflict.merged is None:
            paper.fresh().line().line("Both changed the same words, so there is no merged text.", "muted")
        return paper

    def key_hints(self) -> list[KeyHint]:
        """How to choose, and how to read the marks."""
        return [
            KeyHint("↑↓", "Go", "screen.next_choice(1)"),
            KeyHint("enter", "Choose", "screen.choose_marked"),
            KeyHint("tab", "Read", "app.focus_next"),
            KeyHint("esc", "Decide nothing", "screen.leave"),
        ]

    def on_answer_chosen(self, event: Answer.Chosen) -> None:
        """Take the choice that was pressed."""
        self._take(event.answer.id)

    def action_choose_marked(self) -> None:
        """Take the choice that has the focus."""
        if isinstance(self.focused, Answer):
            self.focused.action_choose()

    def action_next_choice(self, step: int) -> None:
        """Go to the next choice, or the one before."""
        answers = list(self.query(Answer))
        here = answers.index(self.focused) if isinstance(self.focused, Answer) else -1
        answers[min(max(here + step, 0), len(answers) - 1)].focus()

    def action_choose(self, kind: str) -> None:
        """Take a choice by its letter."""
        self._take(kind)

    def _take(self, wanted: str | None) -> None:
        conflict = self.conflict
        texts: dict[ChoiceKind, str] = {
            "back": conflict.mine,
            "keep_theirs": conflict.theirs or "",
            "save_merged": conflict.merged or "",
            "save_mine": conflict.mine,
            "add_mine": conflict.mine,
        }
        for kind in self.choices:
            if kind == wanted:
                self.dismiss(ConflictChoice(kind, texts[kind]))
