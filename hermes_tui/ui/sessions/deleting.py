"""Deleting conversations, pruning old ones, and giving their space back: what would go, the question, and doing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.text import plural, short_path
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.collecting import uncollected
from hermes_tui.ui.dialogs.following import Course
from hermes_tui.ui.sessions.aim import Aim

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.changes import Change
    from hermes_tui.sessions.upkeep.deletion import Plan
    from hermes_tui.sessions.upkeep.pruning import Pruned
    from hermes_tui.ui.dialogs.deletion import Scope
    from hermes_tui.ui.sessions.changing import Changing


class Deleting:
    """The keys after which conversations are gone; undo brings them back."""

    def __init__(self, changing: Changing) -> None:
        self._changing = changing
        self._screen = changing.screen
        self._app = changing.app

    def action_delete(self) -> None:
        """Show what deleting would do, then ask."""
        self.delete(self._changing.aim)

    def delete(self, aim: Aim, *, deleted: Callable[[], None] = lambda: None) -> None:
        """Show what deleting these would do, then ask.

        Args:
            aim: the conversations.
            deleted: told when they are gone.
        """
        from hermes_tui.ui.dialogs.deletion import DeletionDialog

        def plan(scope: Scope, course: Course) -> Plan:
            keeper = Keeper(self._app.home)
            with uncollected() as made:
                found = keeper.plan(scope.ids, whole=scope.whole, progress=course.progress, stopped=course.stopped)
                made(len(found.doomed))
            return found

        dialog = DeletionDialog(aim.name, scopes_of(aim), plan, self._app.home.path)
        self._app.push_screen(dialog, lambda plan: self._decided(plan, deleted))

    def _decided(self, plan: Plan | None, deleted: Callable[[], None] = lambda: None) -> None:
        if plan is None:
            return
        if not plan.doomed:
            self._changing.already_gone()
            return

        def ended(change: Change) -> None:
            if change.done:
                deleted()
            self._changing.said(change)

        self._changing.writes.change(
            "delete",
            lambda keeper, course: keeper.delete(plan, progress=course.progress, stopped=course.stopped),
            ended,
            course=Course("Deleting", "conversation"),
        )

    def action_prune(self) -> None:
        """Choose what is old, small or empty, see what would go, then ask."""
        from hermes_tui.ui.dialogs.pruning import PruneDialog

        def plan(wanted: Pruned, course: Course) -> Plan:
            with uncollected() as made:
                found = Keeper(self._app.home).plan_prune(wanted, progress=course.progress, stopped=course.stopped)
                made(len(found.doomed))
            return found

        counts = Counter(brief.source for brief in self._screen.reader.briefs if brief.source)
        self._app.push_screen(PruneDialog(counts.most_common(), plan), self._ask_to_prune)

    def _ask_to_prune(self, plan: Plan | None) -> None:
        if plan is None:
            return
        from hermes_tui.ui.dialogs.confirm import Confirm
        from hermes_tui.ui.dialogs.deletion_paper import what_goes

        detail = (
            f"{what_goes(plan)} would go.\n"
            f"A copy is kept: {key_for('sessions.undo')} brings them back, also after a restart.\n"
            f"state.db does not get smaller by this: only {key_for('sessions.vacuum')}, or hermes-tui sessions vacuum,"
            " gives space to the disk."
        )
        question = f"Delete {plural(len(plan.doomed), 'conversation')} with {plural(plan.messages, 'message')}?"
        self._app.push_screen(
            Confirm(question, detail=detail, yes="Delete", danger=True),
            lambda yes: self._decided(plan) if yes else None,
        )

    def action_vacuum(self) -> None:
        """Ask, then write the database anew without the holes that deleting has left."""
        from hermes_tui.ui.dialogs.confirm import Confirm

        path = short_path(self._app.home.state_db)
        detail = (
            f"{path} is written anew without the holes that deleting leaves. That takes a while, needs twice its size"
            " on the disk meanwhile, and cannot be stopped. An agent that writes has to wait: stop it first.\n"
            f"No session is changed, and what {key_for('sessions.undo')} can take back stays."
        )
        self._app.push_screen(
            Confirm("Give the space of what was deleted back to the disk?", detail=detail, yes="Vacuum"),
            lambda yes: self._vacuum() if yes else None,
        )

    def _vacuum(self) -> None:
        self._changing.writes.change(
            "vacuum",
            lambda keeper, _course: keeper.vacuum(),
            self._changing.said,
            course=Course("Writing state.db anew", "page", can_stop=False),
        )


def scopes_of(aim: Aim) -> tuple[Scope, ...]:
    """How much can be deleted of what a key is about, the usual first."""
    from hermes_tui.ui.dialogs.deletion import Scope

    whole = Scope(aim.ids, "all their parts", whole=True)
    if aim.several or not aim.briefs:
        return (whole,) if aim.parts == len(aim.briefs) else (whole, Scope(aim.ids, "the newest parts", whole=False))
    brief = aim.briefs[0]
    if len(brief.parts) < 2:
        return (whole,)
    whole = Scope(aim.ids, f"the whole conversation, {len(brief.parts):,} parts", whole=True)
    number = brief.parts.index(aim.part) + 1 if aim.part in brief.parts else len(brief.parts)
    which = "the newest part" if number == len(brief.parts) else f"part {number:,} of {len(brief.parts):,}"
    return whole, Scope((brief.parts[number - 1],), which, whole=False)
