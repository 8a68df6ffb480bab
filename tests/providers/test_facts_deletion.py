"""Deleting Holographic's facts: the whole of it and nothing else, and back again."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import HermesHome
from hermes_tui.providers.fact_banks import bundled
from hermes_tui.providers.fact_deletion import FactKeeper
from hermes_tui.providers.facts import Facts
from tests.providers.fact_world import contents, make_facts, vector

SOME = [(f"Fact {number} about Ana", ("general", "project")[number % 2], 0.5) for number in range(9)]


@pytest.fixture
def home(hermes_home: Path) -> HermesHome:
    """A home with nine facts, and the banks of their categories."""
    path = hermes_home / "memory_store.db"
    base = make_facts(path, SOME)
    for category in ("general", "project"):
        vectors = [vector(text) for text, name, _ in SOME if name == category]
        bank = bundled(category, vectors)
        base.execute(
            "INSERT INTO memory_banks (bank_name, vector, dim, fact_count) VALUES (?, ?, ?, ?)",
            (bank.name, bank.vector, 16, len(vectors)),
        )
    base.close()
    (hermes_home / "config.yaml").write_text("plugins:\n  hermes-memory-store:\n    hrr_dim: 16\n")
    return HermesHome(hermes_home, "default", "default")


def test_a_deleted_fact_takes_its_links_its_index_and_its_share_of_the_bank_with_it(home: HermesHome) -> None:
    """The agent would go on recalling what was deleted."""
    keeper = FactKeeper(home)
    before = contents(keeper.path)
    with Facts(keeper.path) as facts:
        done = keeper.delete(facts.some([1, 2, 5]))
    assert done.facts == (1, 2, 5)
    assert done.categories == ("general", "project")
    after = contents(keeper.path)
    assert [row[0] for row in after["facts"]] == [3, 4, 6, 7, 8, 9]
    assert not [row for row in after["fact_entities"] if row[0] in (1, 2, 5)]
    assert after["entities"] == before["entities"]
    left = [text for text, category, _ in SOME if category == "general" and text not in (SOME[0][0], SOME[4][0])]
    general = bundled("general", map(vector, left))
    assert after["memory_banks"][0] == ("cat:general", general.vector, 16, 3)
    assert sorted(path.name for path in home.path.glob("memory_store*")) == ["memory_store.db"]
    assert keeper.undoable() == 1


def test_what_was_deleted_comes_back_as_it_was_also_after_a_restart(home: HermesHome) -> None:
    """A slip of the hand would cost what the agent knew."""
    path = home.path / "memory_store.db"
    before = contents(path)
    for ids in ([2], [1, 3, 5, 7, 9]):
        with Facts(path) as facts:
            FactKeeper(home).delete(facts.some(ids))
    assert [row[0] for row in contents(path)["memory_banks"]] == ["cat:project"]
    assert set(FactKeeper(home).undo().facts) == {1, 3, 5, 7, 9}
    assert FactKeeper(home).undo().facts == (2,)
    assert contents(path) == before
    with pytest.raises(NotFound) as nothing:
        FactKeeper(home).undo()
    assert nothing.value.code == "nothing_to_undo"


def test_an_undo_does_not_push_out_what_the_agent_stored_since(home: HermesHome) -> None:
    """The newer fact would be lost, or be there twice."""
    keeper = FactKeeper(home)
    with Facts(keeper.path) as facts:
        keeper.delete(facts.some([4]))
    agent = apsw.Connection(str(keeper.path))
    agent.execute("INSERT INTO facts (content) VALUES (?)", (SOME[3][0],))
    agent.close()
    before = contents(keeper.path)
    with pytest.raises(Conflict):
        keeper.undo()
    assert contents(keeper.path) == before


def test_nothing_is_deleted_from_a_stale_view_or_a_read_only_one(home: HermesHome) -> None:
    """Another fact than the one that was seen would be gone."""
    keeper = FactKeeper(home)
    with Facts(keeper.path) as facts:
        seen = facts.some([1, 2])
    agent = apsw.Connection(str(keeper.path))
    agent.execute("UPDATE facts SET category = 'tool' WHERE fact_id = 2")
    agent.close()
    before = contents(keeper.path)
    with pytest.raises(Conflict):
        keeper.delete(seen)
    with pytest.raises(Refused):
        FactKeeper(home, read_only=True).delete(seen[:1])
    assert contents(keeper.path) == before
    assert keeper.undoable() == 0


def test_where_the_bank_or_the_index_cannot_be_kept_right_it_is_refused(hermes_home: Path) -> None:
    """What is left would be recalled wrongly, without a word."""
    home = HermesHome(hermes_home, "default", "default")
    path = home.path / "memory_store.db"

    def refusal() -> Refused:
        before = path.read_bytes()
        with Facts(path) as facts, pytest.raises(Refused) as caught:
            FactKeeper(home).delete(facts.some([1]))
        assert path.read_bytes() == before
        return caught.value

    make_facts(path, SOME, triggers=False).close()
    assert refusal().code == "facts_index"
    for damaged in (b"abc", b"", vector("x", 8), "text"):
        path.unlink()
        base = make_facts(path, SOME)
        base.execute("UPDATE facts SET hrr_vector = ? WHERE fact_id = 7", (damaged,))
        base.close()
        assert refusal().code == "bank_refused"
    path.unlink()
    base = make_facts(path, SOME, vectors=False)
    base.execute("INSERT INTO memory_banks (bank_name, vector, dim) VALUES ('cat:general', x'00', 16)")
    base.close()
    with Facts(path) as facts:
        FactKeeper(home).delete(facts.some([1]))
    assert contents(path)["memory_banks"] == []


def test_while_the_agent_writes_the_change_waits_or_gives_up_whole(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a deletion would be left, or the agent's write be lost."""
    monkeypatch.setattr("hermes_tui.sessions.upkeep.writer.PATIENCE_SECONDS", 0.05)
    keeper = FactKeeper(home)
    with Facts(keeper.path) as facts:
        seen = facts.some([1])
    agent = apsw.Connection(str(keeper.path))
    agent.execute("BEGIN IMMEDIATE")
    with pytest.raises(Exception, match="locked by another process"):
        keeper.delete(seen)
    agent.execute("UPDATE facts SET helpful_count = 3 WHERE fact_id = 2; COMMIT")
    assert keeper.delete(seen).facts == (1,)
    assert agent.execute("SELECT fact_id, helpful_count FROM facts ORDER BY 1 LIMIT 1").fetchall() == [(2, 3)]
    agent.close()
