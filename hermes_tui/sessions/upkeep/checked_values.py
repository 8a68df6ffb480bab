"""Whether what a file says about a session can be stored: every column of the kind it should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from hermes_tui.sessions.export.lossless import FORMAT, OURS
from hermes_tui.sessions.export.stored_json import MESSAGE_TEXTS, SESSION_TEXTS, from_exact
from hermes_tui.sessions.export.strict_json import NotJson, loads, whole_chars

STORED = "_stored"

Check = Callable[[Any], bool]


def number_of(value: object) -> float | None:
    """A number that may be written as a text; None when it is none."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    return None


def _text(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _number(value: Any) -> bool:
    return value is None or number_of(value) is not None


def _calls(value: Any) -> bool:
    return value is None or isinstance(value, str | list | dict)


def _config(value: Any) -> bool:
    if not isinstance(value, str):
        return value is None or isinstance(value, dict)
    try:
        return isinstance(loads(value), dict)
    except NotJson:
        return False


_SAID: dict[Check, str] = {
    _text: "no text",
    _number: "no number",
    _calls: "no list of calls",
    _config: "no JSON object",
}

_SESSION: dict[str, Check] = {
    **dict.fromkeys((name for name in SESSION_TEXTS if name != "id"), _text),
    **dict.fromkeys(("started_at", "ended_at"), _number),
    "model_config": _config,
}
_MESSAGE: dict[str, Check] = {
    **dict.fromkeys((*MESSAGE_TEXTS, "message_id"), _text),
    **dict.fromkeys(("timestamp", "token_count", "active", "compacted"), _number),
    "tool_calls": _calls,
}


def session_problem(name: str, value: Any) -> str:
    """What is wrong with one thing that is said about a session: `title is no text`; empty when nothing is."""
    if name == "id":
        return "" if session_id_of(value) else "id is missing"
    if name == OURS:
        return _ours_problem(value)
    check = _SESSION.get(name)
    return "" if check is None or check(value) else f"{name} is {_SAID[check]}"


def session_id_of(value: object) -> str:
    """The id that a file gives a session, as the agents take it."""
    plain = isinstance(value, str | int) and not isinstance(value, bool)
    return str(whole_chars(str(value))).strip() if plain else ""


def message_problem(message: Any) -> str:
    """What is wrong with a message; empty when nothing is."""
    if not isinstance(message, dict):
        return " is no object"
    role = message.get("role")
    if not isinstance(role, str) or not role:
        return ".role is no text"
    for name, value in message.items():
        check = _MESSAGE.get(name)
        if check is not None and not check(value):
            return f".{name} is {_SAID[check]}"
    return _exact_problem(f".{STORED}", message[STORED]) if STORED in message else ""


def _exact_problem(name: str, values: Any) -> str:
    if not isinstance(values, Mapping):
        return f"{name} is no object"
    for column, value in values.items():
        try:
            from_exact(value)
        except ValueError:
            return f"{name}.{column} is no stored value"
    return ""


def _ours_problem(ours: Any) -> str:
    if not is_ours(ours):
        return ""
    if ours["format"] > FORMAT:
        return "it was written by a newer hermes-tui than this one"
    children, usage = ours.get("children", []), ours.get("usage", [])
    if not isinstance(children, list) or not all(isinstance(child, str) for child in children):
        return f"{OURS}.children is no list of ids"
    if not isinstance(usage, list) or not all(isinstance(row, dict) for row in usage):
        return f"{OURS}.usage is no list of objects"
    for row in usage:
        problem = _exact_problem(f"{OURS}.usage.{STORED}", row.get(STORED, {}))
        if problem:
            return problem
    return _exact_problem(f"{OURS}.stored", ours.get("stored", {}))


def is_ours(ours: Any) -> bool:
    """Whether a file was written by us, by what it says of itself."""
    return isinstance(ours, dict) and isinstance(ours.get("format"), int)
