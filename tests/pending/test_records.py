"""Whatever lies in the queue is listed, with what is wrong with it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.disk import read_file
from hermes_tui.pending.records import list_records
from hermes_tui.pending.review import Review

Put = Callable[..., Path]
ADD = {"action": "add", "target": "memory", "content": "likes tea", "old_text": None}

BROKEN: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"{oops", "not JSON"),
    "empty": (b"", "not JSON"),
    "a list": (b"[]", "a list"),
    "a number": (b"17", "a number"),
    "nothing": (b"null", "nothing"),
    "not UTF-8": (b'{"id": "\xff"}', "not UTF-8"),
    "deep": (b"[" * 100_000, "not JSON"),
    "deep, but JSON": (
        b'{"payload": {"action": "add"}, "x": ' + b'{"a": ' * 900 + b"1" + b"}" * 901,
        "nested too deeply",
    ),
    "no payload": (b'{"id": "deep", "action": "add"}', "payload is nothing"),
    "payload text": (b'{"id": "x", "payload": "add"}', "payload is text"),
    "unknown store": (b'{"payload": {"action": "add", "target": "zzz", "content": "x"}}', "store 'zzz'"),
    "unknown action": (b'{"payload": {"action": "swap", "target": "memory"}}', "action 'swap'"),
    "no action": (b'{"payload": {"target": "memory"}}', "action 'None'"),
    "content a number": (b'{"payload": {"action": "add", "target": "memory", "content": 5}}', "content is a number"),
    "no content": (b'{"payload": {"action": "add", "target": "memory"}}', "content is missing"),
    "no old_text": (b'{"payload": {"action": "remove", "target": "memory"}}', "old_text is missing"),
    "batch of nothing": (b'{"payload": {"action": "batch", "target": "user", "operations": []}}', "empty"),
    "batch of text": (
        b'{"payload": {"action": "batch", "target": "user", "operations": ["x"]}}',
        "Operation 1 is text",
    ),
    "a step for the other store": (
        b'{"payload": {"action": "batch", "target": "memory", "operations": [{"action": "add", "content": "x"},'
        b' {"action": "add", "target": "user", "content": "y"}]}}',
        "Operation 2: It is meant for USER.md",
    ),
    "a new_text for its content": (
        b'{"payload": {"action": "add", "target": "memory", "new_text": "x"}}',
        "no agent takes from a pending write",
    ),
    "a patch of no named entry": (
        b'{"payload": {"action": "patch", "target": "memory", "content": "x", "old_text": "likes"}}',
        "matched_entry is missing",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_listed_with_its_fault_and_hides_no_other(review: Review, put: Put, name: str) -> None:
    """One bad file would empty the whole list."""
    data, words = BROKEN[name]
    put("aaaaaaaa.json", raw=data)
    put("bbbbbbbb.json", ADD)
    found = {record.id: record for record in list_records(review.home)}
    assert sorted(found) == ["aaaaaaaa", "bbbbbbbb"]
    assert words in found["aaaaaaaa"].problem
    assert found["bbbbbbbb"].problem == ""
    assert review.approve([found["aaaaaaaa"]]).failed[0].verdict == "invalid"
    assert review.reject([found["aaaaaaaa"]]).done == ("aaaaaaaa",)
    assert [record.id for record in list_records(review.home)] == ["bbbbbbbb"]


def test_records_come_oldest_first_whatever_their_dates_are(review: Review, put: Put) -> None:
    """A date that is text or in milliseconds would break the list, as it does for the agent."""
    dates = {"b": 1_700_000_100, "a": 1_700_000_000.25, "c": "yesterday", "d": None, "e": 1.7e12, "f": True}
    for name, date in dates.items():
        path = put(f"{name}.json", ADD, created_at=date)
        os.utime(path, (1_700_000_500, 1_700_000_500))
    records = list_records(review.home)
    assert [record.id for record in records] == ["a", "b", "c", "d", "e", "f"]
    assert records[2].notes == ("Its date is not a time; the file's is shown.",)


def test_the_files_name_is_its_id_whatever_stands_inside(review: Review, put: Put, memory_file: Path) -> None:
    """Approving would delete another file, or one outside the queue."""
    victim = memory_file.parent / "victim.json"
    victim.write_text("{}")
    put("cccccccc.json", ADD, id="../../memories/victim")
    (record,) = list_records(review.home)
    assert record.id == "cccccccc"
    assert "id inside differs" in record.notes[0]
    assert review.approve([record]).done == ("cccccccc",)
    assert victim.exists()
    assert list_records(review.home) == []
    assert memory_file.read_text() == "likes tea"


def test_a_record_without_an_id_is_used_by_its_files_name(review: Review, put: Put) -> None:
    """Records of other tools could not be decided."""
    put("dddddddd.json", raw=b'{"payload":{"action":"add","target":"memory","content":"x"}}')
    (record,) = list_records(review.home)
    assert (record.id, record.problem) == ("dddddddd", "")


def test_a_byte_order_mark_and_equal_ids_are_said(review: Review, put: Put) -> None:
    """Such records are counted by the agent but never listed."""
    put("e1.json", ADD, id="same")
    put("e2.json", ADD, id="same")
    path = put("e3.json", ADD)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    found = {record.id: record for record in list_records(review.home)}
    assert "2 files carry this id inside." in found["e1"].notes
    assert "byte order mark" in found["e3"].notes[0]
    assert found["e3"].problem == ""


def test_a_link_in_the_queue_is_not_followed(review: Review, put: Put, tmp_path: Path) -> None:
    """A planted link would show, or delete, a file elsewhere."""
    secret = tmp_path / "secret.json"
    secret.write_text('{"payload":{"action":"add","target":"memory","content":"stolen"}}')
    put("a.json", ADD).unlink()
    (review.home.pending("memory") / "a.json").symlink_to(secret)
    (record,) = list_records(review.home)
    assert "link" in record.problem
    assert "stolen" not in str(record)
    (failure,) = review.reject([record]).failed  # undo could not bring it back
    assert "by hand" in failure.reason
    assert (review.home.pending("memory") / "a.json").is_symlink()
    assert secret.exists()


def test_a_temp_file_counts_only_when_its_writer_is_gone(review: Review, put: Put) -> None:
    """A write going on would be shown as broken, or one that broke off never."""
    path = put("a.json.tmp", raw=b'{"id": "a"')
    assert list_records(review.home) == []
    os.utime(path, (time.time() - 120, time.time() - 120))
    (record,) = list_records(review.home)
    assert "Half-written" in record.problem


def test_a_folder_where_a_record_should_be_is_left_alone(review: Review, put: Put) -> None:
    """Rejecting would remove a folder and what is in it."""
    put("x.json", ADD).unlink()
    (review.home.pending("memory") / "x.json").mkdir()
    (record,) = list_records(review.home)
    assert "directory" in record.problem
    assert review.reject([record]).failed[0].id == "x"
    assert (review.home.pending("memory") / "x.json").is_dir()


def test_a_record_decided_while_the_queue_is_read_is_not_listed(
    review: Review, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a second reviewer, writes just decided would be shown as broken files."""
    put("a.json", ADD)
    put("b.json", ADD)

    def decided_first(path: Path) -> object:
        if path.name == "a.json":
            path.unlink()
        return read_file(path)

    monkeypatch.setattr("hermes_tui.pending.records.read_file", decided_first)
    assert [record.id for record in list_records(review.home)] == ["b"]
