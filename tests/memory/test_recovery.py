"""The next start after a move that was cut off, also when others wrote in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui import disk
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.journal import read_record

OpenStore = Callable[..., MemoryStore]

BEFORE = {"MEMORY.md": "a\n§\nb", "USER.md": "u"}


class Killed(BaseException):
    """The end of a process; nothing can be done after it."""


@pytest.fixture
def cut_off(open_store: OpenStore, memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], MemoryStore]:
    """Moves b to the other store and ends after so many writes; gives back the store of the next start."""

    def cut(writes: int) -> MemoryStore:
        for name, text in BEFORE.items():
            (memory_file.parent / name).write_text(text)
        left = writes

        def replace_file(*args: Any, **named: Any) -> None:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            disk.replace_file(*args, **named)

        with monkeypatch.context() as patch:
            patch.setattr("hermes_tui.memory.store.replace_file", replace_file)
            with pytest.raises(Killed):
                open_store().move([EntryRef("memory", 2, "b")], "user")
        return open_store()

    return cut


@pytest.mark.parametrize(
    ("writes", "meanwhile", "memory", "user"),
    [
        (0, {}, "a\n§\nb", "u"),
        (1, {}, "a", "u\n§\nb"),
        (1, {"USER.md": "new\n§\nu\n§\nb"}, "a", "new\n§\nu\n§\nb"),
        (1, {"USER.md": "new\n§\nu"}, "a\n§\nb", "new\n§\nu"),
        (1, {"MEMORY.md": "other"}, "other", "u\n§\nb"),
        (1, {"MEMORY.md": "a\n§\nb\n§\nc"}, "a\n§\nc", "u\n§\nb"),
        (0, {"MEMORY.md": "a\n§\nc"}, "a\n§\nc", "u\n§\nb"),
    ],
)
def test_the_next_start_finishes_what_had_begun_and_never_loses_an_entry(
    cut_off: Callable[[int], MemoryStore],
    memory_file: Path,
    user_file: Path,
    writes: int,
    meanwhile: dict[str, str],
    memory: str,
    user: str,
) -> None:
    """An entry on its way would be in neither store, or what the agent wrote meanwhile would go."""
    store = cut_off(writes)
    for name, text in meanwhile.items():
        (memory_file.parent / name).write_text(text)
    assert len(store.journal.open_ids()) == 1
    assert store.recover() == 1
    assert (memory_file.read_text(), user_file.read_text()) == (memory, user)
    assert not store.journal.open_ids()
    assert store.recover() == 0


def test_the_next_start_takes_away_our_own_temporary_files_and_no_others(
    cut_off: Callable[[int], MemoryStore], memory_file: Path
) -> None:
    """Copies of memory would lie about for ever, or somebody else's file would go."""
    store = cut_off(1)
    [head] = store.journal.heads()
    record = read_record(head)
    assert record is not None
    ours = [memory_file.with_name(change.temp_name) for change in record.files]
    others = memory_file.with_name(".mem_0123456789abcdef.tmp")
    for path in (*ours, others):
        path.write_text("half")
    store.recover()
    assert [path.exists() for path in (*ours, others)] == [False, False, True]


def test_what_was_cut_off_can_be_undone_when_it_was_finished_only(
    cut_off: Callable[[int], MemoryStore], memory_file: Path, user_file: Path
) -> None:
    """Undo would take back a change that never was."""
    store = cut_off(1)
    store.recover()
    assert store.undo().message == "Undone: move in USER.md and MEMORY.md."
    assert (memory_file.read_text(), user_file.read_text()) == tuple(BEFORE.values())
    store = cut_off(0)
    store.recover()
    assert [head.state for head in store.journal.heads()][-1] == "failed"
