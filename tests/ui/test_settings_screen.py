"""The Settings screen: what each setting is, changing it at its place, and taking that back."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hermes_tui.config.keys import KEYS
from hermes_tui.home import HermesHome
from hermes_tui.ui.dialogs.base import KeyBar
from hermes_tui.ui.dialogs.setting import SettingDialog
from hermes_tui.ui.settings.items import Item
from hermes_tui.ui.settings.providers import provider_items
from hermes_tui.ui.settings.screen import SettingsScreen
from tests.nasty import NASTY, raw_control_bytes
from tests.ui.conftest import Driver, Open

if TYPE_CHECKING:
    from tests.ui.pending_app import Queue

OpenSettings = Callable[..., contextlib.AbstractAsyncContextManager[Driver]]
CONFIG = """\
# Settings that somebody keeps with care.
memory:
  memory_char_limit: 2200   # characters
  write_approval: true
"""


@pytest.fixture
def config(hermes_home: Path) -> Path:
    """The file, with comments."""
    path = hermes_home / "config.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def open_settings(open_app: Open) -> OpenSettings:
    """Opens the app on this screen."""

    @contextlib.asynccontextmanager
    async def opened(**how: object) -> AsyncIterator[Driver]:
        async with open_app(**how) as driver:
            await driver.press("5")
            await driver.until(lambda: driver.app.screens.settings, "the screen")
            yield driver

    return opened


def screen_of(driver: Driver) -> SettingsScreen:
    """The screen."""
    return driver.app.screens.settings[0]


async def go_to(driver: Driver, name: str) -> None:
    """Put the cursor on a setting."""
    shown = screen_of(driver).setting_list
    shown.move_to(next(number for number, item in enumerate(shown.items) if item.id == name))
    await driver.settle()


async def test_every_setting_is_listed_with_a_page_of_its_own(open_settings: OpenSettings, config: Path) -> None:
    """One would have to look the meaning up elsewhere."""
    async with open_settings() as driver:
        shown, page = screen_of(driver).setting_list, screen_of(driver).page.text
        rows = {item.id: number for number, item in enumerate(shown.items)}
        for key in KEYS:
            shown.move_to(rows[key.name])
            await driver.pilot.pause()
            assert page.plain.startswith(f"{key.name}\n{key.meaning}")
            assert key.range in page.plain
    assert config.read_text() == CONFIG


async def test_a_limit_says_at_every_key_what_it_does_to_the_store(open_settings: OpenSettings, config: Path) -> None:
    """The agent could not remember anything any more, and nobody would know why."""
    async with open_settings() as driver:
        await go_to(driver, "memory.memory_char_limit")
        assert "1% — 37/2,200 chars · 2,160 left" in screen_of(driver).page.text.plain
        await driver.press("enter", "2", "0")
        assert "over by 17" in driver.shown()
        await driver.press("0", "enter")
        assert config.read_text() == CONFIG.replace("2200", "200")
        await driver.until(lambda: driver.app.state.config.memory_char_limit == 200, "it counts")
        assert "18% — 37/200 chars" in screen_of(driver).page.text.plain
        assert driver.toasts[-1].startswith("Notes: limit: 200. It counts from the agent's next session on")
        await driver.press("u")
        assert config.read_text() == CONFIG


async def test_a_switch_is_one_key_and_the_gate_on_every_screen_follows(
    open_settings: OpenSettings, config: Path
) -> None:
    """The header would go on saying that the gate is on."""
    async with open_settings() as driver:
        await go_to(driver, "memory.write_approval")
        await driver.press("space")
        assert config.read_text() == CONFIG.replace("true", "false")
        await driver.until(lambda: "gate off" in driver.rows()[0], "the header follows")
        await driver.press("d")
        assert config.read_text() == CONFIG.replace("  write_approval: true\n", "")
        await driver.press("u", "u")
        assert config.read_text() == CONFIG


async def test_what_is_typed_wrong_is_said_and_not_written(open_settings: OpenSettings, config: Path) -> None:
    """It would be read by the agent as something else."""
    async with open_settings() as driver:
        await go_to(driver, "memory.memory_char_limit")
        await driver.press("enter", "m", "enter")
        assert isinstance(driver.app.screen, SettingDialog)
        assert "takes a whole number from 1, not 'm'" in " ".join(driver.shown().split())
        await driver.press("escape", "space")
        assert driver.toasts[-1].startswith("Notes: limit is no switch")
    assert config.read_text() == CONFIG


async def test_words_are_chosen_and_written_so_that_yaml_leaves_them_words(
    open_settings: OpenSettings, config: Path
) -> None:
    """A bare off would be read as a switch."""
    async with open_settings() as driver:
        await go_to(driver, "display.memory_notifications")
        await driver.press("e", "left", "enter")
        assert config.read_text() == CONFIG + 'display:\n  memory_notifications: "off"\n'
        await driver.press("e")
        bar = driver.app.screen.query_one(KeyBar)
        column = next(column for _, column, hint in bar.placed(bar.size.width) if hint.label == "Choose")
        await driver.pilot.click(bar, offset=(column, 0))
        await driver.press("ctrl+s")
        assert config.read_text().endswith('  memory_notifications: "on"\n'), "a click chooses the next one"


async def test_what_somebody_else_writes_is_there_at_once(open_settings: OpenSettings, config: Path) -> None:
    """One would change what is not so any more."""
    async with open_settings() as driver:
        await go_to(driver, "memory.memory_char_limit")
        config.write_text(CONFIG.replace("2200", "'3000'"))
        await driver.until(lambda: "3,000" in screen_of(driver).page.text.plain, "it is read")
        assert "Text, not a number" in screen_of(driver).page.text.plain
        assert screen_of(driver).setting_list.current.odd  # type: ignore[union-attr]


async def test_the_list_is_filtered_and_shows_what_is_yours(open_settings: OpenSettings, config: Path) -> None:
    """One would look through seventy rows."""
    async with open_settings() as driver:
        await driver.press("slash", *"notify", "backspace", *"ic")
        assert [item.id for item in screen_of(driver).setting_list.items] == ["display.memory_notifications"]
        await driver.press("escape", "c")
        assert [item.id for item in screen_of(driver).setting_list.items if not item.odd] == [
            "memory.memory_char_limit", "memory.write_approval",
        ]  # fmt: skip
        await driver.press("slash", *"zzz")
        assert "No setting holds “zzz”" in driver.shown()
    assert config.read_text() == CONFIG


async def test_a_file_that_does_not_parse_is_said_and_left(open_settings: OpenSettings, config: Path) -> None:
    """The defaults would look like what is written, and a change would replace the whole file."""
    config.write_text("memory: [oops\n")
    async with open_settings() as driver:
        assert "does not parse" in driver.shown()
        await go_to(driver, "memory.write_approval")
        await driver.press("space")
        assert "does not parse" in driver.toasts[-1]
    assert config.read_text() == "memory: [oops\n"


async def test_read_only_changes_nothing(open_settings: OpenSettings, config: Path) -> None:
    """The option would not hold here."""
    async with open_settings(read_only=True) as driver:
        await go_to(driver, "memory.write_approval")
        for key in ("enter", "space", "d", "u"):
            await driver.press(key)
            assert "read-only" in driver.toasts[-1]
    assert config.read_text() == CONFIG


async def test_a_secret_is_never_shown_whole(open_settings: OpenSettings, config: Path) -> None:
    """Whoever looks over one's shoulder would have it."""
    secret = "sk-abcdefghijklmnopqrstuvwxyz"
    config.write_text(f"auxiliary:\n  compression:\n    api_key: {secret}\n")
    async with open_settings() as driver:
        await go_to(driver, "auxiliary.compression.api_key")
        assert "sk-abc...wxyz" in driver.shown()
        assert secret not in driver.shown() + screen_of(driver).page.text.plain
        await driver.press("enter", *"hunter2")
        assert "hunter2" not in driver.shown()


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 15), (80, 40), (200, 60), (30, 8)])
async def test_nasty_values_and_every_size(open_settings: OpenSettings, config: Path, size: tuple[int, int]) -> None:
    """A value from disk could command the terminal, or break the screen."""
    text = "".join(text for text in NASTY.values()).encode("utf-8", "ignore").decode()
    value = "".join(f"\\U{ord(char):08x}" for char in text[:3_000])
    config.write_text(f'memory:\n  provider: "{value}"\n  memory_char_limit: "{value}"\n')
    async with open_settings(size=size) as driver:
        await go_to(driver, "memory.memory_char_limit")
        await driver.press("j", "j", "tab", "j", "tab", "enter")
        assert not raw_control_bytes(driver.shown().replace("\n", ""))
        await driver.pilot.resize_terminal(100, 20)
        await driver.press("escape")
        assert screen_of(driver).setting_list.current.id == "memory.provider"  # type: ignore[union-attr]


async def test_the_ledger_of_reviews_is_a_key_away(open_settings: OpenSettings, config: Path, queue: Queue) -> None:
    """What the agent did behind one's back would be spread over five places."""
    payload = {"action": "add", "target": "memory", "content": "From a review."}
    queue.put("aaaa0001", payload, origin="background_review", created_at=time.time() - 60)
    async with open_settings() as driver:
        await driver.until(lambda: any(item.id == "reviews" for item in screen_of(driver).items), "its row")
        await go_to(driver, "reviews")
        await driver.press("enter")
        await driver.until(lambda: "memory: 1 staged" in driver.shown(), "the week")
        assert "? waits" in driver.shown()
        assert "From a review." in driver.shown()
        await driver.press("escape", "d")
        assert "there is nothing to change" in driver.toasts[-1]
    assert config.read_text() == CONFIG


async def test_secrets_that_lie_about_are_named_by_their_ends_with_what_takes_them_away(
    open_settings: OpenSettings, config: Path
) -> None:
    """A key in a note goes out with every prompt, and nobody would see it."""
    secret = "sk-proj-abcdefghijklmnop1234567890"
    async with open_settings(memory=("first fact", f"Deploy with OPENAI_API_KEY={secret}")) as driver:
        await driver.until(lambda: any(item.id == "secrets" for item in screen_of(driver).items), "its row")
        await go_to(driver, "secrets")
        await driver.press("enter")
        await driver.until(lambda: "1 secret found" in driver.shown(), "it is found")
        shown = " ".join(driver.shown().split())
        assert "in entry 2 of MEMORY.md" in shown
        assert "memory remove --store memory --index 2" in shown
        assert secret not in shown
        await driver.press("f")
        await driver.until(lambda: "1 secret found" in driver.shown(), "all of it is looked through")
    assert config.read_text() == CONFIG


async def test_what_somebody_else_set_while_the_dialog_was_open_is_not_written_over(
    open_settings: OpenSettings, config: Path
) -> None:
    """Their change would be gone without a word."""
    async with open_settings() as driver:
        await go_to(driver, "memory.memory_char_limit")
        await driver.press("enter", *"1500")
        config.write_text(CONFIG.replace("2200", "1800"))
        await driver.press("enter")
        await driver.until(lambda: "it is 1800 now" in "".join(driver.toasts), "it is said")
    assert config.read_text() == CONFIG.replace("2200", "1800")


async def test_a_home_that_is_gone_has_no_settings(
    open_settings: OpenSettings, config: Path, hermes_home: Path
) -> None:
    """The defaults would look like what is set, the gate among them."""
    async with open_settings() as driver:
        hermes_home.rename(hermes_home.with_name("elsewhere"))
        await driver.until(lambda: "There is no home" in driver.shown(), "it is said")
        assert not screen_of(driver).items
        hermes_home.with_name("elsewhere").rename(hermes_home)
        await driver.until(lambda: screen_of(driver).items, "it is back")
    assert config.read_text() == CONFIG


async def test_while_another_screen_is_up_no_provider_is_looked_at(
    open_settings: OpenSettings, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write of the agent's would have the files of all providers read."""
    async with open_settings() as driver:
        await driver.until(lambda: screen_of(driver).whole, "all of it")
        looked: list[object] = []

        def note(home: HermesHome) -> list[Item]:
            looked.append(home)
            return provider_items(home)

        monkeypatch.setattr("hermes_tui.ui.settings.screen.provider_items", note)
        await driver.press("1")
        driver.write(["from the agent"])
        config.write_text(CONFIG.replace("2200", "3000"))
        await driver.until(lambda: driver.app.state.config.memory_char_limit == 3000, "the home is read")
        assert not looked
        await driver.press("5")
        await go_to(driver, "memory.memory_char_limit")
        await driver.until(lambda: "3,000" in screen_of(driver).page.text.plain, "the screen has caught up")
        assert looked
