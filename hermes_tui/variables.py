"""The variables that an agent of a home runs with, and texts that refer to them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.config import managed_dir
from hermes_tui.env_file import EnvFile, read_env

KNOWN_VARIABLES = (
    *("BRV_API_KEY", "HINDSIGHT_API_KEY", "HINDSIGHT_API_URL", "HONCHO_API_KEY", "HONCHO_BASE_URL", "MEM0_API_KEY"),
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENVIKING_API_KEY", "OPENVIKING_ENDPOINT", "RETAINDB_API_KEY"),
    *("RETAINDB_BASE_URL", "SUPERMEMORY_API_KEY"),
)
"""Those variables of providers at which the agent takes a line of `.env` apart."""
_REFERENCE = re.compile(r"\$\{([^}]+)\}")
NEWER_PREFIX = "env:"
"""Agents of the 0.22 line also take `${env:NAME}`, and spaces around a name; for 0.19 that is text."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where it stands."""

    value: object
    origin: str
    """In words: `.env`, `mem0.json`, `the environment`."""
    path: Path | None = None
    """The file it stands in; None for the environment."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A text with its references replaced."""

    text: str
    missing: str = ""
    """The first variable that is not set, whose name stays in; empty when all are."""
    newer: bool = False
    """Whether one of them is written as only agents of the 0.22 line take it."""


class Variables:
    """Everything an agent would find that starts from this environment, each file read once.

    Args:
        home: the folder of the home.
        environ: the environment it starts from.
    """

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self.env_file = read_env(home / ".env", KNOWN_VARIABLES)
        folder = managed_dir(environ)
        self.managed_env = read_env(folder / ".env", KNOWN_VARIABLES) if folder else EnvFile(home / ".env", "missing")
        own = self.env_file.values(environ)
        known = {**environ, **own}
        self._layers: list[tuple[str, Path | None, Mapping[str, str]]] = [
            ("the administrator's .env", self.managed_env.path, self.managed_env.values(known)),
            (".env", self.env_file.path, own),
            ("the environment", None, environ),
        ]
        if not known.get("OP_SERVICE_ACCOUNT_TOKEN"):
            extra = read_env(home / ".op.env")
            self._layers.append((".op.env", extra.path, extra.values(known, wins=False)))
        self.environ = {name: value for _, _, layer in reversed(self._layers) for name, value in layer.items()}
        """All of them."""

    def find(self, name: str) -> Found | None:
        """A variable, also one that is set to nothing, and where it is set."""
        for origin, path, layer in self._layers:
            if name in layer:
                return Found(layer[name], origin, path)
        return None

    def fill(self, text: str) -> Filled:
        """`text` with `${NAME}` and `${env:NAME}` replaced."""
        missing: list[str] = []
        newer = False

        def value(match: re.Match[str]) -> str:
            nonlocal newer
            name = match[1].strip()
            plain = name.removeprefix(NEWER_PREFIX).strip()
            newer = newer or plain != match[1]
            if plain not in self.environ:
                missing.append(plain)
            return self.environ.get(plain, match[0])

        return Filled(_REFERENCE.sub(value, text), missing[0] if missing else "", newer)
