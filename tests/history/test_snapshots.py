"""Snapshots: what sessions were told, read out of real databases in both forms in which prompts are stored."""

from __future__ import annotations

import sqlite3

import pytest

from hermes_tui.history.index import Index
from hermes_tui.history.snapshots import SLICE_ROWS, Snapshot, SnapshotReader
from hermes_tui.memory.prompt import RULE
from hermes_tui.sessions.database import Interrupted
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life, prompt_of
from tests.sessions.world import SHAPES, Shape


def read(life: Life, index: Index | None = None) -> dict[str, Snapshot]:
    """All snapshots that are not known yet."""
    known = (index or Index()).known
    with life.base() as base:
        return {one.session_id: one for some, _, _ in SnapshotReader(base, known).slices() for one in some}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_each_session_was_told_is_found_in_every_form(shape: Shape, live: Lives) -> None:
    """The past of an agent of some age would be empty."""
    life = live(shape)
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.stores["user"] = ["Ann"]
    life.session("b")
    found = read(life)
    assert {store: each.entries for store, each in found["a"].blocks.items()} == {"memory": ("tea",)}
    assert {store: each.entries for store, each in found["b"].blocks.items()} == {"memory": ("tea",), "user": ("Ann",)}
    assert found["b"].blocks["user"].limit == 1_375
    assert (found["a"].at, found["b"].at) == (START, START + 102)


def test_a_prompt_that_was_moved_into_the_table_is_found_there_and_one_that_was_not_in_its_row(live: Lives) -> None:
    """An update of the agent moves prompts bit by bit."""
    life = live("0.22")
    life.stores["memory"] = ["old"]
    life.session("a", told=False, system_prompt=prompt_of(life.stores))
    life.stores["memory"] = ["new"]
    life.session("b", system_prompt=prompt_of({"memory": ["what the row says"]}))
    found = read(life)
    assert found["a"].blocks["memory"].entries == ("old",)
    assert found["b"].blocks["memory"].entries == ("new",)


def test_a_hash_whose_prompt_is_gone_falls_back_to_the_row_or_is_left_for_another_time(live: Lives) -> None:
    """A session would be taken for one that was told nothing."""
    life = live("0.22")
    life.session("a", told=False, system_prompt_hash="gone")
    life.session("b", told=False, system_prompt_hash="gone", system_prompt=prompt_of({"memory": ["kept"]}))
    found = read(life)
    assert set(found) == {"b"}
    assert found["b"].blocks["memory"].entries == ("kept",)


def test_rows_of_the_table_that_are_no_prompts_are_no_snapshots(live: Lives) -> None:
    """The same table holds lists of tools."""
    life = live("0.22")
    life.world.prompt('["memory", "terminal"]')
    life.session("a", told=False)
    found = read(life)
    assert set(found) == {"a"}
    assert not found["a"].blocks


def test_sessions_without_a_prompt_are_told_nothing(life: Life) -> None:
    """A scheduled run would look like a moment at which memory was empty."""
    life.session("none", told=False)
    life.session("cron", told=False, source="cron")
    life.tell("cron", "You are an agent without memory.")
    life.session("empty", told=False)
    life.tell("empty", "")
    found = read(life)
    assert {id: dict(each.blocks) for id, each in found.items()} == {"none": {}, "cron": {}, "empty": {}}


def test_the_same_block_is_kept_once_however_many_sessions_ran_with_it(life: Life) -> None:
    """Fifty thousand sessions would hold fifty thousand copies."""
    index = Index()
    life.stores["memory"] = ["tea", "coffee"]
    for number in range(5):
        life.session(f"s{number}")
    life.stores["memory"].append("milk")
    life.session("other")
    line = index.add_snapshots(read(life).values())
    assert len(index.blocks) == 2
    assert sorted(line["texts"].values()) == ["coffee", "milk", "tea"]
    assert index.uses("memory") == {"tea": 6, "coffee": 6, "milk": 1}


def test_only_what_is_new_is_read_again(life: Life) -> None:
    """Every start would read all prompts again."""
    index = Index()
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.session("b")
    index.add_snapshots(read(life).values())
    assert read(life, index) == {}
    life.session("c")
    life.say("a", "more")
    assert set(read(life, index)) == {"a", "c"}


def test_a_prompt_that_was_written_over_in_place_is_a_second_sight_of_the_same_session(life: Life) -> None:
    """A compaction in place would wipe out what the session was told before."""
    index = Index()
    life.stores["memory"] = ["tea"]
    life.session("a")
    index.add_snapshots(read(life).values())
    life.wait(DAY)
    life.stores["memory"] = ["coffee, for a change"]
    life.say("a", "go on")
    life.tell("a", prompt_of(life.stores))
    index.add_snapshots(read(life, index).values())
    assert [told.session_id for told in index.former] == ["a"]
    sights = list(index.sights("memory"))
    assert [sight.entries for sight in sights] == [("tea",), ("coffee, for a change",)]
    assert sights[0].at == START
    # It was read for the second time after its last message at the first time.
    assert sights[1].at >= START + 1
    # A session counts once, with what it was told last.
    assert index.uses("memory") == {"coffee, for a change": 1}


def test_a_prompt_of_the_same_length_is_told_apart_when_something_was_said_since(life: Life) -> None:
    """Only the size of the prompt would tell, and `tea` is as long as `ale`."""
    index = Index()
    life.stores["memory"] = ["tea"]
    life.session("a")
    index.add_snapshots(read(life).values())
    life.stores["memory"] = ["ale"]
    life.tell("a", prompt_of(life.stores))
    life.say("a", "go on")
    assert read(life, index)["a"].blocks["memory"].entries == ("ale",)


def test_a_compaction_in_place_dates_the_prompt_after_what_it_put_away(live: Lives) -> None:
    """What was written in the first half of a session would seem to have been there before it."""
    life = live("0.19")
    life.stores["memory"] = ["told anew"]
    life.world.session("a", started_at=START, ended_at=START + 7 * DAY)
    life.say("a", "hello", active=0, compacted=1)
    life.now = START + 3 * DAY
    life.say("a", "the last that was put away", active=0, compacted=1)
    life.now = START + 4 * DAY
    life.say("a", "a summary")
    life.tell("a", prompt_of(life.stores))
    found = read(life)["a"]
    assert START + 3 * DAY <= found.at <= START + 4 * DAY
    assert found.until == START + 4 * DAY


def test_prompts_as_bytes_with_a_nul_and_halves_of_characters_are_read(life: Life) -> None:
    """SQLite ends a text at the first NUL, and the blocks stand behind it."""
    life.session("nul", told=False)
    life.tell("nul", prompt_of({"memory": ["a\x00b", "c"]}, head="Odd\x00 head."))
    life.session("bytes", told=False)
    data = prompt_of({"memory": ["tea"]}, head="Bad ~ byte.").encode().replace(b"~", b"\xff\xfe")
    column = "prompt" if life.shape == "0.22" else "system_prompt"
    life.tell("bytes", prompt_of({"memory": ["tea"]}))
    table = "system_prompts" if life.shape == "0.22" else "sessions"
    where = (
        "hash = (SELECT system_prompt_hash FROM sessions WHERE id = 'bytes')" if life.shape == "0.22" else "id='bytes'"
    )
    life.world.run(f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE {where}", (sqlite3.Binary(data),))
    found = read(life)
    assert found["nul"].blocks["memory"].entries == ("a\x00b", "c")
    assert found["bytes"].blocks["memory"].entries == ("tea",)
    assert not found["bytes"].blocks["memory"].doubtful


def test_a_very_long_prompt_with_the_block_at_its_end_is_read(life: Life) -> None:
    """A big file of instructions goes before the memory."""
    life.session("a", told=False)
    life.tell("a", prompt_of({"memory": ["tea"]}, head=f"{RULE[:-1]}\n" + "word " * 400_000))
    assert read(life)["a"].blocks["memory"].entries == ("tea",)


def test_the_newest_sessions_come_first_and_the_share_grows_to_the_end(live: Lives) -> None:
    """A person waits for the present, not for the first year."""
    life = live("0.22")
    life.world.prompt(prompt_of({"memory": ["tea"]}))
    life.world.run("BEGIN")
    for number in range(SLICE_ROWS * 2 + 1):
        life.world.session(f"s{number:04}", started_at=START + number)
    life.world.run("COMMIT")
    with life.base() as base:
        slices = list(SnapshotReader(base, Index().known).slices())
    assert [len(some) for some, _, _ in slices] == [SLICE_ROWS, SLICE_ROWS, 1]
    assert slices[0][0][0].session_id == f"s{SLICE_ROWS * 2:04}"
    assert [(done, total) for _, done, total in slices] == [(200, 401), (400, 401), (401, 401)]


def test_reading_stops_when_told_to(life: Life) -> None:
    """Leaving the program would wait for the end."""
    life.session("a")
    with life.base() as base, pytest.raises(Interrupted):
        next(SnapshotReader(base, Index().known).slices(lambda: True))


def test_a_database_without_any_column_for_prompts_has_no_snapshots(live: Lives) -> None:
    """An old or cut-down database would be an error."""
    life = live("0.13")
    life.session("a")
    life.world.run("ALTER TABLE sessions DROP COLUMN system_prompt")
    assert read(life) == {}


def test_times_that_are_no_times_do_not_put_a_session_anywhere(life: Life) -> None:
    """A broken clock would write 1970 into the past."""
    life.stores["memory"] = ["tea"]
    life.world.session("a", started_at=0)
    life.tell("a", prompt_of(life.stores))
    found = read(life)
    assert (found["a"].at, found["a"].blocks["memory"].entries) == (0.0, ("tea",))
    index = Index()
    index.add_snapshots(found.values())
    assert list(index.sights("memory")) == []
    assert index.uses("memory") == {"tea": 1}
