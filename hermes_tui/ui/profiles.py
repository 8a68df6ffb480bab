"""The profiles beside the one that is open: what there is of each, going to one, comparing, sending entries."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hermes_tui.config import load_config
from hermes_tui.errors import HermesTuiError
from hermes_tui.home import HermesHome, Profile, home_of, list_profiles
from hermes_tui.memory.across import Comparison, Sent, compare, fullness, name_of, send
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.entries import FILE_NAMES, Usage
from hermes_tui.pending.queue import count_pending
from hermes_tui.text import plural
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.operations import Operations

if TYPE_CHECKING:
    from hermes_tui.pending.review import Review
    from hermes_tui.ui.app import HermesTuiApp

ONLY_ONE = "There is no other profile here: `hermes profile create NAME` makes one."


class Fullness(NamedTuple):
    """What is in a profile, in numbers."""

    usage: tuple[Usage | None, ...]
    """How full its stores are; None for one that cannot be read."""
    pending: int
    """Writes that wait for approval."""


def look_into(profile: Profile) -> Fullness:
    """Read the numbers of a profile; nothing is written."""
    home = HermesHome(profile.path, profile.name, "chosen here")
    return Fullness(fullness(home, load_config(home)), count_pending(home).total)


class Profiles:
    """What the keys about profiles do."""

    def __init__(self, app: HermesTuiApp) -> None:
        self._app = app

    @property
    def here(self) -> str:
        """What the open profile is called."""
        return name_of(self._app.home)

    # Going there

    async def choose(self) -> None:
        """Show the profiles, and go to the one that is chosen."""
        from hermes_tui.ui.dialogs.profiles import ProfilesDialog

        found = await self._found()
        if found is not None:
            open_at = next((profile.name for profile in found if self.is_here(profile)), "")
            # The dialog stays up until the app leaves: keys that come meanwhile are not for this profile.
            self._app.push_screen(ProfilesDialog(found, open_at, look_into, go=self._go, compare=self.compare_with))

    async def _found(self) -> tuple[Profile, ...] | None:
        try:
            return await asyncio.to_thread(list_profiles, self._app.home.root)
        except HermesTuiError as error:
            self._app.say_error(error)
            return None

    def is_here(self, profile: Profile) -> bool:
        """Whether it is the one that is open."""
        return os.path.realpath(profile.path) == os.path.realpath(self._app.home.path)

    def _go(self, name: str) -> None:
        from hermes_tui.ui.switching import switch_to

        going = switch_to(self._app, name)
        self._app.run_worker(going, name="switch", group="switch", exclusive=True, exit_on_error=False)

    # Comparing

    def compare_with(self, name: str) -> None:
        """Show what this profile and another one remember."""
        self._app.run_worker(self._compare(name), name="compare", group="compare", exclusive=True, exit_on_error=False)

    async def _compare(self, name: str) -> None:
        from hermes_tui.ui.dialogs.compared import ComparedDialog

        try:
            other = await asyncio.to_thread(home_of, self._app.home.root, name)
        except HermesTuiError as error:
            self._app.say_error(error)
            return

        def read() -> tuple[Comparison, ...]:
            return compare(self._app.home, load_config(self._app.home), other, load_config(other))

        def sent(ref: EntryRef, from_here: bool, keep: bool, done: Callable[[], None]) -> None:
            self.send([ref], other, from_here=from_here, keep=keep, done=done)

        found = await asyncio.to_thread(read)
        can_write = not self._app.read_only
        self._app.push_screen(ComparedDialog(self.here, name, found, read=read, send=sent if can_write else None))

    # Sending

    async def choose_and_send(self, refs: Sequence[EntryRef]) -> None:
        """Ask where entries go, and whether they stay here too."""
        from hermes_tui.ui.dialogs.profiles import SendDialog, Wish

        found = await self._found()
        if found is None:
            return
        others = tuple(profile for profile in found if not self.is_here(profile))
        if not others:
            self._app.say(ONLY_ONE, seconds=8)
            return
        one = len(refs) == 1
        what = f"entry {refs[0].index}" if one else plural(len(refs), "entry", "entries")

        def chosen(wish: Wish | None) -> None:
            if wish is not None:
                self._send_to(wish.name, refs, keep=wish.keep)

        self._app.push_screen(SendDialog(others, look_into, f"{what} of {FILE_NAMES[refs[0].store]}"), chosen)

    def _send_to(self, name: str, refs: Sequence[EntryRef], *, keep: bool) -> None:
        try:
            other = home_of(self._app.home.root, name)
        except HermesTuiError as error:
            self._app.say_error(error)
        else:
            self.send(refs, other, from_here=True, keep=keep)

    def send(
        self,
        refs: Sequence[EntryRef],
        other: HermesHome,
        *,
        from_here: bool,
        keep: bool,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        """Copy or move entries between this profile and another one."""

        def operation(here: Review) -> Sent:
            from hermes_tui.pending.review import Review

            there = Review(other, load_config(other), read_only=here.read_only, origin="tui", on_wait=here.on_wait)
            there.recover()
            source, target = (here, there) if from_here else (there, here)
            return send(source, refs, target, keep=keep)

        def said(sent: Sent) -> None:
            ours = sent.here if from_here else sent.there
            back = f" {key_for('memory.undo')} takes back what was done here." if ours and not ours.already else ""
            self._app.say(f"{sent.message}{back}", seconds=6)
            done()

        self._operations.start("send", lambda: operation, said, lambda _error: False)

    @property
    def _operations(self) -> Operations:
        up = self._app.screens.up
        assert up is not None
        own = up.operations
        return own if isinstance(own, Operations) else Operations(up, self._app)
