"""Making the demo home: the files under `data/home`, with the times and modes an agent would have left."""

from __future__ import annotations

import os
import time
from pathlib import Path

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
    "pending/memory/8b41d7c0.json": 2 * HOUR + 10 * MINUTE,
    "pending/memory/c5e2907d.json": 26 * HOUR,
    "pending/memory/e10b64f9.json": 3 * DAY + HOUR,
    "pending/skills/a7d3380b.json": 5 * HOUR,
    "profiles/personal/memories/MEMORY.md": 6 * DAY,
    "profiles/work/memories/MEMORY.md": 20 * HOUR,
}
"""How long ago each file was written; for a pending write also how long ago it was queued."""
OTHER_AGE_SECONDS = 30 * DAY

EMPTY_FOLDERS = ("logs",)
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
        for name in EMPTY_FOLDERS:
            _make_folder(path / name, name)
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


def _make_folder(path: Path, name: str) -> None:
    path.mkdir()
    path.chmod(OPEN_FOLDER if name.startswith("pending") else PRIVATE_FOLDER)


def _make_file(path: Path, name: str, data: bytes, now: float) -> None:
    written_at = now - AGES_SECONDS.get(name, OTHER_AGE_SECONDS)
    if name.startswith("pending/"):
        data = data.replace(UNSET_TIME, f'"created_at": {written_at},'.encode())
    path.write_bytes(data)
    path.chmod(OPEN_FILE if name.startswith("pending/") else OWNER_ONLY)
    os.utime(path, (written_at, written_at))
