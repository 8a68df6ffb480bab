"""What deleting facts keeps of them, outside the home, so that it can be taken back after a restart too."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_tui.disk import make_folder, read_file, replace_file
from hermes_tui.errors import Unreadable

FOLDER = "facts"
VERSION = 1
KEPT = 100
"""Of so many deletions copies are kept, the newest."""
Cells = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FactCopy:
    """One deletion."""

    path: Path
    at: float
    """In epoch seconds."""
    facts: tuple[Cells, ...]
    """Whole rows, by column."""
    entities: Mapping[int, tuple[Cells, ...]]
    """The entities of each fact, whole rows too."""


class FactCopies:
    """The copies of one database's facts.

    Args:
        data_dir: where our own data about the home lies.
        database: the file they were deleted from.
    """

    def __init__(self, data_dir: Path, database: Path) -> None:
        self.database = os.path.realpath(database)
        self.folder = data_dir / FOLDER / hashlib.sha256(os.fsencode(self.database)).hexdigest()[:12]

    def keep(self, facts: Sequence[Cells], entities: Mapping[int, Sequence[Cells]]) -> FactCopy:
        """Write a copy; when this returns it is on the disk.

        Raises:
            Unreadable: the disk refused.
        """
        at = time.time()
        make_folder(self.folder)
        # The names sort by time, also of deletions within one second.
        path = self.folder / f"{int(at * 1e6):020d}-{secrets.token_hex(3)}.json"
        value = {
            "version": VERSION,
            "at": at,
            "database": self.database,
            "facts": [_packed(row) for row in facts],
            "entities": {str(id): [_packed(row) for row in rows] for id, rows in entities.items()},
        }
        data = json.dumps(value, indent=1).encode("ascii")
        replace_file(path, data, follow=False)
        for old in self.paths()[:-KEPT]:
            _remove(old)
        return FactCopy(path, at, tuple(facts), {id: tuple(rows) for id, rows in entities.items()})

    def paths(self) -> list[Path]:
        """The files of all copies, the oldest first."""
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == ".json")
        except OSError:
            return []

    def last(self, before: FactCopy | None = None) -> FactCopy | None:
        """The newest, or the newest before another one; None when there is none.

        Raises:
            Unreadable: it is damaged, or the disk refused.
        """
        paths = [path for path in self.paths() if before is None or path.name < before.path.name]
        return _read(paths[-1]) if paths else None

    def drop(self, copy: FactCopy) -> None:
        """Forget a deletion that did not happen, or was taken back."""
        _remove(copy.path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _read(path: Path) -> FactCopy:
    read = read_file(path)
    try:
        value: Any = json.loads(read[0]) if read else None
        return FactCopy(
            path=path,
            at=float(value["at"]),
            facts=tuple(_unpacked(row) for row in value["facts"]),
            entities={int(id): tuple(_unpacked(row) for row in rows) for id, rows in value["entities"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise Unreadable(
            f"{path}, a copy of deleted facts, is damaged.",
            code="copy_damaged",
            hint="Move it away; what it holds can be read in an editor.",
        ) from None


def _packed(row: Cells) -> dict[str, object]:
    return {
        name: {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value
        for name, value in row.items()
    }


def _unpacked(row: Mapping[str, Any]) -> dict[str, object]:
    return {
        name: base64.b64decode(value["base64"]) if isinstance(value, dict) else value for name, value in row.items()
    }
