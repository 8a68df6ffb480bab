"""A person's own keys: checked against the table of actions before any of them is bound."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from hermes_tui.settings import Settings, closest, key_lines
from hermes_tui.ui.actions import ACTIONS, BY_ID, actions_for, key_name

TAKEN = {
    "ctrl+b": "tmux takes it",
    "ctrl+c": "a terminal interrupts or copies with it",
    "ctrl+h": "terminals send it for backspace",
    "ctrl+i": "terminals send it for tab",
    "ctrl+j": "terminals send it for a new line",
    "ctrl+left_square_bracket": "terminals send it for esc",
    "ctrl+m": "terminals send it for enter",
    "ctrl+q": "terminals start their output with it, and here it leaves",
    "ctrl+s": "terminals stop their output with it",
    "ctrl+z": "it goes back to the shell",
    "ctrl+backslash": "terminals end programs with it",
}
"""Keys that do not reach the app everywhere, and why; what the table itself binds stays allowed to its action."""

_WORDS = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "pgdn": "pagedown",
    "pgup": "pageup",
    "page_down": "pagedown",
    "page_up": "pageup",
    "?": "question_mark",
    "↑": "up",
    "↓": "down",
    "←": "left",
    "→": "right",
}
_NAMED = {key.value for key in Keys if "+" not in key.value and not key.value.startswith("<")}
_MODIFIERS = ("ctrl", "alt", "shift", "super")
_BY_LABEL = {f"{action.screen or 'app'}.{action.label.casefold().replace(' ', '_')}": action.id for action in ACTIONS}
"""Actions by the words that the screen shows for them."""
_SCREENS = tuple(dict.fromkeys(action.screen for action in ACTIONS if action.screen))


class Keymap(NamedTuple):
    """The keys that were changed, and what was refused."""

    keys: Mapping[str, tuple[str, ...]]
    """By the ids of actions, in Textual's names."""
    troubles: tuple[str, ...]
    """A sentence for each refusal, with file and line."""


def keymap_of(settings: Settings) -> Keymap:
    """The keys that settings ask for, without those that cannot be."""
    wanted: dict[str, tuple[str, ...]] = {}
    refused: list[tuple[str, str]] = []
    for action, keys in settings.get("keys").items():
        names = tuple(name for name in map(key_of, keys) if name)
        reason = _reason(action, keys, names)
        if reason:
            refused.append((action, reason))
        else:
            wanted[action] = tuple(dict.fromkeys(names))
    while clash := next(_clashes(wanted), None):
        action, other, key = clash
        del wanted[action]
        words = f"{key_name(key)} is a key of {other} ({BY_ID[other].label}) as well; give one of them another"
        refused.append((action, words))
    if not refused:
        return Keymap(wanted, ())
    lines = key_lines(settings.path)
    said = (
        f"{settings.path}, line {lines.get(f'keys.{action}', 1)}: {action} keeps its keys: {words}."
        if action in BY_ID
        else f"{settings.path}, line {lines.get(f'keys.{action}', 1)}: {words}."
        for action, words in refused
    )
    return Keymap(wanted, tuple(said))


def key_of(text: str) -> str:
    """Textual's name of a key that a person wrote; empty when it is none."""
    if len(text) == 1:
        return _character(text)
    *modifiers, base = text.strip().split("+")
    modifiers = sorted({name.lower() for name in modifiers}, key=lambda name: (*_MODIFIERS, name).index(name))
    if any(name not in _MODIFIERS for name in modifiers):
        return ""
    if len(base) == 1:
        base = base.lower() if "ctrl" in modifiers else base
        if modifiers == ["shift"] and base.isalpha():
            return base.upper()  # a terminal sends the letter
        base = _character(base)
    else:
        base = _WORDS.get(base.lower(), base.lower())
        if base not in _NAMED and base not in _spelled():
            return ""
    return "+".join([*modifiers, base]) if base else ""


def _character(char: str) -> str:
    if char in _WORDS:
        return _WORDS[char]
    if char.isalnum():
        return char
    if char == " ":
        return "space"
    name = unicodedata.name(char, "").lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def _spelled() -> frozenset[str]:
    """The names of the signs on a keyboard, such as `slash`."""
    return frozenset(_character(chr(code)) for code in range(33, 127) if not chr(code).isalnum()) | {"space"}


def _reason(action: str, keys: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Why an action cannot have these keys; empty when it can."""
    if action not in BY_ID:
        meant = _BY_LABEL.get(action.casefold())
        return f"there is no action {action!r}" + (f" (did you mean {meant}?)" if meant else closest(action, BY_ID))
    wrong = next((key for key in keys if not key_of(key)), None)
    if wrong is not None:
        return f"there is no key {wrong!r}{closest(wrong, (*sorted(_NAMED), *sorted(_spelled())))}"
    taken = next((name for name in names if name in TAKEN and name not in BY_ID[action].keys), None)
    return f"{taken} cannot be used, {TAKEN[taken]}" if taken else ""


def _clashes(wanted: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str, str]]:
    """Changed actions with a key that another one on the same screen has too: action, the other, key."""
    for screen in _SCREENS:
        holders: dict[str, str] = {}
        for action in actions_for(screen):
            for key in wanted.get(action.id, action.keys):
                first = holders.setdefault(key, action.id)
                if first != action.id:
                    yield (action.id, first, key) if action.id in wanted else (first, action.id, key)
