"""Files of the queue and of skills: claimed, moved to what is wanted, and put back."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from hermes_tui.disk import make_folder, read_file, replace_file
from hermes_tui.errors import Conflict
from hermes_tui.memory.journal import OtherFile


def claims(folder: Path, mark: str) -> list[Path]:
    """The claimed files in a folder, whose names end so."""
    try:
        return [Path(entry.path) for entry in os.scandir(folder) if entry.name.endswith(mark)]
    except OSError:
        return []


def put_back(claim: Path, path: Path) -> None:
    """Give a claimed file its name again, unless a new file has taken it; then both stay."""
    try:
        path.lstat()
    except FileNotFoundError:
        with contextlib.suppress(FileNotFoundError):
            claim.rename(path)


def take_back(change: OtherFile) -> None:
    """Give a claimed file its name again, also where what was to take its place is there already."""
    path = Path(change.path)
    found = read_file(path) if change.after is not None else None
    if found is not None and found[0] == change.after:
        path.with_name(change.claim).replace(path)
    else:
        put_back(path.with_name(change.claim), path)


def move_to(change: OtherFile, wanted: bytes | None) -> None:
    """Bring a file to the wanted bytes, or out of the way; fine when it is so already."""
    path = Path(change.path)
    if wanted is None:
        if change.claim:
            path.with_name(change.claim).unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        _drop_empty_folders(path.parent)
        return
    _make_folder_like_its_parent(path.parent)
    mode = stat.S_IMODE(path.stat().st_mode) if path.is_file() else change.mode
    replace_file(path, wanted, temp_name=temp_path(change).name, mode=mode)
    if change.claim:  # last: until then it is what comes back when the disk is full
        path.with_name(change.claim).unlink(missing_ok=True)


def _drop_empty_folders(folder: Path) -> None:
    """Take away the folders inside a skill that a removed file has left empty, the skill's own included."""
    while "skills" in folder.parts[:-1] and folder.name not in ("skills", ".archive", "pending"):
        try:
            folder.rmdir()
        except OSError:
            return  # something is in it, or it is gone
        folder = folder.parent


def _make_folder_like_its_parent(folder: Path) -> None:
    """Make a folder with those above it, as open or closed as the nearest one that is there."""
    missing = [folder, *folder.parents]
    missing = missing[: next(at for at, above in enumerate(missing) if above.exists())]
    make_folder(folder)
    if missing:
        mode = stat.S_IMODE(missing[-1].parent.stat().st_mode)
        for made in missing:
            made.chmod(mode)


def temp_path(change: OtherFile) -> Path:
    """The temp file that a change is written through, by a name that the next start knows after a crash."""
    path = Path(change.path)
    return path.with_name(f".{path.name}.{change.claim or 'back'}.tmp")


def require_unchanged(change: OtherFile) -> None:
    """Say no to a change whose file is not as it expects.

    Raises:
        Conflict: somebody changed it.
    """
    path = Path(change.path)
    found = read_file(path)
    if (found[0] if found else None) != change.before:
        raise Conflict(
            f"{path.name} has changed meanwhile.", code="conflict", hint="Look at it first; nothing was changed."
        )
