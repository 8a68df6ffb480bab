"""Where somebody was when they left, so that the next start leads there: one small file for each home."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.disk import make_folder, open_regular, replace_file
from hermes_tui.home import data_dir

FILE_NAME = "sitting.json"
MOST_BYTES = 100_000
"""A larger file is none of ours."""
LeftAt = Mapping[str, Any]
"""What a screen wants to be told at the next start, by names of its own."""


class Sitting:
    """What the last sitting left, and what this one will leave.

    Args:
        path: the home.
        kept: whether anything is kept at all; a home that is thrown away has no next time.
    """

    def __init__(self, path: Path, *, kept: bool) -> None:
        self._file = data_dir(path) / FILE_NAME if kept else None
        self._places = self._read()

    def _read(self) -> dict[str, Any]:
        if self._file is None:
            return {}
        try:
            with open_regular(self._file) as file:
                found = json.loads(file.read(MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}  # there is none, or it is damaged: one begins as the first time
        return found if isinstance(found, dict) else {}

    @property
    def screen(self) -> str:
        """The screen that was up; empty when nobody knows."""
        screen = self._places.get("screen")
        return screen if isinstance(screen, str) else ""

    def take(self, screen: str) -> LeftAt:
        """Where somebody was on a screen; once, since after that they are somewhere else."""
        place = self._places.pop(screen, None)
        return place if isinstance(place, dict) else {}

    def keep(self, screen: str, left: Mapping[str, LeftAt]) -> None:
        """Keep where somebody is; what they did not visit this time is as it was.

        Args:
            screen: the one that is up.
            left: what each screen that was visited wants to be told at the next start.

        Raises:
            Unreadable: the disk refused.
        """
        if self._file is not None:
            data = json.dumps({**self._places, **left, "screen": screen}).encode()
            make_folder(self._file.parent)
            replace_file(self._file, data, follow=False)
