"""The journal: every change of ours, written down before it is made, so that it can be taken back."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from hermes_tui.disk import append_line, read_file, refusals
from hermes_tui.errors import Unreadable
from hermes_tui.memory.changes import Hunk
from hermes_tui.memory.entries import STORES, StoreName

Origin = Literal["tui", "cli", "tool"]
RecordState = Literal["open", "done", "failed", "dropped"]

_DOUBTFUL: set[Path] = set()
"""Journals that do not say how a change of this process ended, since the disk refused."""
LATEST_TIME = 1e11
"""No clock shows this; a line that does was not written by us."""

# The head of a line is read without decoding the rest, so that undo stays quick in a journal of years.
_LINE = re.compile(
    rb'^\{"id":"([0-9a-f]{16})","state":"(open|done|failed|dropped)","at":(\d+(?:\.\d+)?(?:e[+-]?\d+)?)'
    rb'(?:,"kind":"(\w+)","origin":"(\w+)","of":"([0-9a-f]*)","files":\[.*)?\}\r?$',
    re.MULTILINE,
)


_TEMP_NAME = re.compile(r"\.mem_[0-9a-f]{16}\.tmp")
"""Nothing else is written through, or removed after a crash."""


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
class OtherFile:
    """What a change does to a file that is no store: a pending write that is decided, a file of a skill."""

    path: str
    """Absolute."""
    before: bytes | None
    """The bytes before; None when there was no such file."""
    after: bytes | None
    """The bytes after; None when the file goes."""
    mode: int = 0o600
    """The mode of a file that is made or brought back."""
    claim: str = ""
    """The name, in the same folder, that the file has while it is being decided, so that nobody else decides it."""


KIND_WORDS = {
    "normalize": "normalise",
    "patch": "edit",
    "batch": "several changes",
    "reorder": "change of order",
}
"""What a person calls a kind of change, where that is not the journal's own word."""


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
    others: tuple[OtherFile, ...] = ()
    """Files besides the stores that the change touches."""
    label: str = ""
    """The change in a few words: `remove in MEMORY.md`; for undo and redo, the one they are about."""
    group: str = ""
    """The same for changes that were one step for the person, and are taken back as one."""

    @property
    def words(self) -> str:
        """The label as the keys of the screen would have it: `normalise in MEMORY.md`."""
        kind, where, names = self.label.partition(" in ")
        return f"{KIND_WORDS.get(kind, kind)}{where}{names}"

    @property
    def stores(self) -> tuple[StoreName, ...]:
        """The stores the change touches."""
        return tuple(change.store for change in self.files)


@dataclass(frozen=True, slots=True)
class JournalHead:
    """A change as the journal's index knows it."""

    id: str
    at: float
    kind: str
    origin: str
    state: RecordState
    of: str
    line: bytes
    """The line that holds the whole record."""


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
            "others": [_other_to_json(change) for change in record.others],
            "label": record.label,
            "group": record.group,
        }
        try:
            append_line(self.path, _line(body), durable=True)
        except Unreadable:
            with contextlib.suppress(Unreadable):  # the line may be there
                self.close(record.id, "failed")
            raise

    @property
    def doubtful(self) -> bool:
        """Whether a change of this process is to be settled before the next one, as after a crash."""
        return self.path in _DOUBTFUL

    @doubtful.setter
    def doubtful(self, doubtful: bool) -> None:
        (_DOUBTFUL.add if doubtful else _DOUBTFUL.discard)(self.path)

    def close(self, record_id: str, state: Literal["done", "failed", "dropped"]) -> None:
        """Write down how a change ended; a crash before this is settled by digests at the next start.

        `dropped` is a change that stands but that nobody wants to take back any more.
        """
        try:
            append_line(self.path, _line({"id": record_id, "state": state, "at": time.time()}), durable=False)
        except Unreadable:
            self.doubtful = True
            raise

    def heads(self) -> list[JournalHead]:
        """All changes without what they hold, oldest first; lines that are not whole are passed over."""
        heads: dict[str, JournalHead] = {}
        for match in _LINE.finditer(self._bytes()):
            record_id, state, at, kind, origin, of = match.groups()
            key = record_id.decode()
            if not 0 <= float(at) < LATEST_TIME:
                continue
            if kind is not None:
                heads[key] = JournalHead(key, float(at), kind.decode(), origin.decode(), "open", of.decode(), match[0])
            elif key in heads:
                heads[key] = replace(heads[key], state=cast(RecordState, state.decode()))
        return list(heads.values())

    def open_ids(self) -> set[str]:
        """Ids of changes that were begun and never closed: a crash of ours, or a write going on right now."""
        return {head.id for head in self.heads() if head.state == "open"}

    def records(self) -> list[JournalRecord]:
        """All changes with what they hold, oldest first; lines that cannot be read are passed over."""
        return [record for head in self.heads() if (record := read_record(head)) is not None]

    def damaged_lines(self) -> int:
        """How many lines are not what we would have written, the one that a crash of ours may have torn apart."""
        lines = [line for line in self._bytes().split(b"\n") if line.strip()]
        damaged = sum(not _LINE.fullmatch(line) for line in lines)
        return 0 if damaged == 1 < len(lines) else damaged

    def _bytes(self) -> bytes:
        try:
            with refusals(self.path):
                if self.path.is_symlink():
                    raise Unreadable(f"{self.path} is a link.", code="journal_unreadable")
            found = read_file(self.path)
        except Unreadable as error:
            raise Unreadable(
                f"The journal of changes cannot be read: {error.message}",
                code="journal_unreadable",
                hint="Nothing can be changed or taken back until it can; move it away to start a new one.",
            ) from error
        return found[0] if found else b""


def read_record(head: JournalHead) -> JournalRecord | None:
    """The whole record of a head; None when its line is not what we would have written."""
    try:
        return _record_from_json(json.loads(head.line), head.state)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def stacks(heads: Iterable[JournalHead]) -> tuple[list[JournalHead], list[JournalHead]]:
    """The changes that can be undone and those that can be redone, the next one last.

    What stands on the redo stack are undo records: taking one back makes its change again.
    """
    undo: list[JournalHead] = []
    redo: list[JournalHead] = []
    for head in heads:
        if head.state == "dropped":
            _drop(undo, head.id)
            _drop(redo, head.id)
        if head.state != "done":
            continue
        if head.kind == "undo":
            _drop(undo, head.of)
            redo.append(head)
        elif head.kind == "redo":
            _drop(redo, head.of)
            undo.append(head)
        else:
            undo.append(head)
            redo.clear()
    return undo, redo


def _drop(stack: list[JournalHead], record_id: str) -> None:
    for place in range(len(stack) - 1, -1, -1):
        if stack[place].id == record_id:
            del stack[place]
            return


def _line(body: dict[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def _file_to_json(change: FileChange) -> dict[str, Any]:
    return {
        "store": change.store,
        "before": change.before,
        "after": change.after,
        "hunks": [[hunk.at, hunk.old, hunk.new, hunk.after] for hunk in change.hunks],
        "raw_before": _to_base64(change.raw_before),
        "temp": change.temp_name,
    }


def _record_from_json(body: dict[str, Any], state: RecordState) -> JournalRecord:
    return JournalRecord(
        id=str(body["id"]),
        at=float(body["at"]),
        kind=str(body["kind"]),
        origin=cast(Origin, body["origin"]),
        state=state,
        files=tuple(_file_from_json(entry) for entry in body["files"]),
        of=str(body.get("of", "")),
        others=tuple(_other_from_json(entry) for entry in body["others"]),
        label=str(body["label"]),
        group=str(body.get("group", "")),
    )


def _file_from_json(body: dict[str, Any]) -> FileChange:
    if body["store"] not in STORES:
        raise ValueError(f"no such store: {body['store']}")
    if not _TEMP_NAME.fullmatch(body["temp"]):
        raise ValueError(f"no name of ours: {body['temp']}")
    return FileChange(
        store=cast(StoreName, body["store"]),
        before=str(body["before"]),
        after=str(body["after"]),
        hunks=tuple(Hunk(at, _texts(old), _texts(new), after) for at, old, new, after in body["hunks"]),
        raw_before=_from_base64(body["raw_before"]),
        temp_name=str(body["temp"]),
    )


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(values)


def _other_to_json(change: OtherFile) -> dict[str, Any]:
    return {
        "path": change.path,
        "before": _to_base64(change.before),
        "after": _to_base64(change.after),
        "mode": change.mode,
        "claim": change.claim,
    }


def _other_from_json(body: dict[str, Any]) -> OtherFile:
    return OtherFile(
        path=str(body["path"]),
        before=_from_base64(body["before"]),
        after=_from_base64(body["after"]),
        mode=int(body["mode"]),
        claim=str(body["claim"]),
    )


def _to_base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def _from_base64(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
