"""A person's own keys: they work, they are shown, and what cannot be is refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from hermes_tui.home import resolve_home
from hermes_tui.settings import Settings, load_settings
from hermes_tui.ui.actions import ACTIONS, BY_ID, use_keys
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.dialogs.help import Help
from hermes_tui.ui.keymap import key_of, keymap_of
from hermes_tui.ui.pending.screen import PendingScreen


def settings(tmp_path: Path, text: str) -> Settings:
    """What a file with this text sets."""
    file = tmp_path / "settings.yaml"
    file.write_text(text)
    return load_settings(path=file)


@pytest.fixture(autouse=True)
def usual_keys() -> None:
    """Other tests find the table as it is."""
    use_keys({})


def test_every_key_of_the_table_can_be_written_as_it_is_shown() -> None:
    """A person would copy `?` from the help and be told there is no such key."""
    for action in ACTIONS:
        for key in action.keys:
            assert key_of(key) == key
    for shown, key in {
        "?": "question_mark", "esc": "escape", "pgdn": "pagedown", "/": "slash", "ctrl+A": "ctrl+a", "shift+a": "A",
        "Space": "space", "F5": "f5", "ctrl+/": "ctrl+slash", "-": "minus", "+": "plus", "ä": "ä", "ctrl+shift+up":
        "ctrl+shift+up", "alt+x": "alt+x", "é": "é", "@": "at", "_": "underscore",
    }.items():  # fmt: skip
        assert key_of(shown) == key, shown
    for nonsense in ("", "hyper+x", "f99", "ctrl+", "two words", "ctrl+ctrl"):
        assert not key_of(nonsense), nonsense


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("memory.delete: x", 2, "there is no action 'memory.delete' (did you mean memory.remove?)"),
        ("memory.ad: x", 2, "there is no action 'memory.ad' (did you mean memory.add?)"),
        ("memory.add: e", 2, "memory.add keeps its keys: e is a key of memory.edit (Edit) as well"),
        ("memory.add: q", 2, "q is a key of app.quit (Quit) as well"),
        ("app.quit: a", 2, "app.quit keeps its keys: a is a key of memory.add (Add) as well"),
        ("memory.edit: x\n  memory.add: x", 2, "x is a key of memory.add (Add) as well"),
        ("memory.add: escpe", 2, "there is no key 'escpe' (did you mean escape?)"),
        ("memory.add: ctrl+b", 2, "ctrl+b cannot be used, tmux takes it"),
        ("memory.add: [x, ctrl+s]", 2, "ctrl+s cannot be used, terminals stop their output with it"),
        ("memory.add: 'ctrl+['", 2, "terminals send it for esc"),
        ("memory.add: ctrl+z", 2, "it goes back to the shell"),
    ],
)
def test_what_cannot_be_a_key_is_refused_with_line_and_reason(tmp_path: Path, text: str, line: int, words: str) -> None:
    """A key would do nothing, or two things, and nobody could tell why."""
    found = settings(tmp_path, f"keys:\n  {text}\n")
    keymap = keymap_of(found)
    (trouble,) = keymap.troubles
    assert trouble.startswith(f"{tmp_path / 'settings.yaml'}, line {line}: ")
    assert words in trouble


def test_two_actions_may_change_places_and_one_key_may_serve_two_screens(tmp_path: Path) -> None:
    """Swapping would need a detour over a third key."""
    text = "keys:\n  memory.add: e\n  memory.edit: [a, enter]\n  pending.edit: w\n  sessions.open: w\n"
    keymap = keymap_of(settings(tmp_path, text))
    assert not keymap.troubles
    assert keymap.keys["memory.edit"] == ("a", "enter")


async def test_changed_keys_work_and_are_shown_everywhere(hermes_home: Path, tmp_path: Path) -> None:
    """Footer and help would name keys that do something else."""
    (hermes_home / "memories" / "MEMORY.md").write_text("one fact")
    text = "keys:\n  memory.filter: w\n  app.pending: ctrl+f\n  app.help: [f2, '?']\n  app.sessions: f9\n"
    app = HermesTuiApp(resolve_home(), settings=settings(tmp_path, text))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        footer = app.screens.memory[0].footer
        drawn = footer.render_line(0).text
        assert "w Filter" in drawn
        assert "f2 Help" in drawn
        await pilot.press("slash")
        assert not isinstance(app.focused, Input)
        await pilot.press("w")
        await pilot.pause()
        assert isinstance(app.focused, Input)
        await pilot.press("escape", "f2")
        await pilot.pause()
        assert isinstance(app.screen, Help)
        page = app.screen.paper(100).text
        assert "f2 / ?" in str(page)
        await pilot.press("escape", "2")
        await pilot.pause()
        assert app.current_mode == "memory"
        await pilot.press("ctrl+f")
        await pilot.pause()
        assert isinstance(app.screen, PendingScreen)
    assert BY_ID["memory.filter"].all_keys == "w"
    use_keys({})
    assert BY_ID["memory.filter"].all_keys == "/"


async def test_a_mistake_in_the_settings_is_said_and_the_app_opens(hermes_home: Path, tmp_path: Path) -> None:
    """Somebody would look for the mistake in the wrong place."""
    assert hermes_home.is_dir()
    app = HermesTuiApp(resolve_home(), settings=settings(tmp_path, "them: x\nkeys: {memory.add: e}\n"))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await pilot.pause(0.1)
        (toast,) = [toast for toast in app.toasts if toast.title == "Settings"]
        assert "line 1: there is no setting 'them' (did you mean theme?)" in str(toast.message)
        assert "and 1 more" in str(toast.message)
        assert BY_ID["memory.add"].key == "a"


@pytest.mark.parametrize("name", ["memory", "pending", "sessions", "timeline"])
async def test_any_screen_can_be_the_first(hermes_home: Path, tmp_path: Path, name: str) -> None:
    """The app would open empty, or without its layout."""
    assert hermes_home.is_dir()
    app = HermesTuiApp(resolve_home(), settings=settings(tmp_path, f"screen: {name}\nreduced_motion: yes\n"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.current_mode == name
        assert app.has_class("-tabs")
        assert app.animation_level == "none"
        await pilot.press("1")
        await pilot.pause()
        assert app.current_mode == "memory"


async def test_a_theme_that_cannot_be_read_is_said_and_another_is_put_on(
    hermes_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The app would not open because of a colour."""
    assert hermes_home.is_dir()
    monkeypatch.setenv("HERMES_TUI_CONFIG_DIR", str(tmp_path))
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "mine.yaml").write_text("name: mine\ncolors: {primary: no colour}\n")
    chosen = settings(tmp_path, "theme: mine\n")
    app = HermesTuiApp(resolve_home(), theme=chosen.get("theme"), settings=chosen)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await pilot.pause(0.1)
        (toast,) = [toast for toast in app.toasts if toast.title == "Settings"]
        assert "mine.yaml cannot be used" in str(toast.message)
        assert app.theme == "hermes-dark"
