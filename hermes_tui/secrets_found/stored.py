"""Secrets in memory, in the queues, and in what we keep ourselves so that changes can be taken back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from hermes_tui.disk import open_regular
from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.memory.journal import Journal, JournalRecord
from hermes_tui.memory.view import StoreView
from hermes_tui.pending.records import list_records
from hermes_tui.redaction.named import naming
from hermes_tui.secrets_found.found import Found, secrets_in


def in_memory(views: Iterable[StoreView]) -> Iterator[Found]:
    """Those in the entries of both stores."""
    for view in views:
        for entry in view.entries:
            for hit in secrets_in(entry.text):
                where = f"entry {entry.index} of {view.file_name}"
                yield Found(view.store, where, hit.shown, hit.kind, hit.name, str(view.path), entry=entry.index)


def in_queues(home: HermesHome) -> Iterator[Found]:
    """Those in writes that wait, of memory and of skills."""
    for record in list_records(home):
        what = "memory" if record.subsystem == "memory" else "skill"
        text = "\n".join(_texts(record.body)) if record.body else _raw(record.path)
        for hit in secrets_in(text):
            where = f"the pending {what} write {record.id}"
            yield Found("pending", where, hit.shown, hit.kind, hit.name, str(record.path), record_id=record.id)


def in_journal(data_dir: Path) -> Iterator[Found]:
    """Those in our journal: what was taken out of memory stays there, so that it can be taken back."""
    journal = Journal(data_dir)
    try:
        records = journal.records()
    except Unreadable:
        return  # another check says so
    for record in records:
        for hit in secrets_in("\n".join(_kept(record))):
            where = f"the journal for undo (“{record.words}”)"
            yield Found("our data", where, hit.shown, hit.kind, hit.name, str(journal.path), record_id=record.id)


def _kept(record: JournalRecord) -> Iterator[str]:
    for change in record.files:
        for hunk in change.hunks:
            yield from (*hunk.old, *hunk.new)
        if change.raw_before is not None:
            yield change.raw_before.decode("utf-8", "replace")
    for other in record.others:
        for data in (other.before, other.after):
            if data is not None:
                yield from _texts_of(data)


def _texts_of(data: bytes) -> Iterator[str]:
    """What a file holds: of JSON the texts, in which nothing is escaped."""
    text = data.decode("utf-8", "replace")
    try:
        yield from _texts(json.loads(text))
    except (ValueError, RecursionError):
        yield text


def _texts(value: object) -> Iterator[str]:
    """All texts in a value as JSON has it, behind its name where that says that it is a secret."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from (f"{name}: {inner}",) if isinstance(inner, str) and naming(name) else _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _raw(path: Path) -> str:
    """A record that is none, as it stands."""
    try:
        with open_regular(path) as stream:
            return stream.read(1 << 20).decode("utf-8", "replace")
    except OSError:
        return ""
