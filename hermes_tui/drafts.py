"""Texts that were being written when the app had to end: kept for the person, outside the home."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from hermes_tui.disk import OWNER_ONLY, make_folder, write_failure
from hermes_tui.home import data_dir

MAX_PER_SECOND = 100


def keep_draft(home_path: Path, text: str) -> Path:
    """Write a text that was not saved into a file of its own, which only its owner can read.

    Raises:
        Unreadable: the disk refused.
    """
    folder = data_dir(home_path) / "drafts"
    make_folder(folder)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = folder / f"{stamp}.txt"
    try:
        for number in range(2, MAX_PER_SECOND):
            with contextlib.suppress(FileExistsError):
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
                with os.fdopen(handle, "wb") as file:
                    file.write(text.encode("utf-8", "surrogatepass"))
                return path
            path = folder / f"{stamp}-{number}.txt"
        raise FileExistsError(17, "File exists")
    except OSError as error:
        raise write_failure(path, error) from error
