"""What is copied is the exact text, by a way that works where the person sits, and they are told which."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.clipboard import OSC52_MAX_BYTES, SCREEN_CHUNK_BYTES, CopyResult, copy, osc52
from tests.every import every
from tests.nasty import NASTY

EVERY_NASTY = pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())


class Tools:
    """Clipboard tools that note what they were given."""

    def __init__(self, *present: str, code: int = 0, error: Exception | None = None) -> None:
        self.present = present
        self.code = code
        self.error = error
        self.calls: list[tuple[list[str], dict[str, Any]]] = []

    def which(self, name: str) -> str | None:
        return f"/bin/{name}" if name in self.present else None

    def run(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        self.calls.append((command, options))
        if self.error:
            raise self.error
        return subprocess.CompletedProcess(command, self.code)


def copy_with(tools: Tools, text: str, environ: dict[str, str], data_dir: Path | None = None) -> tuple[CopyResult, str]:
    """The result, and what was written to the terminal."""
    written: list[str] = []
    result = copy(
        text, environ=environ, write_osc52=written.append, data_dir=data_dir, run=tools.run, which=tools.which
    )
    return result, "".join(written)


def pasted(sequence: str) -> str:
    """What a terminal puts on its clipboard."""
    match = re.fullmatch(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert match
    return b64decode(match[1]).decode("utf-8", "surrogatepass")


class TestTools:
    @pytest.mark.parametrize(
        ("environ", "present", "used"),
        [
            ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, ("wl-copy", "xclip", "xsel"), "wl-copy"),
            ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, ("xclip", "xsel"), "xclip"),
            ({"DISPLAY": ":0"}, ("wl-copy", "xsel"), "xsel"),
            ({"WSL_DISTRO_NAME": "Debian"}, ("clip.exe",), "clip.exe"),
        ],
    )
    def test_the_tool_of_the_display_is_used(
        self, environ: dict[str, str], present: tuple[str, ...], used: str
    ) -> None:
        """On a desktop the text goes nowhere because the terminal ignores clipboard sequences."""
        tools = Tools(*present)
        result, written = copy_with(tools, "four", environ)
        assert (result.method, result.chars, result.message) == (used, 4, "Copied 4 characters.")
        assert written == ""
        assert len(tools.calls) == 1

    def test_a_mac_has_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a Mac umlauts arrive as other letters."""
        monkeypatch.setattr(sys, "platform", "darwin")
        tools = Tools("pbcopy")
        assert copy_with(tools, "ü", {})[0].method == "pbcopy"
        assert tools.calls[0][1]["env"]["LC_ALL"].endswith("UTF-8")

    @every("text", NASTY)
    def test_the_text_goes_in_raw_and_by_standard_input(self, text: str) -> None:
        """An entry shows up in the process list, is cut at a NUL, or is pasted in its escaped form."""
        tools = Tools("xclip")
        result, _ = copy_with(tools, text, {"DISPLAY": ":0"})
        [(command, options)] = tools.calls
        assert command == ["/bin/xclip", "-selection", "clipboard", "-in"]
        assert options["input"].decode("utf-8", "surrogatepass") == text
        assert not options.get("shell")
        assert 0 < options["timeout"] <= 2
        assert result.chars == len(text)

    def test_windows_gets_its_own_encoding(self) -> None:
        """Under WSL everything but ASCII is pasted as question marks."""
        tools = Tools("clip.exe")
        copy_with(tools, "日本 🎉", {"WSL_DISTRO_NAME": "Debian"})
        assert tools.calls[0][1]["input"].decode("utf-16") == "日本 🎉"

    @pytest.mark.parametrize(
        "tools",
        [
            Tools("xclip", "xsel", code=1),
            Tools("xclip", "xsel", error=subprocess.TimeoutExpired("xclip", 2)),
            Tools("xclip", "xsel", error=OSError("exec format error")),
            Tools(),
        ],
        ids=["refuses", "hangs", "cannot start", "none there"],
    )
    def test_a_tool_that_fails_is_passed_over(self, tools: Tools) -> None:
        """A dead display freezes the program, or the text is lost with a success message."""
        result, written = copy_with(tools, "text", {"DISPLAY": ":0"})
        assert result.method == "terminal"
        assert pasted(written) == "text"

    def test_a_real_tool_receives_the_bytes(self, tmp_path: Path) -> None:
        """It works with doubles only."""
        tool = tmp_path / "xclip"
        tool.write_text(f"#!/bin/sh\ncat > '{tmp_path}/got'\n")
        tool.chmod(0o755)
        environ = {"DISPLAY": ":0", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        assert copy("a\x00b\udcb2\r\n", environ=environ).method == "xclip"
        assert (tmp_path / "got").read_bytes() == b"a\x00b\xed\xb2\xb2\r\n"


class TestTerminal:
    @pytest.mark.parametrize("variable", ["SSH_TTY", "SSH_CONNECTION"])
    def test_over_ssh_the_terminal_is_asked(self, variable: str) -> None:
        """Over SSH the text lands on the clipboard of the server."""
        tools = Tools("xclip", "wl-copy")
        result, written = copy_with(tools, "entry", {variable: "x", "DISPLAY": ":10", "WAYLAND_DISPLAY": "w"})
        assert result.method == "terminal"
        assert "5 characters" in result.message
        assert pasted(written) == "entry"
        assert tools.calls == []

    @EVERY_NASTY
    def test_every_text_arrives_whole_or_not_at_all(self, text: str, tmp_path: Path) -> None:
        """Half an entry is pasted, or its escape codes reach the terminal."""
        result, written = copy_with(Tools(), text, {}, tmp_path)
        if result.method == "terminal":
            assert pasted(written) == text
        else:
            assert written == ""
            assert (tmp_path / "copied.txt").read_bytes() == text.encode("utf-8", "surrogatepass")

    def test_the_longest_that_fits(self) -> None:
        """A text of 80 kB is copied without an error and never arrives."""
        assert len(osc52(b"x" * OSC52_MAX_BYTES, {})) == 100_000
        assert osc52(b"x" * (OSC52_MAX_BYTES + 1), {}) == ""

    def test_tmux_gets_both_forms(self) -> None:
        """Inside tmux nothing is copied unless one certain option is set."""
        sequence = osc52(b"entry", {"TMUX": "/tmp/tmux-0/default,1,0"})
        plain, passed = sequence.split("\x1bPtmux;")
        assert pasted(plain) == "entry"
        assert passed.endswith("\x1b\\")
        assert pasted(passed.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b")) == "entry"

    def test_screen_gets_it_in_pieces(self) -> None:
        """Inside screen only short texts are copied, and longer ones spill over the display."""
        sequence = osc52(b"entry " * 500, {"STY": "1.pts"})
        pieces = sequence.split("\x1b\\")
        assert pieces.pop() == ""
        assert all(piece.startswith("\x1bP") and len(piece) <= SCREEN_CHUNK_BYTES + 2 for piece in pieces)
        assert pasted("".join(piece[2:] for piece in pieces)) == "entry " * 500


class TestFile:
    def test_a_long_text_goes_to_a_file_that_is_named(self, tmp_path: Path) -> None:
        """A long transcript cannot be copied over SSH at all."""
        folder = tmp_path / "state/homes/x"
        result, written = copy_with(Tools(), "é" * 200_000, {"SSH_TTY": "/dev/pts/0"}, folder)
        path = folder / "copied.txt"
        assert (result.method, result.chars, written) == ("file", 200_000, "")
        assert str(path) in result.message
        assert "200,000 characters" in result.message
        assert path.read_text("utf-8") == "é" * 200_000
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list(folder.iterdir()) == [path]

    def test_the_last_copy_is_replaced_and_made_private(self, tmp_path: Path) -> None:
        """The tail of an older copy stays in the file, or others can read it."""
        path = tmp_path / "copied.txt"
        path.write_text("older and longer " * 20_000)
        path.chmod(0o644)
        assert copy("new", environ={}, data_dir=tmp_path).method == "file"
        assert path.read_text() == "new"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_link_in_its_place_is_not_followed(self, tmp_path: Path) -> None:
        """Copying overwrites whatever file somebody linked there."""
        (tmp_path / "mine").write_text("precious")
        (tmp_path / "copied.txt").symlink_to(tmp_path / "mine")
        copy("new", environ={}, data_dir=tmp_path)
        assert (tmp_path / "mine").read_text() == "precious"
        assert (tmp_path / "copied.txt").read_text() == "new"

    def test_a_file_that_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        """ "Copied" is said although the text is nowhere."""
        blocked = tmp_path / "file"
        blocked.write_text("")
        result = copy("text", environ={}, data_dir=blocked / "sub")
        assert (result.method, result.chars) == ("none", 0)
        assert result.message.startswith("Not copied: ")

    def test_nowhere_to_go_is_told(self) -> None:
        """ "Copied" is said although there is no clipboard."""
        assert copy("x", environ={}).message == "Not copied: no clipboard found for 1 character."
        too_long = copy("x" * 100_000, environ={}, write_osc52=lambda _: None)
        assert too_long.message == "Not copied: 100,000 characters are too long for the terminal's clipboard."
