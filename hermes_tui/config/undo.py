"""What was changed in a file of settings here, as it was spelled, so that it can be taken back: a file of our own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hermes_tui.disk import locked, make_folder, read_file, replace_file
from hermes_tui.errors import HermesTuiError

FILE_NAME = "config-undo.json"
MOST_STEPS = 20


@dataclass(frozen=True, slots=True)
class Step:
    """One change of one setting."""

    at: float
    """When, in epoch seconds."""
    key: str
    before: str | None
    """How it was written; None when it was not there."""
    after: str | None
    """How it was written then; None when it was taken out."""
    text: str
    """The whole file before, so that not even a blank line is another one afterwards."""
    digest: str
    """Of the whole file then."""
    made: bool = False
    """Whether there was no file before."""

    @classmethod
    def of(cls, key: str, words: tuple[str | None, str | None], texts: tuple[str, str], *, made: bool = False) -> Step:
        """A change that was made just now: how the setting and the file were, and are."""
        return cls(time.time(), key, *words, texts[0], _digest(texts[1]), made)

    def is_latest(self, text: str) -> bool:
        """Whether the file is still as this change left it."""
        return _digest(text) == self.digest


class ConfigUndo:
    """The changes made here to the settings of one home, newest last.

    Args:
        folder: where our data about the home lies.
        name: the file in it; each file of settings has one.
    """

    def __init__(self, folder: Path, name: str = FILE_NAME) -> None:
        self._file = folder / name
        self._lock = folder / f"{name}.lock"
        self._turn = folder / f"{name.partition('-')[0]}.lock"

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Change the file while no other process of ours does."""
        make_folder(self._turn.parent)
        with locked(self._turn):
            yield

    def steps(self) -> tuple[Step, ...]:
        """What can be taken back; nothing when the file is not ours to read."""
        found = read_file(self._file)
        try:
            rows = json.loads(found[0]) if found else []
            return tuple(_step(row) for row in rows)
        except (ValueError, TypeError, KeyError, RecursionError):
            return ()  # damaged: there is nothing to take back

    def last(self) -> Step | None:
        """The newest change."""
        steps = self.steps()
        return steps[-1] if steps else None

    def add(self, step: Step) -> None:
        """Remember a change that is about to be made."""
        make_folder(self._file.parent)
        with locked(self._lock):
            self._write((*self.steps(), step)[-MOST_STEPS:])

    def forget(self, step: Step) -> Step:
        """Forget a change that is not there any more; where the disk refuses, the next undo passes over it."""
        with contextlib.suppress(HermesTuiError), locked(self._lock):
            self._write(tuple(kept for kept in self.steps() if kept != step))
        return step

    def _write(self, steps: tuple[Step, ...]) -> None:
        data = json.dumps([asdict(step) for step in steps]).encode()
        replace_file(self._file, data, follow=False)


def _step(row: Any) -> Step:
    step = Step(**row)
    words = (step.before, step.after)
    if not isinstance(step.at, float) or not all(isinstance(text, str) for text in (step.key, step.text, step.digest)):
        raise TypeError("not a change of ours")
    if not isinstance(step.made, bool) or not all(word is None or isinstance(word, str) for word in words):
        raise TypeError("not a change of ours")
    return step


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
