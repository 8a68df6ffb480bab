"""A long change being made: how far it is, and a key that stops it where nothing is left half done."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from hermes_tui.text import plural
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint

TICK_SECONDS = 0.1
BAR_CELLS = 40


class Course:
    """How far something is; written in the thread that does it, read by the screen."""

    def __init__(self, doing: str, one: str, *, can_stop: bool = True) -> None:
        """Nothing is done yet.

        Args:
            doing: `Deleting`.
            one: what is counted: `conversation`.
            can_stop: whether there are places where it can stop.
        """
        self.doing = doing
        self.can_stop = can_stop
        self.one = one
        """What is counted."""
        self.done = self.total = 0
        self.stopping = False
        """Whether somebody wants it to stop."""
        self.left: Callable[[], bool] = lambda: False
        """Whether there is nobody any more for whom to go on."""

    def progress(self, done: int, total: int) -> None:
        """So much is done, of so much."""
        self.done, self.total = done, total

    def stopped(self) -> bool:
        """Whether to stop at the next place where that is possible."""
        return self.can_stop and (self.stopping or self.left())

    @property
    def words(self) -> str:
        """`1,200 of 20,000 conversations`."""
        if not self.total:
            return "At work …"
        return f"{self.done:,} of {plural(self.total, self.one)}"


class Following(Dialog[None]):
    """Stands over the screens until the change is made."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,ctrl+c", "leave", "Stop", show=False)]

    size_class = "-small"

    def __init__(self, course: Course) -> None:
        super().__init__()
        self._course = course
        self._over = self._gone = False
        self.heading = course.doing

    def compose_body(self) -> ComposeResult:
        """A bar and a sentence."""
        yield Static(id="course", markup=False)

    def on_mount(self) -> None:
        """Follow."""
        super().on_mount()
        self.show()
        self.set_interval(TICK_SECONDS, self.show, name="course")
        self.call_after_refresh(self._go)

    def key_hints(self) -> list[KeyHint]:
        """Stop, where that is possible."""
        return [KeyHint("esc", "Stop", "screen.leave", self._course.can_stop and not self._course.stopping)]

    def show(self) -> None:
        """Say how far it is."""
        course = self._course
        words = "Stopping: what has begun is finished first." if course.stopping else course.words
        line = self.query_one("#course", Static)
        if not course.total:
            line.update(Content(words))
            return
        part = min(1.0, course.done / course.total)
        filled = round(BAR_CELLS * part)
        bar = Content.assemble(("━" * filled, "$accent"), ("─" * (BAR_CELLS - filled), "$text-disabled"))
        line.update(Content.assemble(words, "\n", bar, f" {int(part * 100):>3}%"))

    def finish(self) -> None:
        """It is made: go, now or when nothing is over it any more."""
        self._over = True
        self._go()

    def on_screen_resume(self) -> None:
        """What was over it is gone."""
        self._go()

    def _go(self) -> None:
        # Once: what is taken down is whatever is on top.
        if self._over and not self._gone and self.is_mounted and self.is_active:
            self._gone = True
            self.dismiss(None)

    def leave(self) -> None:
        """Stop; the dialog stays until that has happened."""
        if not self._course.can_stop:
            return
        self._course.stopping = True
        self.query_one(KeyBar).show(self.key_hints())
        self.show()
