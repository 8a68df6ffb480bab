"""The tour: five steps over the screens they are about, with the keys as they are bound."""

from __future__ import annotations

import pytest

from hermes_tui.ui.actions import BY_ID, use_keys
from hermes_tui.ui.dialogs.base import Dialog
from hermes_tui.ui.dialogs.tour import TourStep
from hermes_tui.ui.palette import Palette
from hermes_tui.ui.touring import STEPS, said
from tests.ui.conftest import Driver, Open

SIZES = [(60, 15), (80, 24), (120, 36)]


async def at(driver: Driver, number: int) -> str:
    """Wait for a step; what the screen shows then."""

    def shown() -> bool:
        screen = driver.app.screen
        return isinstance(screen, TourStep) and screen.heading.startswith(f"Tour {number} of 5")

    await driver.until(shown, f"step {number}")
    await driver.pilot.pause()
    assert driver.app.current_mode == STEPS[number - 1].screen
    return " ".join(driver.shown().split())


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_five_steps_lead_through_the_screens_and_back(open_app: Open, size: tuple[int, int]) -> None:
    """A newcomer would have to find the screens by trying keys."""
    async with open_app(size=size) as driver:
        await driver.pilot.press("f8")
        for number in range(1, 6):
            shown = await at(driver, number)
            assert "esc End the tour" in shown
            last = said(STEPS[number - 1].words)[-1][0].split()[-1]
            assert last in shown, "the words are there to their end"
            await driver.pilot.press("enter" if number < 5 else "left")
        await at(driver, 4)
        await driver.pilot.press("l", "enter")
        await driver.until(lambda: not isinstance(driver.app.screen, TourStep), "it ends")
        assert driver.app.current_mode == "memory"
        assert "f8 shows the tour again." in driver.toasts[-1]


async def test_it_is_left_at_any_step_and_begins_anew(open_app: Open) -> None:
    """Somebody in a hurry would have to press enter five times."""
    async with open_app() as driver:
        await driver.pilot.press("f8")
        await at(driver, 1)
        await driver.pilot.press("left", "enter")
        await at(driver, 2)
        await driver.pilot.press("escape")
        await driver.until(lambda: not isinstance(driver.app.screen, TourStep), "it ends")
        await driver.pilot.press("f8")
        await at(driver, 1)


async def test_a_screens_key_leads_there_and_ends_it(open_app: Open) -> None:
    """The tour has just named that key, and it would do nothing."""
    async with open_app() as driver:
        await driver.pilot.press("f8")
        await at(driver, 1)
        await driver.pilot.press("4")
        await driver.until(lambda: not isinstance(driver.app.screen, TourStep), "it ends")
        await driver.until(lambda: driver.app.current_mode == "timeline", "the screen of that key")


async def test_the_palette_opens_over_the_screen_and_escape_leads_back_to_the_step(open_app: Open) -> None:
    """The step's box would stand half under it, and none of the keys that it speaks of would be offered."""

    def offered(id: str) -> bool:
        return isinstance(driver.app.screen, Palette) and BY_ID[id].help in driver.shown()

    async with open_app() as driver:
        await driver.pilot.press("f8", "enter", "left")
        await at(driver, 1)
        await driver.pilot.press("ctrl+p")
        await driver.until(lambda: offered("memory.add"), "what can be done on the screen")
        assert "Tour 1 of 5" not in driver.shown()
        await driver.pilot.press("escape")
        await at(driver, 1)
        await driver.pilot.press("ctrl+p", *"preview")
        await driver.until(lambda: not offered("memory.add") and offered("memory.preview"), "what was looked for")
        await driver.pilot.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, Dialog), "it is done")
        assert not isinstance(driver.app.screen, TourStep)


async def test_it_comes_first_on_a_home_that_is_made_for_newcomers_and_only_there(open_app: Open) -> None:
    """It would stand in the way every day, or nobody would know of it."""
    async with open_app() as driver:
        assert not isinstance(driver.app.screen, TourStep)
        driver.app.newcomer = True
        driver.app._start()
        await at(driver, 1)


def test_it_names_the_keys_as_they_are_bound() -> None:
    """With keys of one's own the tour would teach others."""
    try:
        use_keys({"memory.add": ("+",)})
        assert ("+", "bold $accent") in said(STEPS[0].words)
    finally:
        use_keys({})
    assert all(piece in {action.key for action in BY_ID.values()} for step in STEPS for piece, style in said(step.words)
               if style)  # fmt: skip
