"""What the soak counts with: it would call a run sound that lost something, or one that grew."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hermes_tui.memory.changes import Hunk
from hermes_tui.memory.journal import FileChange, JournalRecord
from tests.soak.accounts import Accounts, account_for_memory, digest
from tests.soak.agent import Write
from tests.soak.held import Sample, growth


def change(before: str, after: str, old: tuple[str, ...], new: tuple[str, ...]) -> JournalRecord:
    """One of ours in MEMORY.md."""
    file = FileChange("memory", digest(before.encode()), digest(after.encode()), (Hunk(0, old, new, None),), None, "t")
    return JournalRecord("0" * 16, time.time(), "add", "tui", "done", (file,))


def wrong_with(home: Path, ours: JournalRecord, entries: str) -> list[str]:
    """What is wrong when an agent has added `a`, we have made a change, and this is on disk."""
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text(entries)
    theirs = Write("memory", digest(b""), digest(b"a"), (), ("a",))
    listed = entries.split("\n§\n")
    stores = [
        {"store": store, "entries": [{"text": text} for text in texts]}
        for store, texts in (("memory", listed), ("user", []))
    ]
    told = {
        "ours": {"stores": stores},
        "theirs": {"entries": {"memory": listed, "user": []}},
        "screen": {"memory": len(listed), "user": 0},
    }
    accounts = Accounts()
    account_for_memory(accounts, home, [ours], [theirs], told)
    return accounts.wrong


def test_two_writes_one_after_the_other_are_in_order(tmp_path: Path) -> None:
    """A sound run would be called wrong."""
    assert wrong_with(tmp_path, change("a", "b\n§\na", (), ("b",)), "b\n§\na") == []


def test_a_write_over_another_is_seen(tmp_path: Path) -> None:
    """Ours began from the empty file although the agent's entry was there: it is lost."""
    wrong = wrong_with(tmp_path, change("", "b", (), ("b",)), "b")
    assert any("made over one another" in words for words in wrong)
    assert any("lost" in words and "+1 a" in words for words in wrong)


def test_an_entry_that_is_on_disk_and_not_on_the_screen_is_seen(tmp_path: Path) -> None:
    """The numbers on disk alone would do."""
    assert wrong_with(tmp_path, change("a", "b\n§\na", (), ("b",)), "b\n§\na\n§\nc")


@pytest.mark.parametrize(
    ("megabytes_an_hour", "more", "words"),
    [(0, 0, []), (20, 0, ["memory"]), (6, 0, []), (0, 3, ["handles", "threads"]), (0, 2, [])],
)
def test_growth_is_told_from_what_is_loaded_once(megabytes_an_hour: float, more: int, words: list[str]) -> None:
    """What is loaded in the first minutes would look like growth, or growth like noise."""
    samples = [
        Sample(minute, 60.0 if minute < 15 else 90 + megabytes_an_hour * minute / 60, 50.0,
               10 if minute < 15 else 15 + (more if minute > 60 else 0), 8 + (more if minute > 60 else 0), 4, 0, minute,
               resting=True)
        for minute in map(float, range(0, 121, 5))
    ]  # fmt: skip
    found = growth(samples, 15.0, 300).broken
    assert [words_of.split()[0] for words_of in found] == words
