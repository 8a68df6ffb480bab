"""A person's own pager on a private copy of a text."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import sys
from pathlib import Path

import pytest

from hermes_tui.errors import NotFound, Refused
from hermes_tui.pager import page, pager_command

COPY = """
import os, shutil, sys
shutil.copy(sys.argv[1], OUT)
open(OUT + ".mode", "w").write(oct(os.stat(sys.argv[1]).st_mode))
open(OUT + ".path", "w").write(sys.argv[1])
"""


def test_the_persons_pager_shows_the_text_and_the_copy_is_gone_afterwards(tmp_path: Path) -> None:
    """What was said would stay behind in a file that others can read."""
    out = tmp_path / "out"
    script = tmp_path / "pager.py"
    script.write_text(f"OUT = {str(out)!r}\n{COPY}")
    page("first\nsecond \x1b[31m \udcff", {"PAGER": f"{sys.executable} {script}", "PATH": "/usr/bin:/bin"})
    assert out.read_text() == "first\nsecond ␛[31m \\udcff\n"
    assert Path(f"{out}.mode").read_text().endswith("600")
    assert not Path(Path(f"{out}.path").read_text()).exists()


def test_a_pager_that_is_not_there_or_fails_is_said_to() -> None:
    """The key would do nothing, and nobody would know why."""
    path = "/usr/bin:/bin"
    with pytest.raises(NotFound, match="no-such-pager"):
        page("x", {"PAGER": "no-such-pager", "PATH": path})
    with pytest.raises(Refused, match="no command"):
        page("x", {"PAGER": "less 'unclosed", "PATH": path})
    with pytest.raises(Refused, match="exit code 3"):
        page("x", {"PAGER": "sh -c 'exit 3'", "PATH": path})
    with pytest.raises(NotFound, match="No pager"):
        pager_command({"PATH": "/nowhere"})


def test_without_a_wish_an_installed_pager_is_taken(tmp_path: Path) -> None:
    """Who has set nothing would read nothing."""
    more = tmp_path / "more"
    more.write_text("#!/bin/sh\n")
    more.chmod(0o755)
    assert pager_command({"PATH": str(tmp_path)}) == ["more"]
    assert pager_command({"PATH": str(tmp_path), "PAGER": "more -d"}) == ["more", "-d"]


@pytest.mark.parametrize(("script", "waits"), [("cat", True), ("exit 3", True), ("sleep 0.6", False)])
def test_what_a_pager_only_prints_stays_until_enter_is_pressed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path, script: str, waits: bool
) -> None:
    """`PAGER=cat` would flash by, and what a pager complains about too."""
    person, terminal = pty.openpty()
    program = tmp_path / "pager"
    program.write_text(f'#!/bin/sh\n{script} "$@"\n' if script == "cat" else f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    (tmp_path / "vim").symlink_to(program)

    def shown_by(pager: str) -> str:
        with contextlib.suppress(Refused):
            page("hello", {"PAGER": pager, "PATH": f"{tmp_path}:/usr/bin:/bin"})
        return capfd.readouterr().out

    with os.fdopen(terminal) as keyboard:
        monkeypatch.setattr("sys.stdin", keyboard)
        os.write(person, b"\n")
        assert ("press enter to go back" in shown_by(str(program))) is waits
        assert "press enter" not in shown_by(str(tmp_path / "vim"))
        if waits:
            # Without a person at the keyboard nobody is waited for.
            monkeypatch.setattr("sys.stdin", io.StringIO())
            assert "press enter" not in shown_by(str(program))
    os.close(person)
