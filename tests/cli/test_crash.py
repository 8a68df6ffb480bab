"""Errors nobody foresaw: the report says where, and nothing that anybody wrote."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from hermes_tui import __version__, crash
from hermes_tui.cli import count
from hermes_tui.errors import CRASHED
from tests.cli.conftest import Run


def raised(depth: int = 0) -> Exception:
    """An error with values and a message that nobody is to read."""
    private = "the user is unwell"
    try:
        try:
            if depth:
                raised_in(depth, private)
            raise KeyError(private)
        except KeyError as error:
            raise RuntimeError(f"cannot store {private}") from error
    except Exception as error:
        return error


def raised_in(depth: int, private: str) -> None:
    """Fail further down."""
    if depth:
        raised_in(depth - 1, private)
    raise KeyError(private)


def test_a_report_names_versions_types_and_places_but_no_values(tmp_path: Path) -> None:
    """A bug report would carry what the agent knows about somebody."""
    text = crash.report(raised())
    assert __version__ in text
    assert "builtins.KeyError" in text
    assert "builtins.RuntimeError" in text
    assert text.index("KeyError") < text.index("which was the cause of") < text.index("RuntimeError")
    assert re.search(r"test_crash\.py:\d+ in raised$", text, re.MULTILINE)
    assert "unwell" not in text
    assert str(tmp_path.parents[2]) not in text
    assert str(Path(__file__).parents[2]) not in text


def test_an_endless_recursion_is_told_shortly() -> None:
    """The report would be a thousand lines of the same."""
    text = crash.report(raised(500))
    assert "more …" in text
    assert text.count("\n") < 150


def test_reports_are_for_their_owner_and_old_ones_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that fails every night would fill the disk."""
    monkeypatch.setenv("HERMES_TUI_STATE_DIR", str(tmp_path))
    for number in range(crash.REPORTS_KEPT + 5):
        monkeypatch.setattr("os.getpid", lambda number=number: 1000 + number)
        path = crash.keep_report(raised())
    kept = sorted((tmp_path / "crashes").iterdir())
    assert len(kept) == crash.REPORTS_KEPT
    assert path in kept
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert crash.reports() == kept


def test_a_command_that_fails_unforeseen_says_where_the_report_is(
    run: Run, hermes_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A traceback with the text of an entry would be on the screen."""
    assert hermes_home.is_dir()
    monkeypatch.setenv("HERMES_TUI_STATE_DIR", str(tmp_path / "state"))

    def fail(*_words: object) -> None:
        raise ValueError("the user is unwell")

    monkeypatch.setattr(count, "open_home", fail)
    shown = run("count", "--json")
    assert shown.code == CRASHED
    (report,) = (tmp_path / "state" / "crashes").iterdir()
    assert str(report) in shown.err
    assert json.loads(shown.out)["error"]["code"] == "crashed"
    assert "unwell" not in shown.out + shown.err + report.read_text()
    assert str(report) in run("doctor").out
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HERMES_TUI_STATE_DIR", str(tmp_path / "file"))
    shown = run("count")
    assert shown.code == CRASHED
    assert "no report could be written" in shown.err
    assert "builtins.ValueError" in shown.err
