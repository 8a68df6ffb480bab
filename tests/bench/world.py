"""A machine of the measurement's own: homes, an environment that sees nothing else, and the programs it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = Path(sys.executable)
HERMES_TUI = PYTHON.with_name("hermes-tui")
FLOOR = HERE / "floor.py"
AGENT_DRIVER = HERE.parent / "interop" / "peers" / "drive_memory.py"
DELIMITER = "\n§\n"


class World:
    """Everything below one temporary folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.user = root / "user"
        self.user.mkdir(parents=True)

    def environ(self, home: Path) -> dict[str, str]:
        """An environment in which a program sees `home` and a terminal of today, and nothing of the person's."""
        return {
            "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.user),
            "HERMES_HOME": str(home),
            "HERMES_MANAGED_DIR": str(self.user / "managed"),
            "XDG_STATE_HOME": str(self.user / ".local/state"),
            "XDG_CONFIG_HOME": str(self.user / ".config"),
            "XDG_DATA_HOME": str(self.user / ".local/share"),
            "XDG_CACHE_HOME": str(self.user / ".cache"),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def home(self, name: str, memory: Sequence[str], user: Sequence[str]) -> Path:
        """A home with these entries and limits that none of them comes near."""
        home = self.root / name
        (home / "memories").mkdir(parents=True, mode=0o700)
        limits = "memory:\n  memory_char_limit: 200000\n  user_char_limit: 200000\n"
        (home / "config.yaml").write_text(limits, "utf-8")
        for file_name, entries in (("MEMORY.md", memory), ("USER.md", user)):
            (home / "memories" / file_name).write_text(DELIMITER.join(entries), "utf-8")
        return home

    def demo(self, name: str = "demo") -> Path:
        """The demo home, as `--demo` shows it."""
        home = self.root / name
        if not home.exists():
            subprocess.run([HERMES_TUI, "demo", home], env=self.environ(home), capture_output=True, check=True)
        return home


def entries_of(home: Path, file_name: str) -> list[str]:
    """The entries of a store as they are on disk."""
    text = (home / "memories" / file_name).read_text("utf-8")
    return [entry.strip() for entry in text.split(DELIMITER) if entry.strip()]


def landmark(home: Path, file_name: str) -> str:
    """The first words of a store's first entry: on the screen once its cards are."""
    line = entries_of(home, file_name)[0].splitlines()[0]
    return " ".join(line.split()[:3])
