"""What the simulated agent does next, and doing it: through the agent's own locks, in its own journal."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_tui.config import load_config
from hermes_tui.errors import Refused
from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import StoreName, join
from hermes_tui.memory.store import OnDisk, StoreFiles
from hermes_tui.memory.tool_results import single_summary
from hermes_tui.memory.view import digest_of
from hermes_tui.pending.staging import stage
from hermes_tui.yaml_file import read_yaml

SCRIPT = Path(__file__).parent / "data" / "script.yaml"

RESPECT_SECONDS = 60.0
"""A store that somebody else changed this recently is left alone."""
LOCK_PATIENCE_SECONDS = 0.05
"""The agent of the demo steps back at once when the person is writing, so that leaving never waits for it."""


@dataclass(frozen=True, slots=True)
class NoteStep:
    """Brings an entry to one of its versions."""

    store: StoreName
    versions: tuple[str, ...]
    """Everything the entry says in the course of the script."""
    version: int
    """From 1; 0 takes it away. Version 1 adds the entry where it is not there."""

    def apply(self, entries: Sequence[str]) -> list[str]:
        """The entries after this step; whatever is not exactly one of the versions stays as it is."""
        places = [at for at, entry in enumerate(entries) if entry in self.versions]
        after = [entry for entry in entries if entry not in self.versions]
        if self.version == 0:
            return after
        if places:
            after.insert(places[0], self.versions[self.version - 1])
        elif self.version == 1:
            after.append(self.versions[0])
        return after


@dataclass(frozen=True, slots=True)
class ProposeStep:
    """Queues an addition for the person to decide."""

    store: StoreName
    content: str


Step = NoteStep | ProposeStep


def read_script(path: Path = SCRIPT) -> tuple[Step, ...]:
    """The steps, in order."""
    script: Mapping[str, Any] = read_yaml(path).mapping
    notes = script["notes"]
    steps: list[Step] = []
    for step in script["steps"]:
        if "propose" in step:
            steps.append(ProposeStep(step["propose"], step["content"]))
        else:
            note = notes[step["note"]]
            steps.append(NoteStep(note["store"], tuple(note["versions"]), step["version"]))
    return tuple(steps)


class _Files(StoreFiles):
    """The stores, for somebody who would rather come back later than wait."""

    @contextlib.contextmanager
    def hold(self, stores: Sequence[StoreName], *, timeout: float = LOCK_PATIENCE_SECONDS) -> Iterator[None]:
        with super().hold(stores, timeout=timeout):
            yield


class Performer:
    """Carries the script out on one home, step by step, over and over.

    It only ever changes entries that say exactly what the script made them say.
    """

    def __init__(self, home: HermesHome, journal: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.home = home
        self._journal = journal
        self._clock = clock
        self._steps = read_script()
        self._next = 0
        self._left: dict[StoreName, str] = {}
        """The digest each store had after our last write."""
        self._proposed: list[Path] = []

    def perform(self) -> bool:
        """Carry out the next step; False when it left everything as it was.

        Raises:
            Unreadable: the disk refused.
        """
        step = self._steps[self._next % len(self._steps)]
        self._next += 1
        environ = {"HERMES_TUI_STATE_DIR": str(self._journal)}
        files = _Files(self.home, load_config(self.home), origin="tool", environ=environ)
        try:
            return self._write(files, step) if isinstance(step, NoteStep) else self._propose(files, step)
        except Refused:  # full, not in order, or somebody is writing: the next step may go through
            return False

    def _write(self, files: StoreFiles, step: NoteStep) -> bool:
        if not self._is_inside(files.path(step.store)):
            return False
        left: list[str] = []

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            here = on_disk[step.store].view
            if here.state != "ok" or (here.digest != self._left.get(step.store) and self._is_fresh(here.path)):
                return {}
            after = step.apply(here.texts)
            left.append(digest_of(join(after).encode()))
            return {step.store: after}

        if files.change("batch", [step.store], plan) is None:
            return False
        self._left[step.store] = left[-1]
        return True

    def _propose(self, files: StoreFiles, step: ProposeStep) -> bool:
        waiting = any(path.exists() for path in self._proposed)
        known = step.content in files.view(step.store).texts
        if waiting or known or not self._is_inside(self.home.pending("memory")):
            return False
        payload = {"action": "add", "target": step.store, "content": step.content, "old_text": None}
        summary = single_summary(step.store, "add", step.content, "", whole=True)
        pending_id = stage(self.home, "memory", payload, summary=summary, origin="background_review")
        self._proposed = [self.home.pending("memory") / f"{pending_id}.json"]
        return True

    def _is_fresh(self, path: Path) -> bool:
        return self._clock() - path.stat().st_mtime < RESPECT_SECONDS

    def _is_inside(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self.home.path))
