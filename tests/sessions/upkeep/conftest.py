"""Homes with sessions to be changed, and what has to hold whatever was done to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_tui.home import HermesHome
from hermes_tui.sessions import bigrams
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.trigrams import Trigrams
from tests.sessions.world import Age, Shape, World

MakeHome = Callable[..., World]


@pytest.fixture
def make_home(hermes_home: Path) -> Iterator[MakeHome]:
    """Make the database of the home in the shape of an agent's; closed when the test ends."""
    made: list[World] = []

    def make(shape: Shape = "0.19", *, wal: bool = False) -> World:
        # Two SQLites in one process do not see each other's locks, and would take each other's log away.
        made.append(World(hermes_home / "state.db", shape, wal=wal, age="new"))
        return made[-1]

    yield make
    for world in made:
        world.close()


@pytest.fixture
def keeper(hermes_home: Path) -> Keeper:
    """Who changes the sessions of the home."""
    return Keeper(home_of(hermes_home))


def home_of(path: Path) -> HermesHome:
    """A folder as a home."""
    return HermesHome(path, "default", "default")


def look(path: Path, age: Age = "new") -> apsw.Connection:
    """A connection that reads as an SQLite of some age."""
    connection = apsw.Connection(str(path))
    bigrams.register(connection)
    Trigrams(connection).old = age == "old"
    return connection


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every value of every table, each with its type; the insides of indexes and SQLite's own numbers left out."""
    connection = look(path)
    names = [
        str(row[0])
        for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'messages_fts%'"
            " AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
    ]
    found = {}
    for name in names:
        columns = [str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,))]
        pairs = ", ".join(f"typeof({column}), CAST({column} AS BLOB)" for column in columns)
        found[name] = sorted(connection.execute(f"SELECT {pairs} FROM {name}"), key=repr)
    connection.close()
    return found


def indexes(path: Path) -> list[str]:
    """The names of the search indexes."""
    connection = look(path)
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%' ORDER BY name"
    ).fetchall()
    connection.close()
    return [str(row[0]) for row in found]


def check(path: Path, age: Age = "new") -> None:
    """The database is sound, no row points nowhere, and every index has just what the messages say."""
    names = indexes(path)
    connection = look(path, age)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    for name in names:
        connection.execute(f"INSERT INTO {name}({name}, rank) VALUES('integrity-check', 1)")
    connection.close()


def finds(path: Path, word: str, index: str = "messages_fts", age: Age = "new") -> list[int]:
    """The ids of the messages that an index has for a word."""
    connection = look(path, age)
    found: list[tuple[Any, ...]] = connection.execute(
        f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid", (f'"{word}"',)
    ).fetchall()
    connection.close()
    return [row[0] for row in found]
