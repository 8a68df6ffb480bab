"""Search indexes that were kept up by an SQLite of any age: they are never hurt, or nothing is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress

import apsw
import pytest

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.upkeep.indexes import indexes, old_ones, takes_apart_as_before
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.writer import Writer
from tests.sessions.upkeep.conftest import MakeHome, check, dump, finds, look
from tests.sessions.upkeep.conftest import indexes as index_names
from tests.sessions.world import Age, Shape, World

INDEXED: tuple[Shape, ...] = ("0.13", "0.19", "0.22")
AGES: tuple[Age, ...] = ("old", "new")
PICTURE = [{"type": "text", "text": "an otter and a zebra"}, {"type": "image_url", "image_url": {"url": "data:abc"}}]
LATER = "words before\x00zebra words after"


def say_with_nul(world: World, session: str) -> list[int]:
    """Messages that an old SQLite takes apart in another way than a new one."""
    return [
        world.say(session, PICTURE),
        world.say(session, PICTURE, role="tool", tool_name="vision"),
        world.say(session, LATER),
        world.say(session, "plain", tool_name="with\x00zebra"),
        world.say(session, "", tool_calls='[{"name": "x\x00zebra"}]', role="assistant"),
        world.say(session, "\x00"),
        world.say(session, "ends in a NUL\x00"),
        world.say(session, b"\x00\xff\xfezebra"),
    ]


@pytest.mark.parametrize("shape", INDEXED)
@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize("age", ["old", "new"])
def test_pictures_put_in_by_any_sqlite_go_and_come_back(
    make_home: MakeHome, keeper: Keeper, shape: Shape, wal: bool, age: Age
) -> None:
    """The index would be hurt without a sound, and the agent call its database damaged later."""
    world = make_home(shape, wal=wal)
    world.write_as(age)
    for id in ("a", "b"):
        world.session(id, "a zebra", title=id)
        say_with_nul(world, id)
    check(world.path, age)
    before = dump(world.path)
    found = {name: finds(world.path, "zebra", name, age) for name in index_names(world.path)}
    keeper.delete(keeper.plan(["a"]))
    check(world.path, age)
    assert {name: finds(world.path, "zebra", name, age) for name in found} == {
        name: [id for id in was if id > 9] for name, was in found.items()
    }
    keeper.undo()
    check(world.path, age)
    assert dump(world.path) == before
    assert {name: finds(world.path, "zebra", name, age) for name in found} == found
    keeper.delete(keeper.plan(["a", "b"]))
    for whatever in AGES:
        check(world.path, whatever)
    keeper.undo()
    check(world.path, age)
    assert dump(world.path) == before


@pytest.mark.parametrize("shape", INDEXED)
@pytest.mark.parametrize("last", ["old", "new"])
def test_an_index_that_two_ages_have_written_goes_whole(
    make_home: MakeHome, keeper: Keeper, shape: Shape, last: Age
) -> None:
    """After an update of Python each message has to be taken out as it was put in."""
    world = make_home(shape)
    ages: Sequence[Age] = ("old", "new", last)
    for number, age in enumerate(ages):
        world.write_as(age)
        world.session(f"s{number}", "a zebra")
        say_with_nul(world, f"s{number}")
        world.session(f"mixed{number}", "a zebra", parent_session_id=None)
    for age in ages:
        world.write_as(age)
        say_with_nul(world, "mixed0")
    before = dump(world.path)
    keeper.delete(keeper.plan(["s0", "mixed0"]))
    keeper.delete(keeper.plan(["s1"]))
    check(world.path, last)
    keeper.undo()
    keeper.undo()
    assert dump(world.path) == before
    check(world.path, last)
    keeper.delete(keeper.plan([f"{kind}{number}" for kind in ("s", "mixed") for number in range(3)]))
    assert all(rows == [] for table, rows in dump(world.path).items() if table in ("sessions", "messages"))
    check(world.path)
    for name in index_names(world.path):
        assert finds(world.path, "zebra", name) == []


def test_the_sqlite_of_this_python_is_understood(make_home: MakeHome, keeper: Keeper) -> None:
    """What the tests make up would be something else than what a real one does."""
    world = make_home("0.22")
    world.close()
    world.connection = sqlite3.connect(world.path, isolation_level=None)
    world.session("a", "a zebra")
    say_with_nul(world, "a")
    world.close()
    age: Age = "old" if sqlite3.sqlite_version_info < (3, 48) else "new"
    check(world.path, age)
    before = dump(world.path)
    with Writer(world.path) as writer:
        assert takes_apart_as_before(writer) is (age == "old")
        assert bool(old_ones(writer, ["a"])) is (age == "old")
    keeper.delete(keeper.plan(["a"]))
    check(world.path, age)
    keeper.undo()
    check(world.path, age)
    assert dump(world.path) == before
    plain = sqlite3.connect(world.path)
    for name in ("messages_fts", "messages_fts_trigram"):
        plain.execute(f"INSERT INTO {name}({name}, rank) VALUES('integrity-check', 1)")
    plain.close()


@pytest.mark.parametrize("shape", INDEXED)
def test_what_messages_tell_about_the_agents_sqlite(make_home: MakeHome, shape: Shape) -> None:
    """Sessions that are brought back would be put in as the agent cannot take them out."""
    world = make_home(shape)
    with Writer(world.path) as writer:
        assert takes_apart_as_before(writer) is None
    world.session("plain", "no NUL")
    with Writer(world.path) as writer:
        assert takes_apart_as_before(writer) is None
    for age in (*AGES, *AGES):
        world.write_as(age)
        world.session(f"s{world.say('plain', PICTURE)}")
        with Writer(world.path) as writer:
            assert takes_apart_as_before(writer) is (age == "old"), "the newest one tells"


@pytest.mark.parametrize("age", ["old", "new"])
def test_the_index_of_pairs_is_kept_up(make_home: MakeHome, keeper: Keeper, age: Age) -> None:
    """It needs a tokenizer of the agent's own, without which nothing could be deleted."""
    world = make_home("0.22")
    world.session("a", "項目進展很好", "another 項目")
    world.session("b", "項目")
    world.index_pairs()
    world.write_as(age)
    world.say("a", [{"type": "text", "text": "項目 picture"}])
    world.say("a", "tool 項目", role="tool")
    check(world.path, age)
    before = dump(world.path)
    assert len(finds(world.path, "項目", "messages_fts_cjk", age)) == 4
    keeper.delete(keeper.plan(["a"]))
    check(world.path, age)
    assert len(finds(world.path, "項目", "messages_fts_cjk", age)) == 1
    keeper.undo()
    check(world.path, age)
    assert dump(world.path) == before
    assert len(finds(world.path, "項目", "messages_fts_cjk", age)) == 4


def test_an_index_of_pairs_that_is_being_built_anew_is_waited_for(make_home: MakeHome, keeper: Keeper) -> None:
    """It would be said to be damaged."""
    world = make_home("0.22")
    world.session("a", "項目進展很好")
    world.index_pairs()
    world.run("INSERT INTO state_meta VALUES ('fts_cjk_rebuild_high_water', '1')")
    change = keeper.delete(keeper.plan(["a"]))
    assert "is building its search index anew" in change.failed[0].reason


HURT: dict[str, tuple[Shape, str]] = {
    "a message is missing": (
        "0.22",
        "INSERT INTO messages_fts(messages_fts, rowid, content, tool_name, tool_calls) VALUES"
        " ('delete', 1, 'a zebra', NULL, NULL)",
    ),
    "a message is missing in trigrams": (
        "0.22",
        "INSERT INTO messages_fts_trigram(messages_fts_trigram, rowid, content, tool_name) VALUES"
        " ('delete', 1, 'a zebra', NULL)",
    ),
    "another text": ("0.22", "UPDATE messages_fts_trigram_docsize SET sz = x'7f00' WHERE id = 2"),
    "another text inline": ("0.19", "UPDATE messages_fts_trigram_docsize SET sz = x'7f' WHERE id = 2"),
    "being built anew": ("0.22", "INSERT INTO state_meta VALUES ('fts_rebuild_high_water', '2')"),
    "a lost table": ("0.22", "DROP TABLE messages_fts_idx"),
    "a lost table of trigrams": ("0.22", "DROP TABLE messages_fts_trigram_data"),
    "a lost table of sizes": ("0.22", "DROP TABLE messages_fts_docsize"),
    "a lost table inline": ("0.19", "DROP TABLE messages_fts_data"),
    "lost contents": ("0.19", "DROP TABLE messages_fts_content"),
    "lost sizes inline": ("0.19", "DROP TABLE messages_fts_trigram_docsize"),
    "emptied": ("0.22", "DELETE FROM messages_fts_data"),
    "emptied inline": ("0.19", "DELETE FROM messages_fts_trigram_data"),
    "a lost view": ("0.22", "DROP VIEW messages_fts_trigram_src"),
    "a tokenizer that nobody has": ("0.22", "tokenizer"),
}


@pytest.mark.parametrize("what", HURT)
def test_a_hurt_index_refuses_before_anything_is_changed(make_home: MakeHome, keeper: Keeper, what: str) -> None:
    """The damage would grow, or half of a conversation be gone; what can be done otherwise still can."""
    shape, damage = HURT[what]
    world = make_home(shape)
    world.session("a", "a zebra")
    say_with_nul(world, "a")
    world.session("b", "another one")
    if damage == "tokenizer":
        world.run("PRAGMA writable_schema = ON")
        world.run("UPDATE sqlite_master SET sql = replace(sql, '''trigram''', '''none such''')"
                  " WHERE name = 'messages_fts_trigram'")  # fmt: skip
        world.write_as("new")
    elif damage.startswith("DROP"):
        connection = apsw.Connection(str(world.path))
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(damage)
        connection.close()
    else:
        world.run(damage)
    world.close()
    before = rows_of(world)
    assert "index" in why_not(keeper, "a")
    assert rows_of(world) == before
    assert keeper.rename("a", "Still").done == ("a",)
    assert keeper.undo().done == ("a",)
    assert rows_of(world) == before


def why_not(keeper: Keeper, id: str) -> str:
    """Why a session cannot be deleted: of the database, or of this session."""
    plan = keeper.plan([id])
    with suppress(HermesTuiError):
        change = keeper.delete(plan)
        assert change.done == ()
        return change.failed[0].reason
    with pytest.raises(HermesTuiError) as raised:
        keeper.delete(plan)
    assert raised.value.code in ("index_refused", "sessions_corrupt")
    assert raised.value.hint
    return raised.value.message


def rows_of(world: World) -> list[object]:
    """The sessions and messages, read without the indexes."""
    connection = look(world.path)
    found = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in ("sessions", "messages")]
    connection.close()
    return list(found)


def test_one_that_cannot_go_does_not_keep_the_others(make_home: MakeHome, keeper: Keeper) -> None:
    """A message that the index never got would stop a prune of thousands."""
    world = make_home("0.22")
    for number in range(6):
        world.session(f"s{number}", "a zebra", "and more")
    for index, columns in (("messages_fts", "content, tool_name, tool_calls"), ("messages_fts_trigram", "content")):
        world.run(
            f"INSERT INTO {index}({index}, rowid, {columns}) SELECT 'delete', id, {columns} FROM messages"
            " WHERE session_id = 's3' LIMIT 1"
        )
    change = keeper.delete(keeper.plan([f"s{number}" for number in range(6)]))
    assert [failure.id for failure in change.failed] == ["s3"]
    assert "does not have 1 of these messages" in change.failed[0].reason
    assert set(change.done) == {"s0", "s1", "s2", "s4", "s5"}


def test_an_index_that_the_agent_has_set_aside_does_not_matter(make_home: MakeHome, keeper: Keeper) -> None:
    """Its triggers are gone, and what it has is thrown away anyway."""
    world = make_home("0.22")
    world.session("a", "a zebra")
    for (name,) in world.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'messages_fts%'"):
        world.run(f"DROP TRIGGER {name}")
    world.run("INSERT INTO state_meta VALUES ('fts_stale', '1')")
    world.say("a", "never indexed")
    before = dump(world.path)
    with Writer(world.path) as writer:
        assert indexes(writer) == ()
    assert keeper.delete(keeper.plan(["a"])).done == ("a",)
    keeper.undo()
    assert dump(world.path) == before


def test_the_indexes_are_known_with_all_their_options(make_home: MakeHome) -> None:
    """An option that is overlooked would make all counts wrong."""
    world = make_home("0.22")
    world.run(
        "CREATE VIRTUAL TABLE sensitive USING fts5(content, tokenize = 'trigram case_sensitive 1', content=''"
        ", columnsize=0)"
    )
    world.index_pairs()
    with Writer(world.path) as writer:
        found = {index.name: index for index in indexes(writer)}
    assert set(found) == {"messages_fts", "messages_fts_trigram", "messages_fts_cjk"}, "those that triggers keep up"
    words = found["messages_fts"]
    assert (words.columns, words.source, words.key) == (
        ("content", "tool_name", "tool_calls"),
        "messages_fts_src",
        "id",
    )
    assert (words.tokenizer, words.args, words.external) == ("unicode61", (), True)
    assert (found["messages_fts_cjk"].tokenizer, found["messages_fts_trigram"].tokenizer) == (
        "cjk_unicode61",
        "trigram",
    )
