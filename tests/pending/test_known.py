"""Looking at the queue again: only what has changed is read, and nothing that has changed is missed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.pending import known as known_module
from hermes_tui.pending.known import KnownRecords
from hermes_tui.pending.queue import Subsystem
from hermes_tui.pending.records import PendingRecord, list_records, read_record
from hermes_tui.pending.review import Review

ADD = {"action": "add", "target": "memory", "content": "one"}
LONG_AGO = 1_700_000_000


@pytest.fixture
def read_paths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were really read, in order."""
    paths: list[str] = []

    def read(subsystem: Subsystem, path: Path) -> PendingRecord:
        paths.append(path.stem)
        return read_record(subsystem, path)

    monkeypatch.setattr(known_module, "read_record", read)
    return paths


def look(review: Review, known: KnownRecords) -> dict[str, str]:
    """The contents of the queue by id, as seen through what is known."""
    records = list_records(review.home, read=known.read)
    known.end()
    return {record.id: record.payload.get("content", "") for record in records}


def test_only_new_and_changed_files_are_read_again(
    review: Review, put: Callable[..., Path], read_paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each arrival in a queue of thousands would cost reading all of them."""
    monkeypatch.setattr(known_module, "UNSETTLED_SECONDS", -1.0)
    known = KnownRecords()
    for name in ("a", "b", "c"):
        put(f"{name}.json", ADD)
    look(review, known)
    read_paths.clear()
    put("d.json", ADD)
    put("b.json", {**ADD, "content": "another"})
    assert look(review, known) == {"a": "one", "b": "another", "c": "one", "d": "one"}
    assert sorted(read_paths) == ["b", "d"]


def test_a_file_written_a_moment_ago_is_read_again(
    review: Review, put: Callable[..., Path], read_paths: list[str]
) -> None:
    """Two writes in one tick of the clock would look like one, and the second would never be seen."""
    known = KnownRecords()
    put("a.json", ADD)
    look(review, known)
    look(review, known)
    assert read_paths == ["a", "a"]


def test_a_change_of_equal_length_is_seen(
    review: Review, put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text changed behind one's back, with its time set back, would be approved unseen."""
    monkeypatch.setattr(known_module, "UNSETTLED_SECONDS", -1.0)
    known = KnownRecords()
    path = put("a.json", ADD)
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert look(review, known) == {"a": "one"}
    put("a.json", {**ADD, "content": "two"})
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert look(review, known) == {"a": "two"}


def test_what_is_gone_is_forgotten(
    review: Review, put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, read_paths: list[str]
) -> None:
    """A record that comes back with other bytes would be shown with the old ones."""
    monkeypatch.setattr(known_module, "UNSETTLED_SECONDS", -1.0)
    known = KnownRecords()
    path = put("a.json", ADD)
    look(review, known)
    path.unlink()
    assert look(review, known) == {}
    put("a.json", ADD)
    look(review, known)
    assert read_paths == ["a", "a"]
