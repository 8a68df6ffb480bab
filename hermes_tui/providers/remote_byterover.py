"""ByteRover: its own program, asked as the agent asks it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from hermes_tui.errors import NotFound, Refused
from hermes_tui.providers.client_failures import ProviderFailed
from hermes_tui.providers.remote_memories import Memory, Probe
from hermes_tui.providers.remote_speaker import Ability, Speaker
from hermes_tui.redaction import redact
from hermes_tui.text import one_line

SECONDS = 10.0
SHOWN_CELLS = 160
MOST_BYTES = 1 << 20
PROGRAM = "brv"
PLACES = (".brv-cli/bin/brv", "/usr/local/bin/brv", ".npm-global/bin/brv")
"""Where the agent looks besides PATH; the relative ones from `~`."""


class ByteRover(Speaker):
    """Runs `brv` in the home's folder of it.

    Args:
        settings: `folder`, where it works; `user_home` and `path`, where the program is looked for; `api_key`.
        confirmed: whether a person has agreed.
        seconds: how long the program may take.
        environ: what the program is told besides.
    """

    title = "ByteRover"
    lacks: ClassVar[Mapping[Ability, str]] = {
        "list": "ByteRover's program lists no memories; search for what you mean.",
        "delete": "ByteRover's program deletes no memories; they are files in its context tree.",
    }

    def __init__(
        self,
        settings: Mapping[str, str],
        *,
        confirmed: bool,
        seconds: float = SECONDS,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.settings = settings
        self.confirmed = confirmed
        self.seconds = seconds
        self.environ = os.environ if environ is None else environ
        self.where = "brv (this machine; it may ask its cloud)"
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def told(self) -> str:
        """What the program is told besides the words of a search."""
        return "nothing else"

    def probe(self) -> Probe:
        """Ask the program how it is."""
        said = self._run("status")
        return Probe(self.where, one_line(redact(" ".join(said.split())), SHOWN_CELLS) or "It answers.")

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """What the program answers, in one text."""
        if not query.strip():
            return ()
        text = self._run("query", "--", query).strip()
        return (Memory("", text, kind="answer"),)[:limit] if text else ()

    def cancel(self) -> None:
        """Stop the program."""
        if self._running is not None:
            _end(self._running)

    def _run(self, *words: str) -> str:
        if not self.confirmed:
            raise Refused(
                "Nobody has agreed yet that brv is run; nothing was done.",
                code="not_confirmed",
                hint="Say yes to the question, or give --yes.",
            )
        folder = Path(self.settings.get("folder", ""))
        if not folder.is_dir():
            raise NotFound(
                f"ByteRover holds nothing yet: there is no folder {folder}.",
                code="no_memories",
                hint="The agent makes it when it runs with ByteRover for the first time.",
            )
        program = self._program()
        search_path = f"{Path(program).parent}{os.pathsep}{self.settings.get('path') or self.environ.get('PATH', '')}"
        environ = {**self.environ, "PATH": search_path}
        if self.settings.get("api_key"):
            environ["BRV_API_KEY"] = self.settings["api_key"]
        if any("\0" in word for word in words):
            raise Refused("A search cannot hold a zero byte.", code="bad_query")
        try:
            process = subprocess.Popen(
                [program, *words], cwd=folder, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise ProviderFailed(f"brv cannot be run: {error}.", code="provider_unreachable") from error
        self._running = process
        try:
            out, err = process.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            raise ProviderFailed(
                f"brv did not answer within {max(self.seconds, 1):,.0f} s.",
                code="provider_timeout",
                hint="Try again; if it stays, run `brv status` by hand.",
            ) from None
        finally:
            _end(process)
            self._running = None
        if process.returncode:
            said = (err or out)[:MOST_BYTES].decode("utf-8", errors="replace")
            words_said = one_line(self._hidden(" ".join(said.split())), SHOWN_CELLS)
            raise ProviderFailed(
                f"brv failed (exit {process.returncode}): {words_said or 'it gives no reason.'}",
                code="provider_failing",
            )
        return out[:MOST_BYTES].decode("utf-8", errors="replace")

    def _hidden(self, text: str) -> str:
        key = self.settings.get("api_key", "")
        return redact(text.replace(key, "***") if key else text)

    def _program(self) -> str:
        found = shutil.which(PROGRAM, path=self.settings.get("path") or self.environ.get("PATH", ""))
        home = Path(self.settings.get("user_home", "") or "~").expanduser()
        found = found or next((str(home / place) for place in PLACES if (home / place).exists()), None)
        if found is None:
            raise NotFound(
                "ByteRover's program brv is not installed.",
                code="no_program",
                hint="Install it: npm install -g byterover-cli.",
            )
        return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it has started."""
    with suppress(OSError, AttributeError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        process.kill()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    process.wait()
