"""Choosing what is old, small or empty: conditions, and what deleting all that fits them would do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.upkeep.pruning import Pruned
from hermes_tui.text import one_line, visible
from hermes_tui.ui.actions import with_keys
from hermes_tui.ui.dialogs.base import KeyBar, KeyHint
from hermes_tui.ui.dialogs.deletion_paper import doomed_list, left_alone, what_goes
from hermes_tui.ui.dialogs.following import Course
from hermes_tui.ui.dialogs.form import Choices, Line, Tick
from hermes_tui.ui.dialogs.form_dialog import FormDialog
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.deletion import Plan

MakePlan = Callable[[Pruned, Course], "Plan"]
"""In a thread: what deleting all that fits would do."""
SETTLE_SECONDS = 0.25
"""It is worked out when nothing was changed for so long."""
COUNT_SECONDS = 0.2
USUAL_DAYS = "90"
SOURCE_CELLS = 24
SPACE = "Space goes back to the disk only by {sessions.vacuum}, or hermes-tui sessions vacuum."


class PruneDialog(FormDialog["Plan | None"]):
    """Leaves with the plan of what is to go; somebody still has to ask y or n."""

    AUTO_FOCUS = "#days LineInput"

    heading = "Prune old conversations"
    footing = "nothing is deleted yet"

    pane = getters.query_one(TextPane)

    def __init__(self, sources: Sequence[tuple[str, int]], make_plan: MakePlan) -> None:
        """Ask what is to go.

        Args:
            sources: those there are, each with its number of conversations.
            make_plan: works it out, in a thread.
        """
        super().__init__()
        self._sources = [source for source, _ in sources]
        self._source_words = [
            "all", *(f"{one_line(source, SOURCE_CELLS)} ({count:,})" for source, count in sources)
        ]  # fmt: skip
        self._make_plan = make_plan
        self._course = Course("Looking", "session")
        self._soon: Timer | None = None
        self.waiting = True
        """Whether what is shown belongs to other conditions, and will follow."""
        self.plan: Plan | None = None
        """What would go; None while it is worked out, or when nothing was asked for."""

    def compose_body(self) -> ComposeResult:
        """The conditions, then what they mean."""
        with Vertical(id="form"):
            yield Line("Last active", USUAL_DAYS, unit="days ago or longer", placeholder="any time", id="days")
            yield Choices("Source", self._source_words, id="source")
            yield Line("At most", unit="messages", placeholder="any number", id="messages")
            yield Tick("only empty ones: no message, no title", id="empty")
            yield Tick("archived ones too", id="archived")
            yield Tick("very long ones too: a working agent waits for them", id="large")
        yield TextPane(Paper().line("Looking …", "muted"), id="plan")

    def on_mount(self) -> None:
        """Begin with the usual."""
        super().on_mount()
        self.set_interval(COUNT_SECONDS, self._show_course, name="count")
        self._begin()

    def on_unmount(self) -> None:
        """Nobody waits for the answer."""
        self._course.stopping = True

    def key_hints(self) -> list[KeyHint]:
        """Go on, move, tick, leave."""
        ready = self.plan is not None and bool(self.plan.doomed)
        count = f"{len(self.plan.doomed):,}" if self.plan is not None and ready else "these"
        return [
            KeyHint("enter", f"Delete {count} …", "screen.go", ready),
            KeyHint("↑↓", "Move", "app.focus_next"),
            KeyHint("←→", "Choose", "screen.choose"),
            KeyHint("space", "Tick", "screen.tick"),
            KeyHint("esc", "Leave", "screen.leave"),
        ]

    # What is asked for

    def wanted(self) -> tuple[Pruned | None, str]:
        """The conditions, or what is wrong with them."""
        days, wrong = number_in(self.query_one("#days", Line).text, "days")
        messages, wrong_too = number_in(self.query_one("#messages", Line).text, "messages")
        if wrong or wrong_too:
            return None, wrong or wrong_too
        at = self.query_one("#source", Choices).at
        pruned = Pruned(
            older_than_days=days,
            sources=frozenset([self._sources[at - 1]]) if at else frozenset(),
            max_messages=int(messages) if messages is not None else None,
            archived="also" if self.query_one("#archived", Tick).ticked else "no",
            empty_only=self.query_one("#empty", Tick).ticked,
            include_large=self.query_one("#large", Tick).ticked,
        )
        if not pruned.anything:
            return None, "Give at least one condition: an age, a source, a number of messages, or only empty ones."
        return pruned, ""

    def follow(self) -> None:
        """Work it out again, when nothing more is changed."""
        self._course.stopping = True
        self.plan, self.waiting = None, True
        self.query_one(KeyBar).show(self.key_hints())
        if self._soon is not None:
            self._soon.stop()
        self._soon = self.set_timer(SETTLE_SECONDS, self._begin, name="settle")

    def _begin(self) -> None:
        self._course.stopping = True
        self._course = Course("Looking", "session")
        wanted, wrong = self.wanted()
        if wanted is None:
            self.waiting = False
            self.pane.show(Paper().line(visible(wrong), "warning"))
            return
        work = self._work(wanted, self._course)
        self.run_worker(work, name="plan", group="plan", exclusive=True, exit_on_error=False)

    async def _work(self, wanted: Pruned, course: Course) -> None:
        try:
            plan = await asyncio.to_thread(self._make_plan, wanted, course)
        except Interrupted:
            return
        except HermesTuiError as error:
            if course is self._course:
                self.waiting = False
                self.pane.show(Paper().raw(str(error), "error"))
            return
        if course is self._course and not course.stopping:
            self.plan, self.waiting = plan, False
            self.pane.show(prune_paper(plan, time.time()))
            self.pane.scroll_home(animate=False)
            self.query_one(KeyBar).show(self.key_hints())

    def _show_course(self) -> None:
        if self.plan is None and self._course.total and not self._course.stopping:
            self.pane.show(Paper().line(f"Looking: {self._course.words} …", "muted"))

    # Going on

    def action_go(self) -> None:
        """Go on with what is shown."""
        if self.plan is not None and self.plan.doomed:
            self.dismiss(self.plan)


def number_in(text: str, what: str) -> tuple[float | None, str]:
    """A number that was typed, None for nothing; and what is wrong with it."""
    typed = text.strip().replace(",", "")
    if not typed:
        return None, ""
    try:
        number = float(typed) if what == "days" else int(typed)
    except ValueError:
        return None, f"“{one_line(typed, 20)}” is no number of {what}."
    if not 0 <= number < 1e6 * (1 if what == "days" else 1_000):
        return None, f"{one_line(typed, 20)} is no number of {what} that makes sense."
    return float(number), ""


def prune_paper(plan: Plan, now: float) -> Paper:
    """What would go, what stays although it fits, and which they are."""
    paper = Paper()
    if not plan.doomed:
        paper.line("No conversation fits, so nothing would go.", "strong")
        left_alone(paper, plan.left_alone)
        return paper
    paper.line(f"{what_goes(plan)} would go.", "strong")
    if plan.delegates:
        paper.line(f"{len(plan.delegates):,} of their subagent runs go too.")
    if plan.surfacing:
        paper.line(f"{len(plan.surfacing):,} branches and runs of theirs stay, and stand in the list by themselves.")
    if plan.slow:
        paper.line(visible(plan.slow), "warning")
    left_alone(paper, plan.left_alone)
    paper.line(with_keys(f"A copy is kept: {{sessions.undo}} brings them back. {SPACE}"), "muted")
    doomed_list(paper, plan.doomed, now)
    return paper
