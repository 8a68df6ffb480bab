"""kill -9 in the middle of deciding."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.killing import caught, portions, run_kills

KILLS = int(os.environ.get("HERMES_TUI_KILLS", "30"))


@pytest.mark.parametrize(("kills", "seed"), portions(KILLS))
def test_a_killed_decision_leaves_each_write_queued_or_decided_exactly_once(
    hermes_home: Path, kills: int, seed: int
) -> None:
    """A crash would apply a write twice, lose it, leave it claimed for ever, or break undo."""
    (hermes_home / "config.yaml").write_text("memory:\n  memory_char_limit: 400000\n  user_char_limit: 400000\n")
    output = run_kills(Path(__file__).with_name("crash_run.py"), hermes_home, kills, seed)
    for what in ("open", "claims"):
        assert caught(output, what) > kills // 10, "the kills never hit a decision"
