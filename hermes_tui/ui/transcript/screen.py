"""The Transcript screen: one conversation, all its parts, live."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import ScreenResume, ScreenSuspend

from hermes_tui.sessions.matcher import Matcher
from hermes_tui.text import plural
from hermes_tui.ui.action_screen import ActionScreen
from hermes_tui.ui.actions import BY_ID, Action, bindings_for, with_keys
from hermes_tui.ui.transcript.acting import Acting
from hermes_tui.ui.transcript.facts_pane import FactsPane
from hermes_tui.ui.transcript.finding import Finding
from hermes_tui.ui.transcript.pane import TranscriptPane
from hermes_tui.ui.transcript.reading import Reading
from hermes_tui.ui.transcript.reasons import NO_SUCH, state_words, why_not
from hermes_tui.ui.transcript.times import zone_words
from hermes_tui.ui.transcript.view import TranscriptView
from hermes_tui.ui.widgets.footer import FooterLine
from hermes_tui.ui.widgets.header import HeaderLine

FILL_SECONDS = 0.06
"""A conversation that is read by then is shown at once; another one while it is read."""
HEADER_SECONDS = 0.5
"""How often the top line is brought up to date."""


class TranscriptScreen(ActionScreen):
    """A conversation to read, over the screen that opened it.

    Args:
        session_id: any part of the conversation.
        message_id: the message to open at; the newest when None.
        matcher: what was searched for, to be marked.
        title: what the conversation is called, until it is read.
    """

    TITLE = "Transcript"
    CSS_PATH = "transcript.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for("transcript"),
        Binding(",".join(BY_ID["app.sessions"].keys), "to_list", BY_ID["app.sessions"].label, id="app.sessions"),
    ]
    AUTO_FOCUS = "#transcript-view"

    header = getters.query_one(HeaderLine)
    pane = getters.query_one(TranscriptPane)
    facts_pane = getters.query_one(FactsPane)
    view = getters.query_one(TranscriptView)

    def __init__(
        self, session_id: str, *, message_id: int | None = None, matcher: Matcher | None = None, title: str = ""
    ) -> None:
        super().__init__(name="transcript")
        self.session_id = session_id
        self.message_id = message_id
        self.new_below = 0
        """Messages that came while the end was not on the screen."""
        self._matcher = matcher if matcher is not None and matcher.terms else None
        self._given_title = title
        self._settled = asyncio.Event()
        """Set when the conversation is there, or what is wrong with it."""

    async def filled(self) -> None:
        """Wait for the conversation, but not for long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), FILL_SECONDS)

    def compose(self) -> ComposeResult:
        """Header, transcript, footer."""
        yield HeaderLine()
        with Horizontal(id="transcript-sides"):
            yield TranscriptPane(self._given_title)
            yield FactsPane()
        yield FooterLine("transcript", self.why_not)

    def on_mount(self) -> None:
        """Show the frame; the conversation is read while it is drawn."""
        self.reading = Reading(self)
        self.finding = Finding(self, self._matcher)
        self.acting = Acting(self)
        self.show_header()
        self.show_place()
        self.reading.start()
        self.run_worker(self.finding.work(), name="find", group="find", exit_on_error=False)
        self.set_interval(HEADER_SECONDS, self.show_header)

    def on_unmount(self) -> None:
        """Stop reading."""
        if hasattr(self, "acting"):
            self.reading.close()
            self.finding.close()

    @property
    def ready(self) -> bool:
        """Whether all of it is there."""
        return self.is_mounted and hasattr(self, "acting")

    @property
    def path(self) -> Path:
        """The database."""
        return self.hermes.home.state_db

    # Showing

    @on(ScreenSuspend)
    def rest(self) -> None:
        """Nobody looks: nothing is read."""
        if self.ready:
            self.reading.paused = True

    @on(ScreenResume)
    def go_on(self) -> None:
        """Somebody looks again."""
        if self.ready:
            self.reading.paused = False
            self.show_header()

    def show_header(self) -> None:
        """Say which home this is and how fresh the view is."""
        self.header.facts = self.hermes.header_facts

    def show_facts(self) -> None:
        """Something is known about the conversation as a whole."""
        self.show_state()
        self.show_place()

    def show_state(self) -> None:
        """Say what is wrong, if anything is."""
        words, serious = state_words(self)
        self.pane.show_notice(words, serious=serious)
        if self.reading.facts is None and (words or self.reading.gone):
            self.view.nothing = with_keys(NO_SUCH) if self.reading.gone else ""
            self.view.show()
            self._settled.set()
        self.footer.update_disabled()

    def show_place(self) -> None:
        """Say which conversation this is, and where in it one is."""
        view, reading = self.view, self.reading
        conversation, facts = view.conversation, reading.facts
        count = conversation.rows.counted()
        title = (facts.title if facts else "") or self._given_title or "Untitled"
        self.pane.title_line.show(title, facts, count, counting=not reading.complete.is_set())
        place = view.current
        here = conversation.outline.entry(place).session_id if place is not None else ""
        self.facts_pane.show(title, facts, count, here)
        known = place is not None
        where = f"Transcript · {conversation.rows.counted(place) + 1:,} of {count:,}" if known else "Transcript"
        if view.reel.at_end:
            self.new_below = 0
        masked = view.masked
        below = [
            f"{self.new_below:,} new below" if self.new_below else "",
            self.finding.words if self.filter_bar is None else "",
            f"{plural(masked, 'secret')} masked" if masked else "secrets shown" if conversation.revealed else "",
            "raw text" if conversation.raw else "",
            "rewound shown" if conversation.rows.show_rewound else "",
            "following" if view.reel.at_end and count and not reading.gone else "",
            f"times in {zone_words(time.time())}",
        ]
        self.pane.show_place(where, below)

    def show_find(self) -> None:
        """Say how many matches there are."""
        if self.filter_bar is not None:
            self.filter_bar.show_counts()
        self.show_place()
        self.footer.update_disabled()

    # What the readers say

    def opened(self, found: bool) -> None:
        """The conversation is on the screen."""
        view = self.view
        if found and self.message_id is not None:
            place = view.conversation.outline.place_of(self.message_id)
            if place is not None:
                view.go(place, middle=True)
        else:
            view.reel.to_end()
            view.show()
            if self.message_id is not None:
                self.hermes.say("The message that was found is not in the conversation any more.", severity="warning")
        self.finding.begin(self.message_id if found else None)
        self.footer.update_disabled()
        self._settled.set()

    def came(self, count: int) -> None:
        """Messages have come."""
        if not self.view.reel.at_end:
            self.new_below += count
        self.finding.grown()
        self.show_place()

    @on(TranscriptView.Wanted)
    def fetch(self) -> None:
        """Texts are missing."""
        if self.ready:
            self.reading.fetcher.wake.set()

    @on(TranscriptView.Moved)
    def moved(self) -> None:
        """Something else is on the screen."""
        if self.ready:
            self.show_place()
            self.footer.update_disabled()

    def look_soon(self, *, afresh: bool = False) -> None:
        """Look at the disk now; with `afresh` read everything again."""
        if self.ready and afresh:
            self.reading.read_again()

    # Finding

    async def open_find(self) -> None:
        """Open the line to find in, or go back into it."""
        if self.filter_bar is None:
            self.finding.opened()
        bar = await self.open_filter_bar(self.finding, "words to find in this conversation")
        bar.input.focus()

    def close_find(self) -> None:
        """Look for nothing any more."""
        if self.filter_bar is not None:
            self.filter_bar.remove()
        self.finding.end()
        self.view.focus()

    def on_input_submitted(self) -> None:
        """Keep what is looked for, and go to the transcript."""
        self.view.focus()

    # Actions

    async def action_to_list(self) -> None:
        """The list of sessions: the screen that this one is over, or another."""
        if self.hermes.current_mode == "sessions":
            self.dismiss(None)
        else:
            await self.hermes.action_perform("app.sessions")

    @on(FooterLine.Chosen)
    async def lead_to_list(self, message: FooterLine.Chosen) -> None:
        """A click in the footer does what the key does."""
        if message.action.id == "app.sessions":
            message.prevent_default()
            await self.action_to_list()

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        return why_not(action, self)

    def owner_of(self, action: Action) -> object:  # noqa: ARG002
        """Whoever has the method that does it."""
        return self.acting
