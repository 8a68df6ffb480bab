"""The checks of `doctor` for secrets that lie about: where each is, masked, and what takes it away."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hermes_tui.cli.checks import Check, Status
from hermes_tui.text import plural

if TYPE_CHECKING:
    from hermes_tui.home import HermesHome
    from hermes_tui.secrets_found.allowance import Progress
    from hermes_tui.secrets_found.files import OpenFile
    from hermes_tui.secrets_found.found import Found, Place
    from hermes_tui.secrets_found.look import Looked

MOST_LINES = 10
"""So many are told of one kind of place; all of them are in the JSON."""
MOST_LABELS = 4
"""So many secrets of one place are named."""
SERIOUS: frozenset[Place] = frozenset(("memory", "user", "pending"))
"""Places whose text goes to the model with every prompt, or is about to."""


def look_for_secrets(home: HermesHome, *, deep: bool, progress: Progress) -> Looked:
    """What lies about in a home.

    Args:
        home: which must exist.
        deep: whether to look through all of it, however large.
        progress: told how far it is.
    """
    from hermes_tui.config import load_config
    from hermes_tui.memory.entries import STORES
    from hermes_tui.memory.view import view_store
    from hermes_tui.secrets_found.look import look

    config = load_config(home)
    return look(home, [view_store(home, config, store) for store in STORES], deep=deep, progress=progress)


def secret_checks(looked: Looked) -> Iterator[Check]:
    """A line for each place with secrets, and what was not looked through."""
    from hermes_tui.secrets_found.remedy import remedy

    grouped: dict[Place, dict[str, list[Found]]] = {}
    for found in looked.found:
        key = found.session_id if found.place == "message" else found.path if found.place == "log" else found.where
        grouped.setdefault(found.place, {}).setdefault(key, []).append(found)
    for place, groups in grouped.items():
        status: Status = "problem" if place in SERIOUS else "warn"
        for some in list(groups.values())[:MOST_LINES]:
            yield Check("secrets", status, _said(some), remedy(some[0]))
        if len(groups) > MOST_LINES:
            message = f"{len(groups) - MOST_LINES:,} more places of this kind ({place}) hold secrets."
            yield Check("secrets", status, message, "`hermes-tui doctor --json` names all of them.")
    yield from map(_open_file, looked.open_files)
    if not looked.found and not looked.open_files:
        where = "what was looked through" if looked.left else "memory, the queues, sessions, logs and settings"
        yield Check("secrets", "ok", f"No secrets were found in {where}.")
    for sentence in looked.left:
        hint = "" if looked.deep else "`hermes-tui doctor --deep` looks through all of it; ctrl+c stops it."
        yield Check("secrets", "ok", sentence, hint)


def secrets_shape(looked: Looked) -> dict[str, Any]:
    """The same as JSON: every place, each secret masked."""
    return {
        "found": [asdict(found) for found in looked.found],
        "open_files": [
            {"path": str(each.path), "mode": f"{each.mode:04o}", "sheltered": each.sheltered}
            for each in looked.open_files
        ],
        "not_looked_through": list(looked.left),
        "deep": looked.deep,
        "stopped": looked.stopped,
    }


def _said(some: list[Found]) -> str:
    labels = list(dict.fromkeys(found.label for found in some))
    named = ", ".join(labels[:MOST_LABELS]) + (f" and {len(labels) - MOST_LABELS:,} more" * (len(labels) > MOST_LABELS))
    where = some[0].where
    if some[0].place == "message" and len({found.message_id for found in some}) > 1:
        where = f"messages {_numbers(found.message_id for found in some)} of session {some[0].session_id}"
    elif some[0].place == "log" and len({found.line for found in some}) > 1:
        where = f"lines {_numbers(found.line for found in some)} of {some[0].path}"
    return f"{plural(len(labels), 'secret')} in {where}: {named}."


def _numbers(numbers: Iterable[int]) -> str:
    found = sorted(set(numbers))
    more = f" and {len(found) - MOST_LABELS:,} more" if len(found) > MOST_LABELS else ""
    return ", ".join(map(str, found[:MOST_LABELS])) + more


def _open_file(each: OpenFile) -> Check:
    if each.sheltered:
        message = (
            f"{each.path} holds secrets and is open to other users ({each.mode:04o}); only a folder above it is closed."
        )
        return Check("secrets", "warn", message, f"chmod 600 {shlex.quote(str(each.path))}")
    message = f"{each.path} holds secrets, and other users can read or change it ({each.mode:04o})."
    hint = f"chmod 600 {shlex.quote(str(each.path))} If others have accounts here, replace the keys."
    return Check("secrets", "problem", message, hint)
