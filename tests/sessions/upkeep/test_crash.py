"""kill -9 while sessions are deleted, pruned, brought back or imported."""

from __future__ import annotations

import os
from pathlib import Path

from tests.killing import caught, run_kills

KILLS = int(os.environ.get("HERMES_TUI_KILLS", "10"))


def test_a_killed_change_leaves_whole_sessions_and_can_be_taken_back(hermes_home: Path) -> None:
    """A crash would leave half a conversation, a damaged index, or something that undo cannot bring back."""
    output = run_kills(Path(__file__).with_name("crash_run.py"), hermes_home, KILLS)
    assert caught(output, "part") > KILLS // 8, "the kills never hit the work"
