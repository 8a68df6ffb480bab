"""One line to type into; what cannot be seen stands spelled out as ⟨U+200B⟩ and comes back exact."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from hermes_tui.ui.dialogs.entry_area import typed_unseen
from hermes_tui.ui.dialogs.notation import spoken, written


class LineInput(Input):
    """A stock input for texts from disk and pastes of all kinds."""

    DEFAULT_CSS = """
    LineInput {
        &:focus { background-tint: transparent; }
        & > .input--selection { background: $panel; color: $foreground; text-style: reverse; }
    }
    """

    def __init__(
        self, text: str = "", *, placeholder: str = "", chosen: bool = False, id: str | None = None, classes: str = ""
    ) -> None:
        """Begin with `text`.

        Args:
            text: exact.
            placeholder: what to say while nothing is typed.
            chosen: whether all of it is selected at first, so that typing takes its place.
            id: as of every widget.
            classes: the same.
        """
        super().__init__(
            written(text), placeholder=placeholder, compact=True, select_on_focus=chosen, id=id, classes=classes
        )
        self.cursor_blink = False

    @property
    def text(self) -> str:
        """The exact text as it stands."""
        return spoken(self.value)

    def put(self, text: str) -> None:
        """Have another text in it, the caret behind it."""
        self.value = written(text)
        self.cursor_position = len(self.value)

    def on_paste(self, event: events.Paste) -> None:
        """Several lines become one; a stock input would take the first of them alone."""
        event.stop()
        event.prevent_default()
        lines = (line.strip() for line in event.text.splitlines())
        self.replace(written(" ".join(line for line in lines if line)), *self.selection)

    def on_key(self, event: events.Key) -> None:
        """Joiners are text as well."""
        if typed_unseen(event):
            event.stop()
            event.prevent_default()
            self.replace(written(event.character or ""), *self.selection)
