"""`hermes-tui info`: where everything is, which rule chose it, and which versions are at work."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING, Any

import click

from hermes_tui import __version__
from hermes_tui.cli.context import choose_home, home_options, json_option, options
from hermes_tui.cli.output import emit
from hermes_tui.memory.entries import STORES
from hermes_tui.text import fit, plural

if TYPE_CHECKING:
    from hermes_tui.config import HermesConfig
    from hermes_tui.home import HermesHome
    from hermes_tui.memory.view import StoreView
    from hermes_tui.sessions.checkup import Checkup
    from hermes_tui.settings import Settings

LIBRARIES = ("textual", "rich", "click", "pyyaml", "watchfiles", "platformdirs", "apsw")


@click.command()
@home_options
@json_option
def info() -> None:
    """Paths, versions, settings and the stores' state; nothing is changed."""
    from hermes_tui.cli.sessions_shapes import checkup_shape
    from hermes_tui.config import load_config
    from hermes_tui.home import data_dir
    from hermes_tui.memory.view import view_store
    from hermes_tui.sessions.checkup import check_up

    chosen = options()
    home = choose_home(chosen)
    config = load_config(home)
    views = [view_store(home, config, store) for store in STORES]
    state = check_up(home.state_db)
    shape = {
        "home": str(home.path),
        "profile": home.profile,
        "chosen_by": home.chosen_by,
        "exists": home.exists,
        "note": home.note,
        "root": str(home.root),
        "data_dir": str(data_dir(home.path)),
        "config": _config_shape(config),
        "settings": settings_shape(chosen.settings()),
        "stores": [_store_shape(view) for view in views],
        "sessions": checkup_shape(state),
        "versions": _versions(),
    }
    emit(shape, lambda: _text(home, config, views, state, shape), as_json=chosen.json)


def _config_shape(config: HermesConfig) -> dict[str, Any]:
    from hermes_tui.config import DEFAULTS

    values = {
        "memory.memory_enabled": config.memory_enabled,
        "memory.user_profile_enabled": config.user_profile_enabled,
        "memory.memory_char_limit": config.memory_char_limit,
        "memory.user_char_limit": config.user_char_limit,
        "memory.write_approval": config.write_approval,
        "memory.provider": config.provider,
        "skills.write_approval": config.skills_write_approval,
        "security.redact_secrets": config.redact_secrets,
    }
    return {
        "path": str(config.path),
        "state": config.state,
        "problem": config.problem,
        "values": [{"key": key, "value": values[key], "origin": config.origin(key)} for key in DEFAULTS],
        "notes": [
            {"key": note.key, "value": note.value, "effective": note.effective, "message": note.message}
            for note in config.notes
        ],
    }


def settings_shape(settings: Settings) -> dict[str, Any]:
    """Every setting of our own with what made it so, and what could not be used."""
    return {
        "path": str(settings.path),
        "exists": settings.exists,
        "values": [{"key": value.key, "value": value.value, "origin": value.origin} for value in settings.values],
        "problems": list(all_troubles(settings)),
    }


def all_troubles(settings: Settings) -> tuple[str, ...]:
    """What could not be used of the settings, keys included."""
    if not settings.get("keys"):
        return settings.troubles
    from hermes_tui.ui.keymap import keymap_of  # loaded here: it needs the names that the screen has for keys

    return (*settings.troubles, *keymap_of(settings).troubles)


def _store_shape(view: StoreView) -> dict[str, Any]:
    return {
        "store": view.store,
        "path": str(view.path),
        "target": str(view.target),
        "state": view.state,
        "problem": view.problem,
        "enabled": view.enabled,
        "entries": len(view.entries),
        "usage": {
            "chars": view.usage.chars,
            "limit": view.usage.limit,
            "percent": view.usage.percent,
            "room": view.usage.room,
        },
    }


def _versions() -> dict[str, str]:
    from importlib import metadata  # loaded here: 20 ms that only this command spends

    found = {"hermes-tui": __version__, "python": platform.python_version(), "platform": platform.platform()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _text(home: HermesHome, config: HermesConfig, views: list[StoreView], state: Checkup, shape: dict[str, Any]) -> str:
    from hermes_tui.cli.sessions_text import checkup_lines
    from hermes_tui.settings import shown

    rows = [
        ("home", str(home.path) + ("" if home.exists else "  (does not exist)")),
        ("profile", home.profile),
        ("chosen by", home.chosen_by),
        *([("note", home.note)] if home.note else []),
        ("root", str(home.root)),
        ("our data", shape["data_dir"]),
        ("config", f"{config.path}  ({config.state})"),
        *([("", config.problem)] if config.problem else []),
        *[("", f"{row['key']}: {_word(row['value'])}  ({row['origin']})") for row in shape["config"]["values"]],
        *[("note", f"{note.key}: {note.value} – {note.message}") for note in config.notes],
        ("settings", shape["settings"]["path"] + ("" if shape["settings"]["exists"] else "  (missing)")),
        *[("", f"{row['key']}: {shown(**row)}  ({row['origin']})") for row in shape["settings"]["values"]],
        *[("note", words) for words in shape["settings"]["problems"]],
    ]
    for view in views:
        rows.append((view.store, f"{view.path}  ({view.state})"))
        rows.append(("", view.problem or f"{view.usage.label} · {plural(len(view.entries), 'entry', 'entries')}"))
    rows += [("" if place else "sessions", line) for place, line in enumerate(checkup_lines(state))]
    rows += [("version" if name == "hermes-tui" else "", f"{name} {version}") for name, version in _pairs(shape)]
    return "\n".join(f"{fit(name, 10)} {value}" for name, value in rows)


def _pairs(shape: dict[str, Any]) -> list[tuple[str, str]]:
    return [*shape["versions"].items(), ("executable", sys.executable)]


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "none"
