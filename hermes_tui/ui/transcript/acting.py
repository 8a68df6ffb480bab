"""What the keys of the transcript do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.redaction import find_secrets, redact
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.outline import USER
from hermes_tui.text import plural
from hermes_tui.ui.transcript.links import Link, as_trouble
from hermes_tui.ui.transcript.sections import page_text, whole_text

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.aim import Aim
    from hermes_tui.ui.transcript.screen import TranscriptScreen
    from hermes_tui.ui.transcript.view import TranscriptView


MOST_WAIT_SECONDS = 3.0
"""A key that leads to the far end waits no longer than this for the list of messages."""

Act = Callable[[Message], Awaitable[None]]


class Acting:
    """Looks, moves and copies; what changes something is done as the list of sessions does it."""

    def __init__(self, screen: TranscriptScreen) -> None:
        self._screen = screen

    @property
    def _view(self) -> TranscriptView:
        return self._screen.view

    # Moving

    def _moved(self) -> None:
        self._view.show()

    def action_line_down(self) -> None:
        """Next line."""
        self._view.reel.move(1)
        self._moved()

    def action_line_up(self) -> None:
        """Previous line."""
        self._view.reel.move(-1)
        self._moved()

    def action_screen_down(self) -> None:
        """A screenful down."""
        self._view.reel.page(1)
        self._moved()

    def action_screen_up(self) -> None:
        """A screenful up."""
        self._view.reel.page(-1)
        self._moved()

    def action_next_message(self) -> None:
        """Next message."""
        self._view.reel.move_row(1)
        self._moved()

    def action_previous_message(self) -> None:
        """The beginning of this message, then the one before."""
        self._view.reel.move_row(-1)
        self._moved()

    async def action_top(self) -> None:
        """The beginning of the conversation."""
        await self._all_known()
        self._view.reel.to_start()
        self._moved()

    def action_bottom(self) -> None:
        """The end of the conversation."""
        self._view.reel.to_end()
        self._moved()

    async def action_next_turn(self) -> None:
        """The next message of the person."""
        await self._turn(1)

    async def action_previous_turn(self) -> None:
        """The previous message of the person."""
        await self._turn(-1)

    async def _turn(self, by: int) -> None:
        view = self._view
        outline, rows = view.conversation.outline, view.conversation.rows
        await self._all_known()
        place = view.current
        while place is not None:
            place = outline.roles.find(USER, place + 1) if by > 0 else outline.roles.rfind(USER, 0, place)
            if place < 0:
                self._screen.hermes.say(f"There is no {'later' if by > 0 else 'earlier'} message of yours.", seconds=2)
                return
            if rows.shown(place) and not rows.stands_for_run(place) and outline.states[place] != State.HIDDEN:
                view.go(place)
                return

    async def _all_known(self) -> None:
        """Wait until every message is known by its id: half a second for a million of them, on a disk that answers."""
        reading = self._screen.reading
        until = time.monotonic() + MOST_WAIT_SECONDS
        while not reading.complete.is_set() and reading.trouble is None and time.monotonic() < until:
            await asyncio.sleep(0.01)

    # Looking

    def action_fold(self) -> None:
        """Fold or unfold what is under the cursor."""
        self._view.toggle_fold()

    def action_fold_all(self) -> None:
        """Fold or unfold everything."""
        self._view.conversation.toggle_all()
        self._view.look_again()

    def action_raw(self) -> None:
        """Markdown as it stands, or rendered."""
        self._view.keep_text(lambda conversation: setattr(conversation, "raw", not conversation.raw))

    def action_reveal(self) -> None:
        """Show secrets, or mask them."""
        self._view.keep_text(lambda conversation: setattr(conversation, "revealed", not conversation.revealed))

    def action_rewound(self) -> None:
        """Show rewound messages, or leave them out."""
        view, hermes = self._view, self._screen.hermes
        conversation = view.conversation
        count = conversation.outline.states.count(State.REWOUND)
        wanted = not conversation.rows.show_rewound
        if wanted and not count:
            hermes.say("No message of this conversation was rewound.", seconds=3)
            return
        seen = self._rewound_on_screen()
        view.change(lambda: conversation.show_rewound(wanted))
        view.look_again()
        self._screen.finding.again()
        if not seen and not self._rewound_on_screen():
            what = "shown, further up or down" if wanted else "left out again"
            hermes.say(f"{plural(count, 'rewound message')} {what}.", seconds=3)

    def _rewound_on_screen(self) -> bool:
        states = self._view.conversation.outline.states
        return any(states[place] == State.REWOUND for place in self._view.on_screen)

    def action_knew(self) -> None:
        """What the conversation knew of memory, what it wrote, and what is different today."""
        from hermes_tui.ui.timeline.knew import show_knew  # loaded here: only this key needs it

        if facts := self._screen.reading.facts:
            show_knew(self._screen.hermes, facts.ids, self._go_to_message)

    def _go_to_message(self, message_id: int) -> None:
        place = self._view.conversation.outline.place_of(message_id)
        if place is None:
            self._screen.hermes.say("That message is not in the conversation any more.", severity="warning")
        else:
            self._view.go(place, middle=True)

    # Finding

    async def action_find(self) -> None:
        """Open the line to find in, or go back into it."""
        await self._screen.open_find()

    def action_next_hit(self) -> None:
        """Next match."""
        self._screen.finding.step(1)

    def action_previous_hit(self) -> None:
        """Previous match."""
        self._screen.finding.step(-1)

    def action_back(self) -> None:
        """Back out one step: the line to find in, then the transcript."""
        screen = self._screen
        if screen.filter_bar is not None:
            screen.close_find()
        else:
            screen.dismiss(None)

    # Taking along

    def action_copy(self) -> None:
        """Copy the exact text of the message."""
        self._with_message(self._copy, "copy-message")

    async def _copy(self, message: Message) -> None:
        text = whole_text(message)
        secrets = await asyncio.to_thread(find_secrets, text)
        note = f", with {plural(len(secrets), 'secret')} in it" if secrets else ""
        self._screen.hermes.copy_out(text, f"the {message.role or 'message'}'s message{note}"
                                     if message.role != "tool" else f"a tool's result{note}")  # fmt: skip

    def action_resume(self) -> None:
        """Copy the command that goes on with the conversation."""
        facts = self._screen.reading.facts
        if facts is not None:
            from hermes_tui.ui.sessions.words import resume_command  # loaded here: only this key needs it

            command = resume_command(self._screen.hermes.home, facts.newest.id)
            self._screen.hermes.copy_out(command, command)

    # Changing the conversation, as in the list

    @property
    def _aim(self) -> Aim | None:
        """The conversation, for the keys that the list has too; None when the list does not know it."""
        sessions, facts = self._screen.hermes.screens.sessions, self._screen.reading.facts
        if not sessions or facts is None:
            return None
        from hermes_tui.ui.sessions.aim import Aim  # loaded here: only these keys need it

        known = set(facts.ids)
        brief = next((brief for brief in sessions[0].reader.briefs if not known.isdisjoint(brief.parts)), None)
        if brief is None:
            return None
        # The list rests while one reads: a part may have come since.
        brief = replace(brief, id=facts.newest.id, parts=facts.ids)
        return Aim((brief,), sessions[0].session_list.summaries.get(brief.root))

    async def action_rename(self) -> None:
        """Give the conversation another title, or none."""
        if aim := self._aim:
            await self._screen.hermes.screens.sessions[0].upkeep.changing.retitle(aim)

    def action_export(self) -> None:
        """Write the conversation to a file."""
        if aim := self._aim:
            self._screen.hermes.screens.sessions[0].upkeep.exporting.export(aim)

    def action_delete(self) -> None:
        """Show what deleting the conversation would do, then ask."""
        screen = self._screen

        def leave() -> None:
            if screen.is_active:
                screen.dismiss(None)

        if aim := self._aim:
            screen.hermes.screens.sessions[0].upkeep.deleting.delete(aim, deleted=leave)

    def action_undo(self) -> None:
        """Take the last change to sessions back."""
        if sessions := self._screen.hermes.screens.sessions:
            sessions[0].upkeep.changing.action_undo()

    def action_pager(self) -> None:
        """Show the whole message in the person's pager."""
        self._with_message(self._page, "pager")

    async def _page(self, message: Message) -> None:
        from hermes_tui.pager import page  # loaded here: only this key needs it

        hermes, revealed = self._screen.hermes, self._view.conversation.revealed
        text = page_text(message)
        shown = text if revealed else await asyncio.to_thread(redact, text)
        failure: HermesTuiError | None = None
        try:
            with hermes.suspend(), hermes.ending.held_back():
                # An error must not leave this block: the terminal would stay with nobody.
                try:
                    page(shown)
                except HermesTuiError as error:
                    failure = error
        except SuspendNotSupported:
            hermes.say("This terminal cannot hand the screen over to a pager.", severity="warning")
            return
        hermes.refresh(layout=True)
        if failure:
            hermes.say_error(failure)

    def _with_message(self, act: Act, name: str) -> None:
        """Read the message under the cursor whole, then do something with it."""
        place = self._view.current
        if place is not None:
            message_id = self._view.conversation.outline.ids[place]
            self._screen.run_worker(self._whole(message_id, act), name=name, exit_on_error=False)

    async def _whole(self, message_id: int, act: Act) -> None:
        known = self._view.conversation.texts.message(message_id)
        try:
            if known is None or known.unread or known.kind == "notice":
                message = await asyncio.to_thread(self._read_whole, message_id)
            else:
                message = known
            if message is None:
                raise NotFound("The message is not in the database any more.", code="no_message")
        except Exception as error:
            # The outer edge: a key that fails says so.
            self._screen.hermes.say_error(as_trouble(error, self._screen))
            return
        await act(message)

    def _read_whole(self, message_id: int) -> Message | None:
        link = Link(self._screen)
        try:
            return link.open().whole(message_id)
        finally:
            link.drop()
