"""Running commands in this process, and reading what they said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_tui.cli.main import cli


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as the one JSON object it must be."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


Run = Callable[..., Ran]


@pytest.fixture
def run() -> Run:
    """Run `hermes-tui` with these words; stdin may be text or bytes."""

    def run_words(*words: str | Path, stdin: str | bytes = b"") -> Ran:
        result = CliRunner().invoke(cli, [str(word) for word in words], input=stdin, catch_exceptions=False)
        return Ran(
            result.exit_code,
            result.stdout_bytes.decode("utf-8"),
            result.stderr_bytes.decode("utf-8") if result.stderr_bytes else "",
        )

    return run_words


@pytest.fixture
def memory_file(hermes_home: Path) -> Path:
    """MEMORY.md of the home, with two entries."""
    path = hermes_home / "memories" / "MEMORY.md"
    path.write_text("The user likes tea\n§\nDeploys go out on Friday", encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every path under a folder with its bytes; None for a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
