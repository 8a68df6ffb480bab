"""Changing a setting from the Settings screen, and taking that back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.config.keys import Key, Value
from hermes_tui.config.rows import shown_value
from hermes_tui.home import HermesHome
from hermes_tui.text import visible
from hermes_tui.ui.live import reread
from hermes_tui.ui.settings.items import WHEN, SettingItem, effect_words
from hermes_tui.ui.turns import Turns

if TYPE_CHECKING:
    from hermes_tui.ui.settings.screen import SettingsScreen


class SettingWrites(Turns[HermesHome]):
    """Changes to config.yaml, which leave the stores and the queue alone."""

    elsewhere = True

    def __init__(self, screen: SettingsScreen) -> None:
        super().__init__(screen, screen.hermes)
        self._look = screen.look

    def make_writer(self) -> HermesHome:
        """The home whose file is changed."""
        return self._app.home

    async def look_again(self, *, ours: bool) -> None:  # noqa: ARG002
        """Show what the file says now, here and wherever it counts."""
        await self._look()
        await reread(self._app)


class Changing:
    """Everything on the screen that writes to config.yaml."""

    def __init__(self, screen: SettingsScreen) -> None:
        self._screen = screen
        self.writes = SettingWrites(screen)

    @property
    def _setting(self) -> SettingItem | None:
        item = self._screen.setting_list.current
        return item if isinstance(item, SettingItem) else None

    def action_change(self) -> None:
        """Ask for another value."""
        item = self._setting
        if item is None:
            return
        from hermes_tui.ui.dialogs.setting import SettingDialog  # loaded here: only changing needs it

        screen = self._screen

        def given(value: Value | None) -> None:
            if value is not None:
                self._write(item.key, value)

        dialog = SettingDialog(item.row, lambda value: effect_words(item.key, value, screen.state))
        screen.hermes.push_screen(dialog, given)

    def action_flip(self) -> None:
        """Switch it on or off."""
        if item := self._setting:
            self._write(item.key, not item.row.value)

    def action_default(self) -> None:
        """Take it out of the file."""
        if item := self._setting:
            self._write(item.key, None)

    def action_undo(self) -> None:
        """Take back the last change of a setting."""
        from hermes_tui.config.edit import undo_setting  # loaded here: looking needs none of it

        def undo(home: HermesHome) -> str:
            return f"{undo_setting(home).key} is as it was before."

        self._start("undo setting", undo)

    def _write(self, key: Key, value: Value | None) -> None:
        from hermes_tui.config.edit import set_setting, unset_setting  # loaded here: looking needs none of it

        def write(home: HermesHome) -> str:
            done = unset_setting(home, key.name) if value is None else set_setting(home, key.name, value)
            said = "not set" if value is None else visible(shown_value(key, value), multiline=False)
            return f"{key.label}: {said}. It counts {WHEN[key.applies]}." if done else f"{key.label} was so already."

        self._start("set setting", write)

    def _start(self, name: str, change: Callable[[HermesHome], str]) -> None:
        self.writes.start(name, lambda: change, self._screen.hermes.say, lambda _error: False)
