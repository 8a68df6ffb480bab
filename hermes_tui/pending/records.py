"""Reading the pending queue: whatever lies there is listed, and what is wrong with it is said."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hermes_tui.disk import read_file, reason
from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.memory.batch import Operation
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName
from hermes_tui.pending.queue import SUBSYSTEMS, Subsystem, queued_names

MAX_BYTES = 4 * 1024 * 1024
"""A larger file is not read; the largest skill fits twenty times."""

MAX_NESTING = 100
"""Deeper lists and objects are refused: what can just be read could not be shown further in. Agents make five."""

MEMORY_ACTIONS = ("add", "replace", "patch", "remove", "batch")
SKILL_ACTIONS = ("create", "edit", "patch", "write_file", "remove_file", "delete", "batch")
REVIEW_ORIGIN = "background_review"
REVIEW_SUMMARY = "background review"


@dataclass(frozen=True, slots=True)
class PendingRecord:
    """One file of the queue, as it stands."""

    subsystem: Subsystem
    path: Path
    """The file; it is this that is acted on, never an id from inside it."""
    id: str
    """The file's own name without its ending, by which people and scripts name it."""
    digest: str
    """Names the exact bytes; empty when they cannot be read."""
    problem: str
    """Why it can only be rejected; empty for a record that can be decided."""
    notes: tuple[str, ...]
    """What is odd about it but does no harm here."""
    action: str
    store: StoreName | None
    """For memory: which store it would change."""
    summary: str
    """The agent's own line, cut at 120 characters: not the change itself."""
    origin: str
    created_at: float | None
    """When it was staged, in epoch seconds; the file's time where the record does not say."""
    body: Mapping[str, Any]
    """The whole record; empty when it is not one."""

    @property
    def payload(self) -> Mapping[str, Any]:
        """The arguments that approving would replay."""
        payload = self.body.get("payload")
        return payload if isinstance(payload, dict) else {}

    @property
    def from_review(self) -> bool:
        """Whether a background review wants it, not a conversation."""
        return self.origin == REVIEW_ORIGIN or self.summary.startswith(REVIEW_SUMMARY)

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What a memory record does, step by step; empty for one that is invalid."""
        if self.problem or self.subsystem != "memory":
            return ()
        return tuple(_operation(raw) for raw in self.raw_operations)

    @property
    def raw_operations(self) -> tuple[Mapping[str, Any], ...]:
        """The steps as they stand in the payload, unknown keys included."""
        if self.action == "batch":
            return tuple(self.payload.get("operations") or ())
        return (self.payload,)

    @property
    def pinned(self) -> tuple[str | None, ...]:
        """For each step, the whole entry that the agent meant; None where the record does not say."""
        found = (raw.get("matched_entry") for raw in self.raw_operations)
        return tuple(entry if isinstance(entry, str) else None for entry in found)


ReadRecord = Callable[[Subsystem, Path], PendingRecord]


def list_records(
    home: HermesHome, subsystem: Subsystem | None = None, *, read: ReadRecord | None = None
) -> list[PendingRecord]:
    """Everything that lies in the queue, oldest first; one bad file never hides another.

    Args:
        home: the home whose queue it is.
        subsystem: which of the two queues; both by default.
        read: reads one file; `read_record` by default.
    """
    wanted = SUBSYSTEMS if subsystem is None else (subsystem,)
    records = [record for name in wanted for record in _read_folder(home, name, read or read_record)]
    return sorted(_with_doubles(records), key=lambda record: (record.created_at or 0.0, record.id))


def _read_folder(home: HermesHome, subsystem: Subsystem, read: ReadRecord) -> Iterator[PendingRecord]:
    folder = home.pending(subsystem)
    try:
        names = queued_names(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        yield _invalid(subsystem, folder, f"The queue cannot be read: {reason(error)}.", None)
        return
    for name in names:
        path = folder / name
        record = read(subsystem, path)
        if record.digest or os.path.lexists(path):  # else somebody decided it while we read
            yield record


def read_record(subsystem: Subsystem, path: Path) -> PendingRecord:
    """One file of the queue; whatever is wrong with it is said in `problem`."""
    try:
        status = path.lstat()
    except OSError as error:
        return _invalid(subsystem, path, f"It cannot be read: {reason(error)}.", None)
    if stat.S_ISLNK(status.st_mode):
        return _invalid(
            subsystem, path, "It is a link, which could lead anywhere; it is not followed.", status.st_mtime
        )
    if status.st_size > MAX_BYTES:
        return _invalid(subsystem, path, f"It is {status.st_size:,} bytes long; no record is.", status.st_mtime)
    try:
        found = read_file(path)
    except Unreadable as error:
        return _invalid(subsystem, path, error.message, status.st_mtime)
    if found is None:
        return _invalid(subsystem, path, "It is gone.", status.st_mtime)
    if path.suffix == ".tmp":
        words = "Half-written: the agent stopped while it staged this."
        return _invalid(subsystem, path, words, status.st_mtime, hashlib.sha256(found[0]).hexdigest())
    return parse_record(subsystem, path, found[0], status.st_mtime)


def parse_record(subsystem: Subsystem, path: Path, data: bytes, mtime: float) -> PendingRecord:
    """The record that a file's bytes hold."""
    digest = hashlib.sha256(data).hexdigest()
    notes: list[str] = []
    if data.startswith(b"\xef\xbb\xbf"):
        notes.append("It starts with a byte order mark: agents of the 0.19 line do not list it.")
    try:
        body = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return _invalid(subsystem, path, f"It is not UTF-8 (at byte {error.start:,}).", mtime, digest)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        return _invalid(subsystem, path, f"It is not JSON{where}.", mtime, digest)
    if not isinstance(body, dict):
        return _invalid(subsystem, path, f"It holds {_kind(body)} where a record should be.", mtime, digest)
    if _nests_too_deeply(body):
        return _invalid(subsystem, path, "It is nested too deeply; no record is.", mtime, digest)
    created = body.get("created_at")
    if isinstance(created, bool) or not isinstance(created, (int, float)) or not 0 <= created < 1e11:
        if created is not None:
            notes.append("Its date is not a time; the file's is shown.")
        created = mtime
    if body.get("id") != path.stem:
        notes.append(
            "The id inside differs from the file's name: the agent would apply it and delete another file."
            if "id" in body
            else "It has no id inside; the file's name is used."
        )
    payload = body.get("payload")
    record = PendingRecord(
        subsystem=subsystem,
        path=path,
        id=path.stem,
        digest=digest,
        problem="",
        notes=tuple(notes),
        action=_text(payload.get("action") if isinstance(payload, dict) else None) or _text(body.get("action")),
        store=None,
        summary=_text(body.get("summary")),
        origin=_text(body.get("origin")),
        created_at=float(created),
        body=body,
    )
    if not isinstance(payload, dict):
        return replace(record, problem=f"Its payload is {_kind(payload)}; there is nothing to apply.")
    if subsystem == "memory":
        return _check_memory(record, payload)
    return replace(record, problem=_skill_problem(payload))


def _check_memory(record: PendingRecord, payload: Mapping[str, Any]) -> PendingRecord:
    target = payload.get("target")
    if target is None:
        record = replace(
            record, notes=(*record.notes, "It names no store; the 0.19 line takes MEMORY.md, the 0.22 line refuses.")
        )
        target = "memory"
    if target not in STORES:
        return replace(
            record, problem=f"Its store {target!r} does not exist; the agent would change MEMORY.md instead."
        )
    record = replace(record, store=target)
    if record.action not in MEMORY_ACTIONS:
        return replace(record, problem=f"Its action {record.action or 'None'!r} is unknown.")
    if record.action != "batch":
        return replace(record, problem=_step_problem(payload))
    operations = payload.get("operations")
    if not isinstance(operations, list) or not operations:
        return replace(record, problem="Its list of operations is empty or no list.")
    for number, raw in enumerate(operations, 1):
        if not isinstance(raw, dict):
            return replace(record, problem=f"Operation {number} is {_kind(raw)}, not an object.")
        if raw.get("action") not in MEMORY_ACTIONS[:-1]:
            return replace(record, problem=f"Operation {number} has the unknown action {raw.get('action')!r}.")
        if problem := _step_problem(raw) or _other_store(raw, target):
            return replace(record, problem=f"Operation {number}: {problem}")
    return record


def _other_store(raw: Mapping[str, Any], store: StoreName) -> str:
    """What is wrong with a step that is meant for another store than its batch."""
    meant = raw.get("target")
    if meant is None or meant == store:
        return ""
    name = FILE_NAMES[meant] if isinstance(meant, str) and meant in STORES else repr(meant)
    return (
        f"It is meant for {name}, its batch for {FILE_NAMES[store]}; the 0.19 line would change {FILE_NAMES[store]},"
        " the 0.22 line refuses."
    )


def _step_problem(raw: Mapping[str, Any]) -> str:
    for name in ("content", "new_text", "old_text", "matched_entry"):
        if raw.get(name) is not None and not isinstance(raw[name], str):
            return f"Its {name} is {_kind(raw[name])}, not text."
    operation = _operation(raw)
    if operation.action != "remove" and not operation.content.strip():
        if _text(raw.get("new_text")).strip():
            return "Its content is missing: it has a new_text, which no agent takes from a pending write."
        return "Its content is missing."
    if operation.action != "add" and not operation.old_text.strip() and not raw.get("matched_entry"):
        return "Its old_text is missing: it does not say which entry it means."
    if operation.action == "patch" and not raw.get("matched_entry"):
        return "Its matched_entry is missing: the 0.22 line refuses such a patch, and the 0.19 line knows none."
    return ""


def _skill_problem(payload: Mapping[str, Any]) -> str:
    action = payload.get("action")
    if action not in SKILL_ACTIONS:
        return f"Its action {action!r} is unknown."
    if action == "batch":
        operations = payload.get("operations")
        if not isinstance(operations, list) or not operations:
            return "Its list of operations is empty or no list."
        for number, raw in enumerate(operations, 1):
            if not isinstance(raw, dict) or raw.get("action") not in SKILL_ACTIONS[:-1]:
                return f"Operation {number} is not one that a skill knows."
            if problem := _skill_problem(raw):
                return f"Operation {number}: {problem}"
        return ""
    needed = {
        "create": ("name", "content"),
        "edit": ("name", "content"),
        "patch": ("name", "old_string", "new_string"),
        "write_file": ("name", "file_path", "file_content"),
        "remove_file": ("name", "file_path"),
        "delete": ("name",),
    }[action]
    if action == "patch" and payload.get("content") is not None and payload.get("old_string") is None:
        needed = ("name", "content")  # the 0.22 line takes a whole new text as a patch, too
    for name in needed:
        if payload.get(name) is None:
            return f"Its {name} is missing."
    for name in ("name", "category", "content", "file_path", "file_content", "old_string", "new_string"):
        if payload.get(name) is not None and not isinstance(payload[name], str):
            return f"Its {name} is {_kind(payload[name])}, not text."
    return ""


def _operation(raw: Mapping[str, Any]) -> Operation:
    return Operation(_text(raw.get("action")), _text(raw.get("content")), _text(raw.get("old_text")))


def _with_doubles(records: list[PendingRecord]) -> Iterator[PendingRecord]:
    inside: dict[tuple[str, str], int] = {}
    for record in records:
        key = (record.subsystem, _text(record.body.get("id")))
        inside[key] = inside.get(key, 0) + 1
    for record in records:
        key = (record.subsystem, _text(record.body.get("id")))
        if key[1] and inside[key] > 1:
            yield replace(record, notes=(*record.notes, f"{inside[key]} files carry this id inside."))
        else:
            yield record


def _invalid(subsystem: Subsystem, path: Path, problem: str, mtime: float | None, digest: str = "") -> PendingRecord:
    return PendingRecord(
        subsystem, path, path.name.removesuffix(".json"), digest, problem, (), "", None, "", "", mtime, {}
    )


def _nests_too_deeply(body: object) -> bool:
    level: list[Any] = [body]
    for _ in range(MAX_NESTING):
        inner = (each for outer in level for each in (outer.values() if isinstance(outer, dict) else outer))
        level = [each for each in inner if isinstance(each, dict | list)]
        if not level:
            return False
    return True


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    return {"dict": "an object", "list": "a list", "str": "text", "bool": "a truth value"}.get(
        type(value).__name__, "a number"
    )
