"""A person's own pager on a private copy of a text."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from hermes_tui.errors import NotFound, Refused, Unreadable
from hermes_tui.text import visible

STANDARD_PAGERS = ("less", "more")
READ_SECONDS = 0.5
"""A pager that ends sooner has only printed: what it printed is to be read before the screen is taken back."""
FULL_SCREEN = frozenset({"emacs", "micro", "most", "moar", "moor", "nano", "nvim", "ov", "vi", "view", "vim"})
"""These end only when they are told to; `less` and `more` may end by themselves."""


def pager_command(environ: Mapping[str, str] | None = None) -> list[str]:
    """The pager as words: `$PAGER`, or one that is installed.

    Raises:
        Refused: `$PAGER` is no command.
        NotFound: there is none.
    """
    env = os.environ if environ is None else environ
    wanted = env.get("PAGER", "").strip()
    if wanted:
        try:
            words = shlex.split(wanted)
        except ValueError as error:
            raise Refused(f"$PAGER is {wanted!r}, which is no command: {error}.", code="bad_pager") from error
        if shutil.which(words[0], path=env.get("PATH")) is None:
            raise NotFound(f"The pager {words[0]!r} is not installed.", code="no_pager", hint="Set $PAGER to another.")
        return words
    for name in STANDARD_PAGERS:
        if shutil.which(name, path=env.get("PATH")):
            return [name]
    raise NotFound("No pager is installed.", code="no_pager", hint="Set $PAGER to one.")


def page(text: str, environ: Mapping[str, str] | None = None) -> None:
    """Show `text` in the person's pager, made safe for a terminal; the copy it reads is gone afterwards.

    Raises:
        NotFound: there is no pager.
        Refused: it could not be started, or ended with an error.
        Unreadable: there is no room for the copy.
    """
    command = pager_command(environ)
    try:
        # A pager may be told to pass control characters on.
        with tempfile.TemporaryDirectory(prefix="hermes-tui-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "message.txt"
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(f"{visible(text)}\n")
            _run(command, path)
    except OSError as error:
        raise Unreadable(f"The pager got no file to show: {error}.", code="no_file") from error


def _run(command: list[str], path: Path) -> None:
    began = time.monotonic()
    try:
        code = subprocess.run([*command, str(path)], check=False).returncode
    except (OSError, ValueError) as error:
        raise Refused(f"The pager {command[0]!r} cannot be started: {error}.", code="bad_pager") from error
    if time.monotonic() - began < READ_SECONDS and Path(command[0]).name not in FULL_SCREEN:
        _wait_for_enter()
    if code:
        how = f"with exit code {code}" if code > 0 else f"by signal {-code}"
        raise Refused(f"The pager {command[0]!r} ended {how}.", code="pager_failed")


def _wait_for_enter() -> None:
    """Leave what was printed on the screen until somebody has read it; where nobody can, go on."""
    if sys.stdin is None or not sys.stdin.isatty():
        return
    print("\n-- press enter to go back --", end="", file=sys.stdout, flush=True)
    sys.stdin.readline()
