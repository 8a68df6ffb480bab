"""Whether an agent on this machine carries a provider's plugin, as far as its files say so."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.disk import open_regular
from hermes_tui.home import HermesHome
from hermes_tui.yaml_file import read_yaml

HEAD_BYTES = 8192
"""So much of a plugin's code an agent looks at to tell what it is."""
_SCRIPT = re.compile(rb"#!\s*(/\S*/python[\d.]*)\s|#!\s*/bin/sh\n\S*exec'?\s+[\"']?(/[^\"'\n]*/python[\d.]*)")
"""The two ways in which a script says its Python: short, or by way of the shell where the path is long."""
MARKS = (b"register_memory_provider", b"MemoryProvider")
MOST_PLUGINS = 200


@dataclass(frozen=True, slots=True)
class AgentCode:
    """An agent's installation."""

    plugins: Path
    """Its folder of memory plugins."""
    site_packages: Path | None
    """Where its packages are; None when that is not known."""


@dataclass(frozen=True, slots=True)
class UserPlugin:
    """A memory plugin in the home's own folder."""

    name: str
    path: Path
    description: str


def agent_code(home: HermesHome, environ: Mapping[str, str]) -> AgentCode | None:
    """The agent that the command `hermes` starts, or that the home's root holds; None when neither is found."""
    command = _command(environ)
    python = _interpreter(command) if command else None
    if python is not None:
        libraries = sorted((python.parent.parent / "lib").glob("python3*/site-packages"))
        for folder in libraries:
            if _is_dir(folder / "plugins" / "memory"):
                return AgentCode(folder / "plugins" / "memory", folder)
        checkout = python.parent.parent.parent
        if _is_dir(checkout / "plugins" / "memory"):
            return AgentCode(checkout / "plugins" / "memory", libraries[-1] if libraries else None)
    checkout = home.root / "hermes-agent"
    if _is_dir(checkout / "plugins" / "memory"):
        found = sorted(checkout.glob("*env/lib/python3*/site-packages"))
        return AgentCode(checkout / "plugins" / "memory", found[-1] if found else None)
    return None


def _command(environ: Mapping[str, str]) -> Path | None:
    for folder in environ.get("PATH", "").split(os.pathsep):
        path = Path(folder) / "hermes"
        if folder and os.access(path, os.X_OK) and path.is_file():
            return path
    return None


def _interpreter(command: Path) -> Path | None:
    """The Python that a script names at its beginning, links not followed: it is inside the environment."""
    try:
        with open_regular(command) as stream:
            head = stream.read(1024)
    except OSError:
        return None
    named = _SCRIPT.match(head)
    return Path(os.fsdecode(named[1] or named[2])) if named else None


def carries(code: AgentCode | None, name: str) -> bool | None:
    """Whether an agent brings a plugin of that name; None when no agent was found."""
    return None if code is None else _is_file(code.plugins / name / "__init__.py")


def user_plugins(home: HermesHome) -> tuple[UserPlugin, ...]:
    """The memory plugins in the home's own folder, by name."""
    try:
        folders = sorted(path for path in (home.path / "plugins").iterdir() if path.name[:1] not in ("_", "."))
    except OSError:
        return ()
    return tuple(found for found in map(_user_plugin, folders[:MOST_PLUGINS]) if found)


def _user_plugin(folder: Path) -> UserPlugin | None:
    code = folder / "__init__.py"
    if not _is_file(code):
        return None
    try:
        with open_regular(code) as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return None
    if not any(mark in head for mark in MARKS):
        return None
    said = read_yaml(folder / "plugin.yaml").mapping.get("description")
    return UserPlugin(folder.name, folder, " ".join(said.split()) if isinstance(said, str) else "")


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
