"""Titles: what may stand in one, whose it is, and what is offered when it is taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_tui.errors import NotFound, Refused
from hermes_tui.sessions.features import Features
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.naming import TitleTaken, base_of, clean_title, next_free
from tests.sessions.upkeep.conftest import MakeHome, check, dump
from tests.sessions.world import SHAPES, Shape, World

INVISIBLE = "\u200b\u200f\u2028\u202e\u2060\u2069\ufeff\ufffc\ufff9\x00\x08\x0b\x1f\x7f"


def title_of(world: World, id: str) -> Any:
    """The title of a session as it is stored."""
    return world.rows("SELECT title FROM sessions WHERE id = ?", (id,))[0][0]


def source_of(world: World, id: str) -> Any:
    """Where its title came from."""
    return world.rows("SELECT title_source FROM sessions WHERE id = ?", (id,))[0][0]


def continued(world: World, *titles: str | None) -> list[str]:
    """A conversation in as many parts as there are titles."""
    ids = [f"part{number}" for number in range(len(titles))]
    for number, title in enumerate(titles):
        last = number == len(titles) - 1
        world.session(
            ids[number],
            f"said in part {number}",
            title=title,
            started_at=1000.0 + number * 10,
            ended_at=None if last else 1010.0 + number * 10,
            end_reason=None if last else "compression",
            parent_session_id=ids[number - 1] if number else None,
        )
    return ids


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(INVISIBLE + " \t\r\n")), max_size=100))
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_a_cleaned_title_stays_as_it_is_and_can_be_stored(text: str) -> None:
    """A title would change again the next time, or break the line of a list."""
    clean = clean_title(text)
    assert clean_title(clean.text).text == clean.text
    assert not set(clean.text) & set(INVISIBLE + "\n\t\r")
    clean.text.encode("utf-8")
    assert len(clean.text) <= 100


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a\u200bb", "ab"),
        ("  a \t\n  b  ", "a b"),
        ("👨\u200d👩\u200d👧 trip", "👨👩👧 trip"),
        ("a\x0bb\x0cc", "abc"),
        ("a\u3000b\xa0c", "a b c"),
        ("half \ud83d", "half \ufffd"),
        ("x" * 100, "x" * 100),
        ("\u200b" * 50 + "x" * 100, "x" * 100),
        ("[bold]’s „title“ 日本語", "[bold]’s „title“ 日本語"),
    ],
)
def test_a_title_is_stored_as_the_agent_would(make_home: MakeHome, keeper: Keeper, typed: str, stored: str) -> None:
    """The same title would be two, one typed here and one there."""
    world = make_home()
    world.session("s", "hello")
    assert keeper.rename("s", typed).done == ("s",)
    assert title_of(world, "s") == stored


def test_what_is_taken_out_of_a_title_is_named() -> None:
    """A family would fall apart without a word."""
    assert clean_title("👨\u200d👩 a\x07").removed == ("U+0007", "U+200D ZERO WIDTH JOINER")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wal", [False, True])
def test_a_title_is_given_taken_away_and_given_back(
    make_home: MakeHome, keeper: Keeper, shape: Shape, wal: bool
) -> None:
    """A rename could not be taken back, or would change more than the title."""
    world = make_home(shape, wal=wal)
    world.session("s", "hello")
    world.session("other", "hi", title="Other")
    before = dump(world.path)
    given = keeper.rename("s", "Mine")
    assert (title_of(world, "s"), given.failed, bool(given.step)) == ("Mine", (), True)
    if shape == "0.22":
        assert source_of(world, "s") == "user"
    cleared = keeper.rename("s", "  \u200b ")
    assert (title_of(world, "s"), "cleared" in cleared.message) == (None, True)
    if shape == "0.22":
        assert source_of(world, "s") is None
    keeper.undo()
    assert title_of(world, "s") == "Mine"
    keeper.undo()
    assert dump(world.path) == before
    check(world.path)


def test_a_title_that_is_too_long_is_refused_with_the_count(make_home: MakeHome, keeper: Keeper) -> None:
    """It would be cut, or the agent would refuse to open it."""
    world = make_home()
    world.session("s", "hello", title="Old")
    with pytest.raises(Refused, match="101") as refused:
        keeper.rename("s", "x" * 101)
    assert (refused.value.code, title_of(world, "s"), keeper.undoable()) == ("title_too_long", "Old", ())


def test_the_same_title_again_is_no_change(make_home: MakeHome, keeper: Keeper) -> None:
    """The list of changes would fill with nothing."""
    world = make_home()
    world.session("s", "hello", title="Mine")
    assert keeper.rename("s", "Mine").step == ""
    assert keeper.undoable() == ()


def test_a_session_that_is_gone_is_said_to_be_gone(make_home: MakeHome, keeper: Keeper) -> None:
    """The title would go nowhere."""
    make_home().session("s", "hello")
    with pytest.raises(NotFound) as missing:
        keeper.rename("nowhere", "Title")
    assert missing.value.code == "no_such_session"


@pytest.mark.parametrize(
    ("there", "wanted", "offer"),
    [
        (["x"], "x", "x #2"),
        (["x", "x #2", "x #7"], "x", "x #8"),
        (["x", "x #3"], "x #3", "x #4"),
        (["x #3"], "x #3", "x #4"),
        (["100% _done_", "100% Xdone_ #9"], "100% _done_", "100% _done_ #2"),
        (["C# notes", "C# notes #2"], "C# notes", "C# notes #3"),
        (["#", "# #2"], "#", "# #3"),
        (["a #2 #3"], "a #2 #3", "a #2 #4"),
        (["x", "x #notes", "x #2 more"], "x", "x #2"),
        (["x", "X #5"], "x", "x #2"),
        (["é", "é #2"], "é", "é #3"),
        (["y" * 100], "y" * 100, "y" * 97 + " #2"),
        (["y" * 100, "y" * 97 + " #2"], "y" * 100, "y" * 97 + " #3"),
        (["y" * 97 + " #9"], "y" * 97 + " #9", "y" * 96 + " #10"),
        (["x", "x #999999999"], "x", "x #1000000000"),
        (["x #1000000000"], "x #1000000000", "x #1000000000 #2"),
    ],
)
def test_the_next_free_number_is_offered(
    make_home: MakeHome, keeper: Keeper, there: list[str], wanted: str, offer: str
) -> None:
    """A person would have to guess which number is free, or the offer would be refused in its turn."""
    world = make_home()
    for number, title in enumerate(there):
        world.session(f"s{number}", "hello", title=title)
    world.session("mine", "hello")
    with pytest.raises(TitleTaken) as taken:
        keeper.rename("mine", wanted)
    assert taken.value.offer == offer
    assert taken.value.holder == f"s{there.index(wanted)}"
    assert (taken.value.code, taken.value.hint) == ("title_taken", f"“{offer}” is free.")
    assert title_of(world, "mine") is None
    assert keeper.rename("mine", offer).done == ("mine",)
    assert title_of(world, "mine") == offer


class Titles:
    """A table of titles, as one that asks for the next free one reads it."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._connection = apsw.Connection(":memory:")
        self._connection.execute("CREATE TABLE sessions (title TEXT UNIQUE)")
        self._connection.executemany("INSERT INTO sessions VALUES (?)", [(title,) for title in titles])

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return self._connection.execute(sql, tuple(values)).fetchall()

    def columns(self, _table: str) -> frozenset[str]:
        """Nobody asks."""
        raise AssertionError

    def features(self) -> Features:
        """Nobody asks."""
        raise AssertionError


@given(st.lists(st.tuples(st.sampled_from(["x", "x #2", "é%", "y" * 98, "#"]), st.integers(2, 12)), max_size=8))
@settings(max_examples=60, deadline=None)
def test_an_offer_is_always_free_and_never_too_long(made: list[tuple[str, int]]) -> None:
    """The offer would be refused."""
    titles = {title for base, number in made for title in (base, f"{base[: 100 - 4]} #{number}")}
    for title in titles:
        offer = next_free(Titles(titles), title)
        assert offer not in titles
        assert len(offer) <= 100


def test_titles_that_differ_in_capitals_are_two(make_home: MakeHome, keeper: Keeper) -> None:
    """The agent tells them apart."""
    world = make_home()
    world.session("a", "hello", title="Proj")
    world.session("b", "hello")
    keeper.rename("b", "proj")
    assert title_of(world, "b") == "proj"


@pytest.mark.parametrize("shape", ["0.13", "0.19", "0.22"])
def test_the_newest_part_takes_the_title_of_its_conversation_over(
    make_home: MakeHome, keeper: Keeper, shape: Shape
) -> None:
    """A person could not give the visible part the name it is shown with."""
    world = make_home(shape)
    continued(world, "Trip", None, None)
    before = dump(world.path)
    change = keeper.rename("part2", "Trip")
    assert [title_of(world, id) for id in ("part0", "part1", "part2")] == [None, None, "Trip"]
    assert change.done == ("part2",)
    keeper.undo()
    assert dump(world.path) == before


def test_an_older_part_does_not_take_the_title_of_a_newer_one(make_home: MakeHome, keeper: Keeper) -> None:
    """The agent moves titles forward only."""
    world = make_home()
    continued(world, None, "Trip")
    with pytest.raises(TitleTaken):
        keeper.rename("part0", "Trip")


def test_a_branch_does_not_take_the_title_of_what_it_left(make_home: MakeHome, keeper: Keeper) -> None:
    """The conversation would lose its name to a branch of it."""
    world = make_home()
    world.session("root", "hello", title="Trip", end_reason="branched", ended_at=1.0)
    world.session("leaf", "hello", parent_session_id="root", model_config='{"_branched_from": "root"}')
    with pytest.raises(TitleTaken) as taken:
        keeper.rename("leaf", "Trip")
    assert (taken.value.holder, taken.value.offer) == ("root", "Trip #2")


def test_clearing_takes_away_the_title_that_is_shown(make_home: MakeHome, keeper: Keeper) -> None:
    """The conversation would go on showing the title of an older part."""
    world = make_home()
    continued(world, "First", "Second", None)
    keeper.rename("part2", "")
    assert [title_of(world, id) for id in ("part0", "part1", "part2")] == ["First", None, None]
    keeper.undo()
    assert [title_of(world, id) for id in ("part0", "part1", "part2")] == ["First", "Second", None]


def test_an_empty_leftover_gives_its_title_up_as_it_does_to_the_newer_agent(
    make_home: MakeHome, keeper: Keeper
) -> None:
    """A session that is in no list would keep a name for ever."""
    world = make_home("0.22")
    world.session("ghost", title="Trip", title_source="user", ended_at=5.0)
    world.session("s", "hello")
    keeper.rename("s", "Trip")
    assert (title_of(world, "ghost"), source_of(world, "ghost"), title_of(world, "s")) == (None, None, "Trip")
    keeper.undo()
    assert (title_of(world, "ghost"), source_of(world, "ghost"), title_of(world, "s")) == ("Trip", "user", None)


@pytest.mark.parametrize(
    ("shape", "columns", "texts"),
    [
        ("0.19", {"ended_at": 5.0}, []),
        ("0.22", {"ended_at": None}, []),
        ("0.22", {"ended_at": 5.0, "archived": 1}, []),
        ("0.22", {"ended_at": 5.0, "hidden": 1}, []),
        ("0.22", {"ended_at": 5.0}, ["said"]),
        ("0.22", {"ended_at": 5.0, "message_count": 0}, ["said"]),
    ],
)
def test_what_is_no_empty_leftover_keeps_its_title(
    make_home: MakeHome, keeper: Keeper, shape: Shape, columns: dict[str, Any], texts: list[str]
) -> None:
    """A session that is only waiting would lose its name."""
    world = make_home(shape)
    world.session("holder", *texts, title="Trip", **columns)
    world.session("s", "hello")
    with pytest.raises(TitleTaken):
        keeper.rename("s", "Trip")


def test_the_hidden_chat_of_a_bot_keeps_its_title(make_home: MakeHome, keeper: Keeper) -> None:
    """The bot finds it by its title."""
    world = make_home("0.22")
    world.session("bot", "hello", title="Bot Chat", title_source="user", hidden=1)
    world.session("shown", "hello", title="Bot chat")
    for title in ("Other", ""):
        with pytest.raises(Refused) as refused:
            keeper.rename("bot", title)
        assert refused.value.code == "title_fixed"
    assert keeper.rename("bot", "Bot Chat").step == ""
    assert keeper.rename("shown", "Other").done == ("shown",)


def test_an_archived_hidden_chat_of_a_bot_makes_room_for_its_successor(make_home: MakeHome, keeper: Keeper) -> None:
    """The newer agent lets a new one take the name; here it would be taken for ever."""
    world = make_home("0.22")
    world.session("retired", "hello", title="Bot Chat", title_source="user", hidden=1, archived=1)
    world.session("bot", "hello", hidden=1)
    keeper.rename("bot", "Bot Chat")
    assert (title_of(world, "retired"), source_of(world, "retired"), title_of(world, "bot")) == (
        None,
        None,
        "Bot Chat",
    )


def test_the_base_of_a_title_is_what_stands_before_its_number() -> None:
    """Numbers would be put behind numbers."""
    assert [base_of(title) for title in ("x", "x #2", "x # 2", "x #2a", "x#2", " #2")] == [
        *("x", "x", "x # 2", "x #2a", "x#2", ""),
    ]


def test_titles_are_written_where_there_are_none_and_nowhere_else(make_home: MakeHome, keeper: Keeper) -> None:
    """A name that a person gave would be lost to one that was made up."""
    world = make_home("0.22")
    world.session("a", "hello")
    world.session("b", "hello", title="Mine", title_source="user")
    world.session("empty title", "hello", title="")
    change = keeper.entitle({"a": "A trip", "b": "Another", "empty title": "Filled", "gone": "Lost"})
    assert change.done == ("a",)
    assert {failure.id for failure in change.failed} == {"b", "empty title", "gone"}
    assert (title_of(world, "a"), source_of(world, "a")) == ("A trip", "derived")
    assert (title_of(world, "b"), title_of(world, "empty title")) == ("Mine", "")
    assert change.message.startswith("1 title written.")
    keeper.undo()
    assert (title_of(world, "a"), source_of(world, "a")) == (None, None)


@pytest.mark.parametrize("shape", SHAPES)
def test_titles_that_are_written_are_unique(make_home: MakeHome, keeper: Keeper, shape: Shape) -> None:
    """The agent's rule would be broken, or all of them fail for one."""
    world = make_home(shape)
    for number in range(4):
        world.session(f"s{number}", "hello")
    world.session("taken", "hello", title="A trip")
    change = keeper.entitle({f"s{number}": "A trip" for number in range(4)}, "llm")
    assert [title_of(world, f"s{number}") for number in range(4)] == [f"A trip #{number}" for number in range(2, 6)]
    assert (len(change.done), change.failed) == (4, ())
    if shape == "0.22":
        assert source_of(world, "s0") == "llm"


def test_a_conversation_that_shows_a_title_needs_none(make_home: MakeHome, keeper: Keeper) -> None:
    """The title of an older part would be hidden behind a made-up one."""
    world = make_home()
    continued(world, "Trip", None)
    world.session("only", "hello")
    change = keeper.entitle({"part1": "Made up", "only": "Only"})
    assert (change.done, title_of(world, "part1")) == (("only",), None)


def test_titles_can_be_stopped_between_two_lots(make_home: MakeHome, keeper: Keeper) -> None:
    """A thousand titles could not be stopped, or what was written could not be taken back."""
    world = make_home()
    world.run("BEGIN")
    for number in range(250):
        world.session(f"s{number:03}")
    world.run("COMMIT")
    seen: list[tuple[int, int]] = []
    change = keeper.entitle(
        {f"s{number:03}": f"Title {number}" for number in range(250)},
        progress=lambda done, total: seen.append((done, total)),
        stopped=lambda: len(seen) == 2,
    )
    assert (change.stopped, len(change.done), seen) == (True, 200, [(100, 250), (200, 250)])
    assert change.message == "200 titles written. Stopped."
    assert keeper.undoable()[-1].id == change.step
    assert len(keeper.undo().done) == 200
    assert world.rows("SELECT count(title) FROM sessions") == [(0,)]
