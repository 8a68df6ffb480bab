"""The files that agents have left beside their database about a session."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hermes_tui.disk import clear_temps, make_folder, read_file, refusals, replace_file

DUMP = "request_dump_"
GATEWAY = "sessions.json"
"""The gateway's list of chats, whatever a session is called."""
_DUMPED = re.compile(r"(.+?)_\d{8}_\d{6}(?:_\d+)?")
"""An id, and when its request was dumped; an id may be what another one begins with."""


class SessionFiles:
    """The folder `sessions` of a home; nothing but plain files right in it is ever touched."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "sessions"
        self._changed: int | None = None
        self._names: dict[str, list[str]] = {}
        """What the folder had when it was changed last, by session: there may be ten thousands of files in it."""

    def of(self, ids: Iterable[str]) -> tuple[Path, ...]:
        """The files about some sessions."""
        changed = self._when_changed()
        if changed is None:
            return ()
        if changed != self._changed:
            self._names = self._listed()
            self._changed = changed
        names = sorted({name for id in set(ids) for name in self._names.get(id, ())})
        return tuple(path for name in names if _is_plain(path := self.folder / name))

    def _when_changed(self) -> int | None:
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return None

    def _listed(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    for id in _about(entry.name):
                        found.setdefault(id, []).append(entry.name)
        except OSError:
            return {}
        return found

    def keep(self, paths: Iterable[Path], copies: Path) -> None:
        """Copy files to a folder.

        Raises:
            Unreadable: one cannot be read, or the copy cannot be written.
        """
        for path in paths:
            found = read_file(path)
            if found is not None:
                make_folder(copies)
                replace_file(copies / path.name, found[0])

    def remove(self, paths: Iterable[Path]) -> list[Path]:
        """Delete files; gives those that could not be."""
        left = []
        as_listed = self._when_changed() == self._changed
        for path in paths:
            try:
                path.unlink(missing_ok=True)
            except OSError:
                left.append(path)
        if as_listed:
            self._changed = self._when_changed()  # by nobody but us, so that it need not be listed again
        return left

    def lacks(self, copies: Path) -> bool:
        """Whether one of the kept files is not in its place."""
        with suppress(OSError):
            return any(_about(path.name) and not os.path.lexists(self.folder / path.name) for path in copies.iterdir())
        return False

    def bring_back(self, copies: Path) -> list[Path]:
        """Put kept files back; gives those copies whose place something else has taken, which stay where they are.

        Raises:
            Unreadable: one cannot be read or written.
        """
        apart: list[Path] = []
        clear_temps(self.folder)
        with refusals(self.folder), suppress(FileNotFoundError):
            for path in sorted(copies.iterdir()):
                if not _about(path.name):
                    continue  # half a copy, which a crash has left
                found = read_file(path)
                place = self.folder / path.name
                if found is not None and os.path.lexists(place):
                    if not _is_plain(place) or read_file(place) is None or place.read_bytes() != found[0]:
                        apart.append(path)
                elif found is not None:
                    make_folder(self.folder)
                    replace_file(place, found[0])
        return apart


def _about(name: str) -> set[str]:
    """The ids of sessions that a file of this name may be about."""
    stem, dot, ending = name.rpartition(".")
    if not dot or name == GATEWAY:
        return set()
    if ending == "jsonl":
        return {stem}
    if ending != "json":
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
