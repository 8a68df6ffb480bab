"""One thing a person can do, and the names of the keys that do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

EVERYWHERE = ""
"""The screen of an action that works on every screen."""


class Action(NamedTuple):
    """One thing a person can do, and the keys that do it."""

    id: str
    """Stable name, `memory.add`; keymaps and tests refer to it."""
    keys: tuple[str, ...]
    """Textual key names; the first is the one shown."""
    label: str
    """One or two words for the footer and the palette."""
    help: str
    """One sentence for the help screen and the README."""
    group: str
    """The heading it stands under in the help."""
    screen: str
    """The screen it belongs to; `EVERYWHERE` for all."""
    footer: int
    """Rank in the footer: 1 is kept longest when the row is short, 0 is never shown."""
    handler: str
    """The method of the screen or app that does it."""
    writes: bool = False
    """Whether it changes something on disk, so that --read-only disables it."""

    @property
    def bound(self) -> tuple[str, ...]:
        """The keys that do it now: a person may have chosen others."""
        return _CHANGED.get(self.id, self.keys)

    @property
    def key(self) -> str:
        """The key to show for it, as a person would name it."""
        return key_name(self.bound[0])

    @property
    def all_keys(self) -> str:
        """Every key that does it, as a person would name them."""
        return " / ".join(key_name(key) for key in self.bound)


_CHANGED: dict[str, tuple[str, ...]] = {}


def use_keys(changed: Mapping[str, tuple[str, ...]]) -> None:
    """Show these keys for actions, by their ids, and those of the table for all others."""
    _CHANGED.clear()
    _CHANGED.update(changed)


_KEY_NAMES = {
    "question_mark": "?",
    "slash": "/",
    "semicolon": ";",
    "asterisk": "*",
    "colon": ":",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "full_stop": ".",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}


def key_name(key: str) -> str:
    """`question_mark` as `?`: Textual's name of a key in the words of a keyboard."""
    return _KEY_NAMES.get(key, key)
