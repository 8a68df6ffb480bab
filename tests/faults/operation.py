"""What a person does, with all that is needed to try it on a disk that fails."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.home import HermesHome, data_dir

Look = Mapping[str, object]
"""What there is that must not be lost: contents by name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A machine with nothing but a home on it."""

    root: Path

    @property
    def home(self) -> HermesHome:
        """The home."""
        return HermesHome(self.root / ".hermes", "default", "default")

    def profile(self, name: str) -> HermesHome:
        """Another home beside it."""
        return HermesHome(self.home.path / "profiles" / name, name, "--profile")

    @property
    def data(self) -> Path:
        """Where our own data about the home lies."""
        return data_dir(self.home.path)

    @contextmanager
    def lived_in(self) -> Iterator[None]:
        """Everything of the person who runs this is out of sight."""
        kept = dict(os.environ)
        for name in [name for name in os.environ if name.startswith(("HERMES", "XDG_"))]:
            del os.environ[name]
        os.environ.update(HOME=str(self.root), HERMES_MANAGED_DIR=str(self.root / "managed"))
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(kept)


def nothing(_place: Place) -> None:
    """There is nothing to do."""


def never(_now: Look, _old: Look, _new: Look) -> bool:
    """It is done or not."""
    return False


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that a person does, or asks for."""

    name: str
    prepare: Callable[[Place], object]
    """Makes the home before it, on a disk that works."""
    sit: Callable[[Place], Callable[[], object]]
    """Opens what is needed, and gives what is tried."""
    look: Callable[[Place], Look]
    start: Callable[[Place], object] = nothing
    """What the next start does by itself."""
    undo: Callable[[Place], object] | None = None
    """Takes the last change back; None where that is not to be."""
    between: Callable[[Look, Look, Look], bool] = never
    """Whether what is there now, neither as before nor as after, has lost nothing; for what consists of pieces."""
    mends: bool = False
    """Whether taking it back is what brings back everything when only pieces are done."""
    silent: bool = False
    """Whether nobody is told what could not be kept, since it is found again."""
    rollback: bool = False
    """Whether the database has no write-ahead log."""
