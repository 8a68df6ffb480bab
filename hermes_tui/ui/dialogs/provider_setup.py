"""Setting an external provider up: a line for each thing it needs, with what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from hermes_tui.errors import Refused
from hermes_tui.providers.catalogue import catalogue
from hermes_tui.providers.fields import checked
from hermes_tui.providers.setup_asked import asked_fields
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.base import KeyBar, KeyHint
from hermes_tui.ui.dialogs.form import Choices, Line
from hermes_tui.ui.dialogs.form_dialog import SAVES, FormDialog
from hermes_tui.ui.dialogs.line_input import LineInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hermes_tui.providers.fields import Field
    from hermes_tui.providers.status import ProviderStatus

FLAGS = ("true", "false")


class ProviderSetup(FormDialog[dict[str, str] | None]):
    """Leaves with the settings by name that are to be written; None when nothing is."""

    BINDINGS: ClassVar[list[BindingType]] = [SAVES]
    AUTO_FOCUS = "Line LineInput, Choices"
    size_class = "-fitting"

    verdict = getters.query_one("#setup-verdict", Static)

    def __init__(self, status: ProviderStatus, given: Mapping[str, str] | None = None, refused: str = "") -> None:
        """Ask for what a provider needs.

        Args:
            status: what is known of it.
            given: what was filled in before.
            refused: why that would not do.
        """
        super().__init__()
        self._before, self._refused = dict(given or {}), refused
        self._status = status
        self._provider = catalogue()[status.name]
        self._now = {value.field.name: value for value in status.values}
        self.heading = f"Set up {status.title}"
        self.footing = visible(self._provider.site, multiline=False)

    @property
    def _fields(self) -> list[Field]:
        """Everything that may be asked for, whatever the mode."""
        modes = [field for field in self._provider.fields if field.name == "mode"]
        of_all = [asked_fields(self._provider, mode) for mode in (modes[0].choices if modes else ("",))]
        wanted = {field.name for fields in of_all for field in fields}
        return [field for field in self._provider.fields if field.name in wanted]

    def compose_body(self) -> ComposeResult:
        """What it is for, then a line for each setting."""
        with VerticalScroll(id="form", can_focus=False):
            yield Static(Content(visible(self._provider.leaves or self._provider.purpose)), id="setup-purpose")
            for field in self._fields:
                with Vertical(id=f"asked-{field.name}", classes="asked"):
                    yield self._line(field)
                    yield Static(Content(_about(field)), classes="about")
        yield Static(id="setup-verdict", markup=False)

    def _line(self, field: Field) -> Line | Choices:
        now = self._now.get(field.name)
        text = self._before.get(field.name, now.text if now else field.default)
        offered = field.choices or (FLAGS if field.kind == "flag" else ())
        if offered:
            at = offered.index(text) if text in offered else 0
            return Choices(field.name, [word or "not set" for word in offered], at=at, id=f"field-{field.name}")
        if not field.secret:
            return Line(field.name, text, placeholder=field.default, id=f"field-{field.name}")
        held = f"{now.shown} stays when nothing is typed" if now and now.given else "the key; it is not shown"
        return Line(field.name, self._before.get(field.name, ""), placeholder=held, id=f"field-{field.name}")

    def on_mount(self) -> None:
        """Hide what is typed where it is a key."""
        super().on_mount()
        for field in self._fields:
            if field.secret:
                self.query_one(f"#field-{field.name} LineInput", LineInput).password = True
        self.follow()

    def key_hints(self) -> list[KeyHint]:
        """Go on, leave."""
        return [
            KeyHint("enter", "See what would be written", "screen.go", not self.is_mounted or not self._trouble()),
            KeyHint("tab", "Next", "app.focus_next"),
            KeyHint("esc", "Leave", "screen.leave"),
        ]

    # What is filled in

    def _text(self, field: Field) -> str:
        widget = self.query_one(f"#field-{field.name}")
        if isinstance(widget, Choices):
            return (field.choices or FLAGS)[widget.at]
        assert isinstance(widget, Line)
        return widget.text

    @property
    def _mode(self) -> str:
        return next((self._text(field) for field in self._fields if field.name == "mode"), "")

    def _given(self) -> dict[str, str]:
        """What is other than now, in the mode that is chosen."""
        given = {}
        for field in asked_fields(self._provider, self._mode):
            text, now = self._text(field).strip(), self._now.get(field.name)
            before = now.text if now else field.default
            if field.secret and not text:
                continue
            if text != before or (field.name == "mode" and not (now and now.given)):
                given[field.name] = text
        return given

    def _trouble(self) -> str:
        """What is wrong with what is typed; empty when it will do."""
        given = self._given()
        if self._refused and given == self._before:
            return self._refused
        for name, text in given.items():
            field = self._provider.field(name)
            try:
                if field is not None and text:
                    checked(field, text)
            except Refused as error:
                return str(error)
        return ""

    def follow(self) -> None:
        """Show what counts in the mode that is chosen, and what is wrong."""
        wanted = {field.name for field in asked_fields(self._provider, self._mode)}
        for field in self._fields:
            self.query_one(f"#asked-{field.name}").display = field.name in wanted
        trouble = self._trouble()
        words = f"✗ {visible(trouble)}" if trouble else "Nothing is sent; the files that would change are shown first."
        self.verdict.update(Content.styled(words, "$error" if trouble else "$text-muted"))
        self.query_one(KeyBar).show(self.key_hints())

    def action_go(self) -> None:
        """Hand back what is filled in."""
        if not self._trouble():
            self.dismiss(self._given())


def _about(field: Field) -> str:
    at = f" Get one at {field.get_at}" if field.get_at else ""
    return visible(f"{field.about}{at}", multiline=False)
