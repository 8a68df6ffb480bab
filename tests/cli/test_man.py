"""The manual page: everything is in it, and a reader of manual pages can read it."""

from __future__ import annotations

import shutil
import subprocess

import click

from hermes_tui.cli.main import COMMANDS, EXIT_CODES, cli
from hermes_tui.cli.man import EVERY_COMMAND, page, walk
from hermes_tui.settings import SETTINGS
from hermes_tui.ui.actions import ACTIONS
from tests.cli.conftest import Run


def roff(text: str) -> str:
    """Text as it stands in the page."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "".join(char if char < "\x7f" else f"\\[u{ord(char):04X}]" for char in text)


def test_every_command_and_option_is_in_the_page() -> None:
    """Somebody would look for an option in vain."""
    text = page(cli)
    commands = list(walk(cli))
    assert {path.split()[1] for path, _, _ in commands} == set(COMMANDS)
    for path, command, context in commands:
        section = text.split(f'.SS "{roff(path)}', 1)[1].split("\n.S", 1)[0]
        for parameter in command.get_params(context):
            if isinstance(parameter, click.Option) and not set(parameter.opts) & set(EVERY_COMMAND):
                assert roff(max(parameter.opts, key=len)) in section, (path, parameter.opts)
                assert roff(parameter.help or "") in section, (path, parameter.opts)
    for parameter in cli.get_params(click.Context(cli)):
        assert all(roff(name) in text for name in parameter.opts)
    assert all(roff(name) in text for name in EVERY_COMMAND)


def test_every_action_setting_and_exit_code_is_in_the_page() -> None:
    """The page would tell of an older version."""
    text = page(cli)
    for action in ACTIONS:
        assert f"{roff(action.help)} ({action.id})" in text
    for setting in SETTINGS:
        assert roff(setting.help) in text
        assert setting.variable in text
    for code, words in EXIT_CODES.items():
        assert f'.B "{code}"' in text
        assert roff(words[1:]) in text


def test_the_page_is_roff_that_no_reader_complains_about(run: Run) -> None:
    """`man` would show half of it, or warnings."""
    text = run("man").out
    assert text.isascii()
    assert text.startswith(".TH HERMES\\-TUI 1 ")
    known = (".TH", ".SH", ".SS", ".TP", ".PP", ".B ", ".nf", ".fi")
    assert all(line.startswith(known) for line in text.splitlines() if line.startswith((".", "'")))
    lines = text.splitlines()
    assert lines.count(".nf") == lines.count(".fi") > 0
    if shutil.which("groff"):
        done = subprocess.run(
            ["groff", "-man", "-ww", "-Tutf8", "-b"], input=text, capture_output=True, text=True, check=True, timeout=30
        )
        assert not done.stderr
        assert "hermes-tui" in done.stdout


def test_the_exit_codes_of_the_help_are_those_of_the_page(run: Run) -> None:
    """A script would test for a code that means something else."""
    said = " ".join(run("--help").out.split())
    for code, words in EXIT_CODES.items():
        assert f"{code} {words}" in said
