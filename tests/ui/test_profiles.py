"""Several profiles: going from one to another, comparing, sending entries over."""

from __future__ import annotations

import contextlib
import fcntl
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import join
from hermes_tui.settings import load_settings
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.dialogs.compared import ComparedDialog
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.profiles import ProfilesDialog, SendDialog
from hermes_tui.ui.switching import next_app, switch_to
from tests.ui.conftest import Driver
from tests.ui.pty_app import ENTERS, LEAVES, PtyApp


@pytest.fixture
def root(hermes_home: Path) -> Path:
    """Three profiles: the root, work and spare."""
    for path, texts in (
        (hermes_home, ["same", "deploys go out on friday", "only here"]),
        (hermes_home / "profiles" / "work", ["deploys go out on monday", "same", "only at work"]),
        (hermes_home / "profiles" / "spare", []),
    ):
        (path / "memories").mkdir(parents=True, exist_ok=True)
        (path / "config.yaml").write_text("{}")
        (path / "memories" / "MEMORY.md").write_text(join(texts))
    (hermes_home / "profiles" / "work" / "profile.yaml").write_text("description: The day [b]job[/b]\n")
    return hermes_home


@contextlib.asynccontextmanager
async def sitting(app: HermesTuiApp, *, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Driver]:
    """The app, until the block ends."""
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = Driver(app, pilot, app.home.path)
        await driver.settle()
        yield driver


def app_on(root: Path, **flags: object) -> HermesTuiApp:
    """The app on the root, as it is started."""
    return HermesTuiApp(
        HermesHome(root, "default", "default"),
        theme=str(flags.get("theme", "")) or None,
        kept=True,
        read_only=bool(flags.get("read_only")),
        settings=load_settings(flags),
    )


def texts(path: Path, name: str = "MEMORY.md") -> list[str]:
    """The entries on disk."""
    text = (path / "memories" / name).read_text()
    return text.split("\n§\n") if text else []


async def go_to_row(driver: Driver, name: str) -> None:
    """Put the cursor on a profile."""
    dialog = driver.app.screen
    assert isinstance(dialog, ProfilesDialog | SendDialog)
    for _ in range(5):
        if dialog.current == name:
            return
        await driver.pilot.press("j")
    raise AssertionError(f"{name} is not in the list")


async def open_list(driver: Driver) -> None:
    """Press the key and wait for the numbers."""
    await driver.pilot.press("0")
    await driver.until(lambda: isinstance(driver.app.screen, ProfilesDialog), "the list")
    await driver.until(lambda: "MEMORY" in driver.shown(), "the numbers")


async def test_one_goes_from_profile_to_profile_and_finds_everything_as_it_was(root: Path) -> None:
    """A person with two agents would quit, type the other's name, and choose screen and theme again."""
    app = app_on(root, theme="hermes-light")
    async with sitting(app) as driver:
        await driver.press("2")
        await open_list(driver)
        shown = driver.shown()
        assert "The day [b]job[/b]" in shown
        assert "default  open here" in shown
        assert isinstance(app.screen, ProfilesDialog)
        assert app.screen.current != "default", "the cursor is on one that can be gone to"
        await go_to_row(driver, "work")
        await driver.pilot.press("enter")
        await driver.until(lambda: app.ending.towards is not None, "it leaves")
    towards = app.ending.towards
    assert towards is not None
    later = next_app(app, towards, load_settings({"screen": "memory"}))
    async with sitting(later) as driver:
        assert (later.current_mode, later.theme, later.home.path) == ("pending", "hermes-light", root / "profiles/work")
        assert "work (chosen here)" in driver.rows()[0]
        await driver.press("1")
        assert [card.entry.text for card in driver.cards.shown][2] == "only at work"
        await driver.press("d")
        assert (texts(root)[0], texts(driver.home)[0]) == ("same", "same")
        await driver.until(lambda: later.watching.watched, "the watcher is up")
        (root / "memories" / "MEMORY.md").write_text("written elsewhere")
        driver.write(["written here"])
        await driver.until(lambda: [card.entry.text for card in driver.cards.shown] == ["written here"], "the news")
        await open_list(driver)
        await go_to_row(driver, "default")
        await driver.pilot.press("enter")
        await driver.until(lambda: later.ending.towards is not None, "it leaves again")
    assert later.ending.towards is not None
    assert later.ending.towards.screen == "memory"
    assert later.ending.towards.home.profile == "default"


async def test_a_profile_that_is_gone_or_closed_is_said_and_nothing_is_left(root: Path) -> None:
    """The screen would close, or show an empty home in the place of one that cannot be read."""
    app = app_on(root)
    async with sitting(app) as driver:
        await open_list(driver)
        (root / "profiles" / "work").rename(root / "work-elsewhere")
        await go_to_row(driver, "work")
        await driver.pilot.press("enter")
        await driver.until(lambda: any("'work' does not exist" in toast for toast in driver.toasts), "said")
        assert app.is_running
        assert app.ending.towards is None
        dialog = driver.app.screen
        assert isinstance(dialog, ProfilesDialog)
        assert dialog.key_hints()[0].enabled
        await driver.pilot.press("g")
        await driver.press("enter")
        assert app.ending.towards is None
        assert not dialog.key_hints()[0].enabled, "the open one is nowhere to go"
        assert "default is open already: go to another row." in driver.toasts


async def test_entries_of_both_are_seen_with_signs_and_go_over_after_a_question(root: Path) -> None:
    """One would read two files side by side, and type over what one agent should know too."""
    work = root / "profiles" / "work"
    app = app_on(root)
    async with sitting(app) as driver:
        await open_list(driver)
        await go_to_row(driver, "work")
        await driver.pilot.press("c")
        await driver.until(lambda: isinstance(app.screen, ComparedDialog), "the comparison")
        await driver.pilot.pause()
        shown = driver.shown()
        assert "1 in both · 1 alike · 1 only here · 1" in shown
        assert "deploys go out on [-friday-]{+monday+}" in shown
        for row in ("~ deploys go out on friday", "< only here", "> only at work", "= same"):
            assert row in shown
        await driver.pilot.press("j", "enter")
        assert isinstance(app.screen, Confirm)
        assert "Copy entry 3 of MEMORY.md from default to work?" in driver.shown()
        await driver.pilot.press("y")
        await driver.until(lambda: texts(work)[-1] == "only here", "copied")
        await driver.until(lambda: "= only here" in driver.shown(), "shown")
        await driver.pilot.press("m", "y")
        await driver.until(lambda: texts(root)[-1] == "only at work", "moved here")
        await driver.until(lambda: "only at work" not in texts(work), "and gone there")
        await driver.press("escape", "escape")
        await driver.until(lambda: len(driver.cards.shown) == 4, "the card")
        await driver.press("u")
        assert texts(root) == ["same", "deploys go out on friday", "only here"]
        assert texts(work)[-1] == "only here"


async def test_the_entry_under_the_cursor_is_sent_and_a_read_only_view_sends_nothing(root: Path) -> None:
    """A person would have to leave for the command line, or a look would change two homes."""
    spare = root / "profiles" / "spare"
    app = app_on(root)
    async with sitting(app) as driver:
        await driver.pilot.press("space", "G", "space", "t")
        await driver.until(lambda: isinstance(app.screen, SendDialog), "the question")
        assert "Where do 2 entries of MEMORY.md go?" in driver.shown()
        await go_to_row(driver, "spare")
        await driver.pilot.press("m")
        await driver.until(lambda: texts(spare) == ["same", "only here"], "moved")
        await driver.settle()
        assert texts(root) == ["deploys go out on friday"]
        assert any("u takes back" in toast for toast in driver.toasts)
        await driver.press("u")
        assert len(texts(root)) == 3
    app = app_on(root, read_only=True)
    async with sitting(app) as driver:
        await driver.press("t")
        assert any("read-only" in toast for toast in driver.toasts)


async def test_what_is_being_saved_or_written_is_not_left_behind(root: Path) -> None:
    """An edit would be lost because an agent held the lock, or a text because of a wrong key."""
    app = app_on(root)
    with (root / "memories" / "MEMORY.md.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        async with sitting(app) as driver:
            await driver.pilot.press("d")
            await open_list(driver)
            await go_to_row(driver, "work")
            await driver.pilot.press("enter")
            await driver.until(lambda: any("still being saved" in toast for toast in driver.toasts), "it waits")
            assert app.ending.towards is None
            fcntl.flock(lock, fcntl.LOCK_UN)
            await driver.until(lambda: app.ending.towards is not None, "it leaves")
    assert texts(root)[0] != "same"
    app = app_on(root)
    async with sitting(app) as driver:
        await driver.press("a", "x")
        await switch_to(app, "work")
        await driver.until(lambda: any("unsaved text" in toast for toast in driver.toasts), "said")
        assert app.ending.towards is None


def test_the_terminal_is_handed_on_as_it_is_and_given_back_at_the_end(root: Path, tmp_path: Path) -> None:
    """The shell's screen would flash at each switch, or the shell be left without echo after two."""
    with PtyApp(root, tmp_path) as app:
        app.send(b"0")
        app.shows("spare")
        app.send(b"G\r")
        app.shows("only at work")
        app.send(b"2")
        app.shows("Nothing waits")
        app.send(b"0")
        app.shows("spare")
        app.send(b"g\r")
        app.until(lambda: app.output.count(b"\x1b[?2004h") == 3, "the third home")
        assert (app.output.count(ENTERS), app.output.count(LEAVES)) == (1, 0)
        assert app.signal(signal.SIGTERM) == 128 + signal.SIGTERM
        assert app.given_back
        assert app.output.count(LEAVES) == 1
