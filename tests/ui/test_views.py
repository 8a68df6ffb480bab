"""Saved views of the sessions and of the queue, as a person uses them."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.home import HermesHome, data_dir
from hermes_tui.settings import load_settings
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.views import ViewsDialog
from hermes_tui.views import Views
from tests.ui.conftest import Driver
from tests.ui.pending_app import OpenPending, PendingDriver, Queue, add
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, open_sessions, sessions_home, three

__all__ = ["open_sessions", "sessions_home"]


def title_of(app: SessionsDriver) -> str:
    """What stands on the frame of the list."""
    return str(app.screen.query_one("#sessions-pane").border_title)


def rows_of(driver: SessionsDriver | PendingDriver) -> list[str]:
    """The first lines of the rows of the dialog."""
    dialog = driver.app.screen
    assert isinstance(dialog, ViewsDialog)
    return [" ".join(str(option.prompt).split("\n")[0].split()) for option in dialog.rows.options]


async def saved(app: SessionsDriver | PendingDriver, name: str) -> None:
    """Save what is shown under a name, and go back."""
    await app.press("v")
    await app.press("s")
    await app.press(*name, "enter")
    await app.until(lambda: isinstance(app.app.screen, ViewsDialog), "the name is taken")
    await app.until(lambda: any(name in row for row in rows_of(app)), "it is saved")
    await app.press("escape")


async def test_a_view_of_the_sessions_is_saved_taken_changed_renamed_and_deleted(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A search with its filters would be put together anew every day."""
    world = sessions_home.world()
    three(world)
    world.session("runs", "find hotels", "Found.", source="cron", title="Nightly run")
    async with open_sessions() as app:
        words = await app.ask("v")
        assert "No view is saved yet." in words
        assert "▌ Save what is shown now" in words
        assert "s gives it a name; it can be shown again from here." in words
        assert "Shown now: everything, last activity first" in words
        await app.press("enter", "escape")
        assert "▌ Save what is shown now" in app.shown(), "the keys go where one sees them"
        await app.press("escape")
        assert title_of(app) == "Sessions"

        await app.press("H", "o")
        await app.search("source:telegram after:1y")
        seen = app.ids
        assert seen == ["other"]
        await saved(app, "phone")
        assert title_of(app) == "Sessions · phone"
        await app.search("source:telegram")
        assert title_of(app) == "Sessions · phone (changed)"
        await app.search("")
        await app.press("H", "o", "o")
        assert title_of(app) == "Sessions", "with everything taken away no view is in use"

        await app.search("login")
        await app.press("s")
        await saved(app, "hits")
        await app.search("")
        words = await app.ask("v")
        assert "only source:telegram after:1y · all kinds · newest start first" in words
        assert "“login” · by relevance" in words
        await app.until(lambda: rows_of(app) == ["phone 1", "hits changed"], "what is cheap to count is counted")
        await app.press("k", "enter")
        await app.until(lambda: app.ids == seen, "the view is shown")
        assert title_of(app) == "Sessions · phone"
        assert (app.screen.box.text, app.screen.choosing.order) == ("source:telegram after:1y", "started")

        await app.press("v", "s", *"HITS", "enter")
        await app.until(lambda: isinstance(app.app.screen, Confirm), "it asks before it replaces")
        assert "Replace the view “hits”?" in app.shown()
        await app.press("enter")
        assert rows_of(app) == ["phone in use 1", "hits"]
        await app.press("r", *"hits", "enter")
        assert "already" in app.shown(), "a name that is taken is not given"
        await app.press("ctrl+u", *"tele", "enter")
        await app.until(lambda: "tele" in rows_of(app)[0], "it has another name")
        await app.press("j", "d", "y")
        await app.until(lambda: rows_of(app) == ["tele in use 1"], "it is gone")
        await app.press("escape")
        assert title_of(app) == "Sessions · tele"


async def test_a_view_of_the_queue_is_there_at_the_next_start_and_the_screen_comes_back_as_it_was(
    hermes_home: Path, queue: Queue
) -> None:
    """The filter of the queue would be gone after every look at the shell."""
    queue.put("11111111", add("one fact"), created_at=10.0)
    queue.put("22222222", add("another thing"), created_at=20.0)
    queue.put("33333333", {"action": "remove", "target": "memory", "old_text": "not there"}, created_at=30.0)

    def app_of() -> HermesTuiApp:
        home = HermesHome(hermes_home, "default", "default")
        return HermesTuiApp(home, kept=True, settings=load_settings({}))

    app = app_of()
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        driver = Driver(app, pilot, hermes_home)
        await pilot.press("2")
        await driver.until(lambda: app.screens.pending, "the Pending screen is up")
        pending = PendingDriver(driver, queue)
        await pending.settle()
        await pending.press("o", "slash", *"fact", "enter")
        await saved(pending, "facts")
        assert "Pending · facts · 1 of 3" in pending.shown()
        await pilot.press("q")

    app = app_of()
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        driver = Driver(app, pilot, hermes_home)
        await driver.until(lambda: app.screens.pending, "the Pending screen is up")
        pending = PendingDriver(driver, queue)
        await pending.settle()
        assert "Pending · facts · 1 of 3" in pending.shown()
        assert pending.screen.filter_bar is not None
        assert pending.screen.filter_bar.input.value == "fact"
        await pending.press("escape")
        assert pending.ids == ["33333333", "22222222", "11111111"]
        assert "Pending · facts (changed) · 3" in pending.shown()
        await pending.press("v", "enter")
        assert pending.ids == ["11111111"]
        assert pending.screen.filter_bar is not None
        app.read_only = True
        del pending.screen.viewing.saved
        await pending.press("v", "d", "y")
        assert "read-only view; saved views stay as they are." in " ".join(pending.shown().split())
        await pending.press("escape")
    assert [view.name for view in Views(hermes_home, "pending").every] == ["facts"]


async def test_a_view_that_cannot_be_shown_and_a_broken_file_are_told(
    open_pending: OpenPending, hermes_home: Path
) -> None:
    """It would show something else than was saved, or the key would do nothing."""
    async with open_pending() as app:
        views = app.screen.viewing.saved
        views.save("odd [red]\x1b", {"order": "by colour"})
        await app.press("v")
        assert rows_of(app) == ["odd [red]␛ 0"] or rows_of(app) == ["odd [red]␛"]
        await app.press("enter")
        assert "“odd [red]␛” cannot be shown: the orders are oldest" in " ".join(app.shown().split())
        views.save("by hand", {"only": {}, "colour": 1, "order": "newest"})
        await app.press("escape", "v", "j", "enter")
        assert "Pending · by hand · 0" in app.shown(), "what it does not mention is no change"
        app.app.kept = True
        del app.screen.viewing.saved
        app.screen.viewing.saved.save("a", {})
        (data_dir(hermes_home) / "views.json").write_text("{")
        await app.press("v")
        assert any("cannot be used" in toast for toast in app.toasts)
