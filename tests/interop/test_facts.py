"""Holographic's facts with the real agent: read as it stored them, and deleted as it deletes them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.home import HermesHome
from hermes_tui.providers.fact_deletion import FactKeeper
from hermes_tui.providers.facts import Facts
from tests.interop.conftest import JsonLines, environment, python_of
from tests.providers.fact_world import contents

DRIVER = Path(__file__).with_name("peers") / "drive_facts.py"
# Which numpy takes the C library's functions for everything: with AVX-512 it rounds some angles otherwise.
PLAIN_MATHS = "X86_V4 AVX512_SKX AVX512_ICL AVX512_SPR"
CATEGORIES = ("general", "user_pref", "tool", "日本 'project'")
TEXTS = [
    f'Fact {number}: "Python" helps John Smith, who lives in Straße {number} 東京 (see [docs]).' for number in range(32)
]
ADDED = [
    {"content": text, "category": CATEGORIES[number % 4], "tags": f"a{number},b"} for number, text in enumerate(TEXTS)
]
GONE = [1, 5, 9, 13, 17, 21, 25, 29, 2, 30, 16]
"""The whole of the first category, and some of others."""

Start = Callable[..., JsonLines]


@pytest.fixture
def start(isolated_machine: Path) -> Iterator[Start]:
    """Starts the agent's own store."""
    started: list[JsonLines] = []

    def begin(home: Path, **environ: str) -> JsonLines:
        peer = JsonLines([python_of("0.19"), str(DRIVER)], {**environment(isolated_machine, home), **environ})
        started.append(peer)
        assert peer.read()["vectors"] is not ("NO_NUMPY" in environ), "numpy is missing: run `make interop`"
        return peer

    yield begin
    for peer in started:
        peer.close()


def ask(peer: JsonLines, do: str, **request: Any) -> Any:
    """What the agent's store answers."""
    return peer.ask({"do": do, **request})["answer"]


def filled(peer: JsonLines, path: Path) -> None:
    """Have the agent make a database of facts."""
    ask(peer, "open", path=str(path))
    ask(peer, "add", facts=ADDED)
    for id in (3, 30):
        ask(peer, "helpful", id=id)
    ask(peer, "close")


def without_times(found: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """All but when each was made, which is another second in each database."""
    return {
        name: [tuple(cell for cell in row if not (isinstance(cell, str) and cell[:3] == "202")) for row in rows]
        for name, rows in found.items()
    }


def test_facts_are_read_as_the_agent_lists_them(make_home: Callable[..., Path], start: Start) -> None:
    """The browser would show other facts than the agent has."""
    home = make_home("home")
    path = home / "memory_store.db"
    peer = start(home)
    filled(peer, path)
    ask(peer, "open", path=str(path))
    theirs = ask(peer, "list")
    with Facts(path) as facts:
        ours = {fact.id: fact for fact in facts.list()}
        assert len(facts.search("東京")) == len(TEXTS)
        assert ours[1].entities == ("John Smith", "Python")
    assert len(theirs) == len(ours) == len(TEXTS)
    for fact in theirs:
        mine = ours[fact["fact_id"]]
        assert (mine.text, mine.category, mine.tags) == (fact["content"], fact["category"], fact["tags"])
        assert (mine.trust, mine.helpful) == (fact["trust_score"], fact["helpful_count"])
        assert mine.retrieved == fact["retrieval_count"] == 0


@pytest.mark.parametrize("without", ["", PLAIN_MATHS])
def test_what_we_delete_leaves_the_same_database_as_what_the_agent_deletes(
    make_home: Callable[..., Path], start: Start, without: str
) -> None:
    """The agent would recall by a bank in which deleted facts still sound."""
    home = make_home("home")
    ours, theirs = home / "memory_store.db", home / "theirs.db"
    peer = start(home, **({"NPY_DISABLE_CPU_FEATURES": without} if without else {}))
    for path in (ours, theirs):
        filled(peer, path)
    ask(peer, "open", path=str(theirs))
    assert all(ask(peer, "remove", ids=GONE))
    ask(peer, "close")
    keeper = FactKeeper(HermesHome(home, "custom", "--home"))
    before = contents(ours)
    with Facts(ours) as facts:
        keeper.delete(facts.some(GONE))
    after, expected = without_times(contents(ours)), without_times(contents(theirs))
    banks = after.pop("memory_banks"), expected.pop("memory_banks")
    assert after == expected
    if without:
        assert banks[0] == banks[1]
    for mine, other in zip(*banks, strict=True):
        assert (mine[0], *mine[2:]) == (other[0], *other[2:])
        assert _apart(mine[1], other[1]) < 1e-14
    keeper.undo()
    back = contents(ours)
    assert {**back, "memory_banks": []} == {**before, "memory_banks": []}
    for mine, other in zip(back["memory_banks"], before["memory_banks"], strict=True):
        assert _apart(mine[1], other[1]) < 1e-14


def test_the_agent_goes_on_rightly_with_what_we_left(make_home: Callable[..., Path], start: Start) -> None:
    """Its search, its entities or its next fact would fail, also while it has the file open."""
    home = make_home("home")
    path = home / "memory_store.db"
    peer = start(home)
    filled(peer, path)
    ask(peer, "open", path=str(path))
    keeper = FactKeeper(HermesHome(home, "custom", "--home"))
    with Facts(path) as facts:
        keeper.delete(facts.some(GONE))
    left = [text for number, text in enumerate(TEXTS, 1) if number not in GONE]
    assert sorted(fact["content"] for fact in ask(peer, "list")) == sorted(left)
    assert set(ask(peer, "search", query="Python Straße")) <= set(left)
    probed = ask(peer, "probe", entity="John Smith")
    assert probed
    assert {text for text, _ in probed} <= set(left)
    (added,) = ask(peer, "add", facts=[{"content": "One more fact", "category": "general"}])
    assert added == len(TEXTS) + 1
    assert ask(peer, "remove", ids=[added]) == [True]
    keeper.undo()
    assert sorted(fact["content"] for fact in ask(peer, "list")) == sorted(TEXTS)
    assert TEXTS[0] in ask(peer, "search", query="Fact 0")


def test_facts_of_an_agent_without_numpy_are_deleted_too(make_home: Callable[..., Path], start: Start) -> None:
    """Most installations have no vectors, and would be refused."""
    home = make_home("home")
    ours, theirs = home / "memory_store.db", home / "theirs.db"
    peer = start(home, NO_NUMPY="1")
    for path in (ours, theirs):
        filled(peer, path)
    ask(peer, "open", path=str(theirs))
    ask(peer, "remove", ids=GONE)
    ask(peer, "close")
    with Facts(ours) as facts:
        FactKeeper(HermesHome(home, "custom", "--home")).delete(facts.some(GONE))
    assert without_times(contents(ours)) == without_times(contents(theirs))


def _apart(one: object, other: object) -> float:
    """The largest angle between two vectors."""
    assert isinstance(one, bytes)
    assert isinstance(other, bytes)
    pairs = zip(array("d", one), array("d", other), strict=True)
    return max(min(abs(a - b), 2 * math.pi - abs(a - b)) for a, b in pairs)
