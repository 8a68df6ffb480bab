"""The Settings screen: what config.yaml says about memory, approval, reviews and sessions, explained and changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from hermes_tui.config.rows import Rows, read_rows
from hermes_tui.text import short_path
from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.main_screen import MainScreen
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


class SettingsScreen(MainScreen[SettingWrites]):
    """The settings of the agent that concern what it remembers, live."""

    TITLE = "Settings"
    CSS_PATH = "settings.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("settings")]
    AUTO_FOCUS = "#setting-list"

    pane = getters.query_one(SettingsPane)
    page = getters.query_one(SettingPage)
    setting_list = getters.query_one(SettingList)

    def __init__(self, state: HomeState) -> None:
        super().__init__("settings", state)
        self.items: list[Item] = []
        """All there is, whatever is shown of it."""
        self.whole = False
        """Whether what takes longer to look at is there too: the providers."""
        self._keep = ""
        """Where somebody was the last time, until it is there."""

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
        self.built_of(self.setting_list, self.page)
        place = self.hermes.sitting.take("settings")
        self.looking.only_changed = place.get("only_changed") is True
        at = place.get("at")
        self.show_header()
        self._keep = at if isinstance(at, str) else ""
        self._take(read_rows(self.hermes.home), [])
        self.look_soon()

    # What the app asks of every screen

    @property
    def left_at(self) -> LeftAt:
        """Where one is, to be found again at the next start."""
        item = self.setting_list.current
        return {"at": item.id if item else "", "only_changed": self.looking.only_changed}

    def fit(self) -> None:
        """Use the room there is."""
        self.show_around()

    def make_operations(self) -> SettingWrites:
        """Make what runs changes of settings."""
        return SettingWrites(self)

    def read(self) -> None:
        """Read what the files say now, unless a change is at work: it has them read when it is made."""
        if not self.busy:
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
