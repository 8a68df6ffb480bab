"""Making the demo home: the files under `data/home`, with the times and modes an agent would have left."""

from __future__ import annotations

import os
import time
from pathlib import Path

from hermes_tui.demo.agent_log import log_lines, staging
from hermes_tui.demo.conversations import read_conversations
from hermes_tui.demo.remembering import prompts, remember
from hermes_tui.demo.sessions import write_sessions
from hermes_tui.disk import OWNER_ONLY, read_file, write_failure
from hermes_tui.errors import HermesTuiError, Refused

MARKER = ".hermes-tui-demo"
"""The file in a demo home that holds the path it was made at: a copy elsewhere is no demo home any more."""

CONTENT = Path(__file__).parent / "data" / "home"

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0

AGES_SECONDS = {
    "SOUL.md": 41 * DAY,
    "config.yaml": 9 * DAY + 4 * HOUR,
    "memories/MEMORY.md": 12 * MINUTE,
    "memories/USER.md": 2 * DAY + 3 * HOUR,
    "pending/memory/3f9c1a2e.json": 25 * MINUTE,
    "pending/memory/b81e44d0.json.tmp": 44 * MINUTE,
    "pending/memory/e6730b5d.json": 2 * HOUR + 9 * MINUTE,
    "pending/memory/8b41d7c0.json": 2 * HOUR + 10 * MINUTE,
    "pending/memory/7c5be812.json": 6 * HOUR + 20 * MINUTE,
    "pending/memory/c19f04be.json": 22 * HOUR,
    "pending/memory/c5e2907d.json": 26 * HOUR,
    "pending/memory/f08d3e61.json": 32 * HOUR,
    "pending/memory/92e0c85f.json": 2 * DAY + 2 * HOUR,
    "pending/memory/e10b64f9.json": 3 * DAY + HOUR,
    "pending/memory/0e8b36da.json": 4 * DAY + 7 * HOUR,
    "pending/memory/1b6f72d4.json": 5 * DAY + 4 * HOUR,
    "pending/memory/58c7e1ab.json": 7 * DAY + 2 * HOUR,
    "pending/memory/5d0e7b36.json": 8 * DAY + 5 * HOUR,
    "pending/memory/2fd81c97.json": 10 * DAY + 3 * HOUR,
    "pending/memory/9c27ffa1.json": 11 * DAY + 6 * HOUR,
    "pending/memory/64ab1f0e.json": 12 * DAY + 8 * HOUR,
    "pending/memory/b2d90f4c.json": 14 * DAY + HOUR,
    "pending/memory/a93c5d17.json": 19 * DAY + 6 * HOUR,
    "pending/memory/d47a90c3.json": 21 * DAY,
    "pending/skills/a7d3380b.json": 5 * HOUR,
    "pending/skills/c84e29f1.json": 9 * HOUR,
    "pending/skills/4d6a0b92.json": 2 * DAY + 5 * HOUR,
    "pending/skills/91f7c3de.json": 3 * DAY + 4 * HOUR,
    "pending/skills/d3b85f10.json": 4 * DAY + 2 * HOUR,
    "pending/skills/0a5c9e73.json": 4 * DAY + 2 * HOUR + 2 * MINUTE,
    "pending/skills/6e02d8a4.json": 6 * DAY + 3 * HOUR,
    "pending/skills/7fb4162d.json": 15 * DAY + 4 * HOUR,
    "pending/skills/e92c50a8.json": 17 * DAY + 9 * HOUR,
    "profiles/personal/memories/MEMORY.md": 6 * DAY,
    "profiles/personal/pending/memory/f3270ac8.json": 6 * DAY + HOUR,
    "profiles/personal/pending/memory/6b1d94e7.json": 5 * DAY,
    "profiles/work/memories/MEMORY.md": 20 * HOUR,
}
"""How long ago each file was written; for a pending write also how long ago it was queued."""
OTHER_AGE_SECONDS = 30 * DAY

SESSIONS = "state.db"
LOG = "logs/agent.log"
PRIVATE_FOLDER = 0o700
OPEN_FOLDER = 0o755
OPEN_FILE = 0o644

UNSET_TIME = b'"created_at": 0.0,'
"""What stands in the content for the time a write was queued."""


def build(path: Path, *, now: float | None = None) -> Path:
    """Make the demo home at `path`, which must be empty or not there yet; the same bytes at every call.

    Args:
        path: the home to be.
        now: the time the ages of the files are counted from, in epoch seconds; the clock's by default.

    Returns:
        `path`.

    Raises:
        Refused: there is something at `path` already.
        Unreadable: the disk refused.
    """
    moment = time.time() if now is None else now
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise Refused(
                f"{path} is not an empty directory; nothing was written.",
                code="not_empty",
                hint="Name a directory that is empty or does not exist yet.",
            )
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(PRIVATE_FOLDER)
        for source in sorted(CONTENT.rglob("*")):
            name = source.relative_to(CONTENT).as_posix()
            if source.is_dir():
                _make_folder(path / name, name)
            else:
                _make_file(path / name, name, source.read_bytes(), moment)
        _make_sessions(path, moment)
        _make_file(path / MARKER, MARKER, _own_path(path), moment)
    except OSError as error:
        raise write_failure(path, error) from error
    return path


def is_demo_home(path: Path) -> bool:
    """Whether `path` is a home that `build` made at this very place."""
    try:
        found = read_file(path / MARKER)
    except HermesTuiError:
        return False
    return found is not None and found[0] == _own_path(path)


def _own_path(path: Path) -> bytes:
    return os.fsencode(os.path.realpath(path)) + b"\n"


def _in_queue(name: str) -> bool:
    return "pending" in name.split("/")


def _make_folder(path: Path, name: str) -> None:
    path.mkdir()
    path.chmod(OPEN_FOLDER if _in_queue(name) else PRIVATE_FOLDER)


def _make_file(path: Path, name: str, data: bytes, now: float) -> None:
    written_at = now - AGES_SECONDS.get(name, OTHER_AGE_SECONDS)
    if _in_queue(name):
        data = data.replace(UNSET_TIME, f'"created_at": {written_at},'.encode())
    path.write_bytes(data)
    path.chmod(OPEN_FILE if _in_queue(name) else OWNER_ONLY)
    os.utime(path, (written_at, written_at))


def _make_sessions(home: Path, now: float) -> None:
    conversations = read_conversations(now)
    memory = remember(conversations, now)
    written_at = write_sessions(home / SESSIONS, conversations, prompts(conversations, memory, now))
    log = home / LOG
    _make_folder(log.parent, LOG)
    staged = list(staging(conversations, home / "pending"))
    log.write_text("".join(log_lines(conversations, memory.reviews, now, staged)), "utf-8")
    for path in (home / SESSIONS, log):
        path.chmod(OWNER_ONLY)
        os.utime(path, (written_at, written_at))
