"""The real agents as processes: each in its own environment, on a home of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

PEERS = {"0.19": "HERMES_TUI_PEER_019", "0.22": "HERMES_TUI_PEER_022"}
DRIVER = Path(__file__).with_name("peers") / "drive_memory.py"


class JsonLines:
    """A process that answers each JSON line with a JSON line."""

    def __init__(self, command: list[str], environ: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, text=True, bufsize=1
        )

    def ask(self, request: object) -> Any:
        """Send one request and wait for its answer."""
        self.send(request)
        return self.read()

    def send(self, request: object) -> None:
        """Send one request and do not wait."""
        stdin: IO[str] | None = self.process.stdin
        assert stdin is not None
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()

    def read(self) -> Any:
        """The next answer; lines that are not JSON are the agent's talk and passed over."""
        stdout: IO[str] | None = self.process.stdout
        assert stdout is not None
        for line in stdout:
            if line.startswith("{"):
                return json.loads(line)
        raise AssertionError(f"the process ended with {self.process.wait()}")

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


# Read before any test: tests run with an environment that has nothing of the developer's in it.
_PYTHONS = {line: os.environ.get(name, "") for line, name in PEERS.items()}


def python_of(line: str) -> str:
    """The interpreter that has an agent of this line installed."""
    assert _PYTHONS[line], f"{PEERS[line]} is not set: run `make interop`, which prepares both agents"
    return _PYTHONS[line]


def environment(user_home: Path, home: Path) -> dict[str, str]:
    """An environment in which an agent, or we, see this home only."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(user_home),
        "HERMES_HOME": str(home),
        "HERMES_MANAGED_DIR": str(user_home / "managed"),
        "XDG_STATE_HOME": str(user_home / ".local/state"),
        "XDG_CONFIG_HOME": str(user_home / ".config"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def make_home(isolated_machine: Path) -> Callable[..., Path]:
    """Makes a home with the given limits."""

    def make(name: str, *, memory_limit: int = 2200, user_limit: int = 1375, extra: str = "") -> Path:
        home = isolated_machine / name
        (home / "memories").mkdir(parents=True, mode=0o700)
        (home / "config.yaml").write_text(
            f"memory:\n  memory_char_limit: {memory_limit}\n  user_char_limit: {user_limit}\n{extra}"
        )
        return home

    return make


@pytest.fixture
def start_agent(isolated_machine: Path) -> Iterator[Callable[[str, Path], JsonLines]]:
    """Starts a real agent of a line on a home."""
    started: list[JsonLines] = []

    def start(line: str, home: Path) -> JsonLines:
        peer = JsonLines([python_of(line), str(DRIVER)], environment(isolated_machine, home))
        started.append(peer)
        assert peer.read()["ready"]
        return peer

    yield start
    for peer in started:
        peer.close()


@pytest.fixture
def start_ours(isolated_machine: Path) -> Iterator[Callable[..., JsonLines]]:
    """Starts `hermes-tui tool memory --stdin` on a home."""
    started: list[JsonLines] = []

    def start(home: Path, dialect: str) -> JsonLines:
        command = [sys.executable, "-m", "hermes_tui", "--home", str(home)]
        command += ["tool", "memory", "--stdin", "--dialect", dialect]
        ours = JsonLines(command, environment(isolated_machine, home))
        started.append(ours)
        return ours

    yield start
    for process in started:
        process.close()
