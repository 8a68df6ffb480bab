"""What all dialogs share: the frame, the line of keys, and leaving by escape."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip

from hermes_tui.text import cells
from hermes_tui.ui.dialogs.backdrop import backdrop
from hermes_tui.ui.drawing import Drawn
from hermes_tui.ui.widgets.message_line import MessageLine

if TYPE_CHECKING:
    from textual.visual import VisualType
    from textual.worker import Worker

Result = TypeVar("Result")

_GAP = 3
"""Cells between two keys."""


class CopyRequested(Message):
    """A dialog wants exact text on the clipboard; the app knows how."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self.text = text
        """The raw text."""
        self.what = what
        """What it is, for the toast: `entry 3 of MEMORY.md`."""


class KeyHint(NamedTuple):
    """A key of a dialog as its bottom line shows it."""

    key: str
    label: str
    action: str
    enabled: bool = True

    @property
    def width(self) -> int:
        """Cells it takes."""
        return cells(self.key) + 1 + cells(self.label)


class KeyBar(MessageLine):
    """The keys that work in a dialog; a click does what the key does."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys--key", "keys--label", "keys--disabled"}

    DEFAULT_CSS = """
    KeyBar {
        width: 1fr;
        height: auto;
        & > .keys--key { color: $accent; text-style: bold; }
        & > .keys--label { color: $foreground; }
        & > .keys--disabled { color: $text-disabled; }
    }
    """

    def __init__(self, hints: Sequence[KeyHint], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hints = tuple(hints)

    def show(self, hints: Sequence[KeyHint]) -> None:
        """Show these keys instead."""
        if tuple(hints) != self.hints:
            self.hints = tuple(hints)
            self.refresh(layout=True)

    def placed(self, width: int) -> list[tuple[int, int, KeyHint]]:
        """Row, column and hint of each key; a key stands on the row of its label."""
        row = x = 0
        places = []
        for hint in self.hints:
            if x and x + hint.width > width:
                row, x = row + 1, 0
            places.append((row, x, hint))
            x += hint.width + _GAP
        return places

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many rows as the keys need."""
        return self.placed(width)[-1][0] + 1 if self.hints else 0

    def render_line(self, y: int) -> Strip:
        """One row of keys, or the message."""
        if self.message and y == 0:
            return self.message_strip()
        width = self.size.width
        segments: list[Segment] = []
        used = 0
        for row, x, hint in self.placed(width):
            if row == y:
                key, label = ("key", "label") if hint.enabled else ("disabled", "disabled")
                segments.append(Segment(" " * (x - used), self.rich_style))
                segments.append(Segment(hint.key, self.get_component_rich_style(f"keys--{key}")))
                segments.append(Segment(f" {hint.label}", self.get_component_rich_style(f"keys--{label}")))
                used = x + hint.width
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        if self.took_click():
            return
        for row, x, hint in self.placed(self.size.width):
            if row == event.y and x <= event.x < x + hint.width:
                await self.run_action(hint.action)
                return


@runtime_checkable
class FailureTeller(Protocol):
    """An app that says it when work in the background has failed."""

    def tell_failure(self, message: Worker.StateChanged) -> None:
        """Say it, if it has failed."""


class Dialog(Drawn, ModalScreen[Result], Generic[Result]):
    """A frame in the middle of the screen; escape leaves it with nothing decided."""

    CSS_PATH: ClassVar[str | Path] = Path(__file__).parent / "dialogs.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back", show=False)]

    heading: str = ""
    """Stands in the upper border; safe to show."""
    footing: str = ""
    """Stands in the lower border; safe to show."""
    size_class: str = "-large"
    """`-large` fills the screen up to a readable width; `-small`, and the wider `-fitting`, are as high as needed."""

    def render(self) -> VisualType:  # type: ignore[override]
        """The screen below, dimmed."""
        return backdrop(super().render())

    def compose(self) -> ComposeResult:
        """The frame around what the dialog shows, and its keys."""
        with Vertical(id="dialog", classes=self.size_class):
            yield from self.compose_body()
            if hints := self.key_hints():
                yield KeyBar(hints, id="keys")

    def compose_body(self) -> ComposeResult:
        """What is inside the frame."""
        yield from ()

    def key_hints(self) -> list[KeyHint]:
        """The keys to show."""
        return [KeyHint("esc", "Back", "screen.leave")]

    def on_worker_state_changed(self, message: Worker.StateChanged) -> None:
        """Work in the background may have failed."""
        if isinstance(self.app, FailureTeller):
            self.app.tell_failure(message)

    def on_mount(self) -> None:
        """Title and subtitle go into the border."""
        frame = self.query_one("#dialog", Vertical)
        frame.border_title = Content(self.heading)
        frame.border_subtitle = Content(self.footing)

    def leave(self) -> None:
        """Back out with nothing decided."""
        self.dismiss(None)

    def action_leave(self) -> None:
        """Escape, or a click on it."""
        self.leave()
