"""The next start leads to where somebody was when they left."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hermes_tui.home import HermesHome, data_dir
from hermes_tui.settings import load_settings
from hermes_tui.ui.app import HermesTuiApp
from tests.sessions.world import World
from tests.ui.conftest import Driver
from tests.ui.sessions_app import SessionsDriver, three


@pytest.fixture
def home(hermes_home: Path) -> Path:
    """A home with entries and conversations."""
    (hermes_home / "memories" / "MEMORY.md").write_text("one\n§\ntwo\n§\nthree")
    (hermes_home / "memories" / "USER.md").write_text("Sam\n§\nLisbon")
    world = World(hermes_home / "state.db", "0.22")
    three(world)
    world.session("runs", "find hotels", "Found.", source="cron", title="Nightly run")
    world.close()
    return hermes_home


@contextlib.asynccontextmanager
async def sitting(
    home: Path, *, read_only: bool = False, demo: bool = False, flags: dict[str, object] | None = None
) -> AsyncIterator[Driver]:
    """From the start to q."""
    app = HermesTuiApp(
        HermesHome(home, "default", "default"),
        kept=True,
        read_only=read_only,
        demo=demo,
        settings=load_settings(flags or {}),
    )
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        driver = Driver(app, pilot, home)
        await driver.settle()
        yield driver
        await pilot.press("q")


async def test_the_screen_that_was_up_opens_again_and_a_choice_comes_first(home: Path) -> None:
    """Somebody who lives in the sessions would start at the notes every day."""
    async with sitting(home) as driver:
        assert driver.app.current_mode == "memory"
        await driver.pilot.press("3")
    async with sitting(home) as driver:
        assert driver.app.current_mode == "sessions"
    async with sitting(home, flags={"screen": "pending"}) as driver:
        assert driver.app.current_mode == "pending"


async def test_store_and_entry_are_found_again(home: Path) -> None:
    """The cursor would be on the first entry at each start, or out of sight."""
    (home / "memories" / "USER.md").write_text("\n§\n".join(f"fact {number}" for number in range(20)))
    async with sitting(home) as driver:
        await driver.pilot.press("tab", "G")
        await driver.settle()
    async with sitting(home) as driver:
        screen = driver.app.screens.memory[0]
        assert (screen.active, screen.cards.cursor) == ("user", 19)
        assert "fact 19" in driver.shown()
        await driver.pilot.press("tab")
    (home / "memories" / "MEMORY.md").write_text("only one")
    async with sitting(home) as driver:
        screen = driver.app.screens.memory[0]
        assert (screen.active, screen.cards.cursor) == ("memory", 0)


async def test_words_kinds_and_the_row_are_found_again(home: Path) -> None:
    """A search would be typed anew after every look at the shell."""
    async with sitting(home) as driver:
        await driver.pilot.press("3")
        app = SessionsDriver(driver)
        await app.settle()
        await app.press("H")
        await app.go_to("old")
        seen = app.ids
        assert "runs" in seen
    async with sitting(home) as driver:
        app = SessionsDriver(driver)
        await app.settle()
        assert app.ids == seen
        assert app.ids[app.rows_list.cursor] == "old"
        await app.search("login")
    async with sitting(home) as driver:
        app = SessionsDriver(driver)
        await app.settle()
        assert app.screen.box.text == "login"
        assert [id.split("@")[0] for id in app.ids] == ["last", "last"]
        await app.search("")
        await app.press("H")


@pytest.mark.parametrize("kept", ["", "{", "[1]", '{"screen": 7, "memory": {"store": "x"}, "sessions": {"kinds": 5}}'])
async def test_a_damaged_file_is_a_first_start(home: Path, kept: str) -> None:
    """One bad byte would keep the app from opening."""
    file = data_dir(home) / "sitting.json"
    file.parent.mkdir(parents=True)
    file.write_text(kept)
    async with sitting(home) as driver:
        assert driver.app.current_mode == "memory"
        await driver.pilot.press("3")
        await SessionsDriver(driver).settle()
        assert not driver.toasts
    assert json.loads(file.read_text())["screen"] == "sessions"
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("way", ["read_only", "demo"])
async def test_nothing_is_kept_where_nothing_is_to_be_written(home: Path, way: str) -> None:
    """Read-only would leave a file, and every demo home another one."""
    async with sitting(home, read_only=way == "read_only", demo=way == "demo") as driver:
        await driver.pilot.press("3")
    assert not data_dir(home).exists()
