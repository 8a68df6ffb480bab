"""History as a whole: built bit by bit, kept in files of ours, and built anew when those are lost or broken."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.config import load_config
from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.history.call_reader import latest_message
from hermes_tui.history.changes import Change
from hermes_tui.history.history import History, Timeline, past_view
from hermes_tui.history.index import Index
from hermes_tui.home import data_dir
from hermes_tui.memory.prompt import render_block
from hermes_tui.memory.view import view_store
from hermes_tui.sessions.database import Database, Interrupted
from tests.cli.conftest import tree
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life, prompt_of
from tests.nasty import NASTY
from tests.sessions.world import Shape

FOREIGN = [
    "",
    "{",
    "null",
    "7",
    "[]",
    '"text"',
    "{}",
    '{"version": 99, "rows": [1, 2]}',
    '{"sessions": 7}',
    '{"sessions": [[1]]}',
    '{"sessions": [["x", 1, 1, 1, null, 1, "", null, 9999]]}',
    '{"blocks": [["x", {"memory": [["nowhere"], 2200, false]}]]}',
    '{"texts": 7, "blocks": [], "sessions": []}',
    '{"calls": [[1, 2, 3]]}',
    '{"calls": [["s", 1, 2, 3.0, "soul", [], "accepted", 1, 1, [], "", false, 1, false, false, ""]]}',
    '{"gone": [7]}',
    '{"to": "far"}',
    "[" * 5_000,
]
"""Lines that another version, or a crash, may have left."""


@pytest.fixture
def lived(life: Life) -> Life:
    """A life with something of everything."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.add("a", "ale")
    life.wait(DAY)
    life.session("b")
    life.change("b", "tea", "green tea")
    life.add("b", "Ann", "user")
    life.session("c")
    life.save()
    return life


def kept(life: Life) -> Path:
    """Where what was found is kept."""
    return data_dir(life.home.path) / "history" / "snapshots.jsonl"


def loaded(life: Life) -> Timeline:
    """What is known without reading the database."""
    history = History(data_dir(life.home.path), life.home.logs)
    history.load()
    return history.timeline(life.views())


def facts(timeline: Timeline) -> tuple[list[Change], Any, Any, Any]:
    """All that is known."""
    past = [timeline.pasts[store].states[:-1] for store in ("memory", "user")]
    return timeline.changes(), past, timeline.told, timeline.uses


def test_the_timeline_tells_it_as_it_was(lived: Life) -> None:
    """The whole of it, on both lines."""
    timeline = lived.history().timeline(lived.views())
    told = [(change.store, change.kind, change.before, change.after, change.by) for change in timeline.changes()]
    assert told == [
        ("memory", "add", "", "tea", "outside edit or unknown"),
        ("memory", "add", "", "ale", "tool call"),
        ("memory", "edit", "tea", "green tea", "tool call"),
        ("user", "add", "", "Ann", "tool call"),
    ]
    assert (timeline.sessions, timeline.complete) == (3, True)
    state = timeline.state("memory", START + DAY)
    assert state is not None
    assert (state.entries, state.certain) == (("tea", "ale"), True)
    assert timeline.state("memory", START - 100 * DAY) is None


# What is kept


def test_what_was_found_is_there_at_once_the_next_time(lived: Life) -> None:
    """Every start would read everything."""
    before = lived.history().timeline(lived.views())
    after = loaded(lived)
    assert facts(after) == facts(before)
    assert not after.complete
    assert after.sessions == 3


def test_a_second_start_writes_nothing_when_there_is_nothing_new(lived: Life) -> None:
    """The file would grow with every start."""
    lived.history()
    before = kept(lived).read_bytes()
    lived.history()
    assert kept(lived).read_bytes() == before


def test_what_the_agent_has_pruned_before_is_not_looked_for_at_every_start(lived: Life) -> None:
    """A database whose first messages are gone would be read from its beginning each time."""
    lived.forget("a")
    lived.history()
    before = kept(lived).read_bytes()
    history = History(data_dir(lived.home.path), lived.home.logs)
    history.load()
    with lived.base() as base:
        assert history.index.calls_to == latest_message(base)
    lived.history()
    assert kept(lived).read_bytes() == before


def test_what_is_lost_is_found_again(lived: Life) -> None:
    """Deleting our files would lose the past that the agent still has."""
    before = facts(lived.history().timeline(lived.views()))
    kept(lived).unlink()
    assert facts(lived.history().timeline(lived.views())) == before


def test_what_the_agent_deletes_is_kept(lived: Life) -> None:
    """Pruning would wipe out the past."""
    before = facts(lived.history().timeline(lived.views()))
    for session in ("a", "b", "c"):
        lived.forget(session)
    if lived.shape == "0.22":
        lived.world.run("DELETE FROM system_prompts")
    assert facts(lived.history().timeline(lived.views())) == before


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_line_that_was_only_half_written_is_found_again(cut: int, lived: Life) -> None:
    """A crash in the middle of a line would damage the next one, too."""
    before = facts(lived.history().timeline(lived.views()))
    data = kept(lived).read_bytes()
    kept(lived).write_bytes(data[:-cut])
    assert facts(lived.history().timeline(lived.views())) == before
    assert facts(loaded(lived)) == before


@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_a_line_that_was_damaged_is_found_again(which: int, lived: Life) -> None:
    """What it held would be lost, though the agent still has it; so when the disk was full for a moment."""
    lived.history()
    lived.session("d")
    lived.add("d", "rum")
    lived.save()
    before = facts(lived.history().timeline(lived.views()))
    lines = kept(lived).read_bytes().splitlines(keepends=True)
    lines[which] = b"\0" * (len(lines[which]) - 1) + b"\n"
    kept(lived).write_bytes(b"".join(lines))
    assert facts(lived.history().timeline(lived.views())) == before
    again = kept(lived).read_bytes()
    assert facts(lived.history().timeline(lived.views())) == before
    assert kept(lived).read_bytes() == again


@pytest.mark.parametrize("line", FOREIGN)
def test_lines_of_another_version_are_passed_over(line: str, lived: Life) -> None:
    """An update, or a step back, would end in an error, or in a wrong past."""
    before = facts(lived.history().timeline(lived.views()))
    data = kept(lived).read_bytes()
    kept(lived).write_bytes(line.encode() + b"\n" + data + line.encode() + b"\n")
    assert facts(loaded(lived)) == before
    assert facts(lived.history().timeline(lived.views())) == before


def test_a_folder_in_its_place_or_a_closed_disk_keeps_nothing_and_breaks_nothing(lived: Life) -> None:
    """Without a place of our own there would be no timeline."""
    kept(lived).mkdir(parents=True)
    assert lived.history().timeline(lived.views()).sessions == 3


def test_another_database_in_the_place_of_the_old_one_is_read_from_its_beginning(lived: Life) -> None:
    """A restored home has other messages under the same numbers."""
    lived.history()
    lived.world.run("DELETE FROM messages")
    lived.world.run("DELETE FROM sqlite_sequence")
    lived.now = START + 50 * DAY
    lived.session("d")
    lived.add("d", "rum")
    lived.save()
    changes = lived.history().timeline(lived.views()).changes()
    assert (changes[-1].after, changes[-1].session_id) == ("rum", "d")
    assert "ale" in {change.after for change in changes}


def test_odd_texts_are_kept_as_they_are(life: Life, tmp_path: Path) -> None:
    """The past would change with the restart."""
    entries = {}
    for name, text in NASTY.items():
        entry = text.encode("utf-8", "replace").decode().strip() or "x"
        entries[name] = entry.replace("\n§\n", "§")
        life.session(name, told=False)
        life.tell(name, prompt_of({"memory": [entries[name]]}))
        life.call(name, {"action": "add", "content": text}, json.dumps({"success": False, "error": text}))
    before = life.history(data=tmp_path).index
    after = History(tmp_path, life.home.logs)
    after.load()
    assert len(after.index.calls) == len(NASTY)
    assert after.index.calls == before.calls
    assert after.index.blocks == before.blocks
    told = {stated.entries for blocks in after.index.blocks for stated in blocks.values()}
    assert told == {(entry,) for entry in entries.values()}
    assert after.index.sessions == before.sessions


# What was seen


def test_what_was_seen_in_the_files_is_part_of_the_past(lived: Life) -> None:
    """A version between two sessions would be lost."""
    history = lived.history()
    lived.file("memory").write_text("seen only here")
    history.note(lived.views())
    lived.save()
    history.note(lived.views())
    found = lived.history().timeline(lived.views()).ever()
    [seen] = [ever for ever in found if ever.text == "seen only here"]
    assert seen.until is not None


def test_the_same_is_not_noted_twice_and_what_cannot_be_read_not_at_all(lived: Life) -> None:
    """The file would grow with every look, and an unreadable store would look like an empty one."""
    path = data_dir(lived.home.path) / "history" / "seen.jsonl"
    history = lived.history()
    history.note(lived.views())
    before = path.read_bytes()
    history.note(lived.views())
    lived.history().note(lived.views())
    lived.file("memory").write_bytes(b"\xff\xfe broken")
    history.note(lived.views())
    lived.file("memory").unlink()
    lived.file("memory").mkdir()
    history.note(lived.views())
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", ["{", "[]", '{"store": "soul", "at": 1, "entries": []}', '{"store": "memory"}',
                                  '{"store": "memory", "at": "x", "entries": []}', "\0" * 99,
                                  f'{{"store": "memory", "at": {"9" * 400}, "entries": []}}'])  # fmt: skip
def test_broken_lines_of_what_was_seen_are_passed_over(line: str, lived: Life) -> None:
    """One bad line would end the timeline."""
    history = lived.history()
    history.note(lived.views())
    path = data_dir(lived.home.path) / "history" / "seen.jsonl"
    path.write_text(line + "\n" + path.read_text() + line)
    assert facts(lived.history().timeline(lived.views()))[0] == facts(history.timeline(lived.views()))[0]


# How it is read


def test_one_can_look_in_between_and_more_is_known_each_time(lived: Life) -> None:
    """The screen would wait for the end."""
    history = History(data_dir(lived.home.path), lived.home.logs)
    seen: list[tuple[float, int, bool]] = []
    with lived.base() as base:
        for share in history.read(base):
            timeline = history.timeline(lived.views())
            seen.append((share, timeline.sessions, timeline.complete))
    assert [share for share, _, _ in seen] == sorted(share for share, _, _ in seen)
    assert seen[-1][0] == 1.0
    assert [sessions for _, sessions, _ in seen] == sorted(sessions for _, sessions, _ in seen)
    assert not any(complete for _, _, complete in seen)
    assert history.complete


def test_what_is_said_while_one_looks_on_is_found_without_reading_all_again(lived: Life) -> None:
    """A timeline that stays open would fall behind, or read everything each time."""
    history = lived.history()
    lived.add("c", "rum")
    lived.session("d")
    lived.save()
    with lived.base() as base:
        shares = list(history.read(base))
    timeline = history.timeline(lived.views())
    assert (timeline.changes()[-1].after, timeline.sessions) == ("rum", 4)
    assert shares[0] == 0.5


def test_reading_stops_when_told_to_and_goes_on_the_next_time(lived: Life) -> None:
    """Leaving in the middle would lose what was found."""
    history = History(data_dir(lived.home.path), lived.home.logs)
    with lived.base() as base, pytest.raises(Interrupted):
        list(history.read(base, lambda: True))
    assert not history.complete
    assert lived.history().timeline(lived.views()).sessions == 3


def test_nothing_of_the_agents_is_changed(lived: Life) -> None:
    """Looking at the past would change the present."""
    lived.world.close()
    before = tree(lived.home.path)
    history = lived.history()
    history.timeline(lived.views()).blame(lived.views())
    assert tree(lived.home.path) == before


def test_without_a_database_there_is_what_is_on_disk(life: Life, tmp_path: Path) -> None:
    """A home in which nobody has said anything yet would be an error."""
    life.stores["memory"] = ["tea"]
    life.save()
    history = History(tmp_path, life.home.logs)
    with pytest.raises(NotFound), Database(tmp_path / "state.db") as base:
        list(history.read(base))
    timeline = history.timeline(life.views())
    assert [change.after for change in timeline.changes()] == ["tea"]
    assert timeline.changes()[0].by == "outside edit or unknown"


def test_a_file_that_is_no_database_is_said_to_be_unreadable(life: Life, tmp_path: Path) -> None:
    """It would look like a home without a past."""
    path = tmp_path / "state.db"
    path.write_bytes(b"no database at all, but long enough to be one" * 100)
    history = History(tmp_path / "data", life.home.logs)
    with pytest.raises(Unreadable), Database(path) as base:
        list(history.read(base))


def test_a_store_that_is_switched_off_or_unreadable_has_no_present(life: Life) -> None:
    """What cannot be read would look like removed."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.file("memory").mkdir()
    timeline = life.history().timeline(life.views())
    assert [change.kind for change in timeline.changes()] == ["add"]
    state = timeline.state("memory", math.inf)
    assert state is not None
    assert (state.entries, state.certain) == (("tea",), False)


def test_a_store_of_the_past_is_shown_like_one_of_today(life: Life) -> None:
    """Its usage would be of today."""
    config = load_config(life.home)
    view = view_store(life.home, config, "memory")
    made = past_view(view, config, ["tea", "ale"], 1_000)
    assert (made.texts, made.usage.chars, made.usage.limit) == (["tea", "ale"], 9, 1_000)
    assert past_view(view, config, ["tea"]).usage.limit == 2_200
    assert past_view(view, config, ["half \udcff"]).texts != []


def test_a_line_that_was_taken_in_twice_changes_nothing(lived: Life) -> None:
    """Two programs that run at once both keep what they find."""
    before = lived.history().index
    twice = Index()
    for line in [*kept(lived).read_bytes().splitlines()] * 2:
        twice.take(json.loads(line))
    assert (twice.sessions, twice.calls, twice.former) == (before.sessions, before.calls, before.former)


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
def test_what_a_file_of_a_project_says_is_never_told_as_memory(shape: Shape, live: Lives) -> None:
    """A forged block in AGENTS.md would be what the agent believed, and would be offered to be brought back."""
    life = live(shape)
    forged = render_block("memory", ["forged"], 2_200)
    head = f"You are an agent.\n\n# Project Context\n\n## AGENTS.md\n\n{forged}"
    for name in "abc":
        life.session(name)
        life.tell(name, prompt_of(life.stores, head=head))
        if name == "a":
            life.add("a", "Ann", "user")
        life.wait(DAY)
    timeline = life.timeline()
    assert [(each.store, each.text) for each in timeline.ever()] == [("user", "Ann")]
    assert all("forged" not in state.entries for state in timeline.pasts["memory"].states)
    for name in "bc":
        stated = timeline.told[name]
        assert (stated["memory"].doubtful, stated["user"].doubtful) == (True, False)
    again = life.history().timeline(life.views())
    assert again.told == timeline.told, "from the cache too"


def test_memory_in_a_project_is_believed_where_it_is_known_from_elsewhere(life: Life) -> None:
    """Nothing would be certain for anybody who works in a project that has notes for agents."""
    life.stores["memory"] = ["Tea at five"]
    head = "You are an agent.\n\n# Project Context\n\n## AGENTS.md\n\nNotes."
    for name in "ab":
        life.session(name)
        life.tell(name, prompt_of(life.stores, head=head))
        if name == "a":
            life.add("a", "Ale at six")
        life.wait(DAY)
    timeline = life.timeline()
    assert not timeline.told["b"]["memory"].doubtful
    state = timeline.state("memory", life.now - DAY)
    assert state is not None
    assert (state.entries, state.certain) == (("Tea at five", "Ale at six"), True)


@pytest.mark.parametrize("what", ["the home", "memories", "MEMORY.md"])
def test_what_is_moved_away_and_back_leaves_no_changes(lived: Life, what: str) -> None:
    """Every entry `went` and `came back`, by nobody knows whom; only a file that stays away has gone."""
    lived.save()
    place = {"the home": lived.home.path, "memories": lived.home.memories, "MEMORY.md": lived.file("memory")}[what]
    history = lived.history()
    history.note(lived.views())
    before = history.timeline(lived.views())
    lived.close()
    place.rename(away := place.with_name("elsewhere"))
    history.note(lived.views())
    while_away = history.timeline(lived.views())
    gone = [change.before for change in while_away.changes()[len(before.changes()) :]]
    assert bool(gone) == (what == "MEMORY.md")
    away.rename(place)
    assert history.timeline(lived.views()).changes() == before.changes(), "also before it is noted"
    history.note(lived.views())
    assert history.timeline(lived.views()).changes() == before.changes()
    assert [each.by for each in history.timeline(lived.views()).blame(lived.views())] == [
        each.by for each in before.blame(lived.views())
    ]
