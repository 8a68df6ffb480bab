"""Work in the background that fails in a way nobody foresaw is said, and the app stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from hermes_tui.crash import reports
from hermes_tui.errors import Unreadable
from hermes_tui.home import resolve_home
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.dialogs.help import Help


async def fails(error: Exception) -> None:
    """Work that comes to nothing."""
    raise error


async def said(pilot: Pilot[None], app: HermesTuiApp) -> list[str]:
    """What the toasts say by now."""
    await pilot.pause(0.05)
    return [str(toast.message) for toast in app.toasts if toast.severity == "error"]


@pytest.mark.parametrize("where", ["app", "screen", "dialog"])
async def test_a_failure_in_the_background_is_said_and_reported_once(hermes_home: Path, where: str) -> None:
    """A list would stay empty, and nobody could tell that something is wrong."""
    assert hermes_home.is_dir()
    app = HermesTuiApp(resolve_home())
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await pilot.pause()
        if where == "dialog":
            await app.push_screen(Help(()))
        owner = app if where == "app" else app.screen
        owner.run_worker(fails(ValueError("private words")), exit_on_error=False)
        (words,) = await said(pilot, app)
        (report,) = reports()
        assert str(report) in words
        assert "private" not in words + report.read_text()
        owner.run_worker(fails(ValueError("private words")), exit_on_error=False)
        assert len(await said(pilot, app)) == 2
        assert len(reports()) == 1
        await pilot.press("escape", "2")
        await pilot.pause()
        assert app.current_mode == "pending"


async def test_a_failure_that_has_words_is_said_in_them(hermes_home: Path) -> None:
    """A full disk would be called something that nobody foresaw."""
    assert hermes_home.is_dir()
    app = HermesTuiApp(resolve_home())
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await pilot.pause()
        app.run_worker(fails(Unreadable("The disk is full.", code="disk_full", hint="Make room.")), exit_on_error=False)
        assert await said(pilot, app) == ["The disk is full.\nMake room."]
        assert not reports()


async def test_where_there_is_no_shell_ctrl_z_says_so(hermes_home: Path) -> None:
    """In a browser the key would be dead."""
    assert hermes_home.is_dir()
    app = HermesTuiApp(resolve_home())
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await pilot.press("ctrl+z")
        await pilot.pause()
        assert "There is no shell to go back to here." in [str(toast.message) for toast in app.toasts]
