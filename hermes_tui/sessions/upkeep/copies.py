"""What deleting keeps: the sessions in the lossless form, batch by batch, and the files about them."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from hermes_tui.disk import BINARY, CLOEXEC, NO_FOLLOW, OWNER_ONLY, make_folder, sync_folder, write_failure

FILE = "sessions.jsonl.gz"
FILES = "files"
LEVEL = 1
"""Of compression: conversations become five times smaller, at the speed at which they are read."""


class Copy:
    """What one step keeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / FILE
        self.files = folder / FILES

    @contextmanager
    def batch(self) -> Iterator[Callable[[str], object]]:
        """Add sessions; at the end they are on the disk, and can be read whatever happens to the next batch.

        Raises:
            Unreadable: the disk refused.
        """
        try:
            make_folder(self.folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_FOLLOW | CLOEXEC | BINARY
            with os.fdopen(os.open(self.path, flags, OWNER_ONLY), "ab") as raw:
                start = raw.tell()
                try:
                    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=LEVEL, filename="") as packed:
                        yield lambda text: packed.write(text.encode("utf-8"))
                    raw.flush()
                    os.fsync(raw.fileno())
                except BaseException:
                    raw.truncate(start)  # half a session would spoil the line that comes after it
                    raise
        except OSError as error:
            raise write_failure(self.path, error) from error
        sync_folder(self.folder)

    @property
    def begun(self) -> bool:
        """Whether anything may be in it: nothing is deleted before."""
        try:
            return self.path.stat().st_size > 0
        except FileNotFoundError:
            return False
        except OSError:
            return True

    @property
    def size(self) -> int:
        """Bytes on the disk."""
        found = 0
        for path in (self.path, *self._kept()):
            with suppress(OSError):
                found += path.stat().st_size
        return found

    def _kept(self) -> Sequence[Path]:
        try:
            return list(self.files.iterdir())
        except OSError:
            return ()

    def remove(self) -> None:
        """Delete it."""
        shutil.rmtree(self.folder, ignore_errors=True)
