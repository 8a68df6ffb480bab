"""Lives for the tests of history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.history.life import Life
from tests.sessions.world import Shape

Lives = Callable[[Shape], Life]


@pytest.fixture
def live(hermes_home: Path) -> Iterator[Lives]:
    """Begins the life of an agent of some age, in the default home."""
    lives: list[Life] = []

    def begin(shape: Shape) -> Life:
        lives.append(Life(hermes_home, shape))
        return lives[-1]

    yield begin
    for life in lives:
        life.close()


@pytest.fixture(params=["0.19", "0.22"])
def life(live: Lives, request: pytest.FixtureRequest) -> Life:
    """A life on either line: prompts in a column, and prompts in a table of their own."""
    return live(request.param)
