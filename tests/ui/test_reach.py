"""Every action of the table by keyboard, by palette and by mouse alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot

import hermes_tui
from hermes_tui.ui.actions import EVERYWHERE, actions_for
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.dialogs.base import KeyBar
from hermes_tui.ui.dialogs.editor import EntryEditor
from hermes_tui.ui.dialogs.help import Help
from hermes_tui.ui.widgets.footer import FooterLine
from tests.sessions.world import World
from tests.ui.conftest import Driver, Open

SCREENS = {name: str(number) for number, name in enumerate(hermes_tui.SCREENS, 1)}


async def open_palette_by_mouse(driver: Driver, pilot: Pilot[None]) -> CommandList:
    """Click on Help in the bottom line, then on the palette in the page of keys."""
    footer = driver.app.screen.query_one(FooterLine)
    _, start = footer.fitting(footer.size.width)[-1]
    await pilot.click(footer, offset=(start + 1, 0))
    await driver.until(lambda: isinstance(driver.app.screen, Help), "help")
    await pilot.pause()
    bar = driver.app.screen.query_one(KeyBar)
    row, column, _ = next(place for place in bar.placed(bar.size.width) if place[2].action == "app.command_palette")
    await pilot.click(bar, offset=(column + 1, row))
    await driver.until(lambda: isinstance(driver.app.screen, CommandPalette), "the palette")
    offered = driver.app.screen.query_one(CommandList)
    await driver.until(lambda: offered.option_count > 10, "its actions")
    return offered


@pytest.mark.parametrize("name", SCREENS)
async def test_every_action_has_a_key_and_is_in_the_palette_that_a_mouse_opens(
    open_app: Open, hermes_home: Path, name: str
) -> None:
    """A key that a terminal swallows, or a hand that cannot type, would leave something out of reach."""
    world = World(hermes_home / "state.db", "0.22")
    world.session("s1", "hello", title="Hello")
    world.close()
    async with open_app() as driver:
        await driver.pilot.press(SCREENS[name])
        await driver.until(lambda: driver.app.screen.name == name, "the screen")
        await driver.settle()
        offered = await open_palette_by_mouse(driver, driver.pilot)
        await driver.pilot.pause(0.3)
        texts = "\n".join(str(offered.get_option_at_index(at).prompt) for at in range(offered.option_count))
        wanted = [action for action in actions_for(name) if action.screen in (name, EVERYWHERE)]
        assert all(action.keys for action in wanted)
        app = driver.app
        assert isinstance(app, HermesTuiApp)
        below = app.screens.up
        assert below is not None
        left_out = [
            action.id
            for action in wanted
            if below.label_of(action) not in texts and action.id not in ("app.palette", f"app.{name}")
        ]
        assert not left_out


async def test_a_click_in_the_palette_does_it(open_app: Open) -> None:
    """It would be a list to look at."""
    async with open_app() as driver:
        offered = await open_palette_by_mouse(driver, driver.pilot)
        await driver.pilot.pause(0.3)
        assert "Add" in str(offered.get_option_at_index(0).prompt)
        await driver.pilot.click(offered, offset=(4, 0))
        await driver.until(lambda: isinstance(driver.app.screen, EntryEditor), "the first one is done")
