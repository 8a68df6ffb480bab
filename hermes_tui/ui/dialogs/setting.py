"""A setting being changed: what is typed is checked at every key, and what it would do is said before it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from hermes_tui.config.keys import Value
from hermes_tui.config.rows import Row, parse_value, said_default, shown_value
from hermes_tui.errors import Refused
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.form import Choices, FormChanged
from hermes_tui.ui.dialogs.line_input import LineInput


class SettingDialog(Dialog[Value | None]):
    """Leaves with the value to write; None when nothing is to change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "save", "Save", show=False, priority=True),
        Binding("enter", "save", "Save", show=False),
    ]
    AUTO_FOCUS = "LineInput, Choices"
    size_class = "-small"

    verdict = getters.query_one("#setting-verdict", Static)

    def __init__(self, row: Row, effect: Callable[[Value], str]) -> None:
        """Ask for a value.

        Args:
            row: the setting as it is.
            effect: what a value would do to the stores as they stand; empty for nothing.
        """
        super().__init__()
        self._row = row
        self._effect = effect
        self.heading = row.key.name
        self.footing = f"default: {visible(said_default(row.key), multiline=False)}"

    @property
    def _offered(self) -> tuple[str, ...]:
        """The words there are to choose from; none where it is typed."""
        key = self._row.key
        return ("on", "off") if key.kind == "switch" else key.choices

    def compose_body(self) -> ComposeResult:
        """Meaning, the value, what becomes of it."""
        row = self._row
        yield Static(Content(row.key.meaning), markup=False)
        if self._offered:
            now = ("on" if row.value else "off") if row.key.kind == "switch" else str(row.value)
            at = self._offered.index(now) if now in self._offered else 0
            yield Choices("Value", [word or "not set" for word in self._offered], at=at, id="setting-choice")
        else:
            with Horizontal(id="setting-line"):
                secret = row.key.kind == "secret"
                yield LineInput("" if secret else str(row.value), placeholder=row.key.range, chosen=True, id="setting")
        yield Static(id="setting-verdict", markup=False)

    def on_mount(self) -> None:
        """Say what the value does."""
        super().on_mount()
        if self._row.key.kind == "secret":
            self.query_one(LineInput).password = True
        self.show_check()

    def key_hints(self) -> list[KeyHint]:
        """Save, leave."""
        return [
            KeyHint("enter", "Save", "screen.save", self.is_mounted and self._value()[0] is not None),
            *([KeyHint("←→", "Choose", "screen.focus_next")] if self._offered else []),
            KeyHint("esc", "Leave", "screen.leave"),
        ]

    def _value(self) -> tuple[Value | None, str]:
        """What is chosen or typed, as a value; or why it is none."""
        try:
            return parse_value(self._row.key, self._text), ""
        except Refused as error:
            return None, error.message

    @property
    def _text(self) -> str:
        return self._offered[self.query_one(Choices).at] if self._offered else self.query_one(LineInput).text

    @property
    def _unchanged(self) -> bool:
        value = self._value()[0]
        row = self._row
        return not row.notes and type(value) is type(row.value) and value == row.value and row.origin == "user"

    def show_check(self) -> None:
        """Say what saving would do."""
        value, trouble = self._value()
        key = self._row.key
        if value is None:
            said = Content.styled(f"✗ {visible(trouble)}", "$error")
        elif effect := self._effect(value):
            said = Content.styled(effect, "$warning" if "refused" in effect or "fits" in effect else "$foreground")
        elif self._unchanged:
            said = Content.styled("This is its value now.", "$text-muted")
        elif key.kind == "secret" and value:
            said = Content.styled(
                f"{shown_value(key, value)} would stand in config.yaml; the home's .env is meant for secrets.",
                "$warning",
            )
        else:
            said = Content.styled(f"It takes {key.range}.", "$text-muted")
        self.verdict.update(said)
        self.query_one(KeyBar).show(self.key_hints())

    def on_input_changed(self, event: Input.Changed) -> None:
        """Check at every key."""
        event.stop()
        self.show_check()

    def on_form_changed(self, event: FormChanged) -> None:
        """Another word was chosen."""
        event.stop()
        self.show_check()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter saves."""
        event.stop()
        self.action_save()

    def action_save(self) -> None:
        """Hand the value back, unless it is none or nothing would change."""
        value = self._value()[0]
        if value is not None:
            self.dismiss(None if self._unchanged else value)
