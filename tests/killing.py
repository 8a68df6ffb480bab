"""Runs a script that kills a process of ours again and again, and checks how it ended."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def run_kills(script: Path, home: Path, kills: int) -> str:
    """What the script printed: a line for each kill, then how many changes it took back; it must have ended well."""
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    run = subprocess.run(
        [sys.executable, str(script), str(home), str(kills), "11"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=kills * 2 + 60,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-500:] + run.stderr
    assert run.stdout.count("ok ") == kills
    assert int(re.findall(r"undone=(\d+)", run.stdout)[0]) > 0
    return run.stdout


def caught(output: str, what: str) -> int:
    """How many kills hit the thing named."""
    return sum(int(number) for number in re.findall(rf"{what}=(\d+)", output))
