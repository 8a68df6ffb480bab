"""What deleting facts keeps of them, outside the home, so that it can be taken back after a restart too."""

from __future__ import annotations

import base64
import json
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
Cells = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FactCopy:
    """One deletion."""

    path: Path
    at: float
    """In epoch seconds."""
    database: str
    """Which file they were deleted from."""
    facts: tuple[Cells, ...]
    """Whole rows, by column."""
    entities: Mapping[int, tuple[Cells, ...]]
    """The entities of each fact, whole rows too."""
    undone: bool


class FactCopies:
    """The copies of one home."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / FOLDER

    def keep(
        self,
        database: str,
        facts: Sequence[Cells],
        entities: Mapping[int, Sequence[Cells]],
    ) -> FactCopy:
        """Write a copy; when this returns it is on the disk.

        Raises:
            Unreadable: the disk refused.
        """
        at = time.time()
        make_folder(self.folder)
        # The names sort by time, also of deletions within one second.
        path = self.folder / f"{int(at * 1e6):020d}-{secrets.token_hex(3)}.json"
        copy = FactCopy(
            path, at, database, tuple(facts), {id: tuple(rows) for id, rows in entities.items()}, undone=False
        )
        self._write(copy)
        return copy

    def all(self) -> tuple[FactCopy, ...]:
        """Every copy, the oldest first.

        Raises:
            Unreadable: one of them cannot be read.
        """
        try:
            paths = sorted(path for path in self.folder.iterdir() if path.suffix == ".json")
        except OSError:
            return ()
        return tuple(_read(path) for path in paths)

    def mark(self, copy: FactCopy, *, undone: bool) -> None:
        """Note down whether a deletion was taken back."""
        self._write(FactCopy(copy.path, copy.at, copy.database, copy.facts, copy.entities, undone=undone))

    def drop(self, copy: FactCopy) -> None:
        """Forget a deletion that did not happen."""
        with suppress(OSError):
            copy.path.unlink()

    def _write(self, copy: FactCopy) -> None:
        value = {
            "version": VERSION,
            "at": copy.at,
            "database": copy.database,
            "undone": copy.undone,
            "facts": [_packed(row) for row in copy.facts],
            "entities": {str(id): [_packed(row) for row in rows] for id, rows in copy.entities.items()},
        }
        data = json.dumps(value, indent=1).encode("ascii")
        replace_file(copy.path, data, temp_name=f".{copy.path.name}.{secrets.token_hex(3)}.part")


def _read(path: Path) -> FactCopy:
    read = read_file(path)
    try:
        value: Any = json.loads(read[0]) if read else None
        return FactCopy(
            path=path,
            at=float(value["at"]),
            database=str(value["database"]),
            facts=tuple(_unpacked(row) for row in value["facts"]),
            entities={int(id): tuple(_unpacked(row) for row in rows) for id, rows in value["entities"].items()},
            undone=bool(value["undone"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
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
