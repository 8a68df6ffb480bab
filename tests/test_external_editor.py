"""A person's own editor: which command, and what comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.external_editor import edit_text, editor_command
from tests.nasty import NASTY


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A program that stands for an editor; tests write its body."""
    path = tmp_path / "my editor.sh"
    path.touch(mode=0o755)
    return path


def run(script: Path, body: str, text: str) -> str | None:
    """Edit `text` with a program of that body."""
    script.write_text(f"#!/bin/sh\n{body}\n")
    return edit_text(text, {"EDITOR": f'"{script}" --wait'})


def test_visual_wins_and_arguments_are_split_as_in_a_shell() -> None:
    """`code --wait` would be looked for as one program."""
    assert editor_command({"EDITOR": "vi"}) == ["vi"]
    assert editor_command({"EDITOR": "vi", "VISUAL": "code --wait"}) == ["code", "--wait"]
    assert editor_command({"EDITOR": "'/opt/my editor' -n"}) == ["/opt/my editor", "-n"]
    assert editor_command({"EDITOR": "  "}) is None
    assert editor_command({}) is None


def test_a_command_with_an_open_quote_is_named() -> None:
    """The app would end with a traceback of a parser."""
    with pytest.raises(Refused, match="EDITOR"):
        editor_command({"EDITOR": "vi 'x"})


def test_what_the_editor_leaves_comes_back_without_its_last_newline(script: Path) -> None:
    """Each edit would add an empty line to the entry."""
    assert run(script, 'printf "new text\\n" > "$2"', "old") == "new text"


def test_an_editor_that_fails_or_changes_nothing_means_no_change(script: Path) -> None:
    """`:cq` would save half a sentence."""
    assert run(script, 'echo half > "$2"; exit 1', "old") is None
    assert run(script, "exit 0", "old") is None


def test_an_editor_that_is_not_there_is_named() -> None:
    """Nothing would happen, or a traceback would."""
    with pytest.raises(NotFound, match="no-such-editor"):
        edit_text("x", {"EDITOR": "no-such-editor"})
    with pytest.raises(NotFound):
        edit_text("x", {})


def test_what_is_not_utf8_is_refused_with_a_sentence(script: Path) -> None:
    """Bytes nobody can read would be written into memory."""
    with pytest.raises(Unreadable) as caught:
        run(script, 'printf "\\351" > "$2"', "old")
    assert isinstance(caught.value, HermesTuiError)
    assert "Nothing was changed" in str(caught.value)


@pytest.mark.parametrize("name", list(NASTY))
def test_every_text_survives_the_way_to_the_editor_and_back(script: Path, name: str) -> None:
    """Opening an odd entry in an editor would change it."""
    back = run(script, 'printf "!\\n" >> "$2"', NASTY[name])
    assert back == NASTY[name] + "\n!"
