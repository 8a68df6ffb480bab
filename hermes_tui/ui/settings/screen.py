"""The Settings screen: what config.yaml says about memory, approval, reviews and sessions, explained and changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from hermes_tui.config.rows import Rows, read_rows
from hermes_tui.ui.action_screen import ActionScreen
from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.memory.pane import short_path
from hermes_tui.ui.settings.changing import Changing, SettingWrites
from hermes_tui.ui.settings.items import Item, items_of
from hermes_tui.ui.settings.looked_up import REVIEWS, SECRETS
from hermes_tui.ui.settings.looking import Looking
from hermes_tui.ui.settings.panes import SettingPage, SettingsPane
from hermes_tui.ui.settings.providers import Providers, provider_items
from hermes_tui.ui.settings.reasons import empty_words, label_of, notice_words, why_not
from hermes_tui.ui.settings.setting_list import SettingList
from hermes_tui.ui.widgets.footer import FooterLine
from hermes_tui.ui.widgets.header import HeaderLine

if TYPE_CHECKING:
    from hermes_tui.sitting import LeftAt
    from hermes_tui.ui.widgets.list_filter_bar import ListFilterBar


class SettingsScreen(ActionScreen):
    """The settings of the agent that concern what it remembers, live."""

    TITLE = "Settings"
    CSS_PATH = "settings.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("settings")]
    AUTO_FOCUS = "#setting-list"

    header = getters.query_one(HeaderLine)
    pane = getters.query_one(SettingsPane)
    page = getters.query_one(SettingPage)
    setting_list = getters.query_one(SettingList)

    def __init__(self, state: HomeState) -> None:
        super().__init__(name="settings")
        self.state = state
        self.items: list[Item] = []
        """All there is, whatever is shown of it."""
        self._stale = False
        """Whether something was written while another screen was up."""
        self.whole = False
        """Whether what takes longer to look at is there too: the providers."""
        self._keep = ""
        """Where somebody was the last time, until it is there."""
        self._built: tuple[Widget, ...] = ()

    def compose(self) -> ComposeResult:
        """Header, list, page, footer."""
        yield HeaderLine()
        with Container(id="settings"):
            yield SettingsPane(id="settings-pane")
            yield SettingPage(id="setting-page")
        yield FooterLine("settings", self.why_not, self.label_of)

    def on_mount(self) -> None:
        """Show them all."""
        self.changing = Changing(self)
        self.looking = Looking(self)
        self.providers = Providers(self)
        self._built = (self.header, self.setting_list, self.page, self.footer)
        place = self.hermes.sitting.take("settings")
        self.looking.only_changed = place.get("only_changed") is True
        at = place.get("at")
        self.show_header()
        self._keep = at if isinstance(at, str) else ""
        self._take(read_rows(self.hermes.home), [])
        self.look_soon()

    # What the app asks of every screen

    @property
    def ready(self) -> bool:
        """Whether all of it is there: readings also arrive while it is being built or taken down."""
        return self.is_mounted and bool(self._built) and all(widget.is_attached for widget in self._built)

    @property
    def busy(self) -> bool:
        """Whether a change is at work."""
        return self.operations.running > 0

    @property
    def operations(self) -> SettingWrites:
        """What makes the changes, one after another."""
        return self.changing.writes

    @property
    def left_at(self) -> LeftAt:
        """Where one is, to be found again at the next start."""
        item = self.setting_list.current
        return {"at": item.id if item else "", "only_changed": self.looking.only_changed}

    def fit(self) -> None:
        """Use the room there is."""
        self.show_around()

    def show_header(self) -> None:
        """Say which home this is and how fresh the view is."""
        self.header.facts = self.hermes.header_facts

    def show_state(self, state: HomeState, *, ours: bool) -> None:  # noqa: ARG002
        """The home was read: the file may say something else."""
        self.state = state
        self.show_header()
        self.look_soon()

    @property
    def up(self) -> bool:
        """Whether it is the screen that a person sees, be it under another one."""
        return self.is_attached and self.app.screen_stack[0] is self

    def look_soon(self, *, afresh: bool = False) -> None:  # noqa: ARG002
        """Read the file again, at once if this is the screen that is up."""
        self._stale = not self.up
        if self._stale:
            return  # every change of the agent's comes this way, and looking reads the files of all providers
        self.run_worker(self.look(), name="settings", group="look", exclusive=True, exit_on_error=False)

    async def look(self) -> None:
        """Show what the file says now."""
        home = self.hermes.home
        if not self.state.exists:
            self._show([])  # the defaults would look like what is set
            return
        rows, others = await asyncio.to_thread(lambda: (read_rows(home), [REVIEWS, SECRETS, *provider_items(home)]))
        if self.ready:
            self._take(rows, others)

    def on_screen_resume(self) -> None:
        """Say what is so now."""
        if self.ready:
            self.show_header()
            if self._stale:
                self.look_soon()

    # Showing

    def _take(self, rows: Rows, others: list[Item]) -> None:
        self._show(items_of(rows, others), more=not others)

    def _show(self, items: list[Item], *, more: bool = False) -> None:
        self.items = items
        self.whole = not more
        keep, self._keep = self._keep, self._keep if more else ""
        self.looking.show_items(keep)

    def show_around(self) -> None:
        """Everything around the list that follows from it."""
        shown = self.setting_list
        shown.nothing = "" if shown.items else empty_words(self)
        shown.refresh()
        words, serious = notice_words(self)
        self.pane.show_notice(words, serious=serious)
        only = "set by you" if self.looking.only_changed else ""
        self.pane.say(["Settings", self.looking.count_words if shown.stops != len(self.items) else "", only])
        self.pane.border_subtitle = short_path(self.hermes.home.config_path)
        self.show_page()

    def show_page(self) -> None:
        """The page about what has the cursor."""
        item = self.setting_list.current
        self.page.text.show(item.paper(self.state) if item else Paper())
        self.footer.update_disabled()

    @on(SettingList.Moved)
    def follow_cursor(self) -> None:
        """Another row is under the cursor."""
        self.show_page()
        self.page.text.scroll_to(y=0, animate=False, immediate=True)

    @on(SettingList.Opened)
    async def open_row(self) -> None:
        """A double click changes it."""
        await self.action_perform("settings.change")

    @property
    def filter_bar(self) -> ListFilterBar | None:
        """The line a filter is typed in, while there is one."""
        return next((child for child in self.children if child.id == "filter-bar"), None)  # type: ignore[return-value]

    def on_input_submitted(self) -> None:
        """Keep the filter and go to what it left."""
        self.setting_list.focus()

    # Actions

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        return why_not(action, self)

    def label_of(self, action: Action) -> str:
        """What a key would do now, in a word or two."""
        return label_of(action, self)

    def owner_of(self, action: Action) -> object:
        """Whoever has the method that does it."""
        return next(owner for owner in (self.looking, self.changing, self.providers) if hasattr(owner, action.handler))
