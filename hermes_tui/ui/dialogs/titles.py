"""Titles that would be written: made from first messages, or by a model that was named; nothing before a yes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from hermes_tui.errors import HermesTuiError
from hermes_tui.redaction import redact
from hermes_tui.sessions.database import Interrupted
from hermes_tui.text import cells, one_line, plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.confirm import Answer
from hermes_tui.ui.dialogs.following import Course
from hermes_tui.ui.dialogs.form import Choices, FormChanged
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import FittingPane

if TYPE_CHECKING:
    from hermes_tui.sessions.listing import Brief

LISTED = 500
"""So many titles are shown; all of them are written."""
TITLE_CELLS = 60
LEAST_SAID_CELLS = 12
"""Less of what was said first says nothing."""
ARROW = "  ← "
TICK_SECONDS = 0.2

Source = Literal["derived", "llm"]


@dataclass(frozen=True, slots=True)
class Offer:
    """Conversations that titles can be written for."""

    words: str
    """`those selected`."""
    briefs: tuple[Brief, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A conversation without a title, and one for it."""

    id: str
    title: str
    said: str
    """What was said first."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What would be written for an offer."""

    items: tuple[Proposal, ...]
    silent: int
    """Conversations without a title of which none can be made."""
    titled: int


@dataclass(frozen=True, slots=True)
class Writer:
    """A model that writes titles."""

    name: str
    where: str
    """The server in words."""
    ask: Callable[[Sequence[Proposal], Course, Callable[[str, str | HermesTuiError], None]], None]
    """In a thread: asks for titles, and says each as it comes."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person wants written."""

    titles: dict[str, str] = field(default_factory=dict)
    source: Source = "derived"


Propose = Callable[[Offer, Course], Proposed]
"""In a thread: the titles for an offer."""


class TitlesDialog(Dialog[Chosen | None]):
    """Shows every title before it is written; asks y or n, rests on no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Write", show=False),
        Binding("n", "answer(False)", "Leave", show=False),
        Binding("a", "choose('scope')", "Which", show=False),
        Binding("m", "choose('by')", "By", show=False),
        Binding("left,right,h,l", "other", "Other answer", show=False),
        Binding("q", "leave", "Back", show=False),
        Binding("j,down", "scroll(1)", "Down", show=False),
        Binding("k,up", "scroll(-1)", "Up", show=False),
        Binding("pagedown,ctrl+d", "scroll(10)", "Page down", show=False),
        Binding("pageup,ctrl+u", "scroll(-10)", "Page up", show=False),
    ]
    AUTO_FOCUS = "#no"
    size_class = "-fitting"

    heading = "Write titles"
    footing = "nothing is written yet"

    pane = getters.query_one(FittingPane)

    def __init__(self, offers: Sequence[Offer], propose: Propose, writer: Writer | None) -> None:
        """Ask which titles to write.

        Args:
            offers: which conversations can be chosen; the first at first.
            propose: makes titles, in a thread.
            writer: a model that writes them, where one is named.
        """
        super().__init__()
        self._offers = tuple(offers)
        self._propose = propose
        self._writer = writer
        self._course = Course("Looking", "conversation")
        self.proposed: Proposed | None = None
        """What there is; None while it is looked for."""
        self.asking = False
        """Whether a model is at work."""
        self.answers: dict[str, str] = {}
        """What a model has written."""
        self.failures: dict[str, str] = {}

    def compose_body(self) -> ComposeResult:
        """What can be chosen, the titles, the answers."""
        if len(self._offers) > 1:
            words = [f"{offer.words} ({len(offer.briefs):,})" for offer in self._offers]
            yield Choices("For", words, id="scope")
        if self._writer is not None:
            model = f"{one_line(self._writer.name, 30)} at {self._writer.where}"
            yield Choices("Made by", ["the first messages", model], id="by")
        yield FittingPane(Paper().line("Looking for conversations without a title …", "muted"), id="plan")
        with Horizontal(id="answers"):
            yield Answer("n", "Leave", id="no")
            yield Answer("y", "Write", id="yes")

    def on_mount(self) -> None:
        """Begin to look."""
        super().on_mount()
        self.set_interval(TICK_SECONDS, self._follow, name="follow")
        self._begin()

    def on_unmount(self) -> None:
        """Nobody waits for it."""
        self._course.stopping = True

    # What is chosen

    @property
    def by_model(self) -> bool:
        """Whether a model is to write them."""
        return any(choices.at == 1 for choices in self.query("#by").results(Choices))

    @property
    def offer(self) -> Offer:
        """The conversations that are chosen."""
        at = next((choices.at for choices in self.query("#scope").results(Choices)), 0)
        return self._offers[at]

    @property
    def titles(self) -> dict[str, str]:
        """What would be written now."""
        if self.proposed is None or self.asking:
            return {}
        return dict(self.answers) if self.by_model else {item.id: item.title for item in self.proposed.items}

    def action_choose(self, which: str) -> None:
        """The next choice of a kind."""
        for choices in self.query(f"#{which}").results(Choices):
            choices.action_choose(1)

    @on(FormChanged)
    def changed(self) -> None:
        """Other conversations, or made otherwise."""
        self._begin()

    def on_resize(self) -> None:
        """What was said first fills the rows."""
        self.call_after_refresh(self.show)

    def _begin(self) -> None:
        self._course.stopping = True
        self._course = Course("Looking", "conversation")
        self.proposed, self.asking = None, False
        self.answers, self.failures = {}, {}
        if not self._offers:
            self.proposed = Proposed((), 0, 0)
            self.show()
            return
        work = self._look(self._course)
        self.run_worker(work, name="titles", group="titles", exclusive=True, exit_on_error=False)

    async def _look(self, course: Course) -> None:
        try:
            proposed = await asyncio.to_thread(self._propose, self.offer, course)
        except Interrupted:
            return
        except HermesTuiError as error:
            self.pane.show(Paper().raw(str(error), "error"))
            return
        if course is self._course:
            self.proposed = proposed
            self.show()

    # A model

    def _ask(self) -> None:
        self.asking = True
        self._course = Course("Asking", "title")
        self.run_worker(self._ask_model(self._course), name="model", group="titles", exit_on_error=False)
        self.show()

    async def _ask_model(self, course: Course) -> None:
        assert self._writer is not None
        assert self.proposed is not None

        def came(id: str, answer: str | HermesTuiError) -> None:
            if isinstance(answer, str):
                self.answers[id] = answer
            else:
                self.failures[id] = answer.message

        trouble = ""
        try:
            await asyncio.to_thread(self._writer.ask, self.proposed.items, course, came)
        except HermesTuiError as error:
            trouble = str(error)
        if course is self._course and self.is_attached:
            self.asking = False
            self.show(trouble)

    def _follow(self) -> None:
        """Say how far it is."""
        if self.asking:
            self.show()
        elif self.proposed is None and self._course.total:
            self.pane.show(Paper().line(f"Looking for those without a title: {self._course.words} …", "muted"))

    # Showing

    def show(self, trouble: str = "") -> None:
        """Show what would be written, and what the answers mean now."""
        proposed = self.proposed
        if proposed is None:
            return
        self.pane.show(self.paper(proposed, trouble))
        yes = self.query_one("#yes", Static)
        count = len(self.titles)
        asks = self.by_model and not count and not self.asking
        words = "Ask the model" if asks else f"Write {plural(count, 'title')}"
        yes.update(Content.assemble(" ", ("y", "bold"), f"  {words} "))
        yes.display = bool(count) or bool(asks and proposed.items)
        self.query_one(KeyBar).show(self.key_hints())

    def paper(self, proposed: Proposed, trouble: str = "") -> Paper:
        """The titles, and what is left out."""
        paper = Paper()
        width = max(20, self.pane.line_cells)
        if trouble:
            paper.raw(trouble, "error").fresh()
        if not proposed.items:
            paper.line("There is no conversation here that needs a title.", "strong")
        elif self.by_model and not self.answers and not self.asking:
            paper.line(f"{plural(len(proposed.items), 'conversation')} without a title.", "strong")
            assert self._writer is not None
            paper.line(f"y sends the beginning of each, secrets masked, to {visible(self._writer.where)}.", "warning")
        elif self.asking:
            paper.line(f"{self._course.words} · esc stops and keeps what has come.", "strong")
        else:
            titles = len(self.answers) if self.by_model else len(proposed.items)
            paper.line(f"{plural(titles, 'title')} would be written; a number is added to one that is taken.", "strong")
        if self.failures:
            paper.line(f"{plural(len(self.failures), 'title')} did not come: {_first(self.failures)}", "warning")
        if proposed.titled:
            paper.line(f"{plural(proposed.titled, 'conversation')} with a title stay as they are.", "muted")
        if proposed.silent:
            paper.line(f"{proposed.silent:,} say nothing that a title could be made from.", "muted")
        paper.line()
        for item in proposed.items[:LISTED]:
            title = self.answers.get(item.id, "") if self.by_model else item.title
            shown = one_line(redact(title), min(TITLE_CELLS, width)) or "…"
            paper.words(shown, "plain" if title else "muted")
            room = width - cells(shown) - len(ARROW)
            if item.said != title and room >= LEAST_SAID_CELLS:
                paper.words(f"{ARROW}{one_line(redact(item.said), room)}", "muted")
            paper.words("\n")
        if len(proposed.items) > LISTED:
            paper.line(f"… and {len(proposed.items) - LISTED:,} more", "muted")
        return paper

    def key_hints(self) -> list[KeyHint]:
        """What can be chosen, reading, leaving."""
        hints = []
        if len(self._offers) > 1:
            other = self._offers[(self._offers.index(self.offer) + 1) % len(self._offers)]
            hints.append(KeyHint("a", other.words.capitalize(), "screen.choose('scope')"))
        if self._writer is not None:
            made = "From first messages" if self.by_model else "By a model"
            hints.append(KeyHint("m", made, "screen.choose('by')"))
        return [
            *hints,
            KeyHint("↑↓", "Scroll", "screen.scroll(1)"),
            KeyHint("esc", "Stop" if self.asking else "Leave", "screen.leave"),
        ]

    # Leaving

    def action_scroll(self, by: int) -> None:
        """Read on; the answers keep the focus."""
        self.pane.scroll_relative(y=by, animate=False)

    def on_answer_chosen(self, event: Answer.Chosen) -> None:
        """Take the answer that was pressed."""
        self.action_answer(event.answer.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Leave with the titles, ask the model for them first, or leave."""
        if not yes:
            self.leave()
        elif titles := self.titles:
            self.dismiss(Chosen(titles, "llm" if self.by_model else "derived"))
        elif self.by_model and not self.asking and self.proposed is not None and self.proposed.items:
            self._ask()

    def action_other(self) -> None:
        """Put the focus on the other answer."""
        yes = self.query_one("#yes")
        self.query_one("#no" if self.focused is yes or not yes.display else "#yes").focus()

    def leave(self) -> None:
        """Stop asking; then back out."""
        if self.asking:
            self._course.stopping = True
        else:
            self.dismiss(None)


def _first(failures: dict[str, str]) -> str:
    return visible(next(iter(failures.values())), multiline=False)
