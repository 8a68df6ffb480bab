"""Where a provider's settings come from, as an agent reads them: variables, `.env`, its JSON file, config.yaml."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hermes_tui.config import managed_dir
from hermes_tui.disk import is_link, read_file
from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.providers.catalogue import Provider
from hermes_tui.providers.fields import Source
from hermes_tui.variables import Found, Variables
from hermes_tui.yaml_file import YamlFile, read_yaml

MAX_JSON_BYTES = 1 << 20
"""A larger file is not read; a provider's is a few kilobytes."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A provider's own file."""

    path: Path
    state: Literal["ok", "missing", "invalid", "unreadable"]
    values: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""
    """A sentence; empty when it is ok or simply not there."""
    mode: int = 0
    wrong_shape: bool = False
    """It is JSON, but no object, or no UTF-8: some providers fail over it instead of passing over it."""
    has_twice: str = ""
    """A key that stands twice in it."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was looked at, and who may read it."""

    path: Path
    state: Literal["ok", "missing", "invalid", "unreadable"]
    mode: int = 0
    problem: str = ""


class Sources:
    """Everything that was read for one status, each file once."""

    def __init__(self, home: HermesHome, environ: Mapping[str, str]) -> None:
        self.home = home
        self.user_home = Path(environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - Path.expanduser may raise
        self._json: dict[str, JsonFile] = {}
        self.unused: dict[str, tuple[JsonFile, ...]] = {}
        """Files with a problem that an agent passes over for another, by provider."""
        self.managed_dir = managed_dir(environ)
        self.config = read_yaml(home.config_path)
        self.managed = read_yaml(self.managed_dir / "config.yaml") if self.managed_dir else YamlFile("missing")
        self._variables = Variables(home.path, environ)
        self.env_file, self.managed_env = self._variables.env_file, self._variables.managed_env
        self.environ = self._variables.environ
        """Every variable as an agent has it that starts from this environment."""

    def variable(self, name: str) -> Found | None:
        """A variable, also one that is set to nothing."""
        return self._variables.find(name)

    def yaml(self, key: str) -> Found | None:
        """A key of config.yaml; the administrator's file wins."""
        for origin, file, path in (
            ("the administrator's config.yaml", self.managed, (self.managed_dir or Path()) / "config.yaml"),
            ("config.yaml", self.config, self.home.config_path),
        ):
            value = leaf(file.mapping, key)
            if value is not None:
                return Found(self._filled(value), origin, path)
        return None

    def _filled(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        return self._variables.fill(value).text

    def json_file(self, provider: Provider) -> JsonFile | None:
        """The provider's own file that an agent would read now; None for a provider that has none."""
        if provider.name not in self._json:
            paths = self.json_paths(provider)
            if not paths:
                return None
            read = [read_json(path) for path in paths]
            used = next((file for file in read if not self._passed_over(provider, file)), read[0])
            self._json[provider.name] = used
            unused = read[: read.index(used)] if used is not read[0] else []
            self.unused[provider.name] = tuple(file for file in unused if file.problem)
        return self._json[provider.name]

    @staticmethod
    def _passed_over(provider: Provider, file: JsonFile) -> bool:
        """Whether an agent looks for the next file."""
        if file.state == "missing":
            return True
        return provider.name == "hindsight" and file.state != "ok" and not file.wrong_shape

    def json_paths(self, provider: Provider) -> tuple[Path, ...]:
        """Where the provider's file may be, in the agent's order."""
        own = self.home.path / provider.file
        if provider.name == "honcho":
            usual = self.user_home / ".hermes"
            shared = usual if self.home.path.is_relative_to(usual) else self.home.root
            return tuple(dict.fromkeys((own, shared / provider.file, self.user_home / ".honcho" / "config.json")))
        if provider.name == "hindsight":
            return (own, self.user_home / ".hindsight" / "config.json")
        if provider.name == "openviking":
            return (self.ovcli_path(),) if self.uses_ovcli() else ()
        return (own,) if provider.file else ()

    def uses_ovcli(self) -> bool:
        """Whether OpenViking is reached as its own program reaches it."""
        found = self.yaml("memory.openviking.use_ovcli_config")
        return bool(found and found.value)

    def ovcli_path(self) -> Path:
        """The file of OpenViking's own program."""
        variable = self.variable("OPENVIKING_CLI_CONFIG_FILE")
        named = str(variable.value).strip() if variable else ""
        if not named:
            setting = self.yaml("memory.openviking.ovcli_config_path")
            named = str(setting.value) if setting and isinstance(setting.value, str) else ""
        if not named:
            return self.user_home / ".openviking" / "ovcli.conf"
        if named == "~" or named.startswith("~/"):
            return self.user_home / named[2:]
        return self.home.path / named if not Path(named).is_absolute() else Path(named)

    def honcho_host(self, provider: Provider) -> str:
        """The name of the block in honcho.json that counts for this profile."""
        variable = self.variable("HERMES_HONCHO_HOST")
        if variable and str(variable.value).strip():
            return str(variable.value).strip()
        profile = self.home.profile
        if profile not in ("", "default", "custom"):
            safe = "".join(char if char.isalnum() or char in "_-" else "_" for char in profile).strip("_")
            return f"hermes_{safe or 'profile'}"
        file = self.json_file(provider)
        named = str(file.values.get("defaultHost", "")).strip() if file else ""
        return named or "hermes"

    def honcho_block(self, provider: Provider) -> Mapping[str, object]:
        """The block of honcho.json that counts for this profile."""
        file = self.json_file(provider)
        hosts = file.values.get("hosts") if file else None
        if not isinstance(hosts, Mapping):
            return {}
        host = self.honcho_host(provider)
        block = hosts.get(host)
        if not block and host.startswith("hermes_"):
            block = hosts.get(f"hermes.{host.removeprefix('hermes_')}")
        return block if isinstance(block, Mapping) else {}

    def find(self, provider: Provider, source: Source) -> Found | None:
        """What stands in one place; None where nothing does."""
        if source.kind == "env":
            return self.variable(source.key)
        if source.kind == "yaml":
            return self.yaml(source.key)
        file = self.json_file(provider)
        if file is None:
            return None
        value = leaf(self.honcho_block(provider) if source.kind == "host" else file.values, source.key)
        return None if value is None else Found(value, self.short(file.path), file.path)

    def short(self, path: Path) -> str:
        """A path as a person would write it: inside the home, or from `~`."""
        for base, prefix in ((self.home.path, ""), (self.user_home, "~/")):
            if path.is_relative_to(base):
                return prefix + path.relative_to(base).as_posix()
        return str(path)

    def files(self, provider: Provider) -> tuple[ReadFile, ...]:
        """The files that are read for a provider."""
        first = self.env_file
        found = [
            ReadFile(
                first.path, first.state, first.mode, first.problems[0] if first.state != "ok" and first.problems else ""
            )
        ]
        own = self.json_file(provider)
        if own is not None:
            found.append(ReadFile(own.path, own.state, own.mode, own.problem))
        return tuple(found)


def leaf(values: Mapping[str, object], key: str) -> object:
    """The value at a dotted key, or None."""
    inner: object = values
    for name in key.split("."):
        if not isinstance(inner, Mapping) or name not in inner:
            return None
        inner = inner[name]
    return inner


def read_json(path: Path) -> JsonFile:
    """The object in a JSON file, or why it cannot be read; never raises and never writes."""
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            return JsonFile(path, "unreadable", problem=f"{path} is larger than {MAX_JSON_BYTES >> 10:,} KiB.")
    except (OSError, ValueError):
        pass  # read_file says it better
    try:
        read = read_file(path)
    except Unreadable as error:
        return JsonFile(path, "unreadable", problem=str(error))
    if read is None:
        dangling = is_link(path)
        return JsonFile(path, "missing", problem=f"{path} is a link that leads nowhere." if dangling else "")
    mode = stat.S_IMODE(read[1].st_mode)
    twice: list[str] = []

    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        twice.extend(name for name in dict.fromkeys(names) if names.count(name) > 1)
        return dict(pairs)

    try:
        value = json.loads(read[0].decode("utf-8"), object_pairs_hook=collect)
    except UnicodeDecodeError:
        return JsonFile(
            path, "invalid", problem=f"{path} is not UTF-8, so the agent does not read it.", mode=mode, wrong_shape=True
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return JsonFile(path, "invalid", problem=f"{path} is no JSON ({where}: {error.msg}).", mode=mode)
    except (ValueError, RecursionError):
        return JsonFile(path, "invalid", problem=f"{path} is no JSON that can be read.", mode=mode)
    if not isinstance(value, dict):
        return JsonFile(path, "invalid", problem=f"{path} holds no settings by name.", mode=mode, wrong_shape=True)
    return JsonFile(path, "ok", value, mode=mode, has_twice=twice[0] if twice else "")
