"""The one table of actions and keys: bindings, footer, help, palette and README are all made from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import isawaitable
from typing import TYPE_CHECKING

from hermes_tui.ui.action import EVERYWHERE, Action, key_name, use_keys
from hermes_tui.ui.action_table import ACTIONS

if TYPE_CHECKING:
    from textual.binding import Binding

__all__ = [
    "ACTIONS",
    "BY_ID",
    "EVERYWHERE",
    "FIRST",
    "Action",
    "actions_for",
    "bindings_for",
    "key_for",
    "key_name",
    "key_table",
    "run_action",
    "use_keys",
    "with_keys",
]

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}

_KEY = re.compile(r"\{([\w.]+)\}")


def key_for(action_id: str, like: str = "") -> str:
    """The key of an action to name in a sentence: the first one it has now, or `like` where that is one of them."""
    action = BY_ID[action_id]
    return like if like in map(key_name, action.bound) else action.key


def with_keys(words: str) -> str:
    """Our own words with the key of an action for each `{memory.add}` in them."""
    return _KEY.sub(lambda found: key_for(found[1]) if found[1] in BY_ID else found[0], words)


FIRST = frozenset({"app.suspend"})
"""What comes before the keys of a dialog and of an editor."""


def actions_for(screen: str) -> Iterator[Action]:
    """The actions of a screen, then those that work everywhere, in the order of the table."""
    yield from (action for action in ACTIONS if action.screen == screen)
    yield from (action for action in ACTIONS if action.screen == EVERYWHERE)


def bindings_for(screen: str) -> list[Binding]:
    """Textual bindings for a screen: every key leads through `perform`, which may say why not."""
    from textual.binding import Binding  # loaded here: help for the command line is made from this table too

    return [
        Binding(
            ",".join(action.keys), f"perform('{action.id}')", action.label, id=action.id, priority=action.id in FIRST
        )
        for action in ACTIONS
        if action.screen == screen
    ]


def key_table() -> str:
    """The keys as a Markdown table, for the README."""
    return "\n".join(_table_of(screen) for screen in dict.fromkeys(("", *(action.screen for action in ACTIONS))))


def _table_of(screen: str) -> str:
    rows = [f"| {screen.title() or 'Everywhere'} | |", "| --- | --- |"]
    rows += [
        f"| {' '.join(f'`{key_name(key)}`' for key in action.keys)} | {action.help} |"
        for action in ACTIONS
        if action.screen == screen
    ]
    return "\n".join(rows) + "\n"


async def run_action(
    owner: object, action_id: str, why_not: Callable[[Action], str | None], say: Callable[[str], object]
) -> None:
    """Do what an action says, or say why it cannot be done now."""
    action = BY_ID[action_id]
    if reason := why_not(action):
        say(reason)
        return
    result = getattr(owner, action.handler)()
    if isawaitable(result):
        await result
