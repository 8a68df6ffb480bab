"""Values of state.db as JSON and back: what JSON cannot say exactly is given a second time, as it is stored.

What stands under a column's name is what the agent's own export gives and its own import takes. It is enough for
nearly every value; for the others there is `_stored`, where a BLOB is `{"base64": …}`, a text that is not UTF-8
`{"utf8": …}` (its bytes, in base64), and an infinite number `{"real": "inf"}`.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from hermes_tui.sessions.export.strict_json import (
    PIECE_CHARS,
    NotJson,
    dumped,
    has_halves,
    loads,
    pieces,
    quoted,
    refuse_constant,
    slices,
    to_float,
    whole_chars,
)
from hermes_tui.sessions.stored import JSON_MARK

EARLIEST, LATEST = 0.0, 4_200_000_000.0
"""Moments that an agent accepts, in epoch seconds."""


@dataclass(frozen=True, slots=True)
class BadText:
    """A text whose bytes are not UTF-8."""

    data: bytes


Stored = str | int | float | bytes | BadText | None
"""A value as SQLite gives it."""


# From the database to JSON


def exact_pieces(value: Stored) -> Iterator[str]:
    """A value as `_stored` has it."""
    if isinstance(value, str):
        yield from pieces(value)
    elif isinstance(value, bytes):
        yield json.dumps({"base64": base64.b64encode(value).decode("ascii")})
    elif isinstance(value, BadText):
        yield json.dumps({"utf8": base64.b64encode(value.data).decode("ascii")})
    elif isinstance(value, float) and math.isinf(value):
        yield json.dumps({"real": "inf" if value > 0 else "-inf"})
    else:
        yield json.dumps(value)


def from_exact(value: Any) -> Stored:
    """A value that `_stored` has.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, dict) and len(value) == 1:
        ((kind, data),) = value.items()
        if kind == "real" and data in ("inf", "-inf"):
            return float(data)
        if kind in ("base64", "utf8") and isinstance(data, str):
            raw = base64.b64decode(data, validate=True)
            return raw if kind == "base64" else BadText(raw)
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    raise ValueError("is no stored value")


class Said(NamedTuple):
    """How a value stands under its column's name."""

    json: str | Iterator[str]
    """In pieces where it is long."""
    exact: bool
    """Whether an import gets the stored value back from it."""

    @property
    def text(self) -> str:
        """In one piece."""
        return self.json if isinstance(self.json, str) else "".join(self.json)


def scalar(value: Stored) -> Any:
    """What the agent's export gives for a value, as far as JSON has it."""
    if isinstance(value, BadText):
        return value.data.decode("utf-8", errors="replace")
    if isinstance(value, bytes) or (isinstance(value, float) and math.isinf(value)):
        return None
    return value


def _text(value: Stored) -> Any:
    found = scalar(value)
    return found if isinstance(found, str) else None


def _role(value: Stored) -> Any:
    return _text(value) or "unknown"


def _whole(value: Stored) -> Any:
    return value if isinstance(value, int) else None


def _number(value: Stored) -> Any:
    return scalar(value) if isinstance(value, int | float) else None


def _moment(value: Stored) -> Any:
    return value if isinstance(value, int | float) and EARLIEST <= value <= LATEST else None


def _json_text(value: Stored) -> Any:
    """A text that the agent decodes on import; it turns the whole file away for an infinite number in one."""
    text = _text(value)
    if text and _MAYBE_INFINITE.search(text):
        try:
            json.loads(text, parse_constant=refuse_constant, parse_float=to_float)
        except NotJson:
            return None
        except (ValueError, RecursionError):
            return text  # no JSON at all: stored as it is
    return text


_MAYBE_INFINITE = re.compile(r"NaN|Infinity|\d[eE]\+?\d{3}|\d{300}")


def _json_object(value: Stored) -> Any:
    text = _text(value)
    try:
        return text if text is not None and isinstance(loads(text), dict) else None
    except NotJson:
        return None


MESSAGE_TEXTS = (
    *("tool_call_id", "tool_name", "effect_disposition", "finish_reason", "reasoning", "reasoning_content"),
    *("platform_message_id", "api_content", "display_kind", "message_uid", "tool_call_uid"),
)
MESSAGE_JSON_TEXTS = (
    *("reasoning_details", "codex_reasoning_items", "codex_message_items", "absorbed_message_uids", "tool_call_uids"),
)
SESSION_TEXTS = (
    *("id", "source", "user_id", "model", "system_prompt", "parent_session_id", "end_reason", "cwd", "git_branch"),
    *("git_repo_root", "billing_provider", "billing_base_url", "billing_mode", "cost_status", "cost_source"),
    *("pricing_version", "title"),
)

_Rule = Callable[[Stored], Any]
_RULES: dict[str, dict[str, _Rule]] = {
    "sessions": {
        "started_at": _moment,
        "ended_at": _number,
        "model_config": _json_object,
        **dict.fromkeys(SESSION_TEXTS, _text),
    },
    "messages": {
        "role": _role,
        "token_count": _whole,
        "timestamp": _moment,
        **dict.fromkeys(("active", "compacted"), _number),
        **dict.fromkeys(MESSAGE_TEXTS, _text),
        **dict.fromkeys(MESSAGE_JSON_TEXTS, _json_text),
    },
}
"""What the agents' imports want of a column; they turn the whole file away for anything else."""


Sayer = Callable[[Stored], Said]


def sayer(table: str, column: str) -> Sayer:
    """What gives the values of a column as JSON."""
    if table == "messages" and column in JSON_COLUMNS:
        return partial(_said_json, column, JSON_COLUMNS[column])
    rule = _RULES.get(table, {}).get(column)
    return _said_plain if rule is None else partial(_said_by, rule)


def _said_plain(value: Stored) -> Said:
    if type(value) is str:
        return Said(quoted(value) if len(value) <= PIECE_CHARS else pieces(value), True)
    if type(value) is int:
        return Said(str(value), True)
    return _said_by(scalar, value)


def _said_by(rule: _Rule, value: Stored) -> Said:
    found = rule(value)
    if type(found) is str:
        return Said(quoted(found) if len(found) <= PIECE_CHARS else pieces(found), found is value)
    return Said(json.dumps(found), found is value)


JSON_COLUMNS = {"content": JSON_MARK, "tool_calls": "", "display_metadata": ""}
"""Columns that the agent's export decodes, and how a value begins that is JSON."""
_DECODED: dict[str, Any] = {"tool_calls": (list, dict), "display_metadata": dict}
"""What an agent expects to find there."""


def _said_json(column: str, mark: str, value: Stored) -> Said:
    if not isinstance(value, str) or not value.startswith(mark):
        return _said_plain(value) if column == "content" else _said_by(_text, value)
    text = value[len(mark) :]
    if not text:
        return Said(quoted(value), encoded(column, value) == value)
    try:
        found = loads(text)
    except NotJson:
        # What the agent gives for it: a content as it is, no calls at all.
        return Said(pieces(value), False) if column == "content" else Said("null", False)
    halved = "\\u" in text and has_halves(found)
    if not halved and encoded(column, found) == value:
        return Said(slices(text), True)
    if not isinstance(found, _DECODED.get(column, object)):
        return Said("null", False)
    return Said(slices(dumped(whole_chars(found))), False)


# From JSON to the database


def encoded(column: str, value: Any) -> Stored:
    """What the agent stores for a value of its export."""
    if isinstance(value, bool):
        return int(value)
    if column == "content":
        if isinstance(value, list | dict) or (isinstance(value, str) and value.startswith(JSON_MARK)):
            return JSON_MARK + json.dumps(value)
    elif isinstance(value, list | dict):
        return json.dumps(value) if value else None
    result: Stored = value
    return result
