"""How soon a message that the agent writes is on the screen of somebody who follows the conversation."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench.million import Line
from tests.bench.report import Row, percentile
from tests.bench.terminal import Terminal
from tests.bench.world import HERE, HERMES_TUI, World

WRITER = HERE.parent / "interop" / "peers" / "drive_writing.py"
PER_SECOND = 50
P95_MS = 250
_NUMBER = re.compile(r"number-(\d+) of")


def tailing(world: World, agents: Mapping[Line, str], messages: int) -> list[Row]:
    """A real agent of each line writes; every message of the conversation has to be seen."""
    return [row for line, python in agents.items() for row in _followed(world, line, python, messages)]


def _followed(world: World, line: Line, python: str, messages: int) -> list[Row]:
    home = world.demo(f"followed-{line}")
    (home / "state.db").unlink()
    environ = world.environ(home)
    command = [python, str(WRITER), str(messages), str(PER_SECOND)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, text=True
    ) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        journal = next(answer for answer in map(_answer, agent.stdout) if "ready" in answer)["journal"]
        seen: dict[int, int] = {}
        with Terminal([HERMES_TUI], environ) as terminal:
            terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
            terminal.send("3")
            terminal.wait_for(lambda screen: "The first message." in screen.text, "the conversation in the list")
            terminal.listen(0.5)
            terminal.send("\r")
            terminal.wait_for(lambda screen: "following" in screen.text, "the end of the transcript")
            terminal.listen(1.0)

            def note(at: int) -> bool:
                for number in map(int, _NUMBER.findall(terminal.screen.text)):
                    seen.setdefault(number, at)
                return False

            agent.stdin.write("\n")
            agent.stdin.flush()
            terminal.listen(messages / PER_SECOND + 2.0, note)
        answers = list(map(_answer, agent.stdout))
    end = answers[-1]
    first = Path(answers[0]["session"]).name
    written = {answer["number"]: answer["at"] for answer in answers[:-1] if answer["session"] == first}
    delays = [(seen[number] / 1e9 - at) * 1000 for number, at in written.items() if number in seen]
    name = f"{line} message to screen, {PER_SECOND} a second ({journal})"
    note_words = f"median {statistics.median(delays):.0f}, slowest {max(delays):.0f}"
    refused = len(end["errors"]) + len(end["complaints"])
    return [
        Row(f"{name}: p95", percentile(delays, 0.95), "ms", None, P95_MS, note=note_words),
        Row(f"{name}: seen", len(delays), "", None, len(written), exact=True),
        Row(f"{name}: commits that were kept waiting for a lock", refused, "", None, 0, exact=True),
    ]


def _answer(line: str) -> dict[str, Any]:
    return dict(json.loads(line)) if line.startswith("{") else {}
