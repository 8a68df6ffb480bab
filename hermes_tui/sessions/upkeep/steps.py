"""What was done to the sessions of a home, written down before it is done, so that it can be taken back."""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from hermes_tui.disk import append_line, locked, make_folder, read_file
from hermes_tui.errors import Unreadable
from hermes_tui.sessions.upkeep.copies import Copy

PATIENCE_SECONDS = 10.0
"""How long one change waits for another one of ours."""

State = Literal["open", "done", "undone", "forgotten"]
Value = str | float | int | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of one session that was changed."""

    id: str
    column: str
    before: Value
    after: Value


@dataclass(slots=True)
class Written:
    """A step as it was written down."""

    id: str
    at: float
    """In epoch seconds."""
    kind: str
    label: str
    state: State = "open"
    cells: list[Cell] = field(default_factory=list)
    """In the order of the changes."""
    counts: dict[str, int] = field(default_factory=dict)
    """Sessions that were brought in from a file, and how many messages each had."""
    old_trigrams: bool = False
    """Whether deleted messages had been taken apart as SQLite before 3.48 does."""


class Steps:
    """The append-only file that holds the steps of one home, and the folder of what deleting has kept."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "sessions"
        self.path = self.folder / "steps.jsonl"

    def begin(self, kind: str, label: str) -> str:
        """Write down that a step begins; what it is called from now on.

        Raises:
            Unreadable: it cannot be written, so the step must not be done.
        """
        id = secrets.token_hex(8)
        self._add({"id": id, "at": time.time(), "kind": kind, "label": label}, durable=True)
        return id

    def note(
        self,
        id: str,
        *,
        cells: Sequence[Cell] = (),
        counts: dict[str, int] | None = None,
        old_trigrams: bool = False,
    ) -> None:
        """Write down what a step is about to do; on return it is on the disk."""
        body: dict[str, Any] = {"id": id}
        if cells:
            body["cells"] = [[cell.id, cell.column, cell.before, cell.after] for cell in cells]
        if counts:
            body["counts"] = counts
        if old_trigrams:
            body["old_trigrams"] = True
        self._add(body, durable=True)

    def end(self, id: str, state: Literal["done", "undone", "forgotten"], *, label: str = "") -> bool:
        """Write down how a step ended, if the disk allows; one of which that is not known is done as far as it went."""
        try:
            self._add({"id": id, "state": state, **({"label": label} if label else {})}, durable=False)
        except Unreadable:
            return False
        return True

    def _add(self, body: dict[str, Any], *, durable: bool) -> None:
        append_line(self.path, json.dumps(body, separators=(",", ":")).encode("ascii"), durable=durable)

    def copy_folder(self, id: str) -> Path:
        """Where a step keeps what it deletes."""
        return self.folder / "copies" / id

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One at a time: what is being deleted is not brought back meanwhile, and what a crash has left is cleared.

        Raises:
            Refused: somebody else is at it.
            Unreadable: it cannot be written down who is.
        """
        make_folder(self.folder)
        with locked(self.folder / "undo.lock", timeout=PATIENCE_SECONDS):
            self._clear()
            yield

    def _clear(self) -> None:
        """Remove what is kept for steps that nobody can take back any more."""
        with suppress(OSError):
            kept = list((self.folder / "copies").iterdir())
            known = {step.id for step in self.undoable()}
            for folder in kept:
                if folder.name not in known:
                    shutil.rmtree(folder, ignore_errors=True)

    def all(self) -> list[Written]:
        """All steps, oldest first; lines that are not whole are passed over.

        Raises:
            Unreadable: they cannot be read.
        """
        try:
            found = read_file(self.path)
        except Unreadable as error:
            raise Unreadable(
                f"The list of what was done to sessions cannot be read: {error.message}",
                code="steps_unreadable",
                hint="Nothing can be changed or taken back until it can; move it away to start a new one.",
            ) from error
        steps: dict[str, Written] = {}
        for line in (found[0] if found else b"").split(b"\n"):
            try:
                _take(steps, json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
                continue
        return list(steps.values())

    def undoable(self) -> list[Written]:
        """The steps that can be taken back, the next one last."""
        return [step for step in self.all() if step.state == "done" or (step.state == "open" and self._began(step))]

    def _began(self, step: Written) -> bool:
        """Whether a step that a crash ended may have done anything: nothing goes before there is a copy."""
        if step.kind != "delete":
            return True
        return Copy(self.copy_folder(step.id)).begun


def _take(steps: dict[str, Written], body: dict[str, Any]) -> None:
    id = str(body["id"])
    if "kind" in body:
        steps[id] = Written(id, float(body["at"]), str(body["kind"]), str(body["label"]))
    step = steps[id]
    step.cells += _cells(body.get("cells", ()))
    step.counts.update((str(key), int(value)) for key, value in body.get("counts", {}).items())
    step.old_trigrams |= bool(body.get("old_trigrams"))
    if "state" in body:
        step.state = cast(State, str(body["state"]))
        step.label = str(body.get("label", step.label))


def _cells(stored: Iterable[Any]) -> list[Cell]:
    return [Cell(str(id), str(column), before, after) for id, column, before, after in stored]
