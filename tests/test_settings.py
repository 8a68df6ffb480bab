"""Settings of our own: which of four places decides, and what is said about what cannot be used."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from hermes_tui import SCREENS
from hermes_tui.cli import main
from hermes_tui.settings import BY_KEY, FILE_NAME, SETTINGS, SHIPPED_FOLDER, config_dir, load_settings, theme_names
from hermes_tui.ui.themes import user_folder


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file is looked for; it is not there yet."""
    monkeypatch.setenv("HERMES_TUI_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / FILE_NAME


def test_flag_wins_over_environment_over_file_over_default(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could tell why a setting does nothing."""
    assert (load_settings().get("screen"), load_settings().origin("screen")) == ("memory", "default")
    file.write_text("screen: pending\n")
    assert (load_settings().get("screen"), load_settings().origin("screen")) == ("pending", "settings.yaml")
    monkeypatch.setenv("HERMES_TUI_SCREEN", "sessions")
    assert (load_settings().get("screen"), load_settings().origin("screen")) == ("sessions", "HERMES_TUI_SCREEN")
    found = load_settings({"screen": "timeline", "theme": None})
    assert (found.get("screen"), found.origin("screen")) == ("timeline", "--screen")
    assert found.origin("theme") == "default"
    assert not found.troubles


def test_every_setting_can_be_set_in_every_place_that_is_named_for_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table in the README would promise what does not work."""
    words = {"theme": "hermes-light", "screen": "timeline", "keys": "{memory.add: x}"}
    for setting in SETTINGS:
        word = words.get(setting.key, "false" if setting.default is True else "true")
        file.write_text(f"{setting.key}: {word}\n")
        assert load_settings().get(setting.key) != setting.default
        assert load_settings().origin(setting.key) == FILE_NAME
        file.unlink()
        if setting.variable:
            monkeypatch.setenv(setting.variable, word)
            assert load_settings().get(setting.key) != setting.default
            assert load_settings().origin(setting.key) == setting.variable
            monkeypatch.delenv(setting.variable)
        if setting.flag:
            options = {name for parameter in main.cli.params for name in parameter.opts}
            assert setting.flag in options


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("mouse: true\nthem: hermes-dark\n", 2, "there is no setting 'them' (did you mean theme?)"),
        (
            "\n\nscreen: memroy\n",
            3,
            "screen is 'memroy'; it can be memory, pending, sessions, timeline, settings (did you mean",
        ),
        ("theme: hermes-drak", 1, "(did you mean hermes-dark?)"),
        ("theme: [a]", 1, "theme is a list or mapping; it can be"),
        ("mouse: maybe", 1, "mouse is 'maybe'; it can be true or false"),
        ("read_only:", 1, "read_only is empty; it can be true or false"),
        ("keys: j", 1, "keys is 'j'; it holds ids of actions"),
        ("keys:\n  memory.add: on\n", 2, "keys.memory.add is no key or list of keys"),
        ("keys:\n  memory.add: []\n", 2, "keys.memory.add is no key or list of keys"),
        ("1: 2", 1, "there is no setting 1"),
    ],
)
def test_what_cannot_be_used_is_said_with_line_and_closest_name(file: Path, text: str, line: int, words: str) -> None:
    """A typing mistake would silently do nothing."""
    file.write_text(text)
    found = load_settings()
    (trouble,) = found.troubles
    assert trouble.startswith(f"{file}, line {line}: ")
    assert words in trouble
    assert not found.get("keys")
    for key in ("theme", "screen", "read_only"):
        assert found.get(key) == BY_KEY[key].default


@pytest.mark.parametrize("text", ["a: [", "- a\n- b\n", "just words", "x: !!python/object:os.system {}", "\x00"])
def test_a_file_that_is_none_leaves_every_default_and_says_why(file: Path, text: str) -> None:
    """The app would not open because of a bracket."""
    file.write_text(text)
    found = load_settings()
    assert all(value.origin == "default" for value in found.values)
    (trouble,) = found.troubles
    assert trouble.startswith(f"{file}, line ")
    assert trouble.endswith("None of its settings are used.")


def test_a_file_that_cannot_be_read_is_said(file: Path) -> None:
    """Settings would be ignored without a word."""
    file.mkdir()
    (trouble,) = load_settings().troubles
    assert "is a directory" in trouble


def test_an_empty_file_and_a_setting_given_twice(file: Path) -> None:
    """The first of two lines would win in one program and the last in another."""
    file.write_text("# nothing yet\n")
    assert not load_settings().troubles
    file.write_text("screen: pending\nscreen: sessions\n")
    assert load_settings().get("screen") == "sessions"
    assert "twice" in load_settings().troubles[0]


def test_a_variable_with_a_wrong_value_is_said_and_the_file_counts(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable with a typing mistake would undo what the file says."""
    file.write_text("screen: pending\n")
    monkeypatch.setenv("HERMES_TUI_SCREEN", "memroy")
    found = load_settings()
    assert found.get("screen") == "pending"
    assert found.troubles[0].startswith("HERMES_TUI_SCREEN is 'memroy'")


def test_settings_and_themes_lie_in_one_folder(isolated_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person would keep a theme where nobody looks for it."""
    import platformdirs

    assert config_dir() == Path(platformdirs.user_config_dir("hermes-tui")) == user_folder().parent
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert config_dir() == Path(platformdirs.user_config_dir("hermes-tui"))
    monkeypatch.setenv("HERMES_TUI_CONFIG_DIR", str(isolated_machine / "here"))
    assert config_dir() == user_folder().parent
    (config_dir() / "themes").mkdir(parents=True)
    (config_dir() / "themes" / "mine.yaml").write_text("")
    assert set(theme_names()) == {path.stem for path in SHIPPED_FOLDER.glob("*.yaml")} | {"mine"}
    assert "mine" in theme_names()


def test_the_screens_are_the_same_in_the_option_and_in_the_file() -> None:
    """An option would be refused that the file allows."""
    (option,) = (each for each in main.cli.params if each.name == "screen")
    assert isinstance(option.type, click.Choice)
    assert tuple(option.type.choices) == SCREENS
