"""Copying text: the system's own tool where there is one, the terminal's clipboard, or a file.

What is copied is the raw text, never the escaped form on the screen.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hermes_tui.disk import make_folder
from hermes_tui.errors import Unreadable
from hermes_tui.text import plural

Method = Literal["wl-copy", "xclip", "xsel", "pbcopy", "clip.exe", "terminal", "file", "none"]

TOOL_SECONDS = 2.0
"""How long a clipboard tool may take; one that asks a dead display waits for ever."""
OSC52_MAX_BYTES = 74_994
"""What fits into a clipboard sequence of 100,000 bytes; terminals drop a longer one without a word."""
SCREEN_CHUNK_BYTES = 240
"""GNU screen drops a pass-through string longer than 256 bytes."""
FILE_NAME = "copied.txt"

_COMMANDS: dict[Method, list[str]] = {
    "wl-copy": ["wl-copy", "--type", "text/plain"],
    "xclip": ["xclip", "-selection", "clipboard", "-in"],
    "xsel": ["xsel", "--clipboard", "--input"],
    "pbcopy": ["pbcopy"],
    "clip.exe": ["clip.exe"],
}


@dataclass(frozen=True, slots=True)
class CopyResult:
    """Where copied text went."""

    method: Method
    """The tool, `terminal` (OSC 52), `file`, or `none` when it went nowhere."""
    chars: int
    """Characters copied."""
    message: str
    """What to tell the person."""

    def told(self, what: str) -> str:
        """The same, with what it was that was copied, and by which way where that is not the usual one."""
        way = " – through the terminal" if self.method == "terminal" else ""
        return f"{self.message.rstrip('.')} ({what}){way}"


def copy(
    text: str,
    *,
    environ: Mapping[str, str] | None = None,
    write_osc52: Callable[[str], None] | None = None,
    data_dir: Path | None = None,
    run: Callable[..., Any] = subprocess.run,
    which: Callable[[str], str | None] | None = None,
) -> CopyResult:
    """Copy the exact `text` by the first way that works: a tool of this display, the terminal, a file.

    `write_osc52` writes a control sequence to the terminal; `data_dir` is where the file goes. A
    lone surrogate travels as the three bytes `surrogatepass` gives it: what is pasted is not valid
    UTF-8 there, as the text itself is not.
    """
    env = os.environ if environ is None else environ
    data = text.encode("utf-8", "surrogatepass")
    size = plural(len(text), "character")
    for tool in _tools(env):
        if _by_tool(tool, data, env, run, which):
            return CopyResult(tool, len(text), f"Copied {size}.")
    if write_osc52 is not None and (sequence := osc52(data, env)):
        write_osc52(sequence)
        return CopyResult("terminal", len(text), f"Copied {size}.")
    too_long = bool(write_osc52)
    if data_dir is not None:
        return _to_file(data, len(text), data_dir, too_long=too_long)
    why = f"{size} are too long for the terminal's clipboard" if too_long else f"no clipboard found for {size}"
    return CopyResult("none", 0, f"Not copied: {why}.")


def _tools(env: Mapping[str, str]) -> list[Method]:
    """The tools that reach the person's own clipboard, best first; none over SSH."""
    if env.get("SSH_TTY") or env.get("SSH_CONNECTION") or env.get("SSH_CLIENT"):
        return []
    tools: list[Method] = []
    if sys.platform == "darwin":
        tools.append("pbcopy")
    if env.get("WAYLAND_DISPLAY"):
        tools.append("wl-copy")
    if env.get("DISPLAY"):
        tools += ["xclip", "xsel"]
    if sys.platform == "win32" or env.get("WSL_DISTRO_NAME") or env.get("WSL_INTEROP"):
        tools.append("clip.exe")
    return tools


def _by_tool(
    tool: Method,
    data: bytes,
    env: Mapping[str, str],
    run: Callable[..., Any],
    which: Callable[[str], str | None] | None,
) -> bool:
    """Whether `tool` took `data`, on its standard input."""
    command = _COMMANDS[tool]
    path = which(command[0]) if which else shutil.which(command[0], path=env.get("PATH"))
    if path is None:
        return False
    if tool == "clip.exe":
        # It takes anything but UTF-16 for the local code page.
        data = b"\xff\xfe" + data.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
    # Without a locale pbcopy takes the bytes for Mac Roman.
    tool_env = {**env, "LC_ALL": "en_US.UTF-8"} if tool == "pbcopy" else dict(env)
    try:
        # Nothing is captured: a tool that stays behind to serve the clipboard would keep a pipe open.
        done = run(
            [path, *command[1:]],
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TOOL_SECONDS,
            env=tool_env,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return bool(done.returncode == 0)


def osc52(data: bytes, environ: Mapping[str, str]) -> str:
    """The sequence that puts `data` on the terminal's clipboard; empty when terminals would drop it.

    Inside tmux it is sent twice: as tmux's own, and passed through to the terminal around it, since
    each may be switched off. Inside GNU screen it is passed through in pieces.
    """
    if len(data) > OSC52_MAX_BYTES:
        return ""
    plain = f"\x1b]52;c;{b64encode(data).decode('ascii')}\x07"
    if environ.get("TMUX"):
        return plain + "\x1bPtmux;" + plain.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environ.get("STY"):
        pieces = (plain[at : at + SCREEN_CHUNK_BYTES] for at in range(0, len(plain), SCREEN_CHUNK_BYTES))
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return plain


def _to_file(data: bytes, chars: int, folder: Path, *, too_long: bool) -> CopyResult:
    """Write `data` to a file only its owner can read, replacing the last one."""
    path = folder / FILE_NAME
    beside = folder / f".{FILE_NAME}.{os.getpid()}.tmp"
    size = plural(chars, "character")
    try:
        make_folder(folder)
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        beside.replace(path)
    except (OSError, Unreadable) as error:
        _remove(beside)
        cause = error if isinstance(error, OSError) else error.__cause__
        reason = getattr(cause, "strerror", None) or str(error)
        return CopyResult("none", 0, f"Not copied: {path} cannot be written ({reason}).")
    why = "Too long for the terminal's clipboard" if too_long else "No clipboard found"
    return CopyResult("file", chars, f"{why}: {size} written to {path}.")


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass  # the reason it could not be written is already told
