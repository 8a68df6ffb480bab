"""Everything that can be wrong with a store or a text, and the sentence the screen has for it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.home import HermesHome
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.journal import FileChange, JournalRecord, new_id
from hermes_tui.ui.app import HermesTuiApp
from tests.nasty import NASTY
from tests.ui.conftest import Open


async def test_read_only_greys_the_writing_keys_and_says_why(open_app: Open) -> None:
    """A person presses d in a read-only view and nothing at all happens."""
    async with open_app(read_only=True) as app:
        await app.press("d")
        assert len(app.texts()) == 3
        assert any("read-only" in toast for toast in app.toasts)
        assert "read-only" in app.rows()[0]
        assert not (app.home / "memories" / "MEMORY.md.lock").exists()


async def test_a_key_that_makes_no_sense_now_says_why(open_app: Open) -> None:
    """M with nothing selected would be silently dead."""
    async with open_app([]) as app:
        await app.press("e")
        assert "There is no entry here to edit." in app.toasts
        await app.press("M")
        assert any("space selects" in toast for toast in app.toasts)
        for key, words in (("J", "move down"), ("E", "edit in your own editor"), ("d", "delete"), ("v", "read")):
            await app.press(key)
            assert app.toasts == [f"There is no entry here to {words}."]
        await app.press("n")
        assert app.toasts == ["MEMORY.md is in order already."]
        app.path().unlink()
        await app.press("f5", "n")
        assert app.toasts == ["There is no MEMORY.md yet, so there is nothing to put in order."]


async def test_missing_and_empty_stores_name_the_next_key(open_app: Open) -> None:
    """A new user would look at two empty boxes."""
    async with open_app(None, []) as app:
        shown = app.shown()
        assert "There is no MEMORY.md yet." in shown
        assert "a adds the first entry; the file is made then." in shown
        assert "USER.md is empty." in shown
        await app.press("a", *"hello", "ctrl+s")
        assert app.texts() == ["hello"]


async def test_a_drifted_file_is_explained_and_n_puts_it_in_order(open_app: Open) -> None:
    """The agent refuses every change and nothing on the screen says why."""
    async with open_app() as app:
        app.path().write_text("a\n\n§\n\nb")
        await app.until(lambda: "non-canonical whitespace" in app.shown())
        await app.press("n")
        assert app.path().read_text() == "a\n§\nb"
        await app.until(lambda: "non-canonical whitespace" not in app.shown())


async def test_invalid_utf8_is_shown_and_never_written(open_app: Open) -> None:
    """Opening the file and pressing a key would overwrite bytes nobody could read."""
    async with open_app() as app:
        data = b"caf\xe9 at noon\n\xc2\xa7\nsecond"
        app.path().write_bytes(data)
        await app.until(lambda: "not UTF-8" in app.shown())
        await app.press("d", "J", "e")
        assert app.app.screen is app.screen
        assert app.path().read_bytes() == data
        assert "byte 0xe9 at offset 3" in app.shown()


async def test_an_unreadable_file_is_a_sentence_and_not_an_empty_store(open_app: Open) -> None:
    """A directory in the file's place would look like an agent without memory."""
    async with open_app() as app:
        app.path().unlink()
        app.path().mkdir()
        await app.until(lambda: app.screen.state.memory.state == "unreadable")
        assert "MEMORY.md cannot be shown until it can be read." in app.shown()
        await app.press("a")
        assert app.app.screen is app.screen


async def test_a_store_switched_off_in_the_config_says_so(open_app: Open) -> None:
    """A person tends a file that no agent reads."""
    async with open_app() as app:
        (app.home / "config.yaml").write_text("memory:\n  memory_enabled: false\n")
        await app.until(lambda: "Disabled in config (memory.memory_enabled: false)" in app.shown())


async def test_usage_past_the_limit_is_the_real_number(open_app: Open) -> None:
    """A store that is over would look just full, and nobody could tell by how much."""
    async with open_app(["x" * 1200, "y" * 1200]) as app:
        assert "109% — 2,403/2,200 chars · over by 203" in app.shown()
        assert "MEMORY.md over, 109%" in app.rows()[0]


async def test_a_blocked_entry_is_announced_once(open_app: Open) -> None:
    """The same warning would come at every refresh, or cover the screen at every start."""
    async with open_app(["harmless\u200b"]) as app:
        assert "1 entry · 1 blocked" in app.shown()
        assert not [toast for toast in app.toasts if "blocked" in toast]
        app.write(["harmless\u200b", "Work repo uses ~/.ssh/id_ed25519_work"])
        await app.until(lambda: any("ssh_access" in toast for toast in app.toasts))

        def shows(words: str) -> bool:
            return words in app.shown()

        for number in range(3):
            app.write(["Work repo uses ~/.ssh/id_ed25519_work", f"more {number}"])
            await app.until(partial(shows, f"more {number}"))
        assert len([toast for toast in app.toasts if "blocked" in toast]) == 1


async def test_every_nasty_text_is_shown_selected_filtered_viewed_and_edited(open_app: Open) -> None:
    """One odd entry would take the whole screen down or write into the terminal."""
    texts = [text for text in NASTY.values() if text.strip() and len(text) < 20_000 and "\n§\n" not in text]
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    async with open_app(texts, live=False) as app:
        for place in range(0, len(app.cards.shown), 4):
            app.cards.move_to(place)
            await app.pilot.press("space")
            assert not any(ord(char) < 32 and char != "\n" for char in app.shown())
        await app.press("g", "v", "escape", "e", "escape", "slash", *"[red", "enter", "escape")
        assert app.app.is_running


async def test_half_a_surrogate_pair_on_disk_is_shown_and_not_written(open_app: Open) -> None:
    """Bytes that are no UTF-8 would end the app with a traceback."""
    async with open_app(["a\udcb2b"]) as app:
        assert app.screen.state.memory.state == "invalid_utf8"
        await app.press("e", "y", "v")
        assert app.app.is_running


@pytest.mark.parametrize("theme", ["hermes-dark", "hermes-light", "high-contrast", "colour-blind", "terminal"])
async def test_every_shipped_theme_draws_every_state(hermes_home: Path, theme: str) -> None:
    """A theme would lack a colour that only a blocked or a full store asks for."""
    (hermes_home / "memories" / "MEMORY.md").write_text("a\n§\na\n§\nsee ~/.ssh/id_rsa\n§\n" + "x" * 2300)
    app = HermesTuiApp(HermesHome(hermes_home, "default", "default"), theme=theme)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("space", "j", "slash", "x", "enter")
        for size in ((80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert app.is_running
        assert app.theme == theme


async def test_a_file_out_of_order_is_not_written_to_before_it_is_mended(open_app: Open) -> None:
    """A person writes a long entry and only then learns that the store takes none."""
    async with open_app() as app:
        app.path().write_text("a\n\n§\n\nb")
        await app.until(lambda: app.screen.state.memory.state == "drift")
        await app.press("a")
        assert app.app.screen is app.screen
        assert app.toasts == ["MEMORY.md has drifted: n puts it in order."]
        await app.press("question_mark")
        assert app.shown().count("MEMORY.md has drifted: n puts it in order.") == 1
        assert "(not now)" in app.shown()


async def test_an_editor_variable_that_is_no_command_is_a_sentence(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """E would end the app with a traceback."""
    async with open_app() as app:
        monkeypatch.setenv("EDITOR", "vi 'x")
        await app.press("E")
        assert any("is no command" in toast for toast in app.toasts)


async def test_what_a_crash_left_behind_is_cleared_at_the_next_start(hermes_home: Path) -> None:
    """Half-written files would pile up in the agent's directory."""
    home = HermesHome(hermes_home, "default", "default")
    store = MemoryStore(home, load_config(home), origin="tui")
    store.add("memory", "kept")
    change = FileChange("memory", "x", "y", (), None, ".mem_0123456789abcdef.tmp")
    store.journal.begin(JournalRecord(new_id(), 1.0, "add", "tui", "open", (change,), ""))
    stray = hermes_home / "memories" / ".mem_0123456789abcdef.tmp"
    stray.write_text("half")
    app = HermesTuiApp(home)
    async with app.run_test(notifications=True) as pilot:
        for _ in range(200):
            await pilot.pause(0.01)
            if not stray.exists():
                break
        assert not stray.exists()
        assert (hermes_home / "memories" / "MEMORY.md").read_text() == "kept"
