"""What the app does to a real terminal, and what a terminal does to it."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import time
from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from hermes_tui.drafts import keep_draft
from hermes_tui.errors import CRASHED
from hermes_tui.memory.entries import join
from hermes_tui.ui.terminal import Input
from tests.ui.pty_app import ENTERS, LEAVES, PtyApp, PtyShell


@pytest.fixture
def home(hermes_home: Path) -> Path:
    """A home with three entries."""
    (hermes_home / "memories" / "MEMORY.md").write_text(join(["first fact", "second fact", "third fact"]))
    return hermes_home


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(home: Path, tmp_path: Path, number: signal.Signals) -> None:
    """The shell would be left black, without echo, with the mouse typing rubbish."""
    with PtyApp(home, tmp_path) as app:
        assert app.signal(number) == 128 + number
        assert app.given_back
        assert f"ended by {number.name}".encode() in app.output[app.output.rfind(LEAVES) :]


def test_a_signal_does_not_lose_what_was_being_written(home: Path, tmp_path: Path) -> None:
    """Half an hour of writing would be gone because a machine was shut down."""
    with PtyApp(home, tmp_path) as app:
        app.send(b"a")
        app.shows("Add to MEMORY.md")
        app.send("half a thought – ünfinished".encode())
        app.shows("nfinished")
        assert app.signal(signal.SIGTERM) == 128 + signal.SIGTERM
        (draft,) = app.state.glob("homes/*/drafts/*.txt")
        assert draft.read_text() == "half a thought – ünfinished"
        assert stat.S_IMODE(draft.stat().st_mode) == 0o600
        assert draft.name.encode() in app.output[app.output.rfind(LEAVES) :]
        assert not [path for path in home.rglob("*") if "draft" in path.name]


def test_a_signal_does_not_lose_a_text_that_waits_to_be_written(home: Path, tmp_path: Path) -> None:
    """Saved, as far as the person knows, and gone, because an agent held the lock."""
    with (home / "memories" / "MEMORY.md.lock").open("a+") as lock, PtyApp(home, tmp_path) as app:
        fcntl.flock(lock, fcntl.LOCK_EX)
        app.send(b"a")
        app.shows("Add to MEMORY.md")
        app.send(b"waiting words")
        app.shows("words")
        app.send(b"\x13")
        app.shows("lock on MEMORY.md")
        assert app.signal(signal.SIGTERM) == 128 + signal.SIGTERM
        (draft,) = app.state.glob("homes/*/drafts/*.txt")
        assert draft.read_text() == "waiting words"
        assert app.given_back


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("", id="told"),
        pytest.param(
            "import signal, textual.drivers._writer_thread as writer\n"
            "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
            "writer.MAX_QUEUED_WRITES = 1",
            id="deaf and waiting for the terminal",
        ),
    ],
)
def test_a_terminal_that_goes_away_takes_no_text_with_it(home: Path, tmp_path: Path, first: str) -> None:
    """Closing a window would lose what was written in it, or leave a process behind."""
    with PtyApp(home, tmp_path, first=first) as app:
        app.send(b"a")
        app.shows("Add to MEMORY.md")
        app.send(b"last words")
        app.shows("words")
        os.close(app.master)
        app.master = os.dup(app.slave)
        end = time.monotonic() + 10
        while not (ended := os.waitpid(app.pid, os.WNOHANG))[0]:
            assert time.monotonic() < end
            time.sleep(0.02)
        app.code = os.waitstatus_to_exitcode(ended[1])
        assert app.code == 128 + signal.SIGHUP
        (draft,) = app.state.glob("homes/*/drafts/*.txt")
        assert draft.read_text() == "last words"


def test_what_is_sent_while_the_persons_editor_runs_does_not_end_it(home: Path, tmp_path: Path) -> None:
    """ctrl+c in the editor would end the app; being told to end would leave the terminal to nobody."""
    script = tmp_path / "ed"
    script.write_text('#!/bin/sh\nkill -INT $PPID\nsleep 0.2\nprintf "by hand\\n" > "$1"\n')
    script.chmod(0o755)
    with PtyApp(home, tmp_path, EDITOR=str(script)) as app:
        app.send(b"E")
        app.until(lambda: (home / "memories" / "MEMORY.md").read_text().startswith("by hand"), "saved")
        script.write_text("#!/bin/sh\nkill -TERM $PPID\nsleep 0.2\n")
        app.send(b"E")
        assert app.wait() == 128 + signal.SIGTERM
        assert app.given_back


def test_ctrl_z_goes_back_to_the_shell_and_fg_draws_everything_again(home: Path, tmp_path: Path) -> None:
    """The shell would be left without echo, or the app come back to an empty screen."""
    with PtyShell(home, tmp_path) as shell:
        shell.start()
        shell.send(b"\x1a")
        shell.until(lambda: b"Stopped" in shell.output[shell.output.rfind(LEAVES) :], "the shell says so")
        assert shell.output.rfind(b"\x1b[?1003l") > shell.output.rfind(b"\x1b[?1003h")
        shell.send(b"echo $((40 + 2)) is echoed\n")
        shell.shows("42 is echoed")
        (home / "memories" / "MEMORY.md").write_text(join(["written meanwhile"]))
        shell.send(b"fg\n")
        for words in (ENTERS.decode(), "USER.md", "written meanwhile", "Help"):
            shell.shows(words)
        shell.send(b"q")
        shell.shows(LEAVES.decode())
        shell.send(b"echo code=$?\n")
        shell.shows("code=0")


def test_ctrl_z_without_a_shell_to_go_back_to_leaves_the_app_where_it_is(home: Path, tmp_path: Path) -> None:
    """A terminal window that runs nothing else would be dead."""
    with PtyApp(home, tmp_path) as app:
        app.send(b"\x1a")
        app.shows(ENTERS.decode())
        app.send(b"d")
        app.until(lambda: "first fact" not in (home / "memories" / "MEMORY.md").read_text(), "the key works")


def test_ctrl_z_in_a_text_takes_back_what_was_typed(home: Path, tmp_path: Path) -> None:
    """Who writes would be thrown out to the shell."""
    with PtyApp(home, tmp_path) as app:
        app.send(b"a")
        app.shows("Add to MEMORY.md")
        app.send(b"typed")
        app.shows("yped")
        left = app.output.count(LEAVES)
        app.send(b"\x1a")
        app.send(b"again\x13")
        app.until(lambda: (home / "memories" / "MEMORY.md").read_text().endswith("§\nagain"), "it is saved")
        assert app.output.count(LEAVES) == left


def test_without_the_mouse_the_terminal_keeps_it(home: Path, tmp_path: Path) -> None:
    """Marking text with the mouse would still need a key held down."""
    with PtyApp(home, tmp_path, words=("--no-mouse",)) as app:
        app.send(b"q")
        assert app.wait() == 0
        assert b"\x1b[?1000h" not in app.output
        assert b"\x1b[?1003h" not in app.output
    with PtyApp(home, tmp_path, HERMES_TUI_MOUSE="off", HERMES_TUI_SCREEN="pending") as app:
        assert b"\x1b[?1003h" not in app.output
        assert b"Approve" in app.output


CRASHES = """
from hermes_tui.ui.memory.card_list import CardList
def fail(self):
    private = "third fact"
    raise ValueError("cannot cope with first fact")
CardList.action_cursor_down = fail
"""


def test_an_unforeseen_error_gives_the_terminal_back_and_keeps_a_report(home: Path, tmp_path: Path) -> None:
    """The terminal would be dead, the reason gone, or what the agent remembers in a bug report."""
    with PtyApp(home, tmp_path, first=CRASHES) as app:
        app.send(b"j")
        assert app.wait() == CRASHED
        assert app.given_back
        said = app.output[app.output.rfind(LEAVES) :]
        (report,) = (app.state / "crashes").glob("*")
        assert str(report).encode() in said.replace(b"\r\n", b"")
        assert b"Traceback" not in said
        assert stat.S_IMODE(report.stat().st_mode) == 0o600
        text = report.read_text()
        assert "builtins.ValueError" in text
        assert "in fail" in text
        assert "hermes_tui/ui/action_screen.py:" in text
        for private in ("fact", str(home), str(tmp_path), Path.home().name):
            assert private not in text
            assert b"fact" not in said


def test_an_unforeseen_error_does_not_lose_what_was_being_written(home: Path, tmp_path: Path) -> None:
    """An hour of writing would go with it."""
    crashes = """
from hermes_tui.ui.app import HermesTuiApp
def fail(self, event):
    if event.size.width < 120:
        raise RecursionError
HermesTuiApp.on_resize = fail
"""
    with PtyApp(home, tmp_path, first=crashes) as app:
        app.send(b"a")
        app.shows("Add to MEMORY.md")
        app.send(b"half a thought")
        app.shows("thought")
        app.resize(100, 30)
        assert app.signal(signal.SIGWINCH) == CRASHED
        assert app.given_back
        (draft,) = app.state.glob("homes/*/drafts/*.txt")
        assert draft.read_text() == "half a thought"


def test_drafts_of_one_second_do_not_take_each_others_place(tmp_path: Path) -> None:
    """Of two programs that are ended together, one would lose its text."""
    paths = {keep_draft(tmp_path, text) for text in ("one", "two", "three")}
    assert sorted(path.read_text() for path in paths) == ["one", "three", "two"]


@pytest.mark.parametrize(
    "troubles",
    [
        {"": "is not installed"},
        {
            'printf "\\\\351" > "$1"': "not UTF-8",
            'rm "$1"': "the file is gone",
            'rm "$1"; mkdir "$1"': "a directory",
            "exit 7": "exit code 7",
        },
    ],
    ids=["no editor", "an editor that fails"],
)
def test_an_editor_that_cannot_be_used_leaves_screen_and_text(
    home: Path, tmp_path: Path, troubles: dict[str, str]
) -> None:
    """The terminal would be dead and what was typed lost, in the list or in the editor."""
    script, file = tmp_path / "ed", home / "memories" / "MEMORY.md"
    entries = ["first fact", "second fact", "third fact"]
    with PtyApp(home, tmp_path, EDITOR="no-such-editor --wait" if "" in troubles else str(script)) as app:
        for number, (body, words) in enumerate(troubles.items()):
            script.write_text(f"#!/bin/sh\n{body}\n")
            script.chmod(0o755)
            app.send(b"E")
            app.shows(words)
            app.send(b"a")
            app.shows("Add to MEMORY.md")
            app.send(f"typed {number} before".encode())
            app.shows("before")
            app.send(b"\x05")
            app.shows(words)
            assert file.read_text() == join(entries)
            app.send(b" and after")
            app.shows("and after")
            app.send(b"\x13")
            entries.append(f"typed {number} before and after")
            app.shows(entries[-1])
            app.until(lambda: file.read_text() == join(entries), "saved")
        app.send(b"Gd")
        app.until(lambda: file.read_text() == join(entries[:-1]), "the key works")


def test_escape_and_a_quick_key_are_two_keys(home: Path, tmp_path: Path) -> None:
    """Leaving the filter and going on would do neither."""
    with PtyApp(home, tmp_path) as app:
        app.send(b"/second")
        app.shows("1 of 3")
        app.send(b"\x1b")
        time.sleep(0.06)
        app.send(b"d")
        app.until(lambda: (home / "memories" / "MEMORY.md").read_text().count("fact") == 2, "the key after esc")


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("\x1b5", ["escape", "5"]),
        ("ab\x1bdd\x1bj", ["a", "b", "escape", "d", "d", "escape", "j"]),
        ("\x1b\x1b", ["escape", "escape"]),
        ("\x1b\x1b\x1b3", ["escape", "escape", "escape", "3"]),
        ("\x1b\r", ["escape", "enter"]),
        ("\x1bé", ["escape", "é"]),
        ("\x1b/\x1b", ["escape", "slash", "escape"]),
        ("\x1b[A\x1bOB\x1b[1;5C", ["up", "down", "ctrl+right"]),
        ("\x1bb\x1bf\x1b\x7f", ["ctrl+left", "ctrl+right", "ctrl+w"]),
    ],
)
def test_escape_and_a_key_that_come_together_are_two_keys(typed: str, keys: list[str]) -> None:
    """Over a slow line the dialog would stay, and a ∞ or £ be in the text."""
    for chunks in ([typed], list(typed)):
        assert [message.key for message in read_in(*chunks) if isinstance(message, events.Key)] == keys


def read_in(*chunks: str) -> list[Message]:
    """What comes of chunks of input."""
    messages: list[Message] = []
    entry = Input(XTermParser(), messages.append)
    for chunk in chunks:
        entry.feed(chunk)
    entry.tick()
    return messages


@pytest.mark.parametrize("text", ["plain\rtext", "\x00nul\x00", "a \x1b[31mred\x1b[0m b", "\x1b", "‌", "x" * 9000, ""])
def test_a_paste_comes_exactly_however_it_is_cut(text: str) -> None:
    """What was pasted would be something else than what was copied."""
    stream = f"a\x1b[200~{text}\x1b[201~b"
    cuts = [[stream], list(stream)] + [[stream[:at], stream[at:]] for at in range(1, min(len(stream), 40))]
    for chunks in cuts:
        messages = read_in(*chunks)
        first, *pastes, last = messages
        assert isinstance(first, events.Key)
        assert isinstance(last, events.Key)
        assert (first.key, last.key) == ("a", "b")
        assert [paste.text for paste in pastes if isinstance(paste, events.Paste)] == [text]
