"""kill -9 in the middle of deciding."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

KILLS = int(os.environ.get("HERMES_TUI_KILLS", "30"))


def test_a_killed_decision_leaves_each_write_queued_or_decided_exactly_once(hermes_home: Path) -> None:
    """A crash would apply a write twice, lose it, leave it claimed for ever, or break undo (R041)."""
    (hermes_home / "config.yaml").write_text("memory:\n  memory_char_limit: 400000\n  user_char_limit: 400000\n")
    script = Path(__file__).with_name("crash_run.py")
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        [sys.executable, str(script), str(hermes_home), str(KILLS), "11"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=KILLS * 2 + 60,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-500:] + run.stderr
    assert run.stdout.count("ok ") == KILLS
    for what in ("open", "claims"):
        caught = sum(int(number) for number in re.findall(rf"{what}=(\d+)", run.stdout))
        assert caught > KILLS // 10, "the kills never hit a decision"
    assert int(re.findall(r"undone=(\d+)", run.stdout)[0]) > 0
