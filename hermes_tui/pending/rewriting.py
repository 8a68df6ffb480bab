"""Records with another text, or cut in two."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hermes_tui.errors import Refused
from hermes_tui.pending.records import PendingRecord, parse_record
from hermes_tui.pending.staging import record_bytes


def with_content(record: PendingRecord, content: str, step: int | None) -> PendingRecord:
    """The record with another text proposed; everything else in it stays.

    Raises:
        Refused: it has no such step, or nothing in it is a text to change.
    """
    body = json.loads(json.dumps(record.body))
    payload = body.get("payload")
    target = payload
    if record.action == "batch":
        operations = payload.get("operations") if isinstance(payload, dict) else None
        if not isinstance(operations, list) or step is None or not 1 <= step <= len(operations):
            raise Refused(
                f"Record {record.id} is a batch: say which of its operations is meant.",
                code="no_step",
                hint="Count them from 1.",
            )
        target = operations[step - 1]
    name = editable_part(record, target.get("action")) if isinstance(target, dict) else ""
    if not name:
        raise Refused(f"Record {record.id} has no text to edit there.", code="no_content")
    target[name] = content
    target.pop("new_text", None)
    return read_again(record, body)


def editable_part(record: PendingRecord, action: object) -> str:
    """The name of the proposed text in a payload; empty where nothing is proposed, as in a removal."""
    if record.subsystem == "memory":
        return "" if action == "remove" else "content"
    parts = {"create": "content", "edit": "content", "patch": "new_string", "write_file": "file_content"}
    return parts.get(action, "") if isinstance(action, str) else ""


def split_step(record: PendingRecord, step: int) -> tuple[PendingRecord, PendingRecord | None]:
    """A batch cut in two: a record of the one operation, and one of the others (None when there are none).

    Raises:
        Refused: it is no batch, or has no such operation.
    """
    operations = record.payload.get("operations")
    if record.action != "batch" or not isinstance(operations, list) or not 1 <= step <= len(operations):
        raise Refused(f"Record {record.id} has no operation {step}.", code="no_step", hint="Count them from 1.")
    rest = [raw for number, raw in enumerate(operations, 1) if number != step]
    one = read_again(record, _with_operations(record, [operations[step - 1]]))
    return one, read_again(record, _with_operations(record, rest)) if rest else None


def _with_operations(record: PendingRecord, operations: list[Any]) -> dict[str, Any]:
    return {**record.body, "payload": {**record.payload, "operations": operations}}


def read_again(record: PendingRecord, body: Mapping[str, Any]) -> PendingRecord:
    """The record that `body` would be read as from the same file."""
    return parse_record(record.subsystem, record.path, record_bytes(body), record.created_at or 0.0)
