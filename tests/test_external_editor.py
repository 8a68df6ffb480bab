"""A person's own editor: which command, and what comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.external_editor import edit_text, editor_command
from tests.every import every
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


def test_an_editor_that_changes_nothing_means_no_change(script: Path) -> None:
    """Looking at an entry would write it again."""
    assert run(script, "exit 0", "old") is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('echo half > "$2"; exit 3', "exit code 3"),
        ("kill -9 $$", "signal 9"),
        ('rm "$2"', "the file is gone"),
        ('rm -r "$(dirname "$2")"', "the file is gone"),
        ('rm "$2"; mkdir "$2"', "a directory"),
    ],
)
def test_an_editor_that_fails_is_told_of_and_changes_nothing(script: Path, body: str, words: str) -> None:
    """`:cq` would save half a sentence, or seem to have saved it."""
    with pytest.raises(HermesTuiError, match=words) as caught:
        run(script, body, "old")
    assert caught.value.hint == "Nothing was changed."


def test_a_program_that_cannot_be_started_is_named(script: Path) -> None:
    """A traceback would take the terminal with it."""
    script.write_bytes(b"\x7fELF is not enough")
    with pytest.raises(Refused, match="cannot be started"):
        edit_text("x", {"EDITOR": f'"{script}"'})


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


@every("name", list(NASTY))
def test_every_text_survives_the_way_to_the_editor_and_back(script: Path, name: str) -> None:
    """Opening an odd entry in an editor would change it."""
    back = run(script, 'printf "!\\n" >> "$2"', NASTY[name])
    assert back == NASTY[name] + "\n!"
