"""Runs a script that kills a process of ours again and again, and checks how it ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

AT_ONCE = 100
"""Kills on one home, after which another is taken: what comes before makes each kill slower."""


def portions(kills: int) -> list[tuple[int, int]]:
    """So many kills as parts that can run side by side: how many, and the seed of each."""
    return [(min(AT_ONCE, kills - done), 11 + done // AT_ONCE) for done in range(0, kills, AT_ONCE)]


def run_kills(script: Path, home: Path, kills: int, seed: int = 11) -> str:
    """What the script printed: a line for each kill, then how many changes it took back; it must have ended well."""
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    run = subprocess.run(
        [sys.executable, str(script), str(home), str(kills), str(seed)],
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


def killed(work: Callable[[int], object], seconds: float, *, begun: bool) -> bool:
    """Do some work in a process of its own and kill that after a moment; whether it had not ended yet.

    Arguments:
        work: gets the end of a pipe, and writes into it when it has started and begins.
        begun: the moment counts from that, however slow the machine is, and not from the start of the process.
    """
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            work(there)
        finally:
            os._exit(1)
    os.close(there)
    if begun:
        os.read(here, 1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(here)
    return os.WIFSIGNALED(status)


def caught(output: str, what: str) -> int:
    """How many kills hit the thing named."""
    return sum(int(number) for number in re.findall(rf"{what}=(\d+)", output))
