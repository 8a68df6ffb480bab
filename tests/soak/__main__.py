"""Let an agent, a person at the screen and a reviewer on the command line work on one home; count afterwards."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.report import machine
from tests.bench.world import World
from tests.soak.accounts import (
    Accounts,
    account_for_leavings,
    account_for_memory,
    account_for_queue,
    account_for_sessions,
    number_in,
    standing,
)
from tests.soak.agent import Agent
from tests.soak.held import COUNTED, Growth, Sample, Sampler, growth, handles_of, percentile, quarters
from tests.soak.person import MEMORY, PENDING, SESSIONS, SHOWS, Person, Stuck
from tests.soak.reviewer import Reviewer, run
from tests.soak.shell import Shell, alive
from tests.soak.tally import Tally

TREE = Path(__file__).parents[2]
AGENTS = ("HERMES_TUI_PEER_019", "HERMES_TUI_PEER_022")
SESSIONS_BEFORE = 300
WARM_SHARE = 1 / 8
"""The first part of the run, in which what is loaded once is loaded."""
RESTS = 24
REST_SECONDS = 7.0
PAUSES = (0.2, 1.6)
"""The least and the most seconds between two things the person does."""
CONFIG = """\
memory:
  memory_char_limit: 6000
  user_char_limit: 3000
  write_approval: true
"""


@dataclass(slots=True)
class Outcome:
    """All that is told at the end."""

    minutes: float
    machine: dict[str, Any]
    tally: Tally
    samples: list[Sample] = field(default_factory=list)
    growth: Growth | None = None
    quarters: list[dict[str, Any]] = field(default_factory=list)
    queue: dict[str, int] = field(default_factory=dict)
    accounts: Accounts = field(default_factory=Accounts)
    answered: dict[str, float] = field(default_factory=dict)
    handles: dict[str, dict[str, int]] = field(default_factory=dict)
    ended: bool = False

    @property
    def wrong(self) -> list[str]:
        """Everything that is not as it should be."""
        grown = self.growth.broken if self.growth else []
        return [*self.tally.wrong, *grown, *self.accounts.wrong]

    def shape(self) -> dict[str, Any]:
        """As one JSON object."""
        return {
            "ended": self.ended,
            "minutes": self.minutes,
            "machine": self.machine,
            "wrong": self.wrong,
            "growth": asdict(self.growth) if self.growth else None,
            "quarters": self.quarters,
            "queue": self.queue,
            "accounts": [list(row) for row in self.accounts.rows],
            "answered": self.answered,
            "operations": dict(sorted(self.tally.counts.items())),
            "handles": self.handles,
            "samples": [asdict(sample) for sample in self.samples],
        }


class Soak:
    """One run."""

    def __init__(self, root: Path, pythons: list[str], minutes: float, seed: int, result: Path | None) -> None:
        self.tally = Tally()
        self.outcome = Outcome(minutes, machine(), self.tally)
        self.minutes = minutes
        self.result = result
        world = World(root)
        self.home = root / "home"
        self.home.mkdir(mode=0o700)
        (self.home / "config.yaml").write_text(CONFIG)
        self.scratch = root / "scratch"
        self.scratch.mkdir()
        theirs = world.environ(self.home)
        self.state = Path(theirs["XDG_STATE_HOME"])
        editor = root / "editor"
        editor.write_text('#!/bin/sh\nprintf " By hand." >> "$1"\n')
        editor.chmod(0o700)
        self.environ = {**theirs, "PYTHONPATH": str(TREE), "TMPDIR": str(self.scratch), "EDITOR": str(editor),
                        "PAGER": "cat"}  # fmt: skip
        check_what_runs(self.environ)
        self.agent = Agent(self.home, theirs, pythons, self.tally, seed)
        self.reviewer = Reviewer(self.environ, self.tally, seed + 1)
        self.seed = seed

    def run(self) -> Outcome:
        """Begin, go on, end, count."""
        print(f"{time.strftime('%H:%M:%S')} the agent makes {SESSIONS_BEFORE} sessions", flush=True)
        self.agent.begin_with(SESSIONS_BEFORE)
        with Shell(self.environ) as shell:
            shell.run([sys.executable, "-m", "hermes_tui"])
            shell.wait_for(lambda screen: SHOWS[MEMORY](screen), "the first screen", 30.0)
            person = Person(shell, self.tally, self.seed + 2)
            sampler = Sampler(shell.child(), self._tell)
            self.outcome.samples = sampler.samples
            self.agent.start()
            self.reviewer.start()
            sampler.start()
            try:
                self._go_on(person, sampler)
                self._stop()
                self._count(person, sampler)
                self._leave(shell, sampler)
            except (RuntimeError, Stuck) as error:
                self.tally.blame(str(error))
                for report in self.state.rglob("crash-*.txt"):
                    self.tally.blame(report.read_text())
            finally:
                self._stop()
                sampler.over.set()
        self.agent.close()
        self._write()
        return self.outcome

    def _go_on(self, person: Person, sampler: Sampler) -> None:
        end = sampler.began + 60 * self.minutes
        every = max(45.0, 60 * self.minutes / RESTS)
        next_rest, half = sampler.began + 5, sampler.began + 30 * self.minutes
        while (now := time.monotonic()) < end:
            if now >= half:
                self.agent.change_line()
                half = float("inf")
            if now >= next_rest:
                next_rest = now + every
                self._rest(person, sampler)
            person.do_something()
            person.shell.listen(person.dice.uniform(*PAUSES))

    def _rest(self, person: Person, sampler: Sampler) -> None:
        person.rest(REST_SECONDS)
        sample = sampler.take(resting=True)
        self.outcome.handles[f"{sample.minute}"] = handles_of(sampler.pid)
        self._look_back(person, sampler)
        self._write()

    def _look_back(self, person: Person, sampler: Sampler) -> None:
        outcome = self.outcome
        outcome.growth = growth(sampler.samples, self.minutes * WARM_SHARE, self._changes())
        outcome.quarters = quarters(sampler.samples)
        outcome.answered = {
            "presses": len(person.answered),
            **{name: round(percentile(person.answered, share), 1)
               for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))},
            "commands": len(self.reviewer.seconds),
            "command_p50_s": round(percentile(self.reviewer.seconds, 0.5), 2),
            "command_max_s": round(percentile(self.reviewer.seconds, 1.0), 2),
            "frames": person.shell.screen.frames,
            "bytes": person.shell.screen.bytes,
        }  # fmt: skip

    def _changes(self) -> int:
        """How often a memory file was changed so far."""
        if not any(self.state.rglob("journal.jsonl")):
            return len(self.agent.writes)
        _journal, records = standing(self.state)
        return len(self.agent.writes) + sum(len(record.files) for record in records)

    def _stop(self) -> None:
        self.agent.over.set()
        self.reviewer.over.set()
        for thread in (self.agent, self.reviewer):
            if thread.is_alive():
                thread.join(120)

    def _count(self, person: Person, sampler: Sampler) -> None:
        person.rest(REST_SECONDS)
        self._rest(person, sampler)
        shell = person.shell
        screen: dict[str, Any] = {}
        for store, name in (("memory", "MEMORY.md"), ("user", "USER.md")):
            screen[store] = number_in(rf"{name} · ([\d,]+) entr", shell.screen.text)
        person.go(PENDING)
        shell.listen(2.0)
        screen["pending"] = number_in(r"([\d,]+) pending", shell.screen.lines[0])
        person.go(SESSIONS)
        shell.listen(3.0)
        if "Transcript" in shell.screen.text:
            shell.send("\x1b")
            shell.listen(2.0)
        screen["sessions"] = number_in(r"([\d,]+) sessions", shell.screen.text)
        _journal, records = standing(self.state)
        accounts = self.outcome.accounts
        told = {"ours": run(self.environ, "memory", "list").shape, "theirs": self.agent.look(), "screen": screen}
        account_for_memory(accounts, self.home, records, self.agent.writes, told)
        self.outcome.queue = account_for_queue(
            accounts, self.home, records, self.agent, self.reviewer, screen["pending"] or 0
        )
        account_for_sessions(accounts, self.home, self.agent, self.environ, screen["sessions"])

    def _leave(self, shell: Shell, sampler: Sampler) -> None:
        sampler.over.set()
        shell.screen.recent = b""
        shell.send("q")
        shell.wait_for_prompt()
        accounts = self.outcome.accounts
        said = shell.screen.recent.rpartition(b"\x1b[?1049l")[2].decode("utf-8", "replace")
        accounts.same("the app has ended", expected=False, found=alive(sampler.pid))
        accounts.same("the terminal is given back", expected=True, found=shell.given_back)
        shell.run(["echo", "code=$?="])
        shell.wait_for(lambda _screen: b"code=" in shell.screen.recent.partition(b"\n")[2], "the exit code")
        code = number_in(r"code=(\d+)=", shell.screen.recent.decode("utf-8", "replace").partition("\n")[2])
        accounts.same("exit code", expected=0, found=code)
        self.outcome.handles["last words"] = {said: 1}
        journal, _records = standing(self.state)
        account_for_leavings(accounts, self.home, self.state, self.scratch, journal)
        self.outcome.ended = True

    def _tell(self, sample: Sample) -> None:
        mark = " at rest" if sample.resting else ""
        counted = " ".join(f"{getattr(sample, name):3} {name}" for name in COUNTED)
        print(
            f"{sample.minute:7.2f} min {sample.megabytes:7.1f} MB {counted} {sample.cpu_seconds:7.1f} s{mark}",
            flush=True,
        )

    def _write(self) -> None:
        if self.result is not None:
            self.result.write_text(json.dumps(self.outcome.shape(), indent=1))


def check_what_runs(environ: Mapping[str, str]) -> None:
    """The app and the commands are those of this tree, whatever is installed."""
    code = "import hermes_tui; print(hermes_tui.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True, cwd="/"
    ).stdout
    if TREE not in Path(found.strip()).parents:
        raise RuntimeError(f"{found.strip()} would run, which is not below {TREE}")


def table(outcome: Outcome) -> str:
    """Everything in lines for a person."""
    lines = [f"{name}: {value}" for name, value in outcome.machine.items()]
    lines += ["", f"{'':34}{'start':>9}{'quarter':>9}{'half':>9}{'3/4':>9}{'end':>9}"]
    for name, words in (("minute", "minute"), ("megabytes", "memory held, MB"), ("private", "of it private, MB"),
                        ("handles", "open handles"), ("threads", "threads"), ("watches", "watches"),
                        ("children", "children"), ("cpu_seconds", "processor time, s")):  # fmt: skip
        lines.append(f"{words:34}" + "".join(f"{quarter[name]:>9.6g}" for quarter in outcome.quarters))
    if outcome.growth is not None:
        grown = outcome.growth
        lines += [
            "",
            f"memory after the first eighth: {grown.first:.1f} MB, {grown.an_hour_resting:+.2f} MB an hour at rest, "
            f"{grown.an_hour:+.2f} by all samples; {grown.allowed:.1f} are allowed "
            f"at {grown.changes_an_hour:g} changes of memory an hour",
        ]
    lines += ["", "milliseconds from a screen's key to the screen, and the rest: "
              + ", ".join(f"{name} {value:g}" for name, value in outcome.answered.items())]  # fmt: skip
    lines += ["", *(f"{number:>8} {name}" for name, number in sorted(outcome.tally.counts.items()))]
    lines += [
        "",
        *(f"{'agrees' if agrees else 'WRONG ':8} {what}: {said}" for what, said, agrees in outcome.accounts.rows),
    ]
    lines += ["", f"pending writes: {outcome.queue}"]
    wrong = outcome.wrong if outcome.ended else [*outcome.wrong, "it did not come to its end"]
    return "\n".join([*lines, "", *(f"WRONG: {words}" for words in wrong), f"{len(wrong)} things are wrong."])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--result", type=Path, help="a file for all numbers, as JSON; written over and over")
    parser.add_argument("--root", type=Path, help="an empty folder to work in, which is kept")
    given = parser.parse_args()
    pythons = [os.environ[name] for name in AGENTS if os.environ.get(name)]
    if not pythons:
        parser.error(f"set {' and '.join(AGENTS)} to interpreters that have the agents: `make soak` does")
    if not Path("/proc/self/stat").exists():
        parser.error("what is held is read from /proc, which this system does not have")
    with tempfile.TemporaryDirectory(prefix="hermes-tui-soak-") as folder:
        root = (given.root or Path(folder)).resolve()
        root.mkdir(parents=True, exist_ok=True)
        outcome = Soak(root, pythons, given.minutes, given.seed, given.result).run()
    print(table(outcome))
    return int(bool(outcome.wrong) or not outcome.ended)


if __name__ == "__main__":
    sys.exit(main())
