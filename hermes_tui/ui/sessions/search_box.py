"""The line that is typed into, what it offers, and what could not be understood of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from hermes_tui.text import visible
from hermes_tui.ui.sessions.choosing import typeable
from hermes_tui.ui.sessions.completions import Completion, CompletionList, completions_of
from hermes_tui.ui.widgets.footer import FooterLine

PLACEHOLDER = "words that were said, a title, an id; source: after: role: … narrow it"
PLACEHOLDER_SHORT = "words that were said, a title, an id"
MIN_NAME_CHARS = 2
"""Filter words are offered from so many letters on: most words that begin like one are words to look for."""
MAX_OFFERED = 50
PROBLEM_SECONDS = 0.6
"""What cannot be understood is said when nothing was typed for so long."""


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class BoxInput(Input):
    """The input; it takes the joiners that words are spelled with, and with an offer below some keys are about that."""

    @property
    def typing_keys(self) -> tuple[tuple[str, str], ...]:
        """What the footer says meanwhile."""
        offer = self.screen.query_one(SearchBox).offer
        enter = ("enter", "Open" if self.value.strip() else "To the list")
        if not offer.offered:
            return (enter, ("↑↓", "Move"), ("esc", "Back"))
        moving = ("↑↓", "Choose" if offer.of_values else "Move")
        return (enter, moving, ("tab", "Complete"), ("esc", "Dismiss"))

    def on_mount(self) -> None:
        """Nothing blinks."""
        self.cursor_blink = False

    def on_paste(self, event: events.Paste) -> None:
        """Several lines become one; a stock input would take the first of them alone."""
        lines = (line.strip() for line in event.text.splitlines())
        text = " ".join(line for line in lines if line)
        event.stop()
        event.prevent_default()
        self.replace(text, *self.selection)

    def on_key(self, event: events.Key) -> None:
        """Let the box have the keys that are not about the text."""
        box = self.screen.query_one(SearchBox)
        if box.take(event.key):
            event.stop()
            event.prevent_default()
        elif event.character and not event.character.isprintable():
            from hermes_tui.ui.dialogs.entry_area import typed_unseen  # loaded here: hardly a key is one

            if typed_unseen(event):
                event.stop()
                event.prevent_default()
                self.insert_text_at_cursor(event.character)


def _note(offered: Completion, name: str, counts: Mapping[str, int]) -> str:
    word, _, value = offered.word.partition(":")
    number = counts.get(value.strip('"')) if word == name else None
    return offered.note if number is None else f"{number:,}"


class SearchBox(Vertical):
    """Always visible; says what is typed and searched for, at every key."""

    class Typed(Message):
        """The text is another one now."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Offering(Message):
        """Values are offered, and somebody should count them."""

        def __init__(self, name: str, values: tuple[str, ...]) -> None:
            super().__init__()
            self.name = name
            self.values = values

    class Entered(Message):
        """Enter was pressed in the box."""

    input = getters.query_one("#search", Input)
    offer = getters.query_one(CompletionList)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.known: Mapping[str, Mapping[str, int]] = {}
        """Values of filter words, the most common first."""
        self._counts: dict[str, Mapping[str, int]] = {}
        """How many conversations those that are offered would show."""
        self._soon: Timer | None = None
        self._problems: Sequence[str] = ()
        self._quiet = ""
        """A text whose offer was closed."""

    def compose(self) -> ComposeResult:
        """Sign, input and state; offers and problems below."""
        with Horizontal(id="search-line"):
            yield Static("/", classes="sign")
            yield BoxInput(placeholder=PLACEHOLDER, compact=True, id="search", select_on_focus=False)
            yield Static(id="search-state", markup=False)
        yield CompletionList(id="completions")
        yield Static(id="search-problems", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Say what can be typed in the room there is."""
        self.input.placeholder = PLACEHOLDER if event.size.width > len(PLACEHOLDER) + 8 else PLACEHOLDER_SHORT

    @property
    def text(self) -> str:
        """What is typed."""
        return self.input.value

    def put(self, text: str, caret: int | None = None) -> None:
        """Have another text in the box; a stock input would send control characters on to the terminal."""
        self.input.value = text = _CONTROLS.sub("", text)
        self.input.cursor_position = len(text) if caret is None else caret

    def show_state(self, words: str) -> None:
        """Say on the right what the search is doing."""
        self.query_one("#search-state", Static).update(Content(words))

    def show_problems(self, problems: Sequence[str]) -> None:
        """Say below what was left out, and why, once a person has stopped typing; a date half typed is no problem."""
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        if problems:
            self._soon = self.set_timer(PROBLEM_SECONDS, partial(self._show_problems, problems), name="problems")
        else:
            self._show_problems(())

    def _show_problems(self, problems: Sequence[str]) -> None:
        self._soon = None
        self._problems = problems
        self._say_problems()

    def _say_problems(self) -> None:
        """They wait while there is an offer: what is half typed is a problem only when nobody goes on."""
        line = self.query_one("#search-problems", Static)
        line.update(Content(visible(" ".join(self._problems), multiline=False)))
        line.display = bool(self._problems) and not self.offer.offered

    # Offers

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        """Search, and offer what fits."""
        event.stop()
        self.post_message(self.Typed(event.value))
        self._show_offer()

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Say so to the screen."""
        event.stop()
        self.close_offer()
        self.post_message(self.Entered())

    def _show_offer(self) -> None:
        from hermes_tui.sessions.query import completions  # loaded here: on the first key

        text, caret = self.input.value, self.input.cursor_position
        begun = text[:caret].replace("\t", " ").rsplit(" ", 1)[-1]
        if text == self._quiet or not self.input.has_focus or (":" not in begun and len(begun) < MIN_NAME_CHARS):
            self._offer(())
            return
        whole = completions(text, caret, {name: list(filter(typeable, values)) for name, values in self.known.items()})
        offered = completions_of(whole[:MAX_OFFERED], text, caret, self._counts)
        self._offer(offered)
        if self.offer.of_values:
            name = begun.partition(":")[0].lower()
            if name in self.known:
                values = tuple(each.word.partition(":")[2].strip('"') for each in offered)
                self.post_message(self.Offering(name, values))

    def _offer(self, offered: Sequence[Completion]) -> None:
        self.offer.offer(offered)
        self._say_problems()
        for footer in self.screen.query(FooterLine):
            footer.follow_typing()

    def show_counts(self, name: str, counts: Mapping[str, int]) -> None:
        """Say how many conversations each value that is offered would show."""
        self._counts[name] = counts
        noted = [each._replace(note=_note(each, name, counts)) for each in self.offer.offered]
        if self.offer.offered:
            self.offer.offer(noted)

    def close_offer(self) -> bool:
        """Stop offering for this text; whether there was an offer."""
        was_open = bool(self.offer.offered)
        self._quiet = self.text
        self._offer(())
        return was_open

    @on(CompletionList.Chosen)
    def accept(self) -> None:
        """Take what is marked."""
        if chosen := self.offer.current:
            self.put(chosen.text, chosen.caret)
            self.input.focus()
            self._show_offer()

    def take(self, key: str) -> bool:
        """Do what a key means for the offer; whether it means anything."""
        if not self.offer.offered:
            return False
        if key == "tab" or (key == "right" and self.input.cursor_position == len(self.text)):
            self.accept()
            return True
        if key in ("up", "down") and self.offer.of_values:
            self.offer.move(1 if key == "down" else -1)
            return True
        return False

    def on_descendant_blur(self) -> None:
        """Nobody types any more."""
        self._offer(())
