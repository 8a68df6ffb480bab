"""The README tells the truth: its keys, commands and options are those of the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from hermes_tui.cli.main import cli
from hermes_tui.settings import load_settings, settings_table
from hermes_tui.ui.actions import key_table
from hermes_tui.ui.keymap import keymap_of

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_the_key_table_is_the_programs() -> None:
    """A newcomer would press keys that do something else."""
    stated = README.split("a test compares them -->\n", 1)[1].split("<!-- /keys -->", 1)[0]
    assert stated.strip() == key_table().strip()


def test_the_settings_table_is_the_programs() -> None:
    """A newcomer would set what is not there."""
    stated = README.split("settings.py; a test compares them -->\n", 1)[1].split("<!-- /settings -->", 1)[0]
    assert stated.strip() == settings_table().strip()


def test_the_settings_shown_as_an_example_are_good_ones(tmp_path: Path) -> None:
    """What a newcomer copies would be refused."""
    file = tmp_path / "settings.yaml"
    file.write_text(README.split("```yaml\n", 1)[1].split("```", 1)[0])
    settings = load_settings(path=file)
    assert not settings.troubles
    assert not keymap_of(settings).troubles


def test_every_command_named_exists_and_every_command_is_named() -> None:
    """A newcomer would type a command that is not there."""
    rows = README.split("| command | what it does |", 1)[1].split("\n\n", 1)[0]
    named = set(re.findall(r"[a-z]+", " ".join(re.findall(r"`([^`]+)`", rows))))
    assert set(cli.list_commands(click.Context(cli))) <= named
    for path in _paths(cli):
        told = [set(re.findall(r"[a-z_]+", row)) for row in rows.splitlines()]
        assert any({path[0], path[-1]} <= words for words in told), " ".join(path)


def _paths(group: click.Group, *above: str) -> Iterator[tuple[str, ...]]:
    """Every command, with those it stands under."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _paths(command, *above, name)
        else:
            yield (*above, name)


def test_every_picture_and_make_target_named_exists() -> None:
    """The first picture would be broken, or the first command fail."""
    for picture in re.findall(r"\]\((screenshots/[^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"^\$ make ([a-z]+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
