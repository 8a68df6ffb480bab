"""kill -9 in the middle of writing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.killing import caught, portions, run_kills

KILLS = int(os.environ.get("HERMES_TUI_KILLS", "40"))


@pytest.mark.parametrize(("kills", "seed"), portions(KILLS))
def test_a_killed_write_leaves_the_old_or_the_new_file_and_undo_works(hermes_home: Path, kills: int, seed: int) -> None:
    """A crash would leave half a file, a stray temp file, a doubled entry, or a journal that no longer undoes."""
    (hermes_home / "config.yaml").write_text("memory:\n  memory_char_limit: 4000\n  user_char_limit: 400000\n")
    output = run_kills(Path(__file__).with_name("crash_run.py"), hermes_home, kills, seed)
    assert caught(output, "open") > kills // 10, "the kills never hit a write"
