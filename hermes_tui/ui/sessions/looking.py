"""The keys of the Sessions screen: what is shown, in what order, the conversation under the cursor, and copying."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.timer import Timer

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.listing import HIDDEN
from hermes_tui.sessions.summaries import Summary, summaries
from hermes_tui.sessions.transcript import TranscriptReader
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.sessions.choosing import ORDERS
from hermes_tui.ui.sessions.counts import listed_words
from hermes_tui.ui.sessions.facets import ticked_by, without_filters
from hermes_tui.ui.sessions.preview_paper import Subject
from hermes_tui.ui.sessions.words import resume_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hermes_tui.sessions.listing import Brief
    from hermes_tui.ui.sessions.choosing import Choosing
    from hermes_tui.ui.sessions.facets import Value
    from hermes_tui.ui.sessions.filters import SessionFilters, Ticked
    from hermes_tui.ui.sessions.screen import SessionsScreen

PREVIEW_SECONDS = 0.02
"""The preview follows the cursor this late, so that a held key does not read a conversation per row."""
LAST_MESSAGES, AROUND_MESSAGES = 24, 9
"""Messages looked at for a preview: the last ones, of which tools write many, or those around a hit."""
MESSAGE_BYTES = 16_384


class Looking:
    """What the screen shows, as a person asked for it."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        self._soon: Timer | None = None
        self._previewed: Summary | None = None
        """What was known of the conversation in the preview."""
        self._filters: SessionFilters | None = None
        """The dialog of the filters, while it is open."""

    # The preview

    @property
    def waiting(self) -> bool:
        """Whether the preview will follow in a moment."""
        return self._soon is not None

    def show_preview(self) -> None:
        """Show the conversation under the cursor, in a moment."""
        if self._soon is None:
            self._soon = self._screen.set_timer(PREVIEW_SECONDS, self._begin, name="preview")

    def catch_up(self) -> None:
        """More, or something else, is known of the conversations."""
        if self._screen.session_list.summary != self._previewed:
            self.show_preview()

    def _begin(self) -> None:
        self._soon = None
        if not self._screen.ready:
            return  # it is being taken down
        if self._screen.preview.region.width or self._screen.preview_shown:
            self._screen.run_worker(
                self._show(), name="preview", group="preview", exclusive=True, exit_on_error=False
            )  # fmt: skip

    async def _show(self) -> None:
        screen = self._screen
        shown = screen.session_list
        key, brief, base = shown.key, shown.brief, screen.reader.base
        if key is None or brief is None or base is None:
            screen.preview.show_nothing()
            return
        _, hit = shown.picked
        self._previewed = summary = shown.summary
        message = hit.message_id if hit else 0
        matcher = screen.searcher.question.query.matcher if screen.searching and screen.searcher.question else None
        try:
            subject = await asyncio.to_thread(_subject, base, brief, summary, shown.part, message)
        except HermesTuiError as error:
            if shown.key == key:
                screen.preview.show_trouble(error)
            return
        if shown.key == key and subject is not None:
            known = replace(subject, matcher=matcher, continued=screen.reader.continued, older=screen.hermes.past.older)
            screen.preview.show(known, key)

    def action_preview(self) -> None:
        """To the preview, or back to the list."""
        if self._screen.preview.text.has_focus:
            self._close_preview()
        else:
            self._screen.query_one("#sessions").add_class("-reading")
            self._screen.preview.text.focus()
            self.show_preview()

    def _close_preview(self) -> None:
        self._screen.query_one("#sessions").remove_class("-reading")
        self._screen.session_list.focus()

    def action_switch(self) -> None:
        """From the box to the list, from there to the preview and back."""
        if self._screen.box.input.has_focus:
            self._screen.session_list.focus()
        else:
            self.action_preview()

    # The transcript

    async def action_open(self) -> None:
        """Open the transcript at the hit."""
        screen = self._screen
        shown = screen.session_list
        brief = shown.brief
        if brief is None:
            return
        from hermes_tui.ui.transcript.screen import TranscriptScreen  # loaded here: on the first visit

        found, hit = shown.picked
        summary = shown.summary
        title = summary.title if summary else ""
        matcher = screen.searcher.answer.question.query.matcher if found and screen.searcher.answer else None
        message = hit.message_id or None if hit else None
        await screen.hermes.show_filled(TranscriptScreen(shown.part, message_id=message, matcher=matcher, title=title))

    # Searching

    def action_search(self) -> None:
        """Go to the box, behind what is typed in it."""
        box = self._screen.box
        box.input.focus()
        box.input.cursor_position = len(box.text)

    def action_next_hit(self) -> None:
        """The next line that was found."""
        self._screen.session_list.action_next()

    def action_previous_hit(self) -> None:
        """The one before."""
        self._screen.session_list.action_previous()

    def action_sort(self) -> None:
        """Newest first, or the most relevant."""
        self._screen.sort = "relevance" if self._screen.sort == "newest" else "newest"
        self._screen.search()

    # What is shown

    def action_order(self) -> None:
        """The next order."""
        choosing = self._screen.choosing
        order = ORDERS[(ORDERS.index(choosing.order) + 1) % len(ORDERS)]
        self._screen.choose(replace(choosing, order=order))

    def action_unfold(self) -> None:
        """The parts of the conversation one by one, or as one again."""
        brief = self._screen.session_list.brief
        if brief:
            self._screen.choose(self._screen.choosing.toggled(brief.root))

    def action_hidden(self) -> None:
        """Show what is hidden for its kind too, or hide it again."""
        choosing = self._screen.choosing
        self._screen.choose(replace(choosing, kinds=frozenset() if choosing.shows_all_kinds else HIDDEN))

    async def action_narrow(self) -> None:
        """Tick what to show."""
        from hermes_tui.ui.sessions.filters import SessionFilters

        screen, now = self._screen, time.time()
        text = screen.box.text
        counts = await asyncio.to_thread(self._facets, screen.choosing)
        ticked = ticked_by(text, screen.choosing.kinds, counts, now)

        def count(result: Ticked) -> tuple[str, Mapping[Value, int | None]]:
            choosing = screen.choosing_of(result.text, result.kinds)
            return self._count_words(choosing), self._facets(choosing)

        def picked(result: Ticked | None) -> None:
            self._filters = None
            if result is not None:
                screen.choosing = replace(screen.choosing, kinds=result.kinds)
                if result.text == text:
                    screen.ask()
                else:
                    screen.box.put(result.text)

        self._filters = SessionFilters(text, ticked, counts, count)
        screen.hermes.push_screen(self._filters, picked)

    def _facets(self, choosing: Choosing) -> Mapping[Value, int | None]:
        """In a thread: the values there are, with their numbers once all sessions are read."""
        counts = self._screen.reader.facets(choosing)
        return counts if self._screen.reader.complete else dict.fromkeys(counts)

    def _count_words(self, choosing: Choosing) -> str:
        """In a thread: how many would be shown, as far as that is known."""
        reader = self._screen.reader
        if reader.complete:
            return listed_words(reader.listed_for(choosing))
        if reader.trouble is not None:
            return "no sessions yet" if reader.trouble.code == "no_sessions" else "the sessions cannot be read now"
        return f"being read, {len(reader.briefs):,} so far"

    def count_anew(self) -> None:
        """More sessions are read: the filters that are open count again."""
        if self._filters is not None and self._filters.is_attached:
            self._filters.say()

    # The selection

    def action_select(self) -> None:
        """Select the conversation, or take it out of the selection."""
        self._screen.session_list.toggle_selected()
        self._screen.show_selection()

    def action_select_all(self) -> None:
        """Select all that are shown."""
        screen = self._screen
        screen.session_list.select_shown()
        screen.show_selection()
        answer = screen.searcher.answer
        if screen.searching and answer is not None and not answer.last.done:
            found = len(screen.session_list.selected)
            goes = f"{key_for('sessions.last')} goes on to the next ones"
            screen.hermes.say(f"The {found:,} found so far are selected; {goes}.", seconds=6)

    # Copying

    def action_copy_id(self) -> None:
        """Copy the full id of what is under the cursor."""
        id = self._screen.session_list.part
        self._screen.hermes.copy_out(id, f"the id {id}")

    def action_resume_command(self) -> None:
        """Copy the command that resumes the conversation; of a lineage it is the newest part that goes on."""
        brief = self._screen.session_list.brief
        if brief:
            command = resume_command(self._screen.hermes.home, brief.id)
            self._screen.hermes.copy_out(command, command)

    # Backing out

    def action_back(self) -> None:
        """Back out one step."""
        screen = self._screen
        box = screen.box
        if box.input.has_focus:
            if not box.close_offer():
                screen.session_list.focus()
        elif screen.preview.text.has_focus or screen.preview_shown:
            self._close_preview()
        elif without_filters(box.text):
            box.put(screen.filter_words)
        elif box.text:
            box.put("")
        elif screen.choosing.kinds:
            screen.choose(replace(screen.choosing, kinds=frozenset()))
        elif screen.session_list.selection:
            screen.session_list.clear_selection()
            screen.show_selection()


def _subject(base: Database, brief: Brief, known: Summary | None, part: str, hit: int) -> Subject | None:
    """In a thread: what there is to say about a row."""
    summary = known or next(iter(summaries(base, [brief], time.time())), None)
    if summary is None:
        return None
    reader = TranscriptReader(base, part)
    window = reader.window(hit or None, AROUND_MESSAGES if hit else LAST_MESSAGES)
    messages = reader.messages(list(window.details.ids), MESSAGE_BYTES)
    return Subject(summary, window.facts.parts, messages, window.complete, part, hit)
