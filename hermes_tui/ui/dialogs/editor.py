"""The editor of one entry: what saving would mean follows every keystroke."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static, TextArea

from hermes_tui.errors import Refused
from hermes_tui.memory.check import TextCheck, require
from hermes_tui.memory.threats import Finding, suggest_rewrite
from hermes_tui.text import ago, plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.entry_area import EntryArea
from hermes_tui.ui.dialogs.notation import spelled_out
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.dialogs.verdict import changed_part, verdict
from hermes_tui.ui.widgets.usage_bar import UsageBar

LAZY_ABOVE_CHARS = 20_000
"""Longer texts are checked when typing pauses, shorter ones at every key."""
LAZY_SECONDS = 0.15

Check = Callable[[str], TextCheck]


@dataclass(frozen=True, slots=True)
class EditorResult:
    """What a person wants saved."""

    text: str
    accept_newer: bool
    """They know that agents of the 0.19 line would not show it to the model."""


class ExternalEditRequested(Message):
    """The person wants their own editor: the app runs it and calls `editor.take_external`."""

    def __init__(self, editor: EntryEditor, text: str) -> None:
        super().__init__()
        self.editor = editor
        self.text = text


class HandedIn(Message):
    """A text left the editor to be saved; until it is, it is nowhere else."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class EntryEditor(Dialog[EditorResult | None]):
    """Edits one text; the store may change meanwhile, the text and the caret stay."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "save", "Save", show=False, priority=True),
        Binding("f3,ctrl+o", "rewrite", "Rewrite", show=False, priority=True),
        Binding("f4", "external", "Editor", show=False, priority=True),
        Binding("f6", "next_finding", "Next finding", show=False, priority=True),
    ]
    AUTO_FOCUS = "EntryArea"

    area = getters.query_one(EntryArea)
    usage_bar = getters.query_one(UsageBar)
    verdict_pane = getters.query_one("#verdict", TextPane)
    key_bar = getters.query_one(KeyBar)
    note_line = getters.query_one("#note", Static)

    def __init__(
        self, *, title: str, text: str, check: Check, path: str, can_accept_newer: bool = True, saved: str | None = None
    ) -> None:
        """Edit `text`.

        Args:
            title: what is edited: `Edit entry 3 of MEMORY.md`.
            text: the exact text to begin with; empty to add an entry.
            check: says what saving a text would mean; pure and quick.
            path: the file it will be saved to.
            can_accept_newer: whether a finding that newer agents let pass may be saved after a warning.
            saved: the text as it is on disk, where `text` is a draft that came back from a refusal.
        """
        super().__init__()
        self.heading = visible(title, multiline=False)
        self.footing = visible(path, multiline=False)
        self.start_text = text
        self.saved_text = text if saved is None else saved
        self.check: TextCheck = check(text)
        """What saving the text as it stands would mean."""
        self._check = check
        self._can_accept_newer = can_accept_newer
        self._warned = False
        self._refused = False
        self._chosen = 0
        self._note = ""
        self._noted_at = 0.0
        self._late: Timer | None = None
        self._ageing: Timer | None = None

    def compose_body(self) -> ComposeResult:
        """The text, what would be said about it, and the usage it would lead to."""
        yield EntryArea(self.start_text)
        yield TextPane(self._verdict(self.start_text), id="verdict")
        yield Static(id="note", markup=False)
        yield UsageBar(self.check.usage_after, id="usage")

    def on_mount(self) -> None:
        """The caret stands behind the text, where one goes on writing."""
        super().on_mount()
        self.verdict_pane.can_focus = False
        self.area.move_cursor(self.area.document.end)
        self._show_check()

    # What is known

    @property
    def entry(self) -> str:
        """The exact text as it stands."""
        return self.area.entry

    @property
    def changed(self) -> bool:
        """Whether leaving would lose something."""
        return self.entry != self.saved_text

    @property
    def finding(self) -> Finding | None:
        """The finding that the keys are about."""
        findings = self.check.findings
        return findings[self._chosen % len(findings)] if findings else None

    @property
    def _shift(self) -> int:
        """How many characters of the typed text come before the text that would be stored."""
        entry = self.entry
        return len(entry) - len(entry.lstrip())

    @property
    def may_save(self) -> bool:
        """Whether saving would be accepted, if need be after a warning."""
        return self.check.ok or self._newer_would_do()

    def _newer_would_do(self) -> bool:
        if not (self._can_accept_newer and self.check.only_newer_pass):
            return False
        try:
            require(self.check, accept_newer=True)
        except Refused:
            return False
        return True

    def key_hints(self) -> list[KeyHint]:
        """The keys; those that make no sense now are greyed."""
        rewritable = self._rewrite() is not None
        hints = [
            KeyHint("ctrl+s", "Save", "screen.save", self.may_save),
            KeyHint("f3", "Rewrite", "screen.rewrite", rewritable),
            KeyHint("f6", "Next finding", "screen.next_finding", bool(self.check.findings)),
            KeyHint("ctrl+e", "$EDITOR", "screen.external"),
            KeyHint("esc", "Leave", "screen.leave"),
        ]
        return [hint for hint in hints if hint.enabled or hint.action in ("screen.save", "screen.external")]

    def _rewrite(self) -> str | None:
        finding = self.finding
        return suggest_rewrite(self.check.text, finding) if finding else None

    # Following the text

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Check at every key; a very long text when typing pauses."""
        event.stop()
        self._warned = self._refused = False
        if self._late:
            self._late.stop()
            self._late = None
        if len(self.area.text) > LAZY_ABOVE_CHARS:
            self._late = self.set_timer(LAZY_SECONDS, self.check_now, name="late check")
        else:
            self.check_now()

    def on_text_area_selection_changed(self) -> None:
        """The finding under the caret is the one the keys are about."""
        findings = self.check.findings
        if findings:
            caret = self.area.caret - self._shift
            for number, finding in enumerate(findings):
                if finding.start <= caret <= finding.end and number != self._chosen:
                    self._chosen = number
                    self._show_check()
                    return

    def check_now(self) -> None:
        """Look at the text as it stands."""
        self.check = self._check(self.entry)
        if self._chosen >= len(self.check.findings):
            self._chosen = 0
        self._show_check()

    def _verdict(self, entry: str) -> Paper:
        return verdict(
            self.check,
            chosen=self._chosen,
            rewrite=self._rewrite(),
            untouched=entry == self.saved_text,
            warned=self._warned,
            refused=self._refused,
            newer_would_do=self._newer_would_do(),
        )

    def _show_check(self) -> None:
        entry = self.entry
        self.usage_bar.usage = self.check.usage_after
        self.verdict_pane.show(self._verdict(entry))
        self.area.mark(self.check.findings, self._shift)
        self.key_bar.show(self.key_hints())
        self._show_note()

    # The world outside

    def store_changed(self, check: Check, note: str) -> None:
        """The store was read again: check against it from now on, and say so; the text is not touched.

        Args:
            check: as in the constructor, for the store as it is now.
            note: what happened, `MEMORY.md changed on disk`; how long ago is added here.
        """
        self._check = check
        self._note = visible(note, multiline=False)
        self._noted_at = time.monotonic()
        if not self.is_mounted:
            return
        self.check_now()
        if self._ageing is None:
            self._ageing = self.set_interval(1, self._show_note, name="age of the note")

    def _show_note(self) -> None:
        words = []
        if self._note:
            words.append(f"{self._note} {ago(time.monotonic() - self._noted_at)} ago. Your text is untouched.")
        if count := spelled_out(self.area.text):
            stands = "stands" if count == 1 else "stand"
            words.append(f"{plural(count, 'hidden character')} {stands} spelled out as ⟨U+…⟩ and will be kept exact.")
        self.note_line.update("\n".join(words))
        self.note_line.set_class(bool(words), "-shown")

    def take_external(self, text: str) -> None:
        """Take the text that came back from an external editor; undo takes it back in one step."""
        if text != self.entry:
            self.area.replace_all(text)

    # Actions

    def action_save(self) -> None:
        """Hand the text back, unless something speaks against it."""
        self.check_now()
        if self.check.ok:
            self._hand_in(accept_newer=False)
        elif self._newer_would_do():
            if self._warned:
                self._hand_in(accept_newer=True)
                return
            self._warned = True
            self._show_check()
        else:
            self._refused = True
            self._show_check()

    def _hand_in(self, *, accept_newer: bool) -> None:
        self.post_message(HandedIn(self.entry))
        self.dismiss(EditorResult(self.entry, accept_newer))

    def action_rewrite(self) -> None:
        """Put the offered words in the place of the finding."""
        rewrite = self._rewrite()
        if rewrite is None:
            return
        entry = self.entry
        shift = self._shift
        tail = len(entry.rstrip())
        self.area.replace_slice(shift, tail, rewrite)

    def action_next_finding(self) -> None:
        """Go to the next finding and select it."""
        if not self.check.findings:
            return
        here = self.finding
        caret = self.area.caret - self._shift
        on_it = here is not None and here.start <= caret <= here.end
        self._chosen = (self._chosen + on_it) % len(self.check.findings)
        finding = self.check.findings[self._chosen]
        self.area.move_cursor(self.area.location_of(finding.start + self._shift))
        self.area.move_cursor(self.area.location_of(finding.end + self._shift), select=True)
        self._show_check()

    def action_external(self) -> None:
        """Ask the app for the person's own editor."""
        self.post_message(ExternalEditRequested(self, self.entry))

    def leave(self) -> None:
        """Leave; ask first when something would be lost."""
        if not self.changed:
            self.dismiss(None)
            return
        _, typed = changed_part(self.saved_text, self.entry)
        question = f"Discard {plural(len(typed), 'character')}?" if typed else "Discard your changes?"
        self.app.push_screen(Confirm(question, yes="Discard"), self._discard)

    def _discard(self, yes: bool | None) -> None:
        if yes:
            self.dismiss(None)
