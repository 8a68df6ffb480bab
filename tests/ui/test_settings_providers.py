"""External memory providers on the Settings screen: setting up, asking, looking into, and nothing without a yes."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input

from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.memories import Memories
from hermes_tui.ui.dialogs.provider_setup import ProviderSetup
from hermes_tui.ui.settings.screen import SettingsScreen
from tests.providers.fact_world import make_facts
from tests.providers.speaking import KEY, HonchoServer
from tests.ui.conftest import Driver, Open


@pytest.fixture
def honcho(hermes_home: Path) -> Iterator[HonchoServer]:
    """A Honcho of one's own, and a home that is set up for it."""
    with HonchoServer() as server:
        (hermes_home / "config.yaml").write_text("memory:\n  provider: honcho\n")
        settings = {"baseUrl": server.url, "hosts": {"hermes": {"enabled": True, "peerName": "ana", "apiKey": KEY}}}
        (hermes_home / "honcho.json").write_text(json.dumps(settings, indent=2))
        yield server


async def go_to(driver: Driver, id: str) -> SettingsScreen:
    """Put the cursor of the Settings screen on something."""
    await driver.press("5")
    await driver.until(lambda: driver.app.screens.settings, "the screen")
    screen = driver.app.screens.settings[0]
    await driver.until(lambda: any(item.id == id for item in screen.items), f"{id} is there")
    shown = screen.setting_list
    shown.move_to(next(number for number, item in enumerate(shown.items) if item.id == id))
    await driver.settle()
    return screen


def memories(driver: Driver) -> Memories:
    """The dialog with the memories."""
    found = driver.app.screen
    assert isinstance(found, Memories)
    return found


async def test_nothing_is_sent_before_a_yes_and_then_memories_are_found_and_deleted(
    open_app: Open, honcho: HonchoServer
) -> None:
    """What one remembers would leave the machine by looking at a settings page."""
    async with open_app() as driver:
        screen = await go_to(driver, "provider:honcho")
        assert "active" in screen.page.text.plain
        assert KEY not in screen.page.text.plain
        await driver.press("o")
        assert isinstance(driver.app.screen, Confirm)
        assert "127.0.0.1" in driver.shown()
        await driver.press("escape")
        assert not honcho.asked
        await driver.press("o", "y")
        await driver.until(lambda: memories(driver).rows.option_count, "the memories")
        assert honcho.asked
        await driver.press("slash", *"Memory 24", "enter")
        await driver.until(lambda: memories(driver).rows.option_count == 1, "what was looked for")
        await driver.press("d")
        assert "nothing here can bring it back" in " ".join(driver.shown().split())
        await driver.press("y")
        await driver.until(lambda: "m/24" not in honcho.memories, "it is deleted")
        await driver.press("escape")
        assert driver.app.screen_stack[-1] is screen


async def test_a_server_that_is_not_there_is_told_and_the_screen_goes_on(
    open_app: Open, honcho: HonchoServer, hermes_home: Path
) -> None:
    """One would look at an empty list."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        (hermes_home / "honcho.json").write_text(json.dumps({"baseUrl": address, "apiKey": KEY, "enabled": True}))
        async with open_app() as driver:
            await go_to(driver, "provider:honcho")
            await driver.press("o", "y")
            await driver.until(lambda: "✗" in driver.shown(), "it is told")
            assert KEY not in driver.shown()
            await driver.press("escape", "t", "y")
            await driver.until(lambda: len(driver.toasts) > 1, "the test fails with a sentence")
            assert KEY not in "".join(driver.toasts)
    assert not honcho.asked


async def test_honchos_own_settings_are_changed_in_its_file(
    open_app: Open, honcho: HonchoServer, hermes_home: Path
) -> None:
    """One would have to find the key, and the file, oneself."""
    before = (hermes_home / "honcho.json").read_text()
    async with open_app() as driver:
        await go_to(driver, "honcho:dialecticDepth")
        await driver.press("enter", "9", "enter")
        assert "whole number, 1 to 3" in " ".join(driver.shown().split())
        await driver.press("backspace", "3", "enter")
        after = json.loads((hermes_home / "honcho.json").read_text())
        assert "3" in json.dumps(after) != before
        assert after["hosts"]["hermes"]["apiKey"] == KEY
        await driver.press("d")
        assert json.loads((hermes_home / "honcho.json").read_text()) == json.loads(before)
        await driver.press("u")
        assert json.loads((hermes_home / "honcho.json").read_text()) == after
        await driver.press("u")
        assert (hermes_home / "honcho.json").read_text() == before
        assert "dialecticDepth is as it was before." in driver.toasts[-1]
    assert not honcho.asked


async def test_a_provider_is_set_up_after_its_lines_were_seen_and_taken_back(open_app: Open, hermes_home: Path) -> None:
    """A key would land in a file that nobody named, or in one that others read."""
    secret = "m0-abcdefghijklmnopqrstuvwxyz"
    async with open_app() as driver:
        screen = await go_to(driver, "provider:mem0")
        await driver.press("enter")
        dialog = driver.app.screen
        assert isinstance(dialog, ProviderSetup)
        dialog.query_one("#field-api_key Input", Input).value = secret
        await driver.settle()
        assert secret not in driver.shown()
        await driver.press("f2")
        await driver.until(lambda: isinstance(driver.app.screen, Confirm), "what would be written")
        await driver.until(lambda: "memory.provider" in driver.shown(), "its lines")
        assert secret not in driver.shown()
        assert not (hermes_home / ".env").exists()
        await driver.press("y")
        config = hermes_home / "config.yaml"
        await driver.until(lambda: config.exists() and "provider: mem0" in config.read_text(), "it is written")
        await driver.settle()
        written = [path for path in hermes_home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
        assert [path.stat().st_mode & 0o077 for path in written] == [0]
        await driver.until(lambda: "active   yes" in screen.page.text.plain, "the page follows")
        await driver.press("u")
        assert not config.exists() or "mem0" not in config.read_text()
        assert not [path for path in hermes_home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


async def test_facts_on_this_machine_are_looked_through_deleted_and_brought_back(
    open_app: Open, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fact that is wrong could only be taken out with SQL, and the bank of its category would go on holding it."""
    facts = [(f"Fact {number} 日本", "general", 0.5) for number in range(70)]
    make_facts(hermes_home / "memory_store.db", facts).close()
    (hermes_home / "config.yaml").write_text("plugins:\n  hermes-memory-store:\n    hrr_dim: 16\n")

    def no_network(*_: object, **__: object) -> None:
        raise AssertionError("a file was to be read, and a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    async with open_app() as driver:
        await go_to(driver, "provider:holographic")
        await driver.press("o")
        await driver.until(lambda: memories(driver).rows.option_count == 50, "the first of them")
        await driver.press("m")
        await driver.until(lambda: memories(driver).rows.option_count == 70, "all of them")
        await driver.press("slash", *"fact 7", "enter")
        await driver.until(lambda: memories(driver).rows.option_count == 1, "what was looked for")
        await driver.press("d", "y")
        await driver.until(lambda: "1 deleted" in driver.shown(), "it is deleted")
        await driver.press("u")
        await driver.until(lambda: memories(driver).rows.option_count == 50, "it is brought back")


async def test_read_only_sets_nothing_up_and_deletes_nothing(open_app: Open, honcho: HonchoServer) -> None:
    """The option would not hold for what lies elsewhere."""
    async with open_app(read_only=True) as driver:
        await go_to(driver, "provider:honcho")
        for key in ("enter", "d", "u"):
            await driver.press(key)
            assert "read-only" in driver.toasts[-1]
        await driver.press("o", "y")
        await driver.until(lambda: memories(driver).rows.option_count, "the memories")
        await driver.press("d")
        assert isinstance(driver.app.screen, Memories)
    assert len(honcho.memories) == 25


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 15)])
async def test_setting_up_and_looking_fit_everywhere(
    open_app: Open, honcho: HonchoServer, size: tuple[int, int]
) -> None:
    """The keys of a dialog would be below the edge of a small terminal."""
    async with open_app(size=size) as driver:
        await go_to(driver, "provider:honcho")
        await driver.press("enter")
        frame = driver.app.screen.query_one("#dialog").region
        assert frame.bottom <= size[1]
        assert "esc Leave" in driver.shown()
        await driver.press("escape", "o", "y")
        await driver.until(lambda: memories(driver).rows.option_count, "the memories")
        assert "esc" in driver.shown()
        assert "Memory" in driver.shown()
    assert honcho.asked


async def test_walking_through_everything_opens_no_connection(
    open_app: Open, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking would tell a server that somebody looks."""
    asked: list[object] = []

    def note(*given: object, **_: object) -> None:
        asked.append(given)
        raise OSError("no way out")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, note)
    monkeypatch.setattr(socket, "getaddrinfo", note)
    (hermes_home / "config.yaml").write_text("memory:\n  provider: honcho\n")
    (hermes_home / "honcho.json").write_text(json.dumps({"apiKey": KEY, "enabled": True}))
    (hermes_home / ".env").write_text(f"MEM0_API_KEY={KEY}\nSUPERMEMORY_API_KEY={KEY}\nRETAINDB_API_KEY={KEY}\n")
    async with open_app() as driver:
        for key in ("1", "2", "3", "4", "5"):
            await driver.press(key)
        screen = await go_to(driver, "provider:honcho")
        for number, item in enumerate(screen.setting_list.items):
            screen.setting_list.move_to(number)
            if item.id in ("provider:honcho", "provider:mem0", "provider:supermemory"):
                await driver.press("o", "escape", "t", "escape")
        await driver.press("f5")
    assert not asked


async def test_what_would_not_do_is_said_where_it_is_filled_in(open_app: Open) -> None:
    """All that was typed would be gone, for the sake of one line that was left out."""
    async with open_app(size=(80, 24)) as driver:
        await go_to(driver, "provider:honcho")
        await driver.press("enter", "enter")
        await driver.until(lambda: "✗ Honcho needs" in driver.shown(), "the reason")
        assert isinstance(driver.app.screen, ProviderSetup)
        await driver.press("tab", "k")
        assert "Honcho needs" not in driver.shown()
