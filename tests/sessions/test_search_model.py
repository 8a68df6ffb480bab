"""Searching against a model of it: what every query has to find, worked out by hand for each message."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Scope, Search
from tests.sessions.test_search import ids
from tests.sessions.world import NOW, SHAPES, Shape, World

WORDS = ("amber", "ambling", "birch", "birdcage", "cedar", "d.o.t", "naïve", "Übung")
SOURCES = ("cli", "telegram")


@dataclass(frozen=True)
class Wanted:
    """What one part between two ORs asks for."""

    words: tuple[str, ...]
    beginnings: tuple[str, ...] = ()
    phrases: tuple[tuple[str, str], ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The query."""
        parts = [
            *self.words,
            *(f"{beginning}*" for beginning in self.beginnings),
            *(f'"{" ".join(phrase)}"' for phrase in self.phrases),
        ]
        return " ".join([*parts, *(f"NOT {word}" for word in self.unwanted)])

    def accepts(self, said: list[str]) -> bool:
        """Whether a message with these words, one after the other, is found."""
        pairs = set(pairwise(said))
        return (
            all(word in said for word in self.words)
            and all(any(word.startswith(start) for word in said) for start in self.beginnings)
            and all(phrase in pairs for phrase in self.phrases)
            and not any(word in said for word in self.unwanted)
        )


@dataclass
class Said:
    """A conversation."""

    id: str
    source: str
    messages: list[list[str]] = field(default_factory=list)


def conversations(dice: random.Random) -> Iterator[Said]:
    """Some with a message or two of a few words."""
    for number in range(60):
        said = Said(f"s{number:02}", dice.choice(SOURCES))
        said.messages = [dice.choices(WORDS, k=dice.randint(1, 5)) for _ in range(dice.randint(1, 2))]
        yield said


def asked(dice: random.Random) -> Wanted:
    """One to three things, and maybe one that must not be there."""
    words = dice.sample(WORDS, dice.randint(1, 2))
    beginnings = ("amb", "bir")[: dice.choice((0, 0, 0, 1, 2))]
    phrases = [(dice.choice(WORDS), dice.choice(WORDS))] if dice.random() < 0.25 else []
    unwanted = [word for word in dice.sample(WORDS, dice.choice((0, 0, 1, 2))) if word not in words]
    return Wanted(tuple(words), tuple(beginnings), tuple(phrases), tuple(unwanted))


@pytest.mark.parametrize("sort", ["newest", "relevance"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_query_finds_what_it_says_and_nothing_else(
    make_world: Callable[..., World], shape: Shape, sort: Literal["newest", "relevance"]
) -> None:
    """A conversation would be missing, or one would be there that has not all of what was asked for."""
    dice = random.Random(f"{shape} {sort}")
    world = make_world(shape)
    there = list(conversations(dice))
    for said in there:
        world.session(said.id, *(" ".join(words) for words in said.messages), source=said.source)
    tried = 0
    base = Database(world.path)
    for _ in range(50):
        groups = [asked(dice) for _ in range(dice.choice((1, 1, 2, 3)))]
        source = dice.choice((None, None, *SOURCES))
        typed = " OR ".join(group.typed for group in groups) + (f" source:{source} " if source else " ")
        expected = {
            said.id
            for said in there
            if source in (None, said.source)
            and any(group.accepts(words) for group in groups for words in said.messages)
        }
        page = Search(base, parse(typed, NOW), sort=sort, scope=Scope()).all()
        if not expected:  # what comes near is shown instead, and said to be that
            assert page.reading or not page.found, typed
            continue
        tried += 1
        assert page.reading == "", typed
        assert set(ids(page)) == expected, typed
        assert page.matches == sum(
            any(group.accepts(words) for group in groups)
            for said in there
            if said.id in expected
            for words in said.messages
        ), typed
        if sort == "newest":
            assert ids(page) == sorted(expected, reverse=True), typed
        asks = {word for group in groups for word in group.words}
        asks |= {word for group in groups for phrase in group.phrases for word in phrase}
        starts = tuple(start for group in groups for start in group.beginnings)
        for hit in (hit for found in page.found for hit in found.hits):
            marked = [word for start, end in hit.marks for word in hit.snippet[start:end].split()]
            assert marked, typed
            assert all(word in asks or word.startswith(starts) for word in marked), (typed, marked)
    base.close()
    assert tried > 20
