"""The app: which screen is up, what the home looks like now, and the actions that work everywhere."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import constants, events
from textual.app import SuspendNotSupported
from textual.binding import BindingType

from hermes_tui.errors import CRASHED, HermesTuiError
from hermes_tui.home import HermesHome
from hermes_tui.sitting import Sitting
from hermes_tui.text import short_path
from hermes_tui.ui.action_screen import ActionScreen
from hermes_tui.ui.actions import BY_ID, EVERYWHERE, bindings_for, key_for, run_action, with_keys
from hermes_tui.ui.arrivals import announce_arrival
from hermes_tui.ui.ending import Ending
from hermes_tui.ui.layout import LAYOUTS, layout_classes
from hermes_tui.ui.live import HomeState, StateRead, WatchState, follow, read_state, reread
from hermes_tui.ui.memory.pane import alert_words
from hermes_tui.ui.past import Past
from hermes_tui.ui.preferences import first_screen, say_troubles, take_up, theme_chosen_by, wear
from hermes_tui.ui.screens import Screens
from hermes_tui.ui.toasts import Saying, Toasts
from hermes_tui.ui.turnstile import Marker, Turnstile
from hermes_tui.ui.widgets.header import HeaderFacts

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.driver import Driver
    from textual.worker import Worker

    from hermes_tui.settings import Settings
    from hermes_tui.ui.dialogs.base import CopyRequested
    from hermes_tui.ui.dialogs.editor import ExternalEditRequested, HandedIn
    from hermes_tui.ui.main_screen import MainScreen

CONTROLS = frozenset(map(chr, [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)]))
"""Control characters other than tab and the ends of lines."""

OWN_WRITE_GRACE_SECONDS = 0.25
"""What changes on disk while a change of ours is at work is most likely that one; it is shown after this."""


def _palette() -> type[Provider]:
    from hermes_tui.ui.palette import ActionProvider  # loaded here: only ctrl+p needs it

    return ActionProvider


class HermesTuiApp(Saying):
    """hermes-tui on one home."""

    TITLE = "hermes-tui"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(EVERYWHERE)]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}
    CSS_PATH = "memory/memory.tcss"
    DEFAULT_MODE = "memory"

    def __init__(
        self,
        home: HermesHome,
        *,
        theme: str | None = None,
        read_only: bool = False,
        demo: bool = False,
        settings: Settings | None = None,
        kept: bool = False,
    ) -> None:
        self.kept = kept and not demo
        """Whether what we keep of our own is on disk; a home that is thrown away has no next time."""
        self.sitting = Sitting(home.path, kept=self.kept and not read_only)
        vars(self)["DEFAULT_MODE"] = first_screen(settings, self.sitting.screen)
        super().__init__()
        self._troubles = take_up(self, settings)
        self.theme_chosen_by = theme_chosen_by(settings)
        self._notifications = self.toasts = Toasts()
        self.home = home
        self.read_only = read_only
        self.demo = demo
        self.newcomer = False
        """Whether the tour comes first."""
        self.leaving = False
        self._leaving_soon = False
        """Set when the app is on its way out, so that a write waiting for a lock gives up."""
        self.state: HomeState = read_state(home)
        self.watching = WatchState("starting")
        self._readings = itertools.count(1)
        self._last_reading = 0
        self._turnstile = Turnstile(self, self._pass_on)
        self.ending = Ending(self)
        self._handed_in = ""
        self.screens = Screens(self)
        self.past = Past(self)
        self._troubles += wear(self, theme)

    # Wiring

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The variables of our own that the stylesheets use, for themes that do not set them."""
        from hermes_tui.ui.themes import derived_variables

        # Textual's own stylesheet asks for these two, which it leaves out for themes in the terminal's colours.
        ansi = {"ansi-background": "transparent", "ansi-foreground": "transparent"}
        return {**super().get_theme_variable_defaults(), **ansi, **derived_variables(self.current_theme)}

    def say_layout(self) -> None:
        """Say how much room there is, before the first screen is made."""
        self.add_class(*layout_classes(self.size), update=False)

    def get_driver_class(self) -> type[Driver]:
        """Our own reading of a terminal, where there is one."""
        if constants.DRIVER is not None or sys.platform == "win32":
            return super().get_driver_class()
        from hermes_tui.ui.terminal import ESCAPE_SECONDS, Terminal

        if "ESCDELAY" not in os.environ:
            # Not through the environment: the person's editor would inherit it.
            vars(constants)["ESCAPE_DELAY"] = ESCAPE_SECONDS
        return Terminal

    def _handle_exception(self, error: Exception) -> None:
        """Leave in order after an error nobody foresaw; Textual's own way prints every value there is."""
        self._return_code = CRASHED
        self.ending.crash(error)
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def on_worker_state_changed(self, message: Worker.StateChanged) -> None:
        """Work in the background may have failed."""
        self.tell_failure(message)

    def tell_failure(self, message: Worker.StateChanged) -> None:
        """Say that work in the background has failed, if it has, whoever had it done."""
        if message.worker.error is not None:
            from hermes_tui.ui.unforeseen import tell_failure  # loaded here: nobody hopes to come this way

            tell_failure(self, message)

    def on_load(self) -> None:
        """Be ready for signals before the terminal is changed."""
        if not self.is_headless:
            self.ending.watch()

    async def on_event(self, event: events.Event) -> None:
        """Keys and pastes go one by one, each where the one before has led."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._turnstile.come(event)
        else:
            if isinstance(event, events.MouseDown) and not event.is_forwarded:
                self.key_comes(event)
            await super().on_event(event)
            if isinstance(event, events.MouseUp) and not event.is_forwarded:
                self._turnstile.close()

    async def _pass_on(self, event: events.Event) -> None:
        self.key_comes(event)
        if isinstance(event, events.Paste):
            from textual.widgets import Input  # loaded here: it is not needed to look

            if isinstance(self.focused, Input):
                # Other than our editor, a stock input would send control characters on to the terminal.
                event = events.Paste("".join(char for char in event.text if char not in CONTROLS))
        await super().on_event(event)

    def on_marker(self, message: Marker) -> None:
        """A key is done with."""
        self._turnstile.came_back(message)

    def on_mount(self) -> None:
        """Begin to follow the disk once there is something to look at."""
        self.begin_saying()
        self.app_resume_signal.subscribe(self, lambda _app: self.redraw(), immediate=True)
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        gc.enable()
        say_troubles(self, self._troubles)
        self.run_worker(follow(self), name="watch", group="watch", exit_on_error=False)
        if not self.read_only:
            self.run_worker(self._recover(), name="recover", group="write", exit_on_error=False)
        if self.newcomer:
            self.screens.action_tour()

    async def _recover(self) -> None:
        """Settle what a crash of ours left behind; does nothing when nothing was."""
        from hermes_tui.pending.review import Review  # loaded here: after the first frame

        try:
            settled = await asyncio.to_thread(Review(self.home, self.state.config, origin="tui").recover)
        except HermesTuiError as error:
            self.say_error(error)
            return
        if settled:
            undoes = f"{key_for('memory.undo')} takes it back if it was made"
            self.say(f"A change that was cut off the last time is settled; {undoes}.", severity="warning", seconds=8)

    def on_resize(self, event: events.Resize) -> None:
        """Say how much room there is."""
        wanted = layout_classes(event.size)
        if wanted != {name for name in LAYOUTS if self.has_class(name)}:
            self.update_classes({name: name in wanted for name in LAYOUTS})
            for covered in self.screen_stack[:-1]:
                # Classes reach a screen under another one only when that one lets it shine through.
                covered.update_node_styles(animate=False)
        for screen in self.main_screens:
            screen.fit()

    @property
    def main_screens(self) -> list[MainScreen[Any]]:
        """The screens that were visited, whether they are up or not."""
        return self.screens.visited

    @property
    def writing(self) -> bool:
        """Whether a change of ours is at work, so that what changes on disk now is most likely that one."""
        return any(screen.busy and not screen.operations.waiting for screen in self.main_screens)

    # The disk

    def next_reading(self) -> int:
        """A number for a reading that begins now."""
        return next(self._readings)

    def on_state_read(self, message: StateRead) -> None:
        """Take a reading over, unless a newer one came first."""
        if message.number < self._last_reading:
            return
        self._last_reading = message.number
        if not message.ours:
            before, after = self.state.pending, message.state.pending
            announce_arrival(before, after, bell=self.bell, write=self._write_sequence)
        self.state = message.state
        self.past.state_read()
        if not message.ours and self.writing:
            # Our own write is seen by the watcher too; the change itself shows it in a moment, unless it takes long.
            self.set_timer(OWN_WRITE_GRACE_SECONDS, lambda: self._show_state(ours=self.writing))
        else:
            self._show_state(ours=message.ours)

    def _show_state(self, *, ours: bool) -> None:
        for screen in self.main_screens:
            screen.show_state(self.state, ours=ours)

    def on_sessions_written(self) -> None:
        """The agent wrote to its database of sessions."""
        self.past.sessions_written()
        reading: list[MainScreen[Any]] = [*self.screens.sessions, *self.screens.timeline]
        for screen in reading:
            screen.look_soon()

    def on_watch_state(self, message: WatchState) -> None:
        """Show how fresh the view is."""
        self.watching = message
        if message.problem:
            self.say(message.problem, severity="warning", seconds=8)
        for screen in self.main_screens:
            screen.show_header()

    @property
    def header_facts(self) -> HeaderFacts:
        """What the top line of every screen says."""
        state, home = self.state, self.home
        problems = {"invalid": "config does not parse", "unreadable": "config unreadable"}
        return HeaderFacts(
            home=short_path(home.path),
            profile="" if home.chosen_by == "default" else f"{home.profile} ({home.chosen_by})",
            gate=state.config.write_approval,
            pending=state.pending.memory,
            pending_skills=state.pending.skills,
            config_problem=problems.get(state.config.state, ""),
            gone=not state.exists,
            live=self.watching.live,
            read_only=self.read_only,
            demo=self.demo,
            alert=" · ".join(filter(None, map(alert_words, state.views))),
        )

    # Things outside: the clipboard and the person's own editor

    def copy_out(self, text: str, what: str) -> None:
        """Copy exact text, and say how much of it went where."""
        self.run_worker(self._copy(text, what), name="copy", exit_on_error=False)

    async def _copy(self, text: str, what: str) -> None:
        from hermes_tui.clipboard import copy  # loaded here: only copying needs it
        from hermes_tui.home import data_dir

        # In a thread: a clipboard tool without a display may take seconds to give up.
        copied = await asyncio.to_thread(
            copy, text, write_osc52=self._write_sequence, data_dir=data_dir(self.home.path)
        )
        if "\ufffd" in text and any(view.state == "invalid_utf8" for view in self.state.views):
            what += "; U+FFFD stands where the file has bytes that are not UTF-8"
        self.say(copied.told(what), severity="information" if copied.chars else "warning")

    def on_copy_requested(self, message: CopyRequested) -> None:
        """A dialog wants something copied."""
        self.copy_out(message.text, message.what)

    async def edit_outside(self, text: str) -> str | None:
        """Have `text` edited in the person's own editor; None when nothing came back."""
        from hermes_tui.external_editor import edit_text

        edited: str | None = None
        failure: HermesTuiError | None = None
        try:
            with self.suspend(), self.ending.held_back():
                # An error must not leave this block: the terminal would stay with nobody.
                try:
                    edited = edit_text(text)
                except HermesTuiError as error:
                    failure = error
        except SuspendNotSupported:
            self.say("This terminal cannot hand the screen over to an editor.", severity="warning")
            return None
        self.refresh(layout=True)
        if failure:
            self.say_error(failure)
        return edited

    async def on_external_edit_requested(self, message: ExternalEditRequested) -> None:
        """The built-in editor hands its text over to the person's own."""
        edited = await self.edit_outside(message.text)
        if edited is not None:
            message.editor.take_external(edited)

    def on_handed_in(self, message: HandedIn) -> None:
        """A text is on its way to the disk, which may wait for a lock."""
        self._handed_in = message.text

    def unsaved_texts(self) -> list[str]:
        """What is being written and would be lost."""
        at_work = any(screen.busy for screen in self.main_screens)
        texts = [self._handed_in] if at_work and self._handed_in else []
        for screen in self.screen_stack:
            if getattr(screen, "changed", False) is True:
                text = getattr(screen, "entry", None) or getattr(getattr(screen, "conflict", None), "mine", None)
                if isinstance(text, str):
                    texts.append(text)
        return texts

    # Actions

    async def action_perform(self, action_id: str) -> None:
        """Run an action that works everywhere."""
        owner = self.screens if hasattr(self.screens, BY_ID[action_id].handler) else self
        await run_action(owner, action_id, lambda _action: None, self.say)

    def action_suspend(self) -> None:
        """Back to the shell until `fg`; in a text it is undo, as everywhere."""
        from textual.widgets import TextArea

        if isinstance(self.focused, TextArea):
            self.focused.action_undo()
        elif self._driver is not None and self._driver.can_suspend:
            self.action_suspend_process()
        else:
            self.say("There is no shell to go back to here.")

    async def action_reread(self) -> None:
        """Read everything from disk again, and draw it."""
        self.redraw()
        for screen in {*self.screens.visited, *self.screen_stack}:
            if isinstance(screen, ActionScreen):
                screen.look_soon(afresh=True)
        await reread(self)
        self.say("Read again from disk.", seconds=2)

    def action_help(self) -> None:
        """The keys that work here."""
        from hermes_tui.ui.actions import actions_for
        from hermes_tui.ui.dialogs.help import Help

        top = self.screen
        screen = top if isinstance(top, ActionScreen) else self.screens.up
        name = (screen.name if screen else None) or "memory"
        self.push_screen(Help(tuple(actions_for(name)), why_not=screen.why_not if screen else None))

    def action_leave(self) -> None:
        """Quit; a change that is still being saved is waited for, unless the key is pressed again."""
        if self._saving and not self._leaving_soon:
            self._leaving_soon = True
            words = "A change is still being saved; the app closes when it is. {app.quit} again leaves without it."
            self.say(with_keys(words), severity="warning", seconds=60)
            self.run_worker(self._leave_when_saved(), name="leaving", exit_on_error=False)
            return
        self.leaving = True
        self.exit()

    def exit(self, *args: Any, **options: Any) -> None:
        """Leave, and keep where one was for the next start."""
        with contextlib.suppress(HermesTuiError):  # the next start begins as the first one
            self.sitting.keep(self.current_mode, {str(screen.name): screen.left_at for screen in self.main_screens})
        super().exit(*args, **options)

    @property
    def _saving(self) -> bool:
        return any(screen.busy for screen in self.main_screens)

    async def _leave_when_saved(self) -> None:
        while self._saving:
            await asyncio.sleep(0.02)
        self._leaving_soon = False
        if not any(getattr(screen, "changed", False) is True for screen in self.screen_stack):
            self.action_leave()  # else the change was refused, and its text is back in the editor

    async def action_quit(self) -> None:
        """ctrl+q: the same as q, but an editor with unsaved text is asked first."""
        unsaved = next((screen for screen in self.screen_stack if getattr(screen, "changed", False) is True), None)
        if unsaved is None:
            self.action_leave()
        elif unsaved is self.screen:
            self.screen.leave()  # type: ignore[attr-defined]
        else:
            self.say("There is unsaved text in the editor: esc leads back to it.", severity="warning")
