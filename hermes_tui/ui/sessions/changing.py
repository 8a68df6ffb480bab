"""What a person changes about conversations: their title, whether they are put away or pinned, and taking it back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.upkeep.naming import TitleTaken
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs.following import Course
from hermes_tui.ui.sessions.aim import Aim, aim_of
from hermes_tui.ui.sessions.naming import all_pinned, looked_up
from hermes_tui.ui.sessions.outcome import say_change
from hermes_tui.ui.sessions.sheets import PartRow
from hermes_tui.ui.sessions.writing import SessionWrites

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.changes import Change
    from hermes_tui.sessions.upkeep.keeper import Keeper
    from hermes_tui.ui.dialogs.rename import Named
    from hermes_tui.ui.sessions.screen import SessionsScreen

    Shelving = Callable[[Keeper, Course], Change]


class Changing:
    """The keys that change something about conversations and leave them where they are."""

    def __init__(self, screen: SessionsScreen) -> None:
        self.screen = screen
        self.app = screen.hermes

    @property
    def writes(self) -> SessionWrites:
        """What runs changes, one after another."""
        return self.screen.operations

    @property
    def aim(self) -> Aim:
        """What a key is about now."""
        shown = self.screen.session_list
        part = shown.entry.session_id if isinstance(shown.entry, PartRow) else ""
        return aim_of(shown.selected, shown.brief, shown.summary, part)

    # The title

    async def action_rename(self) -> None:
        """Give the conversation another title, or none."""
        await self.retitle(self.aim)

    async def retitle(self, aim: Aim) -> None:
        """Look up what it is called now, then ask; what is typed meanwhile waits for the line it is meant for."""
        base = self.screen.reader.base
        if base is None:
            return
        try:
            named = await asyncio.to_thread(looked_up, base, aim.briefs[0], aim.part)
        except HermesTuiError as error:
            # The line is opened all the same: the keys that come next are a title, and no commands.
            self._open_rename(_as_seen(aim), trouble=str(error))
            return
        if named is None:
            self.already_gone()
            return
        self._open_rename(named)

    def already_gone(self) -> None:
        """What a key was about was deleted meanwhile."""
        self.app.say("It was deleted already; the list is read again.", severity="warning")
        self.screen.look_soon(afresh=True)

    def _open_rename(self, named: Named, *, text: str | None = None, trouble: str = "", offer: str = "") -> None:
        from hermes_tui.ui.dialogs.rename import RenameDialog

        def typed(title: str | None) -> None:
            if title is not None:
                self._rename(named, title)

        self.app.push_screen(RenameDialog(named, text=text, trouble=trouble, offer=offer), typed)

    def _rename(self, named: Named, title: str) -> None:
        def refused(error: HermesTuiError) -> bool:
            if error.code == "no_such_session":
                return False
            offer = error.offer if isinstance(error, TitleTaken) else ""
            # The text goes back into the line: what was typed is nowhere else.
            self._open_rename(named, text=title, trouble=str(error), offer=offer)
            return True

        self.writes.change(
            "rename",
            lambda keeper, _course: keeper.rename(named.session_id, title),
            self.said,
            course=Course("Renaming", "conversation", can_stop=False),
            failed=refused,
        )

    # Away, and pinned

    def action_archive(self) -> None:
        """Put conversations away, or bring them back."""
        aim = self.aim
        away = not aim.archived
        many = (
            f"They leave the list; archived:also in the search box, or {key_for('sessions.narrow')}, shows them."
            if away
            else "They come back into the list."
        )
        verb = "Archive" if away else "Unarchive"
        self._ask_many(
            aim,
            verb,
            many,
            lambda keeper, course: keeper.archive(aim.ids, away, progress=course.progress, stopped=course.stopped),
        )

    async def action_pin(self) -> None:
        """Pin conversations, or no longer."""
        aim, base = self.aim, self.screen.reader.base
        if base is None:
            return
        pinned = aim.summary.pinned if aim.summary else await asyncio.to_thread(all_pinned, base, aim.briefs)
        words = "Pinned ones are left alone when sessions are pruned." if not pinned else "They can be pruned again."
        verb = "Unpin" if pinned else "Pin"
        self._ask_many(
            aim,
            verb,
            words,
            lambda keeper, course: keeper.pin(aim.ids, not pinned, progress=course.progress, stopped=course.stopped),
        )

    def _ask_many(self, aim: Aim, verb: str, detail: str, change: Shelving) -> None:
        """Do it at once to one conversation, and to several after a question."""
        if not aim.several:
            self._do(verb, change)
            return
        from hermes_tui.ui.dialogs.confirm import Confirm

        detail += f"\n{key_for('sessions.undo')} takes it back for all of them together."
        self.app.push_screen(
            Confirm(f"{verb} {aim.words}?", detail=detail, yes=verb),
            lambda yes: self._do(verb, change) if yes else None,
        )

    def _do(self, verb: str, change: Shelving) -> None:
        self.writes.change(verb.lower(), change, self.said, course=Course(f"{verb} …", "conversation"))

    # What was done

    def said(self, change: Change) -> None:
        """Say how a change ended."""
        say_change(self.screen, change, self.action_undo)

    def action_undo(self) -> None:
        """Take the last change back."""

        def undone(change: Change) -> None:
            self.screen.session_list.go_to(change.done)
            self.said(change)

        def undo(keeper: Keeper, course: Course) -> Change:
            steps = keeper.undoable()
            # What was deleted comes back message by message.
            course.one = "message" if steps and steps[-1].kind == "delete" else "conversation"
            return keeper.undo(progress=course.progress, stopped=course.stopped)

        self.writes.change(
            "undo",
            undo,
            undone,
            course=Course("Taking it back", "message"),
        )


def _as_seen(aim: Aim) -> Named:
    """What a conversation is called as far as its row says."""
    from hermes_tui.ui.dialogs.rename import Named

    summary = aim.summary
    stored = summary.title if summary and not summary.derived and not aim.part else ""
    return Named(aim.part or aim.briefs[0].id, stored, summary.title if summary and summary.derived else "")
