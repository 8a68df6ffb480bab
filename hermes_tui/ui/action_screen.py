"""What every screen of the app does with the one table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters, on
from textual.screen import Screen

from hermes_tui.errors import HermesTuiError
from hermes_tui.ui.actions import BY_ID, Action, run_action
from hermes_tui.ui.drawing import Drawn
from hermes_tui.ui.widgets.footer import FooterLine

if TYPE_CHECKING:
    from textual.worker import Worker

    from hermes_tui.sitting import LeftAt
    from hermes_tui.ui.app import HermesTuiApp
    from hermes_tui.ui.widgets.filter_bar import FilterBar, Findable

WHILE_FILTERING = ("Move around", "Select")
"""The groups of actions whose keys still work while a filter is typed."""


class ActionScreen(Drawn, Screen[None]):
    """A screen whose keys, footer and palette all lead through the table of actions."""

    footer = getters.query_one(FooterLine)

    @property
    def hermes(self) -> HermesTuiApp:
        """The app, as its own type."""
        from hermes_tui.ui.app import HermesTuiApp

        app = self.app
        assert isinstance(app, HermesTuiApp)
        return app

    @property
    def typing_filter(self) -> bool:
        """Whether keys go into a filter that is being typed."""
        return self.filter_bar is not None and self.filter_bar.has_focus_within

    @property
    def filter_bar(self) -> FilterBar | None:
        """The line in which a filter is typed, while there is one."""
        return next((child for child in self.children if child.id == "filter-bar"), None)  # type: ignore[return-value]

    async def open_filter_bar(self, findable: Findable, placeholder: str) -> FilterBar:
        """Have a line to type a filter in: the one that is there, or a new one."""
        bar = self.filter_bar
        if bar is None:
            from hermes_tui.ui.widgets.filter_bar import FilterBar  # loaded here: the input is not needed to look

            bar = FilterBar(findable, placeholder)
            await self.mount(bar, before=self.footer)
        return bar

    @property
    def left_at(self) -> LeftAt:
        """Where one is, to be found again at the next start."""
        return {}

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        raise AttributeError(f"{type(self).__name__} does not say why {action.id} makes no sense")

    def label_of(self, action: Action) -> str:
        """What an action would do now, in a word or two."""
        return action.label

    def owner_of(self, action: Action) -> object:
        """Whoever has the method that does it."""
        raise AttributeError(f"{type(self).__name__} has nobody for {action.id}")

    async def action_perform(self, action_id: str) -> None:
        """Run an action of this screen, or say why not."""
        action = BY_ID[action_id]
        if self.typing_filter and action.group not in WHILE_FILTERING:
            return
        try:
            await run_action(self.owner_of(action), action_id, self.why_not, self.hermes.say)
        except HermesTuiError as error:
            self.hermes.say_error(error)
        self.footer.update_disabled()

    def look_soon(self, *, afresh: bool = False) -> None:
        """Look at the disk again, for a screen that has a way of its own; `afresh`: also where nothing seems new."""

    def perform(self, action_id: str) -> None:
        """Run an action as if its key was pressed."""
        self.run_worker(self.action_perform(action_id), name=action_id, exit_on_error=False)

    def on_worker_state_changed(self, message: Worker.StateChanged) -> None:
        """Work in the background may have failed."""
        self.hermes.tell_failure(message)

    @on(FooterLine.Chosen)
    async def do_chosen(self, message: FooterLine.Chosen) -> None:
        """A click in the footer does what the key does."""
        owner = self if message.action.screen else self.hermes
        await owner.action_perform(message.action.id)
