"""Whether every one of many keys has its effect, and how soon."""

from __future__ import annotations

import re
import statistics
import time

from tests.bench.report import Row, percentile
from tests.bench.screen import Screen
from tests.bench.terminal import Terminal
from tests.bench.world import HERMES_TUI, World

ENTRIES = 200
KEYS_PER_SECOND = 30
_CURSOR = re.compile(r"▌ *(\d+) ")
"""The number of the card with the cursor in the list that keys go to."""


def cursor(screen: Screen) -> int:
    """Which entry has the cursor; 0 when none shows it."""
    return next((int(match[1]) for line in screen.lines if (match := _CURSOR.search(line))), 0)


def scrolling(world: World) -> list[Row]:
    """Down through 200 entries at the pace of a held key, then back up all at once."""
    texts = [f"Fact number {number} about the project, long enough to be read." for number in range(1, ENTRIES + 1)]
    home = world.home("long", texts, ["Likes short answers."])
    presses = ENTRIES - 1
    with Terminal([HERMES_TUI], world.environ(home)) as terminal:
        terminal.wait_for(lambda screen: cursor(screen) == 1, "the cursor on the first entry")
        terminal.listen(1.0)
        sent: list[int] = []
        painted: dict[int, int] = {}

        def note_frame(at: int) -> bool:
            here = cursor(terminal.screen)
            for moves in range(len(painted) + 1, here):
                painted[moves] = at
            return here == ENTRIES

        began = time.monotonic()
        for press in range(presses):
            terminal.listen(began + press / KEYS_PER_SECOND - time.monotonic(), note_frame)
            sent.append(terminal.send("j"))
        terminal.listen(3.0, note_frame)
        moved = cursor(terminal.screen) - 1
        delays = [(at - sent[moves - 1]) / 1e6 for moves, at in painted.items()]

        started = terminal.send("k" * presses)
        ended = terminal.listen(10.0, lambda _at: cursor(terminal.screen) == 1)
        back = ENTRIES - cursor(terminal.screen)
    burst = f"shown after {(ended - started) / 1e6:.0f} ms" if ended else "never arrived"
    middle = statistics.median(delays) if delays else 0.0
    return [
        Row(f"{presses} x j at {KEYS_PER_SECOND}/s: cards moved", moved, "", None, presses, exact=True),
        Row(f"{presses} x k at once: cards moved", back, "", None, presses, exact=True, note=burst),
        Row("key to paint while scrolling: p95", percentile(delays or [0.0], 0.95), "ms", note=f"median {middle:.1f}"),
    ]
