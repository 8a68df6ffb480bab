"""What our edits leave in config.yaml is what the real agents read, and our defaults are theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hermes_tui.config.edit import set_setting, unset_setting
from hermes_tui.config.keys import BY_NAME, KEYS, Line
from hermes_tui.home import resolve_home
from tests.config.files import CASES
from tests.interop.conftest import PEERS, JsonLines, environment, python_of

DRIVER = Path(__file__).with_name("peers") / "drive_config.py"
UNDECLARED = {"memory.nudge_interval", "skills.creation_nudge_interval"}
"""Settings that an agent reads without having them among its defaults; the number is in its code."""
Ask = Callable[[str, list[str]], list[object]]


@pytest.fixture(params=list(PEERS))
def reader(request: pytest.FixtureRequest, isolated_machine: Path) -> Iterator[tuple[Line, Ask]]:
    """A line of the agent, and what it reads in a text for some keys."""
    home = isolated_machine / "agent"
    home.mkdir()
    peer = JsonLines([python_of(request.param), str(DRIVER)], environment(isolated_machine, home))
    asked = 0

    def ask(text: str, keys: list[str]) -> list[object]:
        nonlocal asked
        asked += 1
        values = peer.ask({"text": text, "keys": keys, "number": 1_700_000_000 + asked})["values"]
        assert isinstance(values, list)
        return values

    yield request.param, ask
    peer.close()


def test_every_edited_file_is_read_as_it_was_meant(reader: tuple[Line, Ask], hermes_home: Path) -> None:
    """A person would believe in a setting that the agent does not have."""
    line, ask = reader
    for name, case in CASES.items():
        if case.after is None:
            continue
        path = hermes_home / "config.yaml"
        path.write_bytes(case.before.encode())
        if case.value is None:
            unset_setting(resolve_home(), case.key)
            meant = BY_NAME[case.key].default_of(line)
        else:
            set_setting(resolve_home(), case.key, case.value)
            meant = case.value
        (found,) = ask(path.read_bytes().decode(), [case.key])
        known = BY_NAME[case.key].only in (None, line) or case.value is not None
        assert not known or (type(found), found) == (type(meant), meant), name


def test_our_defaults_are_the_agents(reader: tuple[Line, Ask]) -> None:
    """The default that is shown, and that a setting falls back to, would be another one."""
    line, ask = reader
    keys = [key for key in KEYS if key.only in (None, line)]
    found = ask("{}", [key.name for key in keys])
    other = {
        key.name: (value, key.default_of(line))
        for key, value in zip(keys, found, strict=True)
        if value != key.default_of(line) and not (key.name in UNDECLARED and value == "(nothing)")
    }
    assert other == {}


def test_what_only_one_line_knows_the_other_does_not(reader: tuple[Line, Ask]) -> None:
    """A note would say of a setting that works that it does nothing."""
    line, ask = reader
    keys = [key.name for key in KEYS if key.only not in (None, line)]
    assert set(ask("{}", keys)) == {"(nothing)"}
