"""A title being written: what the agent's rules make of it follows every keystroke."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from hermes_tui.errors import Refused
from hermes_tui.sessions.upkeep.naming import MAX_TITLE_CHARS, Title, clean_title
from hermes_tui.text import one_line, visible
from hermes_tui.ui.dialogs.base import KeyBar, KeyHint
from hermes_tui.ui.dialogs.form_dialog import SAVES, FormDialog
from hermes_tui.ui.dialogs.line_input import LineInput

FIRST_SYMBOL = 0x2190
"""From here on characters are arrows, signs and emoji, more or less; before it they are letters."""
SHOWN_CELLS = 60
"""Of a title in a sentence."""
_JOINED = re.compile(
    "[^\\s\u200d]\ufe0f?[\U0001f3fb-\U0001f3ff]?(?:\u200d[^\\s\u200d]\ufe0f?[\U0001f3fb-\U0001f3ff]?)+"
)
"""Characters that joiners make one of, such as the emoji of a family."""


@dataclass(frozen=True, slots=True)
class Named:
    """What is known of the thing that gets a title."""

    session_id: str
    title: str
    """The stored title; empty for none."""
    suggestion: str = ""
    """What it is called as long as it has none."""
    below: str = ""
    """What the list shows when the title is cleared; empty when nobody knows."""


class RenameDialog(FormDialog[str | None]):
    """Leaves with the text to store, which is empty to clear the title; None when nothing is to change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        SAVES,
        Binding("f3,ctrl+o", "take", "Take what is offered", show=False, priority=True),
    ]
    AUTO_FOCUS = "LineInput"

    heading = "Rename"
    size_class = "-small"

    line = getters.query_one(LineInput)

    def __init__(self, named: Named, *, text: str | None = None, trouble: str = "", offer: str = "") -> None:
        """Ask for a title.

        Args:
            named: what is renamed.
            text: what to begin with, where a text came back from a refusal.
            trouble: why it came back.
            offer: a title that would do.
        """
        super().__init__()
        self._named = named
        self._trouble = trouble
        self._offer = offer
        self._came_back = text is not None
        self.start_text = text if text is not None else _typeable(named.title or named.suggestion)
        self.footing = one_line(named.session_id, 48)

    def compose_body(self) -> ComposeResult:
        """The line with its count, and what becomes of it."""
        with Horizontal(id="title-line"):
            yield LineInput(
                self.start_text, placeholder="no title", chosen=not (self._named.title or self._came_back), id="title"
            )
            yield Static(id="title-count", markup=False)
        yield Static(id="title-verdict", markup=False)

    def on_mount(self) -> None:
        """Say what the text would be."""
        super().on_mount()
        if self._named.title or self._came_back:
            self.line.cursor_position = len(self.line.value)
        self.follow()

    def key_hints(self) -> list[KeyHint]:
        """Save, what is offered, leave."""
        hints = [KeyHint("enter", "Save", "screen.go", self._checked() is not None)]
        if self._offer:
            hints.append(KeyHint("f3", f"Take “{one_line(self._offer, 40)}”", "screen.take"))
        return [*hints, KeyHint("esc", "Leave", "screen.leave")]

    # Following the text

    def _checked(self) -> Title | None:
        """The title as it would be stored; None when it is refused."""
        try:
            return clean_title(self.line.text if self.is_mounted else self.start_text)
        except Refused:
            return None

    def follow(self) -> None:
        """Say what the text would be."""
        if self.line.text != self.start_text:
            self._trouble = ""
        title = self._checked()
        chars = len(title.text) if title else len(" ".join(self.line.text.split()))
        count = self.query_one("#title-count", Static)
        count.update(Content.styled(f"{chars}/{MAX_TITLE_CHARS}", "$text-muted" if title else "$error bold"))
        words, tone = self.verdict()
        self.query_one("#title-verdict", Static).update(Content.styled(words, tone))
        self.query_one(KeyBar).show(self.key_hints())

    def verdict(self) -> tuple[str, str]:
        """What saving would do, and the tone to say it in."""
        if self._trouble:
            return f"✗ {visible(self._trouble)}", "$error"
        text = self.line.text
        try:
            title = clean_title(text)
        except Refused as error:
            return f"✗ {error}", "$error"
        if not title.text:
            return self._cleared(), "$warning" if self._named.title else "$text-muted"
        words = []
        if title.removed:
            words.append(f"Taken out of it, as the agent does: {', '.join(title.removed)}.")
            words += apart_words(text)
            words.append(f"Saved as {_quoted(title.text)}.")
        elif title.text != text.strip():
            words.append(f"Saved as {_quoted(title.text)}.")
        if words:
            return " ".join(words), "$warning"
        if title.text == self._named.title:
            return "This is its title now.", "$text-muted"
        if not self._named.title and title.text == self._named.suggestion:
            return "Made from the first message; saving makes it the title.", "$text-muted"
        return "", "$text-muted"

    def _cleared(self) -> str:
        if not self._named.title:
            return "It has no title, and stays without one."
        then = f" The list shows {_quoted(self._named.below)} then." if self._named.below else ""
        return f"With nothing here its title is cleared.{then}"

    # Leaving

    def action_go(self) -> None:
        """Hand the title back, unless it is refused or nothing would change."""
        title = self._checked()
        if title is None:
            return
        unchanged = title.text == self._named.title
        self.dismiss(None if unchanged else title.text)

    def action_take(self) -> None:
        """Put what is offered in the place of the text."""
        if self._offer:
            self.line.put(self._offer)
            self._offer = ""
            self.follow()


def apart_words(text: str) -> list[str]:
    """What falls apart without its joiners: `Without joiners one character falls apart into 3: 👨 👩 👧.`"""
    joined = dict.fromkeys(match[0] for match in _JOINED.finditer(text))
    pieces = [
        one.split("\u200d") for one in joined if any(ord(char) >= FIRST_SYMBOL and char != "\u200d" for char in one)
    ]
    return [
        f"Without joiners one character falls apart into {len(each)}: {visible(' '.join(each), multiline=False)}."
        for each in pieces
    ]


def _typeable(title: str) -> str:
    """A title from disk as it would be stored now; one that is too long is cut."""
    try:
        return clean_title(title).text
    except Refused:
        return clean_title(title[:MAX_TITLE_CHARS]).text


def _quoted(title: str) -> str:
    return f"“{one_line(title, SHOWN_CELLS)}”"
