"""Why a key makes no sense right now, and what there is to say about the settings as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.ui.actions import Action, key_for
from hermes_tui.ui.settings.items import Item, SettingItem
from hermes_tui.ui.settings.looked_up import LookedUp
from hermes_tui.ui.settings.provider_item import ProviderItem
from hermes_tui.ui.troubles import config_words, no_home_words, nowhere_to_write, quoted, read_only_words

if TYPE_CHECKING:
    from hermes_tui.ui.settings.screen import SettingsScreen

_ABOUT_ONE = {"settings.change", "settings.toggle", "settings.default"}


def why_not(action: Action, screen: SettingsScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if screen.ready and isinstance(screen.setting_list.current, LookedUp) and action.id in _ABOUT_ONE:
        looked_up = screen.setting_list.current
        return None if action.id == "settings.change" else f"{looked_up.label}: there is nothing to change."
    if action.writes and screen.hermes.read_only:
        return read_only_words(action)
    if not screen.ready:
        return None
    if action.writes and not screen.state.exists:
        return nowhere_to_write(screen.hermes.home.path)
    item = screen.setting_list.current
    if isinstance(item, ProviderItem):
        return _about_provider(action, item)
    if action.id in ("settings.open", "settings.test"):
        return f"{action.label} is for an external provider."
    if action.id in _ABOUT_ONE:
        return _about(action, item) if item else "There is no setting here."
    return "There is nothing here to copy." if action.id == "settings.copy" and item is None else None


def _about_provider(action: Action, item: ProviderItem) -> str | None:
    status = item.status
    if action.id == "settings.change" and not status.values:
        return f"What {item.label} needs is not known here."
    if action.id == "settings.toggle":
        return f"{item.label} is no switch: {key_for('settings.change')} sets it up."
    if action.id == "settings.default" and not status.active:
        return f"{item.label} is not the active provider."
    if action.id in ("settings.open", "settings.test") and not status.values:
        return f"Nobody here can ask {item.label}."
    if action.id == "settings.test" and status.name == "holographic":
        return "Holographic is a file on this machine: there is no connection to test."
    return None


def _about(action: Action, item: Item) -> str | None:
    if not isinstance(item, SettingItem):
        if action.id == "settings.toggle":
            return f"{item.label} is no switch."
        return (
            f"{item.label} is at its default already." if action.id == "settings.default" and not item.changed else None
        )
    if item.row.origin == "managed":
        return f"{item.key.name} is set by the administrator of this machine, which wins over your config.yaml."
    if action.id == "settings.toggle" and item.key.kind != "switch":
        return f"{item.label} is no switch: it takes {item.key.range}."
    if action.id == "settings.default" and not item.row.differs:
        return f"{item.label} is at the agent's default already."
    return None


def label_of(action: Action, screen: SettingsScreen) -> str:
    """The label, which follows what the key would do."""
    if not screen.ready:
        return action.label
    item = screen.setting_list.current
    if isinstance(item, LookedUp) and action.id == "settings.change":
        return "Show"
    if isinstance(item, ProviderItem):
        return {"settings.change": "Set up", "settings.default": "Use none"}.get(action.id, action.label)
    if action.id == "settings.toggle" and isinstance(item, SettingItem) and item.key.kind == "switch":
        return "Off" if item.row.value else "On"
    if action.id == "settings.changed" and screen.looking.only_changed:
        return "Show all"
    return action.label


def empty_words(screen: SettingsScreen) -> str:
    """What a list without rows says."""
    if not screen.state.exists:
        return no_home_words(screen.hermes.home.path)
    if not screen.whole:
        return "The providers are being read …"
    if screen.looking.needle:
        none = f"No setting holds {quoted(screen.looking.needle)}."
        return f"{none}\n{key_for('settings.back')} shows all of them."
    return f"Your config.yaml sets none of these.\n{key_for('settings.back')} shows all settings."


def notice_words(screen: SettingsScreen) -> tuple[str, bool]:
    """What to know about config.yaml as a whole, and whether it is serious; empty when all is well."""
    config = screen.state.config
    if config.problem:
        words = f"{config.problem} The agent runs on its defaults, which are shown; nothing can be changed here."
        return words, True
    return config_words(config)
