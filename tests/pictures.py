"""Makes the pictures of the README from the demo home: `make screenshots`."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

if TYPE_CHECKING:
    from textual.app import App
    from textual.pilot import Pilot

    from hermes_tui.ui.app import HermesTuiApp

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "screenshots"
NOW = 1_772_200_000.0
"""The pictures' clock: the ages on them must not change from one run to the next."""

STILL_LOOKS = 3
"""How often the screen must look the same, a tenth of a second apart."""

PICTURES: tuple[tuple[str, tuple[int, int], str, tuple[str, ...]], ...] = (
    ("memory-dark", (120, 36), "hermes-dark", ()),
    ("memory-light", (120, 36), "hermes-light", ()),
    ("memory-narrow", (80, 24), "hermes-dark", ()),
    ("editor", (120, 36), "hermes-dark", ("j", "j", "e")),
    ("prompt", (120, 36), "hermes-dark", ("p",)),
    ("pending-dark", (120, 36), "hermes-dark", ("2",)),
    ("pending-narrow", (80, 24), "hermes-dark", ("2",)),
    ("sessions-dark", (120, 36), "hermes-dark", ("3", "slash", *"courier", "down")),
    ("sessions-light", (120, 36), "hermes-light", ("3",)),
    ("sessions-narrow", (80, 24), "hermes-dark", ("3", "slash", *"courier", "down")),
    ("transcript-dark", (120, 36), "hermes-dark", ("3", "slash", *"backup", "enter")),
    ("timeline-dark", (120, 36), "hermes-dark", ("4",)),
    ("timeline-narrow", (80, 24), "hermes-dark", ("4",)),
    ("story", (120, 36), "hermes-dark", ("b",)),
    ("story-narrow", (80, 24), "hermes-dark", ("b",)),
    ("palette", (120, 36), "hermes-dark", ("ctrl+p", *"theme", *["down"] * 4)),
)


def drawn(app: App[None]) -> str:
    """What is shown, as a picture."""
    return app.export_screenshot(title="hermes-tui", simplify=True)


async def at_rest(app: HermesTuiApp, pilot: Pilot[None]) -> None:
    """Wait until the past is read and nothing on the screen changes any more, however busy the machine is."""
    before, still = "", 0
    for _ in range(200):
        await pilot.pause(0.1)
        known = app.past.chronicle.known
        now = drawn(app)
        still = still + 1 if now == before and known is not None and known.complete else 0
        if still == STILL_LOOKS:
            return
        before = now
    raise RuntimeError("The screen does not come to rest.")


async def picture(name: str, size: tuple[int, int], theme: str, keys: tuple[str, ...]) -> None:
    """Open the app on the demo home, press the keys, save what is shown."""
    from hermes_tui.home import resolve_home
    from hermes_tui.ui.app import HermesTuiApp

    app = HermesTuiApp(resolve_home(), theme=theme, read_only=False)
    async with app.run_test(size=size, notifications=False) as pilot:
        await at_rest(app, pilot)
        for key in keys:
            await pilot.press(key)
            await at_rest(app, pilot)
        (FOLDER / f"{name}.svg").write_text(drawn(app))
    print(f"screenshots/{name}.svg")


def main() -> None:
    """All pictures, on a machine of their own."""
    FOLDER.mkdir(exist_ok=True)
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        for name in list(os.environ):
            if name.startswith(("HERMES_", "XDG_", "NO_COLOR", "SSH_")):
                del os.environ[name]
        os.environ.update(HOME=folder, TZ="UTC", LC_ALL="C.UTF-8", HERMES_MANAGED_DIR=f"{folder}/managed")
        time.tzset()
        from hermes_tui.demo import build

        build(Path(folder) / ".hermes", now=NOW)
        with patch("time.time", return_value=NOW):
            for name, size, theme, keys in PICTURES:
                if not wanted or name in wanted:
                    asyncio.run(picture(name, size, theme, keys))


main()
