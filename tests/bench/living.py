"""How long a write takes from disk to screen."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from tests.bench.million import Line
from tests.bench.report import Row, percentile
from tests.bench.terminal import Terminal
from tests.bench.world import AGENT_DRIVER, HERE, HERMES_TUI, PYTHON, World

MEDIAN_MS = 100
P95_MS = 250
EDIT = {"agent 0.22": "patch"}
"""The action that changes an entry, of those that know no `replace`."""
CARDS = 6
"""Entries added before they are changed one by one and then removed: as many as are in view together."""


class Writer:
    """Another process that changes MEMORY.md when told to."""

    def __init__(self, command: list[str], environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, text=True
        )
        self._answer("ready")

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def begin(self, **args: Any) -> None:
        """Ask for a change, in the words of the agent's memory tool."""
        assert self._process.stdin is not None
        print(json.dumps({"do": "tool", "args": {"target": "memory", **args}}), file=self._process.stdin, flush=True)

    def replaced_at(self) -> int:
        """When the file was put in place for the change asked for last, in nanoseconds."""
        at = int(self._answer("replaced"))
        result = self._answer("result")
        if not result.get("success"):
            raise RuntimeError(f"the writer refused: {result}")
        return at

    def _answer(self, key: str) -> Any:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{") and key in (answer := json.loads(line)):
                return answer[key]
        raise RuntimeError("the writer ended")


def disk_to_screen(world: World, writes: int, gaps: tuple[float, float], agents: Mapping[Line, str]) -> list[Row]:
    """From the moment a file is put in place to the frame that shows the new text.

    Args:
        world: where it takes place.
        writes: how many are measured, of each writer.
        gaps: the least and the most seconds before each.
        agents: names of real agents, with the interpreters that have them; a stand-in writes as well.
    """
    rows = []
    writers: dict[str, list[str]] = {"a writer": [str(PYTHON), str(HERE / "writer.py")]}
    for name, python in agents.items():
        writers[f"agent {name}"] = [python, str(HERE / "timed_agent.py"), str(AGENT_DRIVER)]
    for who, command in writers.items():
        home = world.home(f"live {who}".replace(" ", "-"), ["The first fact stays."], ["Likes short answers."])
        environ = world.environ(home)
        with Terminal([HERMES_TUI], environ) as terminal, Writer(command, environ) as writer:
            terminal.wait_for(lambda screen: "The first fact stays." in screen.text, "the first card")
            terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
            terminal.listen(1.0)
            delays = _delays(terminal, writer, writes, gaps, edit=EDIT.get(who, "replace"))
        note = f"{len(delays)} writes by {who}; slowest {max(delays):.0f} ms"
        rows.append(Row(f"disk to screen, {who}: median", statistics.median(delays), "ms", None, MEDIAN_MS, note=note))
        rows.append(Row(f"disk to screen, {who}: p95", percentile(delays, 0.95), "ms", None, P95_MS))
    return rows


def _delays(terminal: Terminal, writer: Writer, writes: int, gaps: tuple[float, float], *, edit: str) -> list[float]:
    """Milliseconds of each write: entries are added, then changed, then (unmeasured) removed together."""
    dice = random.Random(7)
    delays: list[float] = []
    present: list[str] = []
    number = 0
    while len(delays) < writes:
        for step in range(min(2 * CARDS, writes - len(delays))):
            terminal.listen(dice.uniform(*gaps))
            number += 1
            token = f"probe{number:04}"
            text = f"The deploy of {token} went well."
            if step < CARDS:
                writer.begin(action="add", content=text)
                present.append(token)
            else:
                writer.begin(action=edit, old_text=f"The deploy of {present[step - CARDS]} went well.", content=text)
                present[step - CARDS] = token
            shown = terminal.wait_for(lambda screen, token=token: token in screen.text, token)  # type: ignore[misc]
            delays.append((shown - writer.replaced_at()) / 1e6)
        writer.begin(operations=[{"action": "remove", "old_text": token} for token in present])
        last = f"The deploy of {present[-1]}"
        terminal.wait_for(lambda screen, last=last: last not in screen.text, "the removal")  # type: ignore[misc]
        writer.replaced_at()
        present.clear()
    return delays
