"""kill -9 in the middle of writing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

KILLS = int(os.environ.get("HERMES_TUI_KILLS", "40"))


def test_a_killed_write_leaves_the_old_or_the_new_file_and_undo_works(hermes_home: Path) -> None:
    """A crash would leave half a file, a stray temp file, a doubled entry, or a journal that no longer undoes."""
    (hermes_home / "config.yaml").write_text("memory:\n  memory_char_limit: 4000\n  user_char_limit: 400000\n")
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
    caught = sum(int(number) for number in re.findall(r"open=(\d+)", run.stdout))
    assert caught > KILLS // 10, "the kills never hit a write"
    assert int(re.findall(r"undone=(\d+)", run.stdout)[0]) > 0
