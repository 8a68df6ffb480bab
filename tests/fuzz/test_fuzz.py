"""Every target on some inputs: `HERMES_TUI_FUZZ=5000 pytest tests/fuzz` tries so many of each, others at each run."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.seeds import SEEDS, seeds, words
from tests.fuzz.targets import TARGETS, tried

ASKED = int(os.environ.get("HERMES_TUI_FUZZ", "0"))
EXAMPLES = 8
SLOW = {"command": 3, "grown": 30}
"""Targets that are tried another number of times."""


def changed(seed: bytes, changes: Sequence[tuple[int, int, bytes]]) -> bytes:
    """An input with some pieces of it given way to others."""
    for at, count, new in changes:
        place = at % (len(seed) + 1)
        seed = seed[:place] + new + seed[place + count :]
    return seed


def inputs(name: str) -> st.SearchStrategy[bytes]:
    """Seeds, seeds that are no longer what they were, and anything."""
    piece = st.sampled_from(words()) | st.binary(max_size=6) | st.text(max_size=4).map(str.encode)
    change = st.tuples(st.integers(0, 400), st.integers(0, 6), piece)
    return st.builds(changed, st.sampled_from(seeds(name)), st.lists(change, max_size=4)) | st.binary(max_size=60)


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_comes_from_outside_keeps_its_promise(name: str) -> None:
    """One odd file, message or answer would end the program, lose something, or command the terminal."""

    @settings(
        max_examples=ASKED or SLOW.get(name, EXAMPLES),
        derandomize=not ASKED,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(inputs(name))
    def check(data: bytes) -> None:
        tried(name, data)

    check()


def test_every_target_has_inputs_to_begin_with() -> None:
    """A run of an hour would begin with nothing."""
    assert list(SEEDS) == list(TARGETS)
