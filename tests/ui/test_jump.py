"""A letter on every part of the screen, and the way there by typing it."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from hermes_tui.ui.dialogs.jump import Jump
from tests.ui.conftest import Driver, Open


def letters(driver: Driver) -> dict[str, tuple[int, int]]:
    """Where the letters stand."""
    return {str(sign.render()).strip(): (sign.region.x, sign.region.y) for sign in driver.app.screen.query(Static)}


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)], ids=str)
@pytest.mark.parametrize("key", ["1", "2", "3", "4"])
async def test_every_part_has_a_letter_that_leads_there(open_app: Open, size: tuple[int, int], key: str) -> None:
    """With tab one passes everything on the way."""
    async with open_app(size=size) as driver:
        await driver.pilot.press(key)
        await driver.settle()
        parts = [widget for widget in driver.app.screen.focus_chain if widget.region]
        assert parts
        for number, part in enumerate(parts):
            # What is typed into takes the key that asks for the letters.
            driver.app.screen.set_focus(next(widget for widget in parts if not hasattr(widget, "value")))
            await driver.pilot.pause()
            await driver.pilot.press("semicolon")
            await driver.until(lambda: isinstance(driver.app.screen, Jump), "the letters")
            await driver.pilot.pause()
            shown = letters(driver)
            assert list(shown) == list("asdfghjkl")[: len(parts)]
            letter = list(shown)[number]
            assert shown[letter] == (part.region.x, part.region.y)
            await driver.pilot.press(letter)
            await driver.pilot.pause()
            assert driver.app.focused is part


@pytest.mark.parametrize("key", ["escape", "z", "semicolon"])
async def test_any_other_key_leaves_everything_as_it_was(open_app: Open, key: str) -> None:
    """Letters would stay over the text, or the key would do something to an entry."""
    async with open_app() as driver:
        before, focused = driver.texts(), driver.app.focused
        await driver.pilot.press("semicolon")
        await driver.until(lambda: isinstance(driver.app.screen, Jump), "the letters")
        await driver.pilot.press(key)
        await driver.until(lambda: not isinstance(driver.app.screen, Jump), "they go")
        assert driver.app.focused is focused
        assert driver.texts() == before
