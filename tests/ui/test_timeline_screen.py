"""The Timeline screen as a person uses it: sliding, comparing, and what is behind a change."""

from __future__ import annotations

import time

import pytest

from hermes_tui.ui.timeline.line import NOW
from hermes_tui.ui.timeline.slider import Slider
from hermes_tui.ui.transcript.screen import TranscriptScreen
from tests.ui.timeline_app import DAY, Life, MakeLife, OpenTimeline, life, open_timeline, some_weeks

__all__ = ["life", "open_timeline", "some_weeks"]

NOW_MEMORY = ("The museum opens at nine.", "Written by nobody knows whom.")
NOW_USER = ("Name: Ines",)
WEEKS = [
    "+ memory The museum opens at ten.",
    "+ user Name: Ines",
    "~ memory The museum opens at nine.",
    "+ memory Crates are stored in room 4.",
    "- memory Crates are stored in room 4.",
    "+ memory Written by nobody knows whom.",
]


@pytest.mark.usefixtures("some_weeks")
async def test_all_changes_of_both_stores_are_listed_and_the_last_one_is_open(open_timeline: OpenTimeline) -> None:
    """One would not see what has changed, or land in a long past."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        assert driver.changes == WEEKS
        assert driver.change_list.cursor == len(WEEKS) - 1
        assert "change 6 of 6" in driver.where
        assert driver.where.endswith("against the change before")
        assert "+ came" in driver.then()
        assert "Written by nobody knows whom." in driver.then()
        row = next(row for row in driver.rows() if "nobody knows" in row and "by 20" in row)
        assert "not known" in row
        assert "tool call" in next(row for row in driver.rows() if "- went" in row)


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
async def test_both_forms_of_storing_prompts_make_the_same_line(
    life: MakeLife, open_timeline: OpenTimeline, shape: str
) -> None:
    """On one line of the agent the timeline would be empty."""
    made = life(shape)
    made.session("s1")
    made.add("s1", "one")
    made.session("s2")
    async with open_timeline(("one",)) as driver:
        assert driver.changes == ["+ memory one"]
        assert driver.screen.line.sessions[-1].id == "s2"


@pytest.mark.usefixtures("some_weeks")
async def test_one_slides_change_by_change_and_the_stores_follow(open_timeline: OpenTimeline) -> None:
    """The stores would show another moment than the one that is named."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        await driver.press("h")
        assert driver.where.startswith("change 5 of 6 · 20")
        assert "· tool call in “Clearing up”" in driver.where
        assert "- went\nCrates are stored in room 4." in driver.then()
        assert "The same as before: 1 entry." in driver.then("user")
        await driver.press("left", "left")
        assert "~ edited · entry 1\nThe museum opens at [-ten-]{+nine+}." in driver.then()
        await driver.press("g")
        assert driver.change_list.cursor == 0
        assert "change 1 of 6" in driver.where
        assert "There is nothing before it to compare with." in driver.then()
        await driver.press("h")
        assert "change 1 of 6" in driver.where
        await driver.press("G")
        assert driver.screen.place.at == NOW
        assert driver.where.startswith("now")
        await driver.press("l", "l")
        assert driver.screen.place.at == NOW


@pytest.mark.usefixtures("some_weeks")
async def test_against_now_says_what_came_went_and_was_edited_since(open_timeline: OpenTimeline) -> None:
    """One could not see what is different today."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        await driver.press("h", "h", "v")
        assert driver.where.endswith("against now")
        assert driver.then().startswith("1 came since · 1 gone since · 1 the same")
        assert "+ came since\nWritten by nobody knows whom." in driver.then()
        assert "- gone since · entry 2\nCrates are stored in room 4." in driver.then()
        await driver.press("h", "h")
        assert "~ edited since · entry 1\nThe museum opens at [-ten-]{+nine+}." in driver.then()
        await driver.press("v")
        assert driver.where.endswith("against the change before")


async def test_a_session_shows_what_it_was_told_with_the_limit_of_then(
    life: MakeLife, open_timeline: OpenTimeline
) -> None:
    """What a session believed would be guessed from what the file held."""
    made = life(days=20)
    made.stores["memory"] = ["one"]
    made.session("s1", "A small one")
    made.tell("s1", memory=500)
    made.wait(5)
    made.stores["memory"] = ["one", "two"]
    made.session("s2", "The next one")
    async with open_timeline(("one", "two")) as driver:
        await driver.press("left_square_bracket", "left_square_bracket")
        assert "session “A small one”" in driver.where
        assert driver.where.endswith("against the session before")
        assert "As this session was told." in driver.then()
        assert driver.screen.pane_of("memory").usage_bar.usage.limit == 500
        assert "0% — 3/500 chars" in driver.shown()
        await driver.press("right_square_bracket")
        assert "1 came · 1 the same" in driver.then()
        assert driver.screen.pane_of("memory").usage_bar.usage.limit == 2_200
        await driver.press("right_square_bracket")
        assert driver.toasts[-1] == "There is no later session that was told anything."
        await driver.press("enter")
        assert isinstance(driver.app.screen, TranscriptScreen)
        assert driver.app.screen.session_id == "s2"


@pytest.mark.usefixtures("some_weeks")
async def test_days_and_weeks_are_steps_too(open_timeline: OpenTimeline) -> None:
    """Two years would be slid through change by change."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        last = driver.screen.place.at
        await driver.press("comma")
        assert driver.screen.place.at == pytest.approx(last - DAY)
        assert "after change 5 of 6" in driver.where
        await driver.press("full_stop", "less_than_sign")
        assert driver.screen.place.at == pytest.approx(last - 7 * DAY)
        assert driver.change_list.cursor == driver.screen.place.row
        await driver.press("greater_than_sign", *["greater_than_sign"] * 6)
        assert driver.screen.place.at == NOW
        await driver.press(*["less_than_sign"] * 9)
        assert driver.screen.place.at == driver.screen.line.start


async def test_enter_goes_to_the_message_that_made_the_change(life: MakeLife, open_timeline: OpenTimeline) -> None:
    """One would have to look for the message by hand."""
    made = life()
    made.session("s1", "The first")
    message = made.add("s1", "one")
    made.session("s2")
    async with open_timeline(("one",)) as driver:
        await driver.press("enter")
        assert isinstance(driver.app.screen, TranscriptScreen)
        assert (driver.app.screen.session_id, driver.app.screen.message_id) == ("s1", message)
        await driver.until(lambda: '"content": "one"' in driver.shown() or "memory" in driver.shown())
        await driver.pilot.press("escape")
        await driver.settle()
        assert driver.back


async def test_enter_says_why_there_is_no_message(life: MakeLife, open_timeline: OpenTimeline) -> None:
    """A key would do nothing, or open something else."""
    made = life()
    made.session("s1")
    made.add("s1", "one")
    made.stores["memory"].append("nobody's")
    made.session("s2")
    async with open_timeline(("one", "nobody's")) as driver:
        await driver.press("enter")
        assert driver.toasts[-1] == "Nothing recorded who made this change, so there is no message to go to."
        made.world.run("DELETE FROM messages WHERE session_id = 's1'")
        made.world.run("DELETE FROM sessions WHERE id = 's1'")
        await driver.press("h", "enter")
        assert driver.app.screen is driver.screen
        assert "The session s1 was deleted since." in driver.toasts[-1]


@pytest.mark.usefixtures("some_weeks")
async def test_an_edit_made_here_is_on_the_line_at_once(open_timeline: OpenTimeline) -> None:
    """The person's own changes would be missing, or be called unknown."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        await driver.pilot.press("1", "d")
        await driver.until(lambda: len(driver.texts()) == 1, "the entry is deleted")
        await driver.driver.settle()
        await driver.pilot.press("4")
        await driver.settle()
        assert driver.changes[-1] == "- memory The museum opens at nine."
        assert driver.change_list.changes[-1].by == "edited here"
        await driver.press("enter")
        assert driver.toasts[-1] == "It was edited here, by hand: no message is behind it."


async def test_what_comes_while_one_looks_is_added_and_the_place_stays(
    some_weeks: Life, open_timeline: OpenTimeline
) -> None:
    """The view would jump under one's eyes, or stay old."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        await driver.press("h", "h", "h")
        before = driver.where
        some_weeks.now = time.time()
        some_weeks.session("s5", "Just now")
        some_weeks.add("s5", "A late one.")
        driver.driver.write([*NOW_MEMORY, "A late one."])
        await driver.until(lambda: "+ memory A late one." in driver.changes, "the new change is listed")
        await driver.settle()
        assert driver.where == before.replace("of 6", "of 7")
        assert driver.change_list.cursor == 2


async def test_the_end_is_followed_until_one_goes_anywhere(some_weeks: Life, open_timeline: OpenTimeline) -> None:
    """Who waits for the next change would not see it."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        some_weeks.now = time.time()
        some_weeks.session("s5")
        some_weeks.add("s5", "A late one.")
        driver.driver.write([*NOW_MEMORY, "A late one."])
        await driver.until(lambda: len(driver.changes) == 7)
        await driver.settle()
        assert "change 7 of 7" in driver.where
        assert "A late one." in driver.then()


@pytest.mark.usefixtures("some_weeks")
async def test_an_outside_edit_is_seen_with_its_time(open_timeline: OpenTimeline) -> None:
    """Edits by hand between two sessions would melt into one."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        driver.driver.write([*NOW_MEMORY, "one by hand"])
        await driver.until(lambda: "+ memory one by hand" in driver.changes)
        await driver.settle()
        driver.driver.write([*NOW_MEMORY, "one by hand", "two by hand"])
        await driver.until(lambda: "+ memory two by hand" in driver.changes)
        first, second = driver.change_list.changes[-2:]
        assert first.until < second.until
        assert {first.by, second.by} == {"outside edit or unknown"}


@pytest.mark.usefixtures("some_weeks")
async def test_the_track_can_be_clicked_and_dragged(open_timeline: OpenTimeline) -> None:
    """The mouse would do nothing on the line."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        width = driver.screen.query_one(Slider).size.width
        await driver.pilot.mouse_down(Slider, offset=(width // 2, 0))
        await driver.settle()
        assert driver.screen.line.start is not None
        middle = driver.screen.place.at
        assert driver.screen.line.start < middle < NOW
        await driver.pilot.hover(Slider, offset=(width - 2, 0))
        await driver.pilot.mouse_up(Slider, offset=(width - 2, 0))
        await driver.settle()
        assert driver.screen.place.at == NOW
        await driver.pilot.click(Slider, offset=(12, 0))
        await driver.settle()
        assert driver.screen.place.at < middle


@pytest.mark.usefixtures("some_weeks")
async def test_a_click_on_a_row_goes_there_and_a_second_one_opens_it(open_timeline: OpenTimeline) -> None:
    """The list would be for keys only."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        row = next(y for y, words in enumerate(driver.rows()) if "- went" in words)
        await driver.pilot.click(offset=(30, row))
        await driver.settle()
        assert "change 5 of 6" in driver.where
        await driver.pilot.click(offset=(30, row), times=2)
        await driver.until(lambda: isinstance(driver.app.screen, TranscriptScreen), "the message is open")


@pytest.mark.usefixtures("some_weeks")
async def test_tab_leads_through_the_stores_and_back(open_timeline: OpenTimeline) -> None:
    """A long store could not be scrolled without the mouse."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        for expected in ("then-text-memory", "then-text-user", "change-list"):
            await driver.press("tab")
            assert driver.app.focused is not None
            assert driver.app.focused.id == expected
        await driver.press("tab", "h")
        assert "change 5 of 6" in driver.where  # one slides from there as well
        await driver.press("escape")
        assert driver.change_list.has_focus


@pytest.mark.usefixtures("some_weeks")
async def test_4_in_a_transcript_leads_back_to_the_timeline(open_timeline: OpenTimeline) -> None:
    """The key of the screen would do nothing while a message is read over it."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        await driver.press("h", "enter")
        assert isinstance(driver.app.screen, TranscriptScreen)
        await driver.pilot.press("4")
        await driver.settle()
        assert driver.back
