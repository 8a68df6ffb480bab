"""`hermes-tui providers honcho`: what Honcho makes of a person, and how often and how hard it thinks about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, say
from hermes_tui.cli.provider_memories import asked, yes_option
from hermes_tui.cli.provider_memories_shapes import representation_shape, representation_text
from hermes_tui.errors import Refused
from hermes_tui.text import fit

if TYPE_CHECKING:
    from hermes_tui.home import HermesHome
    from hermes_tui.providers.honcho_edit import HonchoChange
    from hermes_tui.providers.honcho_settings import HonchoValue

ORIGINS = {"profile": "this profile's block", "file": "honcho.json", "default": "default"}


@click.group()
def honcho() -> None:
    """Honcho's picture of a person, and its settings of cadence and depth."""


@honcho.command("show")
@yes_option
@home_options
@json_option
def show(yes: bool) -> None:
    """What Honcho makes of each person: card, account and newest conclusions; it is asked after a question."""
    with asked(open_home(options()), "honcho", "representation", yes=yes) as remote:
        found = remote.representation()
        where = remote.where
    shape = {"where": where, "people": [representation_shape(each) for each in found]}
    nobody = "Honcho knows nobody here yet."
    emit(shape, lambda: "\n\n".join(map(representation_text, found)) or nobody, as_json=options().json)


@honcho.command("settings")
@home_options
@json_option
def settings() -> None:
    """Every setting of cadence and depth: value, where it comes from, what it does, what it may be."""
    from hermes_tui.providers.honcho_settings import honcho_settings

    found = honcho_settings(open_home(options()))
    if found.problem:
        say(found.problem)
    shape = {
        "path": str(found.path),
        "state": found.state,
        "host": found.host,
        "shared": found.shared,
        "settings": [_shape(value) for value in found.values],
    }
    emit(shape, lambda: "\n".join(map(_line, found.values)), as_json=options().json)


@honcho.command("set")
@click.argument("key")
@click.argument("value")
@home_options
@json_option
def set_(key: str, value: str) -> None:
    """Change one setting at its place in honcho.json; it counts from the next session."""
    _change(key, value)


@honcho.command("unset")
@click.argument("key")
@home_options
@json_option
def unset(key: str) -> None:
    """Take one setting out of its place in honcho.json, so that the next place or the default counts."""
    _change(key, None)


@honcho.command("undo")
@home_options
@json_option
def undo() -> None:
    """Take the last change of a setting made here back, as it was spelled."""
    from hermes_tui.providers.honcho_edit import undo_honcho

    home = _writable()
    _tell(home, undo_honcho(home))


def _change(key: str, text: str | None) -> None:
    from hermes_tui.providers.honcho_edit import set_honcho

    home = _writable()
    _tell(home, set_honcho(home, key, text))


def _writable() -> HermesHome:
    chosen = options()
    home = open_home(chosen)
    if chosen.read_only:
        raise Refused("This is a read-only view; nothing was written.", code="read_only", hint="Leave out --read-only.")
    return home


def _tell(home: HermesHome, change: HonchoChange) -> None:
    from hermes_tui.providers.honcho_settings import honcho_settings

    found = honcho_settings(home)
    now = next(value for value in found.values if value.setting.key == change.key)
    if found.shared:
        say(f"{found.path} lies outside this home: other profiles or programs read it too.")
    changed = change.before != change.after or type(change.before) is not type(change.after)
    words = f"{change.key} is {now.value or 'without a limit'} ({ORIGINS[now.origin]})"
    words += "; it counts from the next session." if changed else " already."
    shape = {"path": str(change.path), "at": list(change.at), "before": change.before, "changed": changed}
    emit({**shape, "setting": _shape(now)}, lambda: words, as_json=options().json)


def _shape(value: HonchoValue) -> dict[str, object]:
    return {
        "key": value.setting.key,
        "value": value.value,
        "origin": value.origin,
        "default": value.setting.default,
        "range": value.setting.range,
        "about": value.setting.about,
        "raw": value.raw,
        "note": value.note or None,
    }


def _line(value: HonchoValue) -> str:
    shown = value.value or "–"
    line = f"{fit(value.setting.key, 26)} {fit(shown, 14)} {fit(ORIGINS[value.origin], 20)} {value.setting.about}"
    return f"{line} {value.note}".rstrip()
