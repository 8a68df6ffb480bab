"""The files that agents have left beside their database about a session."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hermes_tui.disk import make_folder, read_file, replace_file

DUMP = "request_dump_"
GATEWAY = "sessions.json"
"""The gateway's list of chats, whatever a session is called."""
_DUMPED = re.compile(r"(.+?)_\d{8}_\d{6}(?:_\d+)?")
"""An id, and when its request was dumped; an id may be what another one begins with."""


class SessionFiles:
    """The folder `sessions` of a home; nothing but plain files right in it is ever touched."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "sessions"

    def of(self, ids: Iterable[str]) -> tuple[Path, ...]:
        """The files about some sessions."""
        wanted = set(ids)
        try:
            there = sorted(self.folder.iterdir())
        except OSError:
            return ()
        return tuple(path for path in there if not wanted.isdisjoint(_about(path)) and _is_plain(path))

    def keep(self, paths: Iterable[Path], copies: Path) -> None:
        """Copy files to a folder.

        Raises:
            Unreadable: one cannot be read, or the copy cannot be written.
        """
        for path in paths:
            found = read_file(path)
            if found is not None:
                make_folder(copies)
                replace_file(copies / path.name, found[0], temp_name=f".{path.name}.part")

    def remove(self, paths: Iterable[Path]) -> list[Path]:
        """Delete files; gives those that could not be."""
        left = []
        for path in paths:
            try:
                path.unlink(missing_ok=True)
            except OSError:
                left.append(path)
        return left

    def bring_back(self, copies: Path) -> None:
        """Put kept files back where nothing has taken their place.

        Raises:
            Unreadable: one cannot be read or written.
        """
        with suppress(FileNotFoundError):
            for path in sorted(copies.iterdir()):
                if not _about(path):
                    continue  # half a copy, which a crash has left
                found = read_file(path)
                if found is not None and not os.path.lexists(self.folder / path.name):
                    make_folder(self.folder)
                    temp = self.folder / f".{path.name}.part"
                    temp.unlink(missing_ok=True)  # a crash may have left it
                    replace_file(self.folder / path.name, found[0], temp_name=temp.name)


def _about(path: Path) -> set[str]:
    """The ids of sessions that a file of this name may be about."""
    stem = path.stem
    if path.suffix == ".jsonl":
        return {stem}
    if path.suffix != ".json" or path.name == GATEWAY:
        return set()
    if stem.startswith(DUMP):
        dumped = _DUMPED.fullmatch(stem.removeprefix(DUMP))
        return {dumped[1]} if dumped else set()
    return {stem, stem.removeprefix("session_")}


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
