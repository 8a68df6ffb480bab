"""No text that somebody else wrote commands the terminal of whoever reads it, on the command line or on the screen."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from hermes_tui.cli import output
from hermes_tui.home import HermesHome
from hermes_tui.ui.app import HermesTuiApp
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.hostile.home import ATTACK, CLIPBOARD, NAME, make_hostile_home
from tests.nasty import raw_control_bytes
from tests.ui.conftest import Driver

COMMANDS = [
    "memory list", "memory log", "memory prompt", "memory scan", "pending list", "pending simulate",
    "pending gate", "sessions list --all", "sessions search otter", "sessions show plain", "sessions stats",
    "sessions prune --older-than 1 --dry-run", "sessions delete plain --dry-run", "sessions title --all --dry-run",
    "sessions export plain --format md --output -", "sessions export plain --format text --output -",
    "history log", "history at plain", "history blame", "history exposure", "history reviews", "history search one",
    "profiles list", "profiles compare default work", "providers status", "providers memories list",
    "providers memories search fact", "settings list", "settings get memory.memory_char_limit", "info", "doctor",
]  # fmt: skip
"""Every command that shows something of what is stored."""


def test_no_command_prints_what_a_terminal_acts_on(run: Run, hermes_home: Path) -> None:
    """Listing sessions would put a command on the clipboard, or draw a false screen."""
    make_hostile_home(hermes_home)
    shown = ""
    for command in COMMANDS:
        ran = run(*command.split())
        assert ran.code in (0, 1), (command, ran.err)
        assert not raw_control_bytes(ran.out + ran.err), command
        shown += ran.out
    assert shown.count("␛]52;c;") > 30
    for words in (
        ["sessions", "show", ATTACK], ["sessions", "rename", "plain", ATTACK, "--dry-run"],
        ["memory", "remove", ATTACK],
        ["pending", "show", ATTACK], ["pending", "reject", f"0{NAME}"], ["settings", "get", ATTACK], [ATTACK],
        ["memory", "list", "--profile", ATTACK], ["memory", "list", "--home", f"/{NAME}"], [f"--{ATTACK}"],
        ["providers", "setup", ATTACK], ["sessions", "import", ATTACK], ["sessions", "list", "--view", ATTACK],
    ):  # fmt: skip
        ran = run(*words)
        assert ran.code in (0, 1, 2, 3), ran.err
        assert not raw_control_bytes(ran.out + ran.err), words


def test_json_on_a_terminal_holds_no_control_of_eight_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--json` looked at by a person would be obeyed by the terminal: JSON leaves C1 and bidi as they are."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream in (Terminal(), Terminal()):
        monkeypatch.setattr("sys.stdout", stream)
        output.print_json({ATTACK: [ATTACK, "\U000e0041\u2028"]})
        assert not raw_control_bytes(stream.getvalue())
        assert "\\u009b" in stream.getvalue()


async def test_no_screen_draws_what_a_terminal_acts_on(hermes_home: Path) -> None:
    """Opening the app on a home that an agent was talked into filling would hand over the clipboard."""
    make_hostile_home(hermes_home)
    app = HermesTuiApp(HermesHome(hermes_home, "default", "default"))
    seen = ""
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        driver = Driver(app, pilot, hermes_home)
        await driver.settle()
        for keys in (
            ("1", "v"), ("escape",), ("2", "down"), ("down",), ("3", "down"), ("enter",), ("escape",),
            ("4", "down"), ("5", "down"), ("0",), ("escape",),
        ):  # fmt: skip
            await driver.press(*keys)
            assert app.is_running, keys
            shown = driver.shown() + "\n".join(driver.toasts)
            assert not raw_control_bytes(driver.shown()), keys
            seen += shown
        assert CLIPBOARD not in app.title + app.sub_title
    assert seen.count("␛]52;c;") > 10
