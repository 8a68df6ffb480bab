"""The story of an entry as a dialog: its steps, what each did, and the way to the message behind it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from hermes_tui.errors import HermesTuiError
from hermes_tui.history.changes import Change
from hermes_tui.history.traces import Trace, trace
from hermes_tui.memory.entries import FILE_NAMES, StoreName
from hermes_tui.sessions.database import Database
from hermes_tui.text import one_line
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.timeline.behind import Behind, looked_up, open_message, open_session, why_no_message
from hermes_tui.ui.timeline.story import Entry, Story, story, story_paper, trace_words
from hermes_tui.ui.timeline.words import by_words, row_when, sign_words

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

PATIENCE_SECONDS = 0.5

Aim = Change | Trace
"""What enter leads to."""


class StoryDialog(Dialog[Aim | None]):
    """An entry's story, which goes on while history is read; leaves with the step whose message is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Message", show=False),
        Binding("y", "copy", "Copy", show=False),
        Binding("b,q", "leave", "Back", show=False),
        Binding("tab", "switch", "Switch", show=False),
    ]
    AUTO_FOCUS = "OptionRows"
    DEFAULT_CSS = """
    StoryDialog #steps { max-height: 35%; }
    StoryDialog #story { border-top: solid $card-border; }
    """

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, app: HermesTuiApp, entry: Entry) -> None:
        super().__init__()
        self._hermes = app
        self._entry = entry
        self._story: Story | None = None
        self._trace: Trace | None = None
        self._trace_title = ""
        self._asked = False
        self._since: float | None = None
        """From when on traces were looked for."""
        self.waiting = True
        """Whether traces of its use are still being looked for."""
        self.heading = f"The story of an entry of {FILE_NAMES[entry.store]}"

    def compose_body(self) -> ComposeResult:
        """The steps to go to, and all of it to read."""
        yield OptionRows(id="steps")
        yield TextPane(Paper().line("Reading history …", "muted"), id="story")

    def on_mount(self) -> None:
        """Show what is known; more comes by itself."""
        super().on_mount()
        chronicle = self._hermes.past.chronicle
        chronicle.listen(self.show_known)
        self.show_known()
        if chronicle.known is None or not chronicle.known.complete:
            chronicle.refresh()

    def on_unmount(self) -> None:
        """Listen no more."""
        self._hermes.past.chronicle.ignore(self.show_known)

    # Showing

    def show_known(self) -> None:
        """More is known."""
        self.run_worker(self._show(), name="story", group="story", exclusive=True, exit_on_error=False)

    async def _show(self) -> None:
        known, views = self._hermes.past.chronicle.known, self._hermes.state.views
        if known is None:
            trouble = self._hermes.past.chronicle.trouble
            if trouble is not None:
                self.pane.show(Paper().raw(str(trouble)))
            return
        store, text = self._entry
        found = await asyncio.to_thread(story, known.timeline, known.line, views, store, text)
        if found == self._story:
            return
        self._story = found
        self._draw()
        since = found.made.until if found.made else None
        if not self._asked or since != self._since:
            self._asked, self._since = True, since
            looking = self._look_for_traces(found)
            self.run_worker(looking, name="trace", group="trace", exclusive=True, exit_on_error=False)

    async def _look_for_traces(self, found: Story) -> None:
        try:
            self._trace, self._trace_title = await asyncio.to_thread(self._traced, found)
        except HermesTuiError:
            self._trace = None
        self.waiting = False
        self._draw()

    def _traced(self, found: Story) -> tuple[Trace, str]:
        """In a thread: whether anything of it turned up later."""
        path = self._hermes.home.state_db
        since = found.made.until if found.made else None
        with Database(path, patience=PATIENCE_SECONDS) as base:
            traced = trace(base, found.text, since, lambda: not self.is_attached or self._hermes.leaving)
        behind = looked_up(path, traced.session_id) if traced.found else Behind("", there=False)
        return traced, behind.words

    def _draw(self) -> None:
        told = self._story
        if told is None:
            return
        here = self.rows.highlighted
        self.rows.clear_options()
        self.rows.add_options([Option(_row(step)) for step in told.steps])
        if self._trace is not None and self._trace.found:
            self.rows.add_option(
                Option(Content.assemble(("trace  ", "$text-muted"), f"a later answer in {self._trace_title}"))
            )
        self.rows.display = self.rows.option_count > 0
        if self.rows.option_count:
            self.rows.highlighted = min(here or 0, self.rows.option_count - 1)
        else:
            self.pane.focus()
        paper = story_paper(told)
        paper.fresh().line()
        if self._trace is not None:
            paper.line(trace_words(self._trace, self._trace_title), "muted")
        elif self.waiting:
            paper.line("Looking for traces of it in later answers …", "muted")
        self.pane.show(paper)
        self.query_one(KeyBar).show(self.key_hints())

    @property
    def aim(self) -> Aim | None:
        """What the row under the cursor leads to."""
        told = self._story
        place = self.rows.highlighted if told is not None else None
        if told is None or place is None:
            return None
        return told.steps[place] if place < len(told.steps) else self._trace

    def key_hints(self) -> list[KeyHint]:
        """Message, copy, back."""
        aim = self.aim
        may = isinstance(aim, Trace) or (aim is not None and why_no_message(aim) is None)
        return [
            KeyHint("enter", "Message", "screen.go", may),
            KeyHint("y", "Copy exact text", "screen.copy"),
            KeyHint("tab", "Scroll", "screen.switch"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def on_option_list_option_highlighted(self) -> None:
        """Another step is under the cursor."""
        self.query_one(KeyBar).show(self.key_hints())

    def on_option_list_option_selected(self) -> None:
        """Enter, or a click on the row under the cursor."""
        self.action_go()

    def action_go(self) -> None:
        """Leave towards the message, or say why there is none."""
        aim = self.aim
        if aim is None:
            return
        reason = None if isinstance(aim, Trace) else why_no_message(aim)
        if reason:
            self._hermes.say(reason, seconds=6)
        else:
            self.dismiss(aim)

    def action_copy(self) -> None:
        """Ask for the exact text on the clipboard."""
        self.post_message(CopyRequested(self._entry.text, f"an entry of {FILE_NAMES[self._entry.store]}"))

    def action_switch(self) -> None:
        """From the steps to the text, and back."""
        (self.pane if self.rows.has_focus else self.rows).focus()


def _row(step: Change) -> Content:
    words = f"{row_when(step, 16)}  {sign_words(step)}  {by_words(step)}"
    where = f"  {one_line(step.session_id, 32)}" if step.session_id else ""
    return Content.assemble(words, (where, "$text-muted"))


def show_story(app: HermesTuiApp, store: StoreName, text: str) -> None:
    """Show the story of an entry, and go on to the message that is chosen."""

    def chosen(aim: Aim | None) -> None:
        if aim is None:
            return
        going = open_session(app, aim.session_id, aim.message_id) if isinstance(aim, Trace) else open_message(app, aim)
        app.run_worker(going, name="message", group="message", exit_on_error=False)

    app.push_screen(StoryDialog(app, Entry(store, text)), chosen)
