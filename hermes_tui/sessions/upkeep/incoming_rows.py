"""What a file says about a session and its messages, as rows of a database."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes_tui.sessions.export.lossless import OURS
from hermes_tui.sessions.export.stored_json import Stored, encoded, from_exact
from hermes_tui.sessions.export.strict_json import NotJson, loads, whole_chars
from hermes_tui.sessions.upkeep.checked_values import STORED, is_ours, number_of

StoredRow = dict[str, Stored]

NEW_SOURCE = "import"
"""The source of a session whose file does not name one, as with the agents."""

_LIVING = ("handoff_", "compression_", "last_activity_")
"""How the columns begin that belong to a session an agent has at hand."""
_NOT_TAKEN = frozenset(
    (
        *("session_key", "chat_id", "chat_type", "thread_id", "origin_json", "expiry_finalized", "profile_name"),
        *("transport_profile", "rewind_count", "git_metadata_generation", "tool_names", "system_prompt"),
        *("system_prompt_hash", "parent_session_id", "message_count", "tool_call_count"),
    )
)
"""What is of the place a session comes from, or is worked out anew."""
_FLAGS = ("archived", "auto_archived", "pinned", "hidden")


def exact_session(facts: Mapping[str, Any], columns: Sequence[str]) -> StoredRow:
    """A session's row as it was stored; what the file does not say is left out."""
    stored = facts[OURS].get("stored", {})
    return {
        column: from_exact(stored[column]) if column in stored else _plain(facts[column])
        for column in columns
        if column in stored or column in facts
    }


def new_session(facts: Mapping[str, Any], columns: Sequence[str], began: float | None) -> StoredRow:
    """A session's row without what was of its life in another place; title, prompt and parent come later."""
    row: StoredRow = {}
    for column in columns:
        if column not in facts or column in _NOT_TAKEN or column.startswith(_LIVING):
            continue
        value = facts[column]
        if value is not None:
            row[column] = json.dumps(value) if isinstance(value, list | dict) else _clean(value)
    row["source"] = row.get("source") or NEW_SOURCE
    started = number_of(facts.get("started_at"))
    row["started_at"] = float(started if started is not None else began if began is not None else time.time())
    if "ended_at" in row:
        row["ended_at"] = number_of(row["ended_at"])
    for flag in _FLAGS:
        if flag in row:
            row[flag] = int(bool(number_of(row[flag])))
    if "auto_archived" in row:
        row["auto_archived"] = row["auto_archived"] if row.get("archived") else 0
    return row


def exact_message(message: Mapping[str, Any], columns: Sequence[str]) -> StoredRow:
    """A message's row as it was stored."""
    stored = message.get(STORED, {})
    return {
        column: from_exact(stored[column]) if column in stored else encoded(column, message[column])
        for column in columns
        if column in stored or column in message
    }


class NewMessages:
    """Messages as rows of a session that is new here."""

    def __init__(self, session_id: str, columns: Sequence[str]) -> None:
        self.session_id = session_id
        self._columns = [column for column in columns if column not in ("id", "session_id", "display_order")]
        self._all_live = "active" not in columns
        self._clock = time.time()
        self.live = 0
        """How many an agent has in sight."""
        self.calls = 0
        """How many tools were called in them."""

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Whether a message has a place here: one that was put away has none where an agent takes all for said."""
        return not self._all_live or bool(number_of(message.get("active", 1)))

    def row(self, message: Mapping[str, Any]) -> StoredRow:
        """The next one."""
        row = {
            name: _clean(value) for name, value in exact_message(message, self._columns).items() if value is not None
        }
        row["session_id"] = self.session_id
        when = number_of(message.get("timestamp"))
        row["timestamp"] = float(self._clock if when is None else when)
        self._clock = max(self._clock, row["timestamp"]) + 1e-6
        if "platform_message_id" in self._columns and not row.get("platform_message_id") and message.get("message_id"):
            row["platform_message_id"] = _clean(message["message_id"])
        for flag in ("active", "compacted", "observed", "_compressed_summary"):
            if flag in row:
                row[flag] = int(bool(number_of(row[flag])))
        if "token_count" in row:
            row["token_count"] = int(number_of(row["token_count"]) or 0)
        if row.get("active", 1):
            self.live += 1
            self.calls += _calls(message.get("tool_calls"))
        return row


def usage_rows(facts: Mapping[str, Any], columns: Sequence[str], session_id: str) -> Iterable[StoredRow]:
    """What a session cost, model by model."""
    ours = facts[OURS] if columns and is_ours(facts.get(OURS)) else {}
    for usage in ours.get("usage", ()):
        stored = usage.get(STORED, {})
        row: StoredRow = {
            column: from_exact(stored[column]) if column in stored else _plain(usage[column])
            for column in columns
            if column in stored or column in usage
        }
        yield {**row, "session_id": session_id}


def _plain(value: Any) -> Stored:
    if isinstance(value, list | dict):
        return json.dumps(value)
    result: Stored = int(value) if isinstance(value, bool) else value
    return result


def _clean(value: Any) -> Any:
    """Without half characters, which no database holds."""
    return whole_chars(value) if isinstance(value, str) else int(value) if isinstance(value, bool) else value


def _calls(value: Any) -> int:
    """How many calls an agent counts."""
    if isinstance(value, str):
        try:
            value = loads(value)
        except NotJson:
            return 0
    return len(value) if isinstance(value, list) else int(value is not None)
