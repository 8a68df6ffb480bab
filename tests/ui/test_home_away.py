"""A home, or a folder of it, that is away for a while: no screen tells an edit, an empty store or an empty queue."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.home import data_dir
from tests.ui.timeline_app import Life, OpenTimeline, life, open_timeline, some_weeks

__all__ = ["life", "open_timeline", "some_weeks"]


async def test_every_screen_says_that_the_home_is_away_and_comes_back_with_it(
    hermes_home: Path, some_weeks: Life, open_timeline: OpenTimeline
) -> None:
    """Every entry `went`, the queue holds 0 and there are `no sessions yet`: a person would believe it."""
    async with open_timeline(("The museum opens at nine.", "Written by nobody knows whom."), ("Name: Ines",)) as driver:
        seen = data_dir(hermes_home) / "history" / "seen.jsonl"
        await driver.until(seen.exists, "what the stores hold is noted")
        before = driver.changes
        away = hermes_home.with_name("elsewhere")
        some_weeks.close()
        hermes_home.rename(away)
        await driver.until(lambda: not driver.screen.state.exists, "the home is gone")
        await driver.press("f5")
        for key, screen in (("4", "timeline"), ("1", "memory"), ("2", "pending"), ("3", "sessions")):
            await driver.press(key)
            await driver.until(lambda: "There is no home at" in driver.shown(), f"{screen} says it")
            for lie in ("Empty, as it was", "Pending · 0", "no sessions yet"):
                assert lie not in driver.shown(), screen
        assert driver.changes == before
        away.rename(hermes_home)
        await driver.until(lambda: driver.screen.state.exists, "it is back")
        await driver.press("4")
        await driver.until(lambda: driver.changes == before, "nothing has changed")
