"""A person's own editor: `$VISUAL` or `$EDITOR` on a private copy of a text."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hermes_tui.errors import NotFound, Refused, Unreadable


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
                hint="e opens the built-in editor.",
            ) from error
        if words:
            return words
    return None


def edit_text(text: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Let the person edit `text`; None when their editor failed or nothing changed.

    Characters no file can hold (lone surrogates) pass through the file and back unharmed. The one
    newline an editor puts at the end of a file is not part of the text.

    Raises:
        NotFound: no editor is set, or there is no such program.
        Unreadable: what came back is not UTF-8, or the temporary file is gone.
    """
    command = editor_command(environ)
    if command is None:
        raise NotFound("$VISUAL and $EDITOR are not set.", code="no_editor", hint="e opens the built-in editor.")
    if shutil.which(command[0]) is None:
        raise NotFound(
            f"The editor {command[0]!r} is not installed.", code="no_editor", hint="e opens the built-in editor."
        )
    with tempfile.TemporaryDirectory(prefix="hermes-tui-") as folder:
        path = Path(folder) / "entry.md"
        path.write_bytes(f"{text}\n".encode("utf-8", errors="surrogatepass"))
        if subprocess.run([*command, str(path)], check=False).returncode:
            return None
        try:
            edited = path.read_bytes().decode("utf-8", errors="surrogatepass")
        except (OSError, UnicodeDecodeError) as error:
            raise Unreadable(
                f"What the editor left cannot be used: {error}.", code="bad_edit", hint="Nothing was changed."
            ) from error
    edited = edited.removesuffix("\n")
    return None if edited == text else edited
