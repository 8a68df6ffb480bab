"""The program on a home of which every file may be anything: no command ends in a fault, or commands a terminal."""

from __future__ import annotations

import json
import shutil

from click.testing import CliRunner

from hermes_tui.cli.main import cli
from tests.fuzz.given import one_of, split
from tests.fuzz.machine import machine, put
from tests.fuzz.of_sessions import sessions_of
from tests.nasty import raw_control_bytes

COMMANDS = tuple(
    command.split()
    for command in (
        "memory list", "memory list --json", "memory prompt", "memory scan --json", "memory log", "pending list",
        "pending list --json", "pending simulate", "pending show 00c0ffee", "pending show 00c0ffee --json",
        "pending gate",
        "history log", "history log --json", "history blame", "history reviews", "history search tea", "profiles list",
        "providers status", "providers status --json", "providers honcho settings", "settings list --json",
        "settings get memory.memory_char_limit", "info", "info --json", "doctor", "doctor --json", "count",
        "memory undo", "memory normalize", "pending approve 00c0ffee",
        "pending reject 00c0ffee", "memory add tea",
        "providers undo --yes", "providers honcho undo", "settings undo", "sessions undo", "sessions list --all",
        "sessions list --view a", "sessions search otter",
    )
)  # fmt: skip
FILES = (
    "memories/MEMORY.md", "memories/USER.md", "config.yaml",
    "pending/memory/00c0ffee.json", "pending/skills/0badcafe.json",
    ".env", "honcho.json", "logs/agent.log", "active_profile", "profiles/work/profile.yaml",
)  # fmt: skip
RAW = ["memory", "prompt"]
"""Is handed over as it is where no terminal shows it."""
OURS = (
    "journal.jsonl", "views.json", "history/seen.jsonl", "history/snapshots.jsonl", "config-undo.json",
    "provider_setup.json", "honcho-undo.json", "sessions/steps.jsonl",
)  # fmt: skip


def command(data: bytes) -> None:
    """A command on such a home."""
    how, *files = split(data, 1 + len(FILES) + len(OURS))
    words = one_of(how, COMMANDS)
    with machine() as place:
        for name, content in zip(FILES, files, strict=False):
            if content:
                put(place.home.path / name, content)
        for name, content in zip(OURS, files[len(FILES) :], strict=True):
            if content:
                put(place.data / name, content)
        if words[0] in ("sessions", "history"):
            shutil.copy(sessions_of("0.22"), place.home.state_db)
        ran = CliRunner().invoke(cli, ["--home", str(place.home.path), *words], catch_exceptions=False)
        assert ran.exit_code in (0, 1, 2, 3), (words, ran.output)
        told = ran.stdout_bytes.decode() + (ran.stderr_bytes or b"").decode()
        if "--json" in words and ran.exit_code in (0, 1):
            assert isinstance(json.loads(ran.stdout_bytes), dict)
        elif words != RAW:
            assert not raw_control_bytes(told), (words, ascii(told))
