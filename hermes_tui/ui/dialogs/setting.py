"""A setting being changed: what is typed is checked at every key, and what it would do is said before it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from hermes_tui.config.keys import Value
from hermes_tui.errors import Refused
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.base import KeyBar, KeyHint
from hermes_tui.ui.dialogs.form import Choices
from hermes_tui.ui.dialogs.form_dialog import SAVES, FormDialog
from hermes_tui.ui.dialogs.line_input import LineInput


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for."""

    name: str
    meaning: str
    takes: str
    """What may be given, in words."""
    default: str
    now: str
    """What it is, raw; not shown when it is a secret."""
    offered: tuple[str, ...]
    """The words there are to choose from; none where it is typed."""
    secret: bool
    parse: Callable[[str], Value]
    """A text as a value; raises Refused for what is none."""
    effect: Callable[[Value], str]
    """What a value would do; empty for nothing worth saying."""
    same: Callable[[Value], bool]
    """Whether a value is what is written now."""


class SettingDialog(FormDialog[Value | None]):
    """Leaves with the value to write; None when nothing is to change."""

    BINDINGS: ClassVar[list[BindingType]] = [SAVES]
    AUTO_FOCUS = "LineInput, Choices"
    size_class = "-small"

    verdict = getters.query_one("#setting-verdict", Static)

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._asked = asked
        self.heading = visible(asked.name, multiline=False)
        self.footing = f"default: {visible(asked.default, multiline=False)}"

    def compose_body(self) -> ComposeResult:
        """Meaning, the value, what becomes of it."""
        asked = self._asked
        yield Static(Content(asked.meaning))
        if asked.offered:
            at = asked.offered.index(asked.now) if asked.now in asked.offered else 0
            yield Choices("Value", [word or "not set" for word in asked.offered], at=at, id="setting-choice")
        else:
            with Horizontal(id="setting-line"):
                text = "" if asked.secret else asked.now
                yield LineInput(text, placeholder=asked.takes, chosen=True, id="setting")
        yield Static(id="setting-verdict", markup=False)

    def on_mount(self) -> None:
        """Say what the value does."""
        super().on_mount()
        if self._asked.secret:
            self.query_one(LineInput).password = True
        self.follow()

    def key_hints(self) -> list[KeyHint]:
        """Save, leave."""
        return [
            KeyHint("enter", "Save", "screen.go", self.is_mounted and self._value()[0] is not None),
            *([KeyHint("←→", "Choose", "screen.choose")] if self._asked.offered else []),
            KeyHint("esc", "Leave", "screen.leave"),
        ]

    def _value(self) -> tuple[Value | None, str]:
        """What is chosen or typed, as a value; or why it is none."""
        offered = self._asked.offered
        text = offered[self.query_one(Choices).at] if offered else self.query_one(LineInput).text
        try:
            return self._asked.parse(text), ""
        except Refused as error:
            return None, error.message

    def follow(self) -> None:
        """Say what saving would do."""
        value, trouble = self._value()
        if value is None:
            said = Content.styled(f"✗ {visible(trouble)}", "$error")
        elif effect := self._asked.effect(value):
            said = Content.styled(visible(effect), "$warning")
        elif self._asked.same(value):
            said = Content.styled("This is its value now.", "$text-muted")
        else:
            said = Content.styled(f"It takes {visible(self._asked.takes)}.", "$text-muted")
        self.verdict.update(said)
        self.query_one(KeyBar).show(self.key_hints())

    def action_go(self) -> None:
        """Hand the value back, unless it is none or nothing would change."""
        value = self._value()[0]
        if value is not None:
            self.dismiss(None if self._asked.same(value) else value)
