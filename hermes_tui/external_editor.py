"""A person's own editor: `$VISUAL` or `$EDITOR` on a private copy of a text."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hermes_tui.disk import OWNER_ONLY
from hermes_tui.errors import NotFound, Refused, Unreadable

_HINT = "The built-in editor needs none."


def editor_command(environ: Mapping[str, str] | None = None) -> list[str] | None:
    """The command as words (`code --wait`); None when neither variable is set."""
    env = os.environ if environ is None else environ
    for name in ("VISUAL", "EDITOR"):
        value = env.get(name, "").strip()
        if not value:
            continue
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise Refused(
                f"${name} is {value!r}, which is no command: {error}.",
                code="bad_editor",
                hint=_HINT,
            ) from error
        if words:
            return words
    return None


def edit_text(text: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Let the person edit `text`; None when they changed nothing.

    Characters no file can hold (lone surrogates) pass through the file and back unharmed. The one
    newline an editor puts at the end of a file is not part of the text.

    Raises:
        NotFound: no editor is set, or there is no such program.
        Refused: the editor could not be started, or ended with an error.
        Unreadable: what came back is not UTF-8, or the temporary file is gone.
    """
    command = editor_command(environ)
    if command is None:
        raise NotFound("$VISUAL and $EDITOR are not set.", code="no_editor", hint=_HINT)
    if shutil.which(command[0]) is None:
        raise NotFound(f"The editor {command[0]!r} is not installed.", code="no_editor", hint=_HINT)
    try:
        # An editor may leave anything there, and take anything away.
        with tempfile.TemporaryDirectory(prefix="hermes-tui-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "entry.md"
            path.touch(mode=OWNER_ONLY)
            path.write_bytes(f"{text}\n".encode("utf-8", errors="surrogatepass"))
            _run(command, path)
            edited = _read(path).removesuffix("\n")
    except OSError as error:
        raise Unreadable(
            f"The editor got no file to work on: {error}.", code="no_file", hint=f"Nothing was changed. {_HINT}"
        ) from error
    return None if edited == text else edited


def _run(command: list[str], path: Path) -> None:
    try:
        code = subprocess.run([*command, str(path)], check=False).returncode
    except (OSError, ValueError) as error:
        raise Refused(
            f"The editor {command[0]!r} cannot be started: {error}.", code="bad_editor", hint=_HINT
        ) from error
    if code:
        how = f"with exit code {code}" if code > 0 else f"by signal {-code}"
        raise Refused(f"The editor {command[0]!r} ended {how}.", code="editor_failed", hint="Nothing was changed.")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", errors="surrogatepass")
    except UnicodeDecodeError as error:
        what = f"it is not UTF-8 at byte {error.start + 1}"
    except FileNotFoundError:
        what = "the file is gone"
    except IsADirectoryError:
        what = "a directory is in its place"
    except OSError as error:
        what = error.strerror or str(error)
    raise Unreadable(f"What the editor left cannot be used: {what}.", code="bad_edit", hint="Nothing was changed.")
