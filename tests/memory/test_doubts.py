"""A change that could neither be made whole nor taken back, and the next one after it."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from hermes_tui import disk
from hermes_tui.errors import Conflict, Unreadable
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.journal import read_record


class Disk:
    """The disk, which lets so many writes of memory files pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writes: int | None = None
        """How many still pass; all of them where it is None."""
        self.failure: BaseException = OSError(errno.EIO, "Input/output error")
        self.temp_names: list[str] = []
        monkeypatch.setattr("hermes_tui.memory.store.replace_file", self.replace_file)

    def replace_file(self, path: Path, data: bytes, *, temp_name: str, **named: Any) -> None:
        """Write, or fail."""
        self.temp_names.append(temp_name)
        if self.writes == 0:
            raise self.failure
        if self.writes is not None:
            self.writes -= 1
        disk.replace_file(path, data, temp_name=temp_name, **named)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk that can be made to fail."""
    return Disk(monkeypatch)


def test_what_was_cut_off_is_finished_before_anything_is_undone(
    store: MemoryStore, memory_file: Path, user_file: Path, failing: Disk
) -> None:
    """Undo would take back the change before it, and nobody would see that the move is done after all."""
    store.add("memory", "a")
    store.add("memory", "b")
    failing.writes = 1
    with pytest.raises(Unreadable) as refused:
        store.move([EntryRef("memory", 2, "b")], "user")
    assert refused.value.code == "half_done"
    assert (memory_file.read_text(), user_file.read_text()) == ("a\n§\nb", "b")
    failing.writes = None
    with pytest.raises(Conflict) as settled:
        store.undo()
    assert settled.value.code == "settled"
    assert settled.value.message == "A change that the disk had cut off is finished now."
    assert settled.value.hint == "Look at it, then undo again if that is still wanted."
    assert (memory_file.read_text(), user_file.read_text()) == ("a", "b")
    assert store.undo().message.startswith("Undone: move")
    assert (memory_file.read_text(), user_file.read_text()) == ("a\n§\nb", "")


def test_what_never_began_does_not_stand_before_undo(store: MemoryStore, memory_file: Path, failing: Disk) -> None:
    """A person would be told of a change that there is none of."""
    store.add("memory", "a")
    failing.writes, failing.failure = 0, KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        store.add("memory", "b")
    failing.writes = None
    assert store.undo().message.startswith("Undone: add")
    assert memory_file.read_text() == ""


def test_a_change_goes_through_the_file_that_the_journal_names(store: MemoryStore, failing: Disk) -> None:
    """What a crash leaves beside the store would never be found again."""
    store.add("memory", "a")
    (head,) = store.journal.heads()
    record = read_record(head)
    assert record is not None
    assert failing.temp_names == [record.files[0].temp_name]
    assert record.files[0].temp_name
