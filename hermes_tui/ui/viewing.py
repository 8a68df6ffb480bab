"""The saved views of a screen: which one is in use, and what the dialog over them does."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from hermes_tui.errors import HermesTuiError
from hermes_tui.text import one_line

if TYPE_CHECKING:
    from hermes_tui.ui.pending.screen import PendingScreen
    from hermes_tui.ui.sessions.screen import SessionsScreen
    from hermes_tui.views import Content, Screen, View, Views

NAME_CELLS = 30
"""Of a name on the frame."""


class Showing(Protocol):
    """How a screen turns what it shows into plain data, and back."""

    @property
    def content(self) -> Content:
        """What is shown now."""

    @property
    def usual(self) -> Content:
        """What is shown when nobody has chosen anything."""

    def full(self, content: Content) -> Content:
        """As `content` says it: what is not mentioned is as usual.

        Raises:
            ValueError: it cannot be shown.
        """

    def words(self, content: Content) -> str:
        """In words.

        Raises:
            ValueError: it cannot be shown.
        """

    def count(self, content: Content) -> str:
        """In a thread: how many would be shown; empty where counting is not cheap."""

    async def show(self, content: Content) -> None:
        """Show it."""


class Viewing:
    """Knows which view is in use, and changes those that are saved."""

    def __init__(self, screen: SessionsScreen | PendingScreen, whose: Screen, showing: Showing) -> None:
        self._screen = screen
        self._whose: Screen = whose
        self.showing = showing
        self.in_use: View | None = None
        """The view that was taken last, unless everything was taken away since."""

    @cached_property
    def saved(self) -> Views:
        """Those that are saved."""
        from hermes_tui.views import Views  # loaded here: only the key of views needs it

        app = self._screen.hermes
        return Views(app.home.path, self._whose, kept=app.kept, read_only=app.read_only)

    @property
    def changed(self) -> bool:
        """Whether something else is shown than the view in use says."""
        if self.in_use is None:
            return False
        try:
            return self.showing.full(self.in_use.content) != self.showing.content
        except ValueError:
            return True  # it was edited by hand since

    def frame_words(self) -> str:
        """The name for the frame, empty when no view is in use; none is any more once everything is taken away."""
        if self.changed and self.showing.content == self.showing.usual:
            self.in_use = None
        if self.in_use is None:
            return ""
        return one_line(self.in_use.name, NAME_CELLS) + (" (changed)" if self.changed else "")

    # From one start to the next

    @property
    def left(self) -> dict[str, Any]:
        """The view in use as plain data."""
        return {"name": self.in_use.name, **self.in_use.content} if self.in_use else {}

    def come_back(self, left: object) -> None:
        """Have the view in use that was when one left."""
        if isinstance(left, dict) and isinstance(left.get("name"), str):
            from hermes_tui.views import View

            content = {key: value for key, value in left.items() if key != "name"}
            self.in_use = View(left["name"], content)

    # The dialog

    async def action_views(self) -> None:
        """Offer the saved views."""
        from hermes_tui.ui.dialogs.views import ViewsDialog

        app = self._screen.hermes
        try:
            views = await asyncio.to_thread(lambda: self.saved.every)
        except HermesTuiError as error:
            app.say_error(error)
            return
        self.follow(views)
        app.push_screen(ViewsDialog(self, views), self._left)

    def _left(self, view: View | None) -> None:
        if view is not None:
            self._screen.run_worker(self._take(view), name="view", group="view", exit_on_error=False)
        else:
            self._screen.fit()  # the frame may have another name to say

    async def _take(self, view: View) -> None:
        await self.showing.show(view.content)
        self.in_use = view
        self._screen.fit()

    def follow(self, views: tuple[View, ...]) -> None:
        """The views as they are saved now: the one in use may be another, or gone."""
        if self.in_use is not None:
            name = self.in_use.name
            self.in_use = next((view for view in views if view.name == name), None)

    # What the dialog has done, in a thread

    def save(self, name: str, *, over: bool) -> tuple[View, ...]:
        """Save what is shown now; the views then."""
        self.in_use = self.saved.save(name, self.showing.content, over=over)
        return self.saved.every

    def rename_to(self, view: View, name: str) -> tuple[View, ...]:
        """Call a view something else; the views then."""
        renamed = self.saved.rename_to(view.name, name)
        if self.in_use is not None and self.in_use.name == view.name:
            self.in_use = renamed
        return self.saved.every

    def delete(self, view: View) -> tuple[View, ...]:
        """Forget a view; the views then."""
        self.saved.delete(view.name)
        if self.in_use is not None and self.in_use.name == view.name:
            self.in_use = None
        return self.saved.every
