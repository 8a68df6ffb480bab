"""What a start does not do again: prompts, lines and pasts that are known already are left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.history import cache, history, snapshots
from hermes_tui.history.cache import Cache
from hermes_tui.history.history import History, Timeline
from hermes_tui.history.index import Index
from hermes_tui.history.replay import Event, Past, replay
from hermes_tui.home import data_dir
from hermes_tui.memory.entries import StoreName
from tests.history.life import DAY, Life

FIELDS = ("blocks", "sessions", "former", "calls", "calls_to", "calls_mark", "_names", "_texts", "_prints")


@pytest.fixture(autouse=True)
def _folds_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "FOLDED_BYTES", 0)


@pytest.fixture
def lived(life: Life) -> Life:
    """A life whose history was read and put together once."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.add("a", "ale")
    life.wait(DAY)
    life.session("b")
    life.session("untold", told=False)
    life.change("b", "tea", "green tea")
    life.add("b", "Ann", "user")
    life.wait(DAY)
    life.session("c")
    life.save()
    life.history().timeline(life.views())
    life.tell("a", "You are an agent.\n\nAnother one.")  # built anew, and told nothing any more
    life.say("a", "again")
    life.history().timeline(life.views())
    return life


def folder(life: Life) -> Path:
    """Where our files are."""
    return data_dir(life.home.path) / "history"


def loaded(life: Life) -> History:
    """History as it is known without a look at the database."""
    found = History(data_dir(life.home.path), life.home.logs)
    found.load()
    return found


def facts(timeline: Timeline) -> tuple[Any, ...]:
    """All that a timeline tells."""
    pasts = [(past.changes, past.states, past.stale) for past in timeline.pasts.values()]
    return pasts, timeline.told, timeline.uses


def from_lines(life: Life) -> Index:
    """What the lines alone tell."""
    for name in ("snapshots.kept", "finished.kept"):
        (folder(life) / name).unlink(missing_ok=True)
    return Cache(data_dir(life.home.path)).load()


def never(what: str) -> Callable[..., Any]:
    """A function that must not be called."""

    def called(*_args: object, **_more: object) -> Any:
        raise AssertionError(what)

    return called


def test_the_second_start_reads_no_prompt_again(lived: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every start would read a gigabyte of prompts."""
    monkeypatch.setattr(snapshots, "read_prompt", never("a prompt was read"))
    assert set(lived.history().index.sessions) == {"a", "b", "c", "untold"}


def test_the_second_start_reads_no_line_that_is_folded_up(lived: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty thousand sessions would be taken in one by one before anything is on the screen."""
    monkeypatch.setattr(Index, "take", never("a line was read"))
    assert set(loaded(lived).index.sessions) == {"a", "b", "c", "untold"}


def test_the_second_start_makes_no_past_again(lived: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen would be empty for as long as that takes."""
    before = facts(lived.history().timeline(lived.views()))
    monkeypatch.setattr(history, "replay", never("a past was made"))
    found = loaded(lived)
    timeline = found.timeline(lived.views())
    assert facts(timeline) == before
    assert not timeline.complete
    assert found.index._kept is not None  # nor was anything unfolded for it


def test_seeing_what_is_there_anyway_makes_no_past_again(lived: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app looks at the stores when it starts, which would cost it what was made before."""
    before = facts(lived.history().timeline(lived.views()))
    loaded(lived).note(lived.views())
    assert (folder(lived) / "seen.jsonl").exists()
    monkeypatch.setattr(history, "replay", never("a past was made"))
    assert facts(loaded(lived).timeline(lived.views())) == before


def test_what_is_folded_up_is_what_the_lines_tell(lived: Life) -> None:
    """The timeline would be another one at the next start."""
    index = loaded(lived).index
    moments, told, uses = [*index.moments()], index.told(), index.uses("memory")
    lines = from_lines(lived)
    assert (moments, told, uses) == ([*lines.moments()], lines.told(), lines.uses("memory"))
    assert [getattr(index, name) for name in FIELDS] == [getattr(lines, name) for name in FIELDS]
    assert [told.session_id for told in lines.former] == ["a"]
    assert [*index.sights("memory")] == [*lines.sights("memory")]


def test_once_all_is_read_pasts_are_made_whatever_was_kept(lived: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an older version made of it would be shown for ever."""
    made: list[StoreName] = []

    def counted(store: StoreName, events: Iterable[Event]) -> Past:
        made.append(store)
        return replay(store, events)

    monkeypatch.setattr(history, "replay", counted)
    again = lived.history()
    first = again.timeline(lived.views())
    assert made == ["memory", "user"]
    assert again.timeline(lived.views()).pasts is first.pasts  # and not once more for the same


@pytest.mark.parametrize("name", ["snapshots.kept", "finished.kept"])
@pytest.mark.parametrize("harm", ["lost", "half", "empty", "changed", "version", "other bytes", "folder"])
def test_a_file_that_is_not_whole_is_made_anew(lived: Life, name: str, harm: str) -> None:
    """A crash, or an update, would end in an error or in a wrong past."""
    before = facts(lived.history().timeline(lived.views()))
    path = folder(lived) / name
    data = path.read_bytes()
    path.unlink()
    if harm == "folder":
        path.mkdir()
    elif harm != "lost":
        harmed = {
            "half": data[: len(data) // 2],
            "empty": b"",
            "changed": data[:-9] + b"X" + data[-8:],
            "version": data.replace(b"history 1\n", b"history 0\n"),
            "other bytes": b"\xff\0{}\n" * 40,
        }
        path.write_bytes(harmed[harm])
    assert facts(loaded(lived).timeline(lived.views())) == before
    lived.session("d")
    assert "d" in lived.history().timeline(lived.views()).told
    if harm != "folder":
        assert path.read_bytes().startswith(b"hermes-tui history 1\n")


def test_without_its_lines_a_folded_file_counts_for_nothing(lived: Life) -> None:
    """Who deletes what we keep would still see it."""
    (folder(lived) / "snapshots.jsonl").unlink()
    found = loaded(lived)
    assert not found.index
    assert found.timeline(lived.views()).told == {}


def test_with_other_lines_a_folded_file_counts_for_nothing(lived: Life) -> None:
    """Lines that were brought back from a backup would be lost."""
    lines = folder(lived) / "snapshots.jsonl"
    first = lines.read_bytes().splitlines(keepends=True)[0]
    lines.write_bytes(first * 40)
    assert loaded(lived).index._kept is None


def test_a_store_that_was_changed_since_makes_the_past_anew(lived: Life) -> None:
    """The timeline would end before the change that somebody has just made."""
    path = lived.file("memory")
    path.write_text("green tea\n§\nale\n§\ncake", encoding="utf-8")
    assert [change.after for change in loaded(lived).timeline(lived.views()).changes()][-1] == "cake"


def test_what_is_found_after_folding_is_there_too(lived: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions since the last folding would be missing."""
    monkeypatch.setattr(cache, "FOLDED_BYTES", 1 << 30)
    lived.session("d")
    lived.add("d", "rum")
    lived.save()
    before = facts(lived.history().timeline(lived.views()))
    found = loaded(lived)
    assert set(found.index.sessions) == {"a", "b", "c", "d", "untold"}
    assert facts(found.timeline(lived.views())) == before


def test_two_that_write_at_once_lose_nothing_of_one_another(lived: Life) -> None:
    """What one window has found would be missing in the file that the other folds up."""
    one, other = loaded(lived), loaded(lived)
    lived.session("d")
    with lived.base() as base:
        for _ in one.read(base):
            pass
    lived.forget("d")
    lived.session("e")
    with lived.base() as base:
        for _ in other.read(base):
            pass
    assert {"d", "e"} <= set(loaded(lived).index.sessions)


def test_a_small_past_is_not_kept_twice(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """There would be three files where one is read in no time."""
    monkeypatch.undo()
    life.session("a")
    life.add("a", "ale")
    life.timeline()
    assert [path.name for path in folder(life).iterdir()] == ["snapshots.jsonl"]
