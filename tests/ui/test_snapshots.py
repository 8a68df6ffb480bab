"""Every screen at every size in a dark and a light theme, as it was last looked at and found good.

After a change that is meant: `python -m pytest tests/ui/test_snapshots.py --snapshot-update`, and look at the pictures.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from hermes_tui import SCREENS
from hermes_tui.demo import build
from hermes_tui.home import HermesHome
from hermes_tui.ui.app import HermesTuiApp
from tests.ui.conftest import Driver
from tests.ui.sessions_app import SessionsDriver
from tests.ui.timeline_app import TimelineDriver

NOW = 1_772_200_000.0
SIZES = [(60, 15), (80, 24), (120, 36)]
THEMES = ["hermes-dark", "hermes-light"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo home; made once, since it takes seconds."""
    folder = tmp_path_factory.mktemp("demo") / ".hermes"
    build(folder, now=NOW)
    return folder


async def _rested(pilot: Pilot[Any], screen: str) -> None:
    app = pilot.app
    assert isinstance(app, HermesTuiApp)
    driver = Driver(app, pilot, app.home.path)
    await driver.until(lambda: app.watching.watched, "the watcher is up")
    await pilot.press(str(SCREENS.index(screen) + 1))
    if screen == "sessions":
        await SessionsDriver(driver).settle()
    elif screen == "timeline":
        await TimelineDriver(driver).settle()
        await driver.until(lambda: app.past.chronicle.complete, "history is read")
        await TimelineDriver(driver).settle()
    elif screen == "pending":
        await driver.until(lambda: app.screens.pending and app.screens.pending[0].reader.items, "the queue is read")
    await driver.settle()
    await pilot.pause(0.5)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_looks_as_it_should(
    snap_compare: Callable[..., bool],
    isolated_machine: Path,
    demo: Path,
    monkeypatch: pytest.MonkeyPatch,
    screen: str,
    size: tuple[int, int],
    theme: str,
) -> None:
    """Something would be cut, overlapping or of the wrong colour, and nobody would have looked."""
    home = isolated_machine / ".hermes"
    shutil.copytree(demo, home, symlinks=True)
    monkeypatch.setattr("time.time", lambda: NOW)
    app = HermesTuiApp(HermesHome(home, "default", "default"), theme=theme)

    async def rest(pilot: Pilot[Any]) -> None:
        await _rested(pilot, screen)

    assert snap_compare(app, terminal_size=size, run_before=rest)
