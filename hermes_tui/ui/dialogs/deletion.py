"""Deleting conversations: what would go, how much of each, and the question."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Interrupted
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.confirm import Answer
from hermes_tui.ui.dialogs.deletion_paper import deletion_paper
from hermes_tui.ui.dialogs.following import Course
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import FittingPane

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.deletion import Plan

MakePlan = Callable[["Scope", Course], "Plan"]
"""In a thread: what deleting so much would do."""
COUNT_SECONDS = 0.2
"""While it is worked out, the count on screen moves so often."""


class Scope:
    """How much of a conversation goes."""

    def __init__(self, ids: tuple[str, ...], words: str, *, whole: bool) -> None:
        self.ids = ids
        self.words = words
        """`the whole conversation, 3 parts`."""
        self.whole = whole


class DeletionDialog(Dialog["Plan | None"]):
    """Names everything that would go, asks y or n, rests on no; leaves with the plan."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Delete", show=False),
        Binding("n", "answer(False)", "Keep", show=False),
        Binding("s", "scope", "How much", show=False),
        Binding("left,right,h,l", "other", "Other answer", show=False),
        Binding("q", "leave", "Back", show=False),
        Binding("j,down", "scroll(1)", "Down", show=False),
        Binding("k,up", "scroll(-1)", "Up", show=False),
        Binding("pagedown,ctrl+d", "scroll(10)", "Page down", show=False),
        Binding("pageup,ctrl+u", "scroll(-10)", "Page up", show=False),
    ]
    AUTO_FOCUS = "#no"
    size_class = "-fitting"

    heading = "Delete"

    pane = getters.query_one(FittingPane)

    def __init__(self, what: str, scopes: tuple[Scope, ...], make_plan: MakePlan, home: Path) -> None:
        """Ask about `what`.

        Args:
            what: `“Login loop”`, safe to show.
            scopes: how much can be chosen; the first at first.
            make_plan: works a scope out, in a thread.
            home: what paths are shown relative to.
        """
        super().__init__(classes="-danger")
        self._what = what
        self._scopes = scopes
        self._make_plan = make_plan
        self._home = home
        self._at = 0
        self._failed = False
        """Whether what would go could not be worked out."""
        self._course = Course("Looking", "session")
        self.plan: Plan | None = None
        """What would go; None until it is known."""

    @property
    def scope(self) -> Scope:
        """How much would go."""
        return self._scopes[self._at]

    def compose_body(self) -> ComposeResult:
        """The question, what it means, and the answers."""
        yield Static(id="question", markup=False)
        yield FittingPane(Paper().line("Working out what would go …", "muted"), id="plan")
        with Horizontal(id="answers"):
            yield Answer("n", "Keep", id="no")
            yield Answer("y", "Delete", id="yes", danger=True)

    def on_mount(self) -> None:
        """Begin to work it out."""
        super().on_mount()
        self.set_interval(COUNT_SECONDS, self._show_course, name="count")
        self.begin()

    def on_unmount(self) -> None:
        """Nobody waits for the answer."""
        self._course.stopping = True

    def begin(self) -> None:
        """Work out what would go."""
        self._course.stopping = True
        self._course = Course("Looking", "session")
        self._failed = False
        self.plan = None
        self.query_one("#question", Static).update(Content(f"Delete {self._what}?{self._scope_words()}"))
        self.run_worker(self._work(self._course), name="plan", group="plan", exclusive=True, exit_on_error=False)

    def _scope_words(self) -> str:
        return f" – {self.scope.words}" if len(self._scopes) > 1 else ""

    async def _work(self, course: Course) -> None:
        try:
            plan = await asyncio.to_thread(self._make_plan, self.scope, course)
        except Interrupted:
            return
        except HermesTuiError as error:
            if course is self._course:
                self.pane.show(Paper().raw(f"{error}\nNothing was deleted. y looks again.", "error"))
                self._failed = True
            return
        if course is not self._course:
            return
        self.plan = plan
        if not plan.doomed:
            self.dismiss(plan)
            return
        self.pane.show(deletion_paper(plan, time.time(), home=self._home, titled=len(self.scope.ids) == 1))
        self.query_one(KeyBar).show(self.key_hints())

    def _show_course(self) -> None:
        if self.plan is None and self._course.total:
            self.pane.show(Paper().line(f"Working out what would go: {self._course.words} …", "muted"))

    def key_hints(self) -> list[KeyHint]:
        """How much, reading, leaving."""
        other = self._scopes[(self._at + 1) % len(self._scopes)]
        choose = [KeyHint("s", f"Only {other.words}" if not other.whole else other.words.capitalize(), "screen.scope")]
        return [
            *(choose if len(self._scopes) > 1 else []),
            KeyHint("↑↓", "Scroll", "screen.scroll(1)"),
            KeyHint("esc", "Keep", "screen.leave"),
        ]

    def action_scroll(self, by: int) -> None:
        """Read on; the answers keep the focus."""
        self.pane.scroll_relative(y=by, animate=False)

    def action_scope(self) -> None:
        """The other choice of how much goes."""
        if len(self._scopes) > 1:
            self._at = (self._at + 1) % len(self._scopes)
            self.query_one(KeyBar).show(self.key_hints())
            self.begin()

    def on_answer_chosen(self, event: Answer.Chosen) -> None:
        """Take the answer that was pressed."""
        self.action_answer(event.answer.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Leave with the plan, or with nothing; before it is known there is no yes."""
        if not yes:
            self.dismiss(None)
        elif self.plan is not None:
            self.dismiss(self.plan)
        elif self._failed:
            self.pane.show(Paper().line("Working out what would go …", "muted"))
            self.begin()

    def action_other(self) -> None:
        """Put the focus on the other answer."""
        self.query_one("#no" if self.focused is not None and self.focused.id == "yes" else "#yes").focus()
