"""The dialog over a long change: it comes late, goes once, and whatever is over it stays."""

from __future__ import annotations

import asyncio

import pytest
from textual.screen import ModalScreen

from hermes_tui.ui.dialogs.base import KeyBar
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.following import Course, Following
from tests.ui.dialog_app import SIZES, DialogApp


async def test_a_change_that_ends_while_the_dialog_opens_takes_nothing_else_down() -> None:
    """The screen below would go too, and with it the app."""
    app = DialogApp()
    async with app.run_test() as pilot:
        dialog = Following(Course("Deleting", "conversation"))
        app.push_screen(dialog)
        dialog.finish()
        dialog.finish()
        await pilot.pause()
        assert not isinstance(app.screen, ModalScreen)


async def test_what_came_over_it_stays_and_it_goes_after_that() -> None:
    """A question would vanish unanswered because something else had ended."""
    app = DialogApp(dialog := Following(Course("Deleting", "conversation")))
    async with app.run_test() as pilot:
        await pilot.pause()
        app.push_screen(Confirm("Sure?"), app.answers.append)
        await pilot.pause()
        dialog.finish()
        await pilot.pause()
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        await pilot.pause()
        assert not isinstance(app.screen, ModalScreen)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_it_says_how_far_it_is_and_stops_on_a_key(size: tuple[int, int]) -> None:
    """One would wait without knowing for how long."""
    course = Course("Deleting", "conversation")
    app = DialogApp(Following(course))
    async with app.run_test(size=size) as pilot:
        course.progress(1_200, 20_000)
        async with asyncio.timeout(20):
            while not ("1,200 of 20,000 conversations" in app.shown and " 6%" in app.shown):
                await pilot.pause(0.05)
        await pilot.press("escape")
        assert "Stopping: what has begun is finished first." in app.shown
        assert course.stopped()
        assert isinstance(app.screen, Following)


async def test_what_cannot_stop_does_not_say_that_it_can() -> None:
    """Escape would promise what does not happen."""
    course = Course("Writing state.db anew", "page", can_stop=False)
    app = DialogApp(Following(course))
    async with app.run_test() as pilot:
        await pilot.press("escape")
        assert not course.stopped()
        assert not app.screen.query_one(KeyBar).hints[0].enabled
        assert "At work …" in app.shown
