"""The journal: every change of ours, written down before it is made, so that it can be taken back."""

from __future__ import annotations

import base64
import json
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from hermes_tui.disk import append_line, read_file
from hermes_tui.memory.changes import Hunk
from hermes_tui.memory.entries import FILE_NAMES, StoreName

Origin = Literal["tui", "cli", "tool"]
RecordState = Literal["open", "done", "failed"]

_HEAD = re.compile(rb'^\{"id":"([0-9a-f]{16})","state":"(open|done|failed)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a change does to one file."""

    store: StoreName
    before: str
    """Digest of the bytes before; a file that is not there counts as one of no bytes."""
    after: str
    """Digest of the bytes after."""
    hunks: tuple[Hunk, ...]
    raw_before: bytes | None
    """The exact bytes before, kept only where the entries alone would not give them back."""
    temp_name: str
    """The temp file the change is written through, so that a crash leaves nothing unnamed."""


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """One change of ours."""

    id: str
    at: float
    """When, in epoch seconds."""
    kind: str
    """add, edit, patch, remove, move, reorder, merge, split, batch, normalize, undo or redo."""
    origin: Origin
    state: RecordState
    files: tuple[FileChange, ...]
    of: str = ""
    """For undo and redo: the record whose change is taken back or made again."""

    @property
    def stores(self) -> tuple[StoreName, ...]:
        """The stores the change touches."""
        return tuple(change.store for change in self.files)

    @property
    def label(self) -> str:
        """The change in a few words: `remove in MEMORY.md`."""
        return f"{self.kind} in {' and '.join(FILE_NAMES[store] for store in self.stores)}"


def new_id() -> str:
    """A fresh record id: 16 hex digits."""
    return secrets.token_hex(8)


class Journal:
    """The append-only file that holds the records of one home."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.jsonl"

    def begin(self, record: JournalRecord) -> None:
        """Write down a change that is about to be made; on return it is on the disk.

        Raises:
            Unreadable: the journal cannot be written, so the change must not be made.
        """
        body = {
            "id": record.id,
            "state": "open",
            "at": record.at,
            "kind": record.kind,
            "origin": record.origin,
            "of": record.of,
            "files": [_file_to_json(change) for change in record.files],
        }
        append_line(self.path, _line(body), durable=True)

    def close(self, record_id: str, state: Literal["done", "failed"]) -> None:
        """Write down how a change ended; a crash before this is settled by digests at the next start."""
        append_line(self.path, _line({"id": record_id, "state": state, "at": time.time()}), durable=False)

    def open_ids(self) -> set[str]:
        """Ids of changes that were begun and never closed: a crash of ours, or a write going on right now."""
        states: dict[str, bytes] = {}
        for match in _HEAD.finditer(self._bytes()):
            states[match[1].decode()] = match[2]
        return {record_id for record_id, state in states.items() if state == b"open"}

    def records(self) -> list[JournalRecord]:
        """All changes, oldest first; lines that cannot be read are passed over."""
        by_id: dict[str, JournalRecord] = {}
        for line in self._bytes().splitlines():
            try:
                body = json.loads(line)
                if "kind" in body:
                    by_id[body["id"]] = _record_from_json(body)
                else:
                    known = by_id[body["id"]]
                    by_id[known.id] = _with_state(known, body["state"])
            except (ValueError, KeyError, TypeError):
                continue
        return list(by_id.values())

    def _bytes(self) -> bytes:
        found = read_file(self.path)
        return found[0] if found else b""


def stacks(records: Iterable[JournalRecord]) -> tuple[list[JournalRecord], list[JournalRecord]]:
    """The changes that can be undone and those that can be redone, the next one last.

    What stands on the redo stack are undo records: taking one back makes its change again.
    """
    undo: list[JournalRecord] = []
    redo: list[JournalRecord] = []
    for record in records:
        if record.state != "done":
            continue
        if record.kind == "undo":
            undo = [entry for entry in undo if entry.id != record.of]
            redo.append(record)
        elif record.kind == "redo":
            redo = [entry for entry in redo if entry.id != record.of]
            undo.append(record)
        else:
            undo.append(record)
            redo.clear()
    return undo, redo


def _with_state(record: JournalRecord, state: RecordState) -> JournalRecord:
    return JournalRecord(record.id, record.at, record.kind, record.origin, state, record.files, record.of)


def _line(body: dict[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def _file_to_json(change: FileChange) -> dict[str, Any]:
    return {
        "store": change.store,
        "before": change.before,
        "after": change.after,
        "hunks": [[hunk.at, hunk.old, hunk.new, hunk.after] for hunk in change.hunks],
        "raw_before": None if change.raw_before is None else base64.b64encode(change.raw_before).decode("ascii"),
        "temp": change.temp_name,
    }


def _record_from_json(body: dict[str, Any]) -> JournalRecord:
    return JournalRecord(
        id=str(body["id"]),
        at=float(body["at"]),
        kind=str(body["kind"]),
        origin=cast(Origin, body["origin"]),
        state=cast(RecordState, body["state"]),
        files=tuple(_file_from_json(entry) for entry in body["files"]),
        of=str(body.get("of", "")),
    )


def _file_from_json(body: dict[str, Any]) -> FileChange:
    raw = body["raw_before"]
    return FileChange(
        store=cast(StoreName, body["store"]),
        before=str(body["before"]),
        after=str(body["after"]),
        hunks=tuple(Hunk(at, _texts(old), _texts(new), after) for at, old, new, after in body["hunks"]),
        raw_before=None if raw is None else base64.b64decode(raw),
        temp_name=str(body["temp"]),
    )


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(values)
