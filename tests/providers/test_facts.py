"""Reading Holographic's facts: right, without a trace, and with a reason where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.providers.facts import Facts, fact_settings
from tests.nasty import NASTY
from tests.providers.fact_world import make_facts

SOME = [
    ("Ana prefers Tabs over spaces", "user_pref", 0.9),
    ("The build takes 40% of a minute", "project", 0.5),
    ("東京の会議は火曜日です", "general", 0.2),
    ("Straße_7 is where Ana lives", "general", 0.5),
]


@pytest.fixture
def database(hermes_home: Path) -> Path:
    """A file with four facts that nobody has open."""
    path = hermes_home / "memory_store.db"
    make_facts(path, SOME).close()
    return path


def test_facts_come_the_most_trusted_first_with_all_that_is_known_of_them(database: Path) -> None:
    """The browser would show them in another order than the agent, or without their entities."""
    with Facts(database) as facts:
        found = facts.list()
        assert [fact.id for fact in found] == [1, 2, 4, 3]
        first = found[0]
        assert (first.text, first.category, first.trust) == SOME[0]
        assert first.entities == ("Ana", "Tabs")
        assert first.created_at == 1767323045
        assert [fact.id for fact in facts.list(category="general", min_trust=0.3)] == [4]
        assert [fact.id for fact in facts.list(limit=2, offset=1)] == [2, 4]
        assert [fact.id for fact in facts.some([3, 99, 1])] == [3, 1]
        counts = facts.counts()
    assert (counts.facts, counts.categories, counts.entities) == (4, {"general": 2, "project": 1, "user_pref": 1}, 4)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("ana", [1, 4]),
        ("40%", [2]),
        ("火曜", [3]),
        ("STRASSE", [4]),
        ("straße_", [4]),
        ("_", [4]),
        ("  ", []),
        ('"', []),
    ],
)
def test_a_search_takes_what_was_typed_as_it_stands(database: Path, text: str, ids: list[int]) -> None:
    """A percent sign would find everything, and Japanese nothing."""
    with Facts(database) as facts:
        assert [fact.id for fact in facts.search(text)] == ids


def test_looking_changes_nothing_and_leaves_nothing_beside_the_file(database: Path) -> None:
    """The agent's own search counts what it shows, so that browsing would change what it recalls."""
    before, names = database.read_bytes(), sorted(path.name for path in database.parent.iterdir())
    with Facts(database) as facts:
        facts.search("ana")
        facts.list()
        facts.counts()
    assert database.read_bytes() == before
    assert sorted(path.name for path in database.parent.iterdir()) == names


def test_facts_that_are_only_in_the_log_of_a_running_agent_are_seen(hermes_home: Path) -> None:
    """What the agent has just stored would be missing."""
    path = hermes_home / "memory_store.db"
    agent = make_facts(path, SOME)
    with Facts(path) as facts:
        agent.execute("INSERT INTO facts (content) VALUES ('just now')")
        assert [fact.text for fact in facts.search("just")] == ["just now"]
    agent.close()


def test_nasty_texts_are_found_and_come_back_as_they_are(hermes_home: Path) -> None:
    """A fact with brackets or escapes in it would be changed, or not be found."""
    texts = list(dict.fromkeys(text for text in NASTY.values() if text.strip() and text.isprintable()))
    path = hermes_home / "memory_store.db"
    make_facts(path, [(text, "general", 0.5) for text in texts]).close()
    with Facts(path) as facts:
        assert [fact.text for fact in facts.list()] == texts
        for text in texts:
            assert text in [fact.text for fact in facts.search(text)]


def test_each_trouble_with_the_file_is_told_as_what_it_is(hermes_home: Path) -> None:
    """A missing database would look like a damaged one, and a locked one like an empty one."""
    path = hermes_home / "memory_store.db"

    def trouble() -> HermesTuiError:
        with pytest.raises(HermesTuiError) as caught:
            Facts(path, patience=0.0)
        assert str(path) in caught.value.message
        assert "session" not in str(caught.value)
        return caught.value

    missing = trouble()
    assert (type(missing), missing.code) == (NotFound, "no_facts")
    path.write_bytes(b"")
    assert trouble().code == "no_facts"
    path.write_bytes(b"no database at all" * 500)
    assert trouble().code == "facts_corrupt"
    path.unlink()
    base = make_facts(path, [])
    base.execute("DROP TABLE facts; CREATE TABLE facts (note TEXT)")
    base.close()
    foreign = trouble()
    assert (type(foreign), foreign.code) == (Unreadable, "facts_foreign")
    path.unlink()
    base = make_facts(path, SOME)
    base.execute("PRAGMA journal_mode = DELETE")
    base.execute("BEGIN EXCLUSIVE")
    locked = trouble()
    assert (type(locked), locked.code) == (Unreadable, "facts_locked")
    base.close()


def test_the_file_is_where_config_yaml_says(hermes_home: Path) -> None:
    """Another database than the agent's would be shown."""
    home = HermesHome(hermes_home, "default", "default")
    assert fact_settings(home).path == hermes_home / "memory_store.db"
    for written, path in {
        "$HERMES_HOME/x/facts.db": hermes_home / "x/facts.db",
        "~/facts.db": hermes_home.parent / "facts.db",
        "/tmp/facts.db": Path("/tmp/facts.db"),
        "5": hermes_home / "memory_store.db",
    }.items():
        home.config_path.write_text(
            f"plugins:\n  hermes-memory-store:\n    db_path: {written}\n    min_trust_threshold: '0.4'\n"
        )
        settings = fact_settings(home)
        assert (settings.path, settings.min_trust, settings.note) == (path, 0.4, "")
    home.config_path.write_text("plugins:\n  hermes-memory-store: {db_path: facts.db, hrr_dim: many}\n")
    assert "relative path" in fact_settings(home).note
    assert fact_settings(home).dimensions is None
