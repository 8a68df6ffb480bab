"""A machine with nothing but a home on it, made for one input."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.faults.operation import Place

SHARED = Path("/dev/shm")


@cache
def folder() -> Path:
    """Where this process puts what inputs need; in memory where there is such a place."""
    asked = "TMPDIR" in os.environ  # whoever says where removes it, too: not every process gets to its end
    made = Path(tempfile.mkdtemp(prefix="fuzz-", dir=SHARED if SHARED.is_dir() and not asked else None))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@contextmanager
def machine() -> Iterator[Place]:
    """A new one, with an empty home."""
    place = Place(folder() / "machine")
    shutil.rmtree(place.root, ignore_errors=True)
    place.home.memories.mkdir(parents=True)
    with place.lived_in():
        yield place


def put(path: Path, data: bytes) -> Path:
    """Write a file, and the folders that it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
