"""Databases for the tests of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sessions.world import Shape, World


@pytest.fixture
def make_world(tmp_path: Path) -> Iterator[Callable[..., World]]:
    """Make a database in the shape of an agent's; closed when the test ends."""
    made: list[World] = []

    def make(shape: Shape = "0.19", *, wal: bool = False) -> World:
        made.append(World(tmp_path / "state.db", shape, wal=wal))
        return made[-1]

    yield make
    for world in made:
        world.close()
