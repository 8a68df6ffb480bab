"""What the stores were seen to hold, as it is kept: asked for after every write of a busy agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_tui.history import cache as module
from hermes_tui.history.cache import Cache


def line(*entries: str, at: float = 1.0, store: str = "memory") -> str:
    """A line of the file."""
    return json.dumps({"at": at, "seen": at, "store": store, "entries": entries}) + "\n"


def held(cache: Cache) -> list[tuple[str, ...]]:
    """What MEMORY.md was seen to hold."""
    return [sight.entries for sight in cache.sights("memory")]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """One with two sights."""
    made = Cache(tmp_path)
    made.folder.mkdir()
    made.seen_path.write_text(line("tea") + line("tea", "milk"))
    return made


def test_a_line_is_read_once_however_often_it_is_asked_for(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour of writes would be read again at each write: it gets slower all day, and memory grows."""
    read: list[bytes] = []
    whole = module._lines
    monkeypatch.setattr(module, "_lines", lambda data: whole(read.append(data) or data))  # type: ignore[func-returns-value]
    assert held(cache) == held(cache) == [("tea",), ("tea", "milk")]
    with cache.seen_path.open("a") as file:
        file.write(line("milk"))
    assert held(cache) == [("tea",), ("tea", "milk"), ("milk",)]
    assert b"".join(read).count(b"\n") == 3
    first, second, third = cache.sights("memory")
    assert first.entries[0] is second.entries[0]
    assert second.entries[1] is third.entries[0]


def test_a_file_that_was_changed_or_taken_away_is_read_anew(cache: Cache) -> None:
    """The timeline would show what is no longer kept."""
    assert len(held(cache)) == 2
    cache.seen_path.write_text(line("cup") + line("tea", "milk") + line("pot"))
    assert held(cache) == [("cup",), ("tea", "milk"), ("pot",)]
    cache.seen_path.unlink()
    assert held(cache) == []


def test_a_line_that_is_not_whole_yet_is_read_again_when_it_is(cache: Cache) -> None:
    """Two programs write there: half a line would be passed over for good."""
    half = line("sugar")
    for part in (half[:20], half[20:]):
        with cache.seen_path.open("a") as file:
            file.write(part)
        found = held(cache)
    assert found == [("tea",), ("tea", "milk"), ("sugar",)]


def test_a_file_that_is_soon_there_again_as_it_was_never_went(cache: Cache) -> None:
    """Moved away and back, every entry would be `not known` from then on; one deleted for good went."""
    absent = json.dumps({"at": 5.0, "seen": 5.0, "store": "memory", "entries": [], "absent": True}) + "\n"
    cache.seen_path.write_text(line("tea") + absent + line("tea", at=60.0))
    assert held(cache) == [("tea",), ("tea",)]
    cache.seen_path.write_text(line("tea") + absent)
    assert held(cache) == [("tea",), ()]
    cache.seen_path.write_text(line("tea") + absent + line("milk", at=60.0))
    assert held(cache) == [("tea",), (), ("milk",)]
    cache.seen_path.write_text(line("tea") + absent + line("tea", at=90_000.0))
    assert held(cache) == [("tea",), (), ("tea",)]
    cache.seen_path.write_text(line("tea") + line(at=5.0) + line("tea", at=60.0))
    assert held(cache) == [("tea",), (), ("tea",)], "it was emptied, which is a change"
