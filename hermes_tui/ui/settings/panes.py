"""The list in its frame, and beside it the page about what has the cursor."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from hermes_tui.ui.dialogs.text_pane import SideText
from hermes_tui.ui.settings.setting_list import SettingList
from hermes_tui.ui.widgets.notice import NoticedPane
from hermes_tui.ui.widgets.titled import Titled


class SettingsPane(NoticedPane):
    """The list with its title, its numbers and a notice."""

    setting_list = getters.query_one(SettingList)

    def compose(self) -> ComposeResult:
        """The list."""
        yield SettingList(id="setting-list")

    @property
    def below_notice(self) -> Widget:
        """What the notice stands above."""
        return self.setting_list

    def say(self, words: list[str]) -> None:
        """Put words on the frame."""
        self.show_title(" · ".join(filter(None, words)))


class SettingText(SideText):
    """The page."""


class SettingPage(Vertical, Titled):
    """The page about what has the cursor, in its frame."""

    text = getters.query_one(SettingText)

    def compose(self) -> ComposeResult:
        """The page."""
        yield SettingText(id="setting-text")

    def on_mount(self) -> None:
        """Name it."""
        self.show_title("What it does")
