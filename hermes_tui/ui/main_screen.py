"""What the five screens that the number keys lead to share: their frame, when they read, and who changes things."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from textual import getters
from textual.widget import Widget

from hermes_tui.ui.action_screen import ActionScreen
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.turns import Progress, Turns
from hermes_tui.ui.widgets.header import HeaderLine

Changes = TypeVar("Changes", bound=Turns[Any])


class MainScreen(ActionScreen, Generic[Changes]):
    """A screen that is built on the first visit, and stays in step with the home from then on."""

    header = getters.query_one(HeaderLine)

    def __init__(self, name: str, state: HomeState) -> None:
        super().__init__(name=name)
        self.state = state
        self._parts: tuple[Widget, ...] = ()
        self._operations: Changes | None = None
        self._stale = False
        """Whether something was written while another screen was up."""

    # Whether it is there, and seen

    def built_of(self, *parts: Widget) -> None:
        """All of it is there, and can be shown things as long as these are."""
        self._parts = (self.header, *parts, self.footer)

    @property
    def ready(self) -> bool:
        """Whether all of it is there: readings also arrive while it is being built or taken down."""
        # Of parts that are kept: it is asked for every key of the table at every move of the cursor.
        return self.is_mounted and bool(self._parts) and all(part.is_attached for part in self._parts)

    @property
    def up(self) -> bool:
        """Whether it is the screen that a person sees, be it under another one."""
        return self.is_attached and self.app.screen_stack[0] is self

    def fit(self) -> None:
        """Use the room there is."""

    def show_header(self) -> None:
        """Say which home this is and how fresh the view is."""
        self.header.facts = self.hermes.header_facts

    # Reading

    def show_state(self, state: HomeState, *, ours: bool) -> None:
        """The home was read, be it after a change that was made here."""
        before, self.state = self.state, state
        self.state_changed(before, ours=ours)
        self.show_header()
        if not (ours and self.busy):  # a change of its own reads the rest itself
            self.look_soon()

    def state_changed(self, before: HomeState, *, ours: bool) -> None:
        """Show what a reading of the home has brought."""

    def look_soon(self, *, afresh: bool = False) -> None:  # noqa: ARG002
        """Read the rest of what it shows: at once if it is up, else when somebody comes to it."""
        self._stale = not self.up
        if not self._stale:
            self.read()

    def read(self) -> None:
        """Read, in the background, what it shows besides the home's state."""

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was up."""
        if self.ready:
            self.show_header()
            if self._stale:
                self.look_soon()

    # Changing

    def make_operations(self) -> Changes:
        """Make what runs its changes."""
        raise AttributeError(f"{type(self).__name__} changes nothing")

    @property
    def operations(self) -> Changes:
        """What runs its changes, one after another; made with the first of them."""
        if self._operations is None:
            self._operations = self.make_operations()
        return self._operations

    @property
    def busy(self) -> bool:
        """Whether a change is at work."""
        return self._operations is not None and self._operations.running > 0

    async def on_progress(self, message: Progress) -> None:
        """Say how far a change is, or what it waits for."""
        await self.operations.show_words(message.words)

    def on_operation_ended(self) -> None:
        """Nothing waits any more."""
        if self._operations is not None:
            self._operations.hide_waiting()
        self.footer.update_disabled()
