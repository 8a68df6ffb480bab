"""Changes to sessions: what makes them, how a long one is followed and stopped, and the list after them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.upkeep.changes import Change
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.ui.dialogs.following import Course, Following
from hermes_tui.ui.turns import Failed, Turns

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

Result = TypeVar("Result")

PATIENT_SECONDS = 0.4
"""A change that takes longer is followed in a dialog."""


class SessionWrites(Turns[Keeper]):
    """Runs changes to the database of sessions in the order they were asked for."""

    elsewhere: ClassVar[bool] = True

    def __init__(self, screen: SessionsScreen) -> None:
        super().__init__(screen, screen.hermes)
        self._sessions = screen
        self._touched: tuple[str, ...] | None = None
        """The sessions that the last change was about; None where that is not known."""

    def make_writer(self) -> Keeper:
        """What changes sessions, and takes changes back."""
        return Keeper(self._app.home, read_only=self._app.read_only)

    async def look_again(self, *, ours: bool) -> None:
        """Show the sessions as they are now."""
        touched, self._touched = self._touched, None
        await self._sessions.look_now(touched if ours else None)

    def change(
        self,
        name: str,
        operation: Callable[[Keeper, Course], Result],
        done: Callable[[Result], None],
        *,
        course: Course,
        failed: Failed | None = None,
    ) -> None:
        """Make a change when its turn comes; one that takes long is followed, and can be stopped.

        Args:
            name: the worker's name.
            operation: makes it, in a thread.
            done: told how it ended, after the screen shows the disk as it is now.
            course: how far it is.
            failed: told about a refusal.
        """
        followed = Followed(self._sessions, course)
        course.left = lambda: self._app.leaving

        def operate(keeper: Keeper) -> Result:
            result = operation(keeper, course)
            if isinstance(result, Change):
                self._touched = (*result.done, *(failure.id for failure in result.failed))
            return result

        def prepare() -> Callable[[Keeper], Result]:
            followed.begin()
            return operate

        def ended(result: Result) -> None:
            followed.end()
            done(result)

        def refused(error: HermesTuiError) -> bool:
            followed.end()
            return failed(error) if failed else False

        self.start(name, prepare, ended, refused, always=followed.end)


class Followed:
    """The dialog over a change, from when it has taken a while until it is made."""

    def __init__(self, screen: SessionsScreen, course: Course) -> None:
        self._screen = screen
        self._course = course
        self._dialog: Following | None = None
        self._over = False

    def begin(self) -> None:
        """It begins."""
        self._screen.set_timer(PATIENT_SECONDS, self._open, name="follow")

    def _open(self) -> None:
        app = self._screen.hermes
        if not self._over and not app.leaving and app.screen_stack[0] is self._screen:
            self._dialog = Following(self._course)
            app.push_screen(self._dialog)

    def end(self) -> None:
        """It has ended."""
        self._over = True
        if self._dialog is not None:
            self._dialog.finish()
            self._dialog = None
