"""A disk that fails, and a kill, at a sample of all calls; `python -m tests.faults` tries them all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.operations import GROUPS

SAMPLE = 6
"""Points of each operation: one for each way to fail."""


@pytest.mark.parametrize("groups", [("memory", "pending", "settings"), ("sessions", "facts", "own")])
def test_a_disk_that_fails_leaves_the_old_or_the_new_and_a_true_sentence(groups: tuple[str, ...]) -> None:
    """A full or broken disk, or a kill, would lose something, leave half of it, or end in a traceback."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.faults", "--most", str(SAMPLE), *groups],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-2000:]
    found = re.search(r"^points=(\d+) faults=0$", run.stdout, re.MULTILINE)
    assert found
    assert int(found[1]) > 4 * sum(len(GROUPS[group]) for group in groups)
