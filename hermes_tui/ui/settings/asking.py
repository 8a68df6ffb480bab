"""What is asked for when a setting is changed, in one form whatever file it stands in."""

from __future__ import annotations

from hermes_tui.config.keys import PROVIDERS, Value
from hermes_tui.config.rows import Row, parse_value, shown_value
from hermes_tui.providers.honcho_settings import parsed
from hermes_tui.ui.dialogs.setting import Asked
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.settings.honcho_item import HonchoItem
from hermes_tui.ui.settings.items import default_words, effect_words, takes_words


def asked_setting(row: Row, state: HomeState) -> Asked:
    """For a setting of config.yaml."""
    key = row.key
    switch = key.kind == "switch"

    def effect(value: Value) -> str:
        if key.kind == "secret" and value:
            return f"{shown_value(key, value)} would stand in config.yaml; the home's .env is meant for secrets."
        if key.name == "memory.provider" and value and value not in PROVIDERS:
            return f"No agent carries a provider of that name; these it does: {', '.join(PROVIDERS)}."
        return effect_words(key, value, state)

    def same(value: Value) -> bool:
        known = not row.notes and row.origin == "user"
        return known and type(value) is type(row.value) and value == row.value

    return Asked(
        name=key.name,
        meaning=key.meaning,
        takes=takes_words(key),
        default=default_words(key),
        now=("on" if row.value else "off") if switch else str(row.value),
        offered=("on", "off") if switch else key.choices,
        secret=key.kind == "secret",
        parse=lambda text: parse_value(key, text),
        effect=effect,
        same=same,
    )


def asked_honcho(item: HonchoItem) -> Asked:
    """For one of Honcho's settings."""
    setting, now = item.now.setting, item.now

    def parse(text: str) -> Value:
        parsed(setting, text)
        return text.strip()

    return Asked(
        name=setting.key,
        meaning=setting.about,
        takes=setting.range,
        default=setting.default or "not set",
        now=now.value,
        offered=("true", "false") if setting.kind == "flag" else setting.choices,
        secret=False,
        parse=parse,
        effect=lambda _value: "",
        same=lambda value: now.origin != "default" and not now.note and value == now.value,
    )
