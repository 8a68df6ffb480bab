"""A Textual driver without a terminal that says what had been loaded when the first cards were drawn.

TEXTUAL_DRIVER=tests.bench.first_frame:Recorder chooses it; FIRST_FRAME_SHOWS is a text of the cards.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from textual.drivers.headless_driver import HeadlessDriver

_opened: list[str] = []


def _note(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(args[0], str):
        _opened.append(args[0])


sys.addaudithook(_note)


class Recorder(HeadlessDriver):
    """Prints the modules and the opened files as JSON at the first frame with cards, and ends the process."""

    @property
    def is_headless(self) -> bool:
        """No: a frame that nobody sees would not be drawn."""
        return False

    def write(self, data: str) -> None:
        """Look at what would go to the terminal."""
        if os.environ["FIRST_FRAME_SHOWS"] in data:
            print(json.dumps({"modules": sorted(sys.modules), "opened": _opened}), file=sys.__stdout__, flush=True)
            os._exit(0)
