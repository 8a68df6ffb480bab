"""Changing a setting from the Settings screen, and taking that back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.config.keys import BY_NAME, Value
from hermes_tui.home import HermesHome
from hermes_tui.text import visible
from hermes_tui.ui.live import take_home
from hermes_tui.ui.settings.honcho_item import HonchoItem
from hermes_tui.ui.settings.items import WHEN, SettingItem, value_words
from hermes_tui.ui.settings.looked_up import REVIEWS, LookedUp
from hermes_tui.ui.settings.provider_item import ProviderItem
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
        await take_home(self._app, ours=False)


class Changing:
    """Everything on the screen that writes to config.yaml."""

    def __init__(self, screen: SettingsScreen) -> None:
        self._screen = screen

    @property
    def _setting(self) -> SettingItem | None:
        item = self._screen.setting_list.current
        return item if isinstance(item, SettingItem) else None

    def action_change(self) -> None:
        """Ask for another value."""
        item = self._screen.setting_list.current
        if isinstance(item, SettingItem):
            self._change_setting(item)
        elif isinstance(item, HonchoItem):
            self._change_honcho(item)
        elif isinstance(item, ProviderItem):
            self._screen.providers.set_up(item)
        elif isinstance(item, LookedUp):
            self._look_up(item)

    def _look_up(self, item: LookedUp) -> None:
        from hermes_tui.ui.settings.ledger import LedgerDialog  # loaded here: few ask for them
        from hermes_tui.ui.settings.secrets import SecretsDialog

        app = self._screen.hermes
        app.push_screen(LedgerDialog(app) if item is REVIEWS else SecretsDialog(app))

    def _change_setting(self, item: SettingItem) -> None:
        from hermes_tui.ui.dialogs.setting import SettingDialog  # loaded here: only changing needs it
        from hermes_tui.ui.settings.asking import asked_setting

        def given(value: Value | None) -> None:
            if value is not None:
                self._write(item, value)

        screen = self._screen
        screen.hermes.push_screen(SettingDialog(asked_setting(item.row, screen.state)), given)

    def _change_honcho(self, item: HonchoItem) -> None:
        from hermes_tui.ui.dialogs.setting import SettingDialog  # loaded here: only changing needs it
        from hermes_tui.ui.settings.asking import asked_honcho

        def given(value: Value | None) -> None:
            if value is not None:
                self._write_honcho(item, str(value))

        self._screen.hermes.push_screen(SettingDialog(asked_honcho(item)), given)

    def _write_honcho(self, item: HonchoItem, text: str | None) -> None:
        from hermes_tui.providers.honcho_edit import set_honcho  # loaded here: looking needs none of it

        key = item.now.setting.key

        def write(home: HermesHome) -> str:
            set_honcho(home, key, text)
            return f"{key}: {visible(text, multiline=False) if text else 'not set'}, from the next session on."

        self._start("set honcho", write)

    def action_flip(self) -> None:
        """Switch it on or off."""
        if item := self._setting:
            self._write(item, not item.row.value)

    def action_default(self) -> None:
        """Take it out of the file; for a provider, use none."""
        item = self._screen.setting_list.current
        if isinstance(item, SettingItem):
            self._write(item, None)
        elif isinstance(item, HonchoItem):
            self._write_honcho(item, None)
        elif isinstance(item, ProviderItem):
            self._screen.providers.switch_off()

    def action_undo(self) -> None:
        """Take back the last change of a setting; on one of Honcho's, of those; on a provider, the last setting up."""
        item = self._screen.setting_list.current
        if isinstance(item, ProviderItem):
            self._screen.providers.undo()
            return
        if isinstance(item, HonchoItem):
            self._undo_honcho()
            return
        from hermes_tui.config.edit import undo_setting  # loaded here: looking needs none of it

        def undo(home: HermesHome) -> str:
            name = undo_setting(home).key
            return f"{BY_NAME[name].label if name in BY_NAME else name} is as it was before."

        self._start("undo setting", undo)

    def _undo_honcho(self) -> None:
        from hermes_tui.providers.honcho_edit import undo_honcho  # loaded here: looking needs none of it

        self._start("undo honcho", lambda home: f"{undo_honcho(home).key} is as it was before.")

    def _write(self, item: SettingItem, value: Value | None) -> None:
        from hermes_tui.config.edit import set_setting, unset_setting  # loaded here: looking needs none of it

        key, seen = item.key, item.row.stands

        def write(home: HermesHome) -> str:
            name = key.name
            done = unset_setting(home, name) if value is None else set_setting(home, name, value, seen=seen)
            said = "not set" if value is None else value_words(key, value)
            return f"{key.label}: {said}. It counts {WHEN[key.applies]}." if done else f"{key.label} was so already."

        self._start("set setting", write)

    def _start(self, name: str, change: Callable[[HermesHome], str]) -> None:
        self._screen.operations.start(name, lambda: change, self._screen.hermes.say, lambda _error: False)
