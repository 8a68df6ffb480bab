"""Moving about on the Settings screen, and choosing what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.ui.dialogs.base import CopyRequested
from hermes_tui.ui.settings.honcho_item import HonchoItem
from hermes_tui.ui.settings.items import SettingItem, chosen

if TYPE_CHECKING:
    from hermes_tui.ui.settings.screen import SettingsScreen


class Looking:
    """What is shown, and what has the keys."""

    def __init__(self, screen: SettingsScreen) -> None:
        self._screen = screen
        self.needle = ""
        """What is filtered for."""
        self.only_changed = False
        """Whether only what somebody has set is shown."""

    # What is shown

    def show_items(self, keep: str = "") -> None:
        """Show what the person chose to see."""
        screen = self._screen
        items = chosen(screen.items, self.needle, only_changed=self.only_changed)
        screen.setting_list.show_items(items, keep)
        if screen.filter_bar:
            screen.filter_bar.show_counts()
        screen.show_around()

    @property
    def count_words(self) -> str:
        """`3 of 65`."""
        return f"{len(self._screen.setting_list.items):,} of {len(self._screen.items):,}"

    def find(self, needle: str) -> None:
        """Show only what holds every word of `needle`."""
        if needle != self.needle:
            self.needle = needle
            self.show_items()

    async def action_filter(self) -> None:
        """Open the filter line, or go back into it."""
        bar = await self._screen.open_filter_bar(self, "words to find in names and meanings")
        bar.input.focus()

    def action_changed(self) -> None:
        """Only what somebody has set, or everything again."""
        self.only_changed = not self.only_changed
        self.show_items()

    def action_copy(self) -> None:
        """Copy how the setting is named and what it is."""
        item = self._screen.setting_list.current
        if isinstance(item, SettingItem | HonchoItem):
            self._screen.post_message(CopyRequested(item.id.removeprefix("honcho:"), "the name of the setting"))
        elif item is not None:
            self._screen.post_message(CopyRequested(item.paper(self._screen.state).text, item.label))

    # The keys

    def action_switch(self) -> None:
        """Go to the page, or back to the list."""
        screen = self._screen
        (screen.setting_list if screen.page.text.has_focus else screen.page.text).focus()

    def action_back(self) -> None:
        """Back out one step: the page, the filter, then what is left out."""
        screen = self._screen
        if screen.page.text.has_focus:
            screen.setting_list.focus()
        elif screen.filter_bar:
            screen.filter_bar.end()
            screen.setting_list.focus()
        elif self.only_changed:
            self.action_changed()

    def action_next(self) -> None:
        """Down."""
        self._move("action_next", "action_scroll_down")

    def action_previous(self) -> None:
        """Up."""
        self._move("action_previous", "action_scroll_up")

    def action_next_page(self) -> None:
        """A screenful down."""
        self._move("action_next_page", "action_page_down")

    def action_previous_page(self) -> None:
        """A screenful up."""
        self._move("action_previous_page", "action_page_up")

    def action_first(self) -> None:
        """The first."""
        self._move("action_first", "action_scroll_home")

    def action_last(self) -> None:
        """The last."""
        self._move("action_last", "action_scroll_end")

    def _move(self, in_list: str, in_page: str) -> None:
        screen = self._screen
        if screen.page.text.has_focus:
            getattr(screen.page.text, in_page)()
        else:
            getattr(screen.setting_list, in_list)()
