"""The pending writes of background reviews: what they ask for, and what was decided over them here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from hermes_tui.history.taken_back import standing
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.journal import JournalRecord, OtherFile

Subsystem = Literal["memory", "skills"]
Verdict = Literal["approved", "edited", "rejected"]

ORIGIN = "background_review"
SUMMARY = "background review"
"""How the summary of some begins."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A pending write of a review."""

    id: str
    subsystem: Subsystem
    at: float | None
    """When it was staged, in epoch seconds."""
    store: StoreName | None
    """For memory: which store it would change."""
    action: str
    text: str
    """What it wants to write, or to take away; for a skill the agent's own line about it."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision made here over one, or over one operation of one."""

    staged: Staged
    at: float
    verdict: Verdict
    """Edited: another text was put in the place of the proposed one, and approved."""
    stored: tuple[str, ...] = ()
    """For memory: the entries that came of it."""
    part: bool = False
    """Whether the rest of it was left in the queue."""
    taken_back: bool = False
    """Whether it was undone since."""


def staged_of(id: str, subsystem: Subsystem, body: Mapping[str, Any]) -> Staged | None:
    """A record of the queue, if a review has staged it.

    Args:
        id: the name of its file.
        subsystem: the queue that it is in.
        body: what it holds.
    """
    if body.get("origin") != ORIGIN and not _text(body.get("summary")).startswith(SUMMARY):
        return None
    payload = body.get("payload")
    payload = payload if isinstance(payload, dict) else {}
    created = body.get("created_at")
    at = float(created) if isinstance(created, int | float) and 0 < created < 1e11 else None
    target = payload.get("target")
    store = cast(StoreName, target) if subsystem == "memory" and target in STORES else None
    action = _text(payload.get("action")) or _text(body.get("action"))
    if subsystem == "skills":
        return Staged(id, subsystem, at, None, action, _text(body.get("summary")))
    return Staged(id, subsystem, at, store, action, "\n".join(map(_said, _operations(payload))))


def decisions_in(records: Sequence[JournalRecord]) -> tuple[Decided, ...]:
    """What was decided here over writes of reviews, oldest first.

    Args:
        records: the whole journal.
    """
    stand = standing(records)
    found = (_decided(record, taken_back=record.id not in stand) for record in records)
    return tuple(each for each in found if each is not None)


def _decided(record: JournalRecord, *, taken_back: bool) -> Decided | None:
    if record.state not in ("done", "dropped") or record.kind not in ("approve", "reject"):
        return None
    queued = next((other for other in record.others if Path(other.path).parent.parent.name == "pending"), None)
    if queued is None or queued.before is None:
        return None
    path, body = Path(queued.path), _body(queued.before)
    subsystem: Subsystem = "skills" if path.parent.name == "skills" else "memory"
    staged = staged_of(path.stem, subsystem, body)
    if staged is None:
        return None
    part = queued.after is not None
    if record.kind == "reject":
        return Decided(staged, record.at, "rejected", (), part, taken_back)
    hunks = [hunk for change in record.files for hunk in change.hunks]
    old = [text for hunk in hunks for text in hunk.old]
    new = tuple(text for hunk in hunks for text in hunk.new if text not in old)
    operations = _operations(body["payload"] if isinstance(body.get("payload"), dict) else {})
    if subsystem == "memory":
        edited = not set(new) <= _expected(operations, old)
    else:
        edited = not part and not _as_proposed(operations, [each for each in record.others if each is not queued])
    return Decided(staged, record.at, "edited" if edited else "approved", new, part, taken_back)


def _expected(operations: Sequence[Mapping[str, Any]], old: Iterable[str]) -> set[str]:
    """The entries that may come of operations as they were proposed."""
    found = {text.strip() for text in old}
    for operation in operations:
        content, sought = _content(operation), _text(operation.get("old_text"))
        if operation.get("action") == "patch" and sought:
            found |= {text.replace(sought, content, 1).strip() for text in found if sought in text}
        else:
            found.add(content.strip())
    return found


def _as_proposed(operations: Sequence[Mapping[str, Any]], files: Sequence[OtherFile]) -> bool:
    """Whether what was proposed for a skill is in what was written, white space apart."""
    written = ["".join(other.after.decode("utf-8", "replace").split()) for other in files if other.after is not None]
    names = ("content", "file_content", "new_string")
    proposed = [_text(each.get(name)) for each in operations for name in names]
    return all(any("".join(text.split()) in other for other in written) for text in proposed if text)


def _operations(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if payload.get("action") != "batch":
        return [payload]
    several = payload.get("operations")
    return [each for each in several if isinstance(each, dict)] if isinstance(several, list) else []


def _said(operation: Mapping[str, Any]) -> str:
    """What an operation on memory would write, or take away."""
    return _content(operation) or _text(operation.get("matched_entry")) or _text(operation.get("old_text"))


def _content(operation: Mapping[str, Any]) -> str:
    return _text(operation.get("content")) or _text(operation.get("new_text"))


def _body(data: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
