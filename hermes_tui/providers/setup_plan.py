"""What setting up a provider would write, worked out before anything is written."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hermes_tui.config.edit import preview_setting
from hermes_tui.config.keys import Value as Setting
from hermes_tui.disk import read_file
from hermes_tui.env_file import with_variables
from hermes_tui.errors import NotFound, Refused
from hermes_tui.home import HermesHome
from hermes_tui.providers.catalogue import Provider, catalogue, closest
from hermes_tui.providers.catalogue_servers import OPENVIKING_VARIABLES
from hermes_tui.providers.fields import Field, Source, checked, typed, without_password
from hermes_tui.providers.setup_defaults import defaults, extras, keeps_key_by_profile, variables
from hermes_tui.providers.setup_writes import FileWrite, Plan, SettingWrite
from hermes_tui.providers.status_rules import Judge
from hermes_tui.providers.status_sources import Sources, leaf
from hermes_tui.redaction import mask
from hermes_tui.yaml_file import read_yaml

ACTIVE = "memory.provider"


def provider_of(name: str) -> Provider:
    """A provider by its name.

    Raises:
        NotFound: there is none.
    """
    found = catalogue().get(name)
    if found is not None:
        return found
    meant = closest(name)
    hint = f"Did you mean {meant}?" if meant else f"There are {', '.join(catalogue())}."
    raise NotFound(f"There is no provider {name!r}.", code="no_provider", hint=hint)


def field_of(provider: Provider, name: str) -> Field:
    """A setting of a provider by its name.

    Raises:
        NotFound: it has none of that name.
    """
    found = provider.field(name)
    if found is None:
        names = ", ".join(field.name for field in provider.fields)
        raise NotFound(f"{provider.title} has no setting {name!r}.", code="no_setting", hint=f"It has {names}.")
    return found


def check_writable(home: HermesHome, environ: Mapping[str, str]) -> None:
    """See to it that this home's files are ours to write.

    Raises:
        Refused: a package manager writes them.
    """
    if environ.get("HERMES_MANAGED") or os.path.lexists(home.path / ".managed"):
        raise Refused(
            "This home is managed by a package manager, which writes its settings.",
            code="managed",
            hint="Set the provider up where the package is configured; nothing was written.",
        )


def plan_off(home: HermesHome, environ: Mapping[str, str] | None = None) -> Plan:
    """What switching the external provider off would write; its settings and keys stay.

    Raises:
        HermesTuiError: config.yaml is not in a state to be edited, or is not ours to write.
    """
    check_writable(home, os.environ if environ is None else environ)
    preview_setting(home, ACTIVE, "")
    now = leaf(read_yaml(home.config_path).mapping, ACTIVE)
    return Plan(home, "", settings=() if now in (None, "") else (SettingWrite(ACTIVE, ""),))


def plan_setup(home: HermesHome, name: str, given: Mapping[str, str], environ: Mapping[str, str] | None = None) -> Plan:
    """What setting a provider up would write.

    Args:
        home: the home.
        name: the provider.
        given: settings by name; an empty value takes one out.
        environ: the environment; of this process without it.

    Raises:
        NotFound: there is no such provider or setting.
        Refused: a value is wrong, something needed is missing, or a file is not in a state to be edited.
        Unreadable: a file cannot be read.
    """
    env = os.environ if environ is None else environ
    check_writable(home, env)
    return _Planning(home, provider_of(name), given, env).plan()


def suggested(
    home: HermesHome, provider: Provider, given: Mapping[str, str], environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """What counts for each setting if nothing more is given than that: what is set now, or the usual value."""
    sources = Sources(home, os.environ if environ is None else environ)
    values = Judge(sources, provider).values.values()
    current = {value.field.name: value.text for value in values if value.given}
    usual = {field.name: field.default for field in provider.fields}
    return {**usual, **defaults(provider, dict(given), current, sources), **current, **given}


@dataclass(slots=True)
class _Writes:
    """What goes where."""

    env: dict[str, str | None] = field(default_factory=dict)
    json: dict[tuple[Literal["host", "json"], str], object] = field(default_factory=dict)
    """By place and dotted key; None takes a key out."""
    yaml: dict[str, Setting | None] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)
    """Variables and keys whose values are masked."""


class _Planning:
    def __init__(self, home: HermesHome, provider: Provider, given: Mapping[str, str], env: Mapping[str, str]) -> None:
        self.home = home
        self.provider = provider
        self.sources = Sources(home, env)
        judge = Judge(self.sources, provider)
        self.current = {value.field.name: value.text for value in judge.values.values() if value.given}
        self.given = {
            name: checked(field_of(provider, name), value) if value.strip() else "" for name, value in given.items()
        }
        self.wanted = {**self.given, **defaults(provider, self.given, self.current, self.sources)}
        self.known = {**self.current, **self.wanted}
        self.writes = _Writes()

    def plan(self) -> Plan:
        self._check_needs()
        for name, value in self.wanted.items():
            self._place(field_of(self.provider, name), value)
        for key, extra in extras(self.provider, self.known):
            self.writes.json[("json", key)] = extra
        self.writes.env |= variables(self.provider, self.known)
        notes: list[str] = []
        if self.provider.name == "openviking" and self.known.get("use_ovcli_config") == "true":
            for name in OPENVIKING_VARIABLES:
                if any(setting.name == name for setting in self.sources.env_file.settings):
                    self.writes.env[name] = None
            notes.append(f"The connection is the one in {self.sources.short(self.sources.ovcli_path())}.")
        self.writes.yaml[ACTIVE] = self.provider.name
        for key, setting in self.writes.yaml.items():
            preview_setting(self.home, key, setting)
        files = [write for write in (self._json_write(), self._env_write()) if write is not None]
        return Plan(self.home, self.provider.name, tuple(files), self._settings(), tuple(notes + self._notes()))

    def _settings(self) -> tuple[SettingWrite, ...]:
        """What config.yaml does not say already."""
        found = []
        for key, value in self.writes.yaml.items():
            now = leaf(self.sources.config.mapping, key)
            if now != value or type(now) is not type(value):
                found.append(SettingWrite(key, value))
        return tuple(found)

    def _check_needs(self) -> None:
        mode = self.known.get("mode", "")
        for need in self.provider.needs:
            if need.modes and mode not in need.modes:
                continue
            if self.provider.name == "openviking" and self.known.get("use_ovcli_config") == "true":
                continue
            if not any(self.known.get(name, "").strip() for name in need.any_of):
                names = " or ".join(need.any_of)
                secret = any(field_of(self.provider, name).secret for name in need.any_of)
                how = "--secret-file FILE (or - for stdin)" if secret else f"--set {need.any_of[0]}=VALUE"
                raise Refused(
                    f"{self.provider.title} needs {names}, which is not set.",
                    code="missing_setting",
                    hint=f"Give it with {how}; nothing was written.",
                )

    def _place(self, field: Field, value: str) -> None:
        """Note where a value goes: where it counts now, or where the agent's own setup puts it."""
        source = self._target(field)
        new = typed(field, value) if value else None
        if source.kind == "env":
            pinned = source.key in self.sources.managed_env.values(self.sources.environ)
            if pinned:
                raise Refused(
                    f"{source.key} is set by the administrator of this machine, whose .env wins over yours.",
                    code="managed",
                    hint="Ask them to change it; nothing was written.",
                )
            self.writes.env[source.key] = value or None
        elif source.kind == "yaml":
            self.writes.yaml[source.key] = new
        else:
            self.writes.json[(source.kind, source.key)] = new
        if field.secret:
            self.writes.secrets.add(source.key)

    def _target(self, field: Field) -> Source:
        if field.name == "api_key" and keeps_key_by_profile(self.provider, self.known):
            return field.sources[0]
        for source in field.sources[: field.written]:
            found = self.sources.find(self.provider, source)
            if found is not None and found.value != "":
                return source
        return field.home_source

    def _env_write(self) -> FileWrite | None:
        if not self.writes.env:
            return None
        path = self.home.path / ".env"
        read = read_file(path)
        before = read[0] if read else None
        after = with_variables(before or b"", self.writes.env)
        lines = [
            f"{name} taken out" if value is None else f"{name}={self._shown(name, value)}"
            for name, value in self.writes.env.items()
        ]
        return None if after == (before or b"") else FileWrite(path, before, after, tuple(lines))

    def _shown(self, key: str, value: object) -> str:
        if key in self.writes.secrets:
            return mask(str(value))
        return without_password(value) if isinstance(value, str) else json.dumps(value)

    def _json_write(self) -> FileWrite | None:
        wanted = self.writes.json
        if not wanted:
            return None
        path = self.home.path / self.provider.file
        used = self.sources.json_file(self.provider)
        own = used if used is not None and used.path == path else None
        if used is not None and used.state in ("invalid", "unreadable"):
            raise Refused(
                f"{used.problem} Nothing was written.",
                code="json_invalid",
                hint="Mend the file, or move it away, then try again.",
            )
        if used is not None and used.has_twice:
            raise Refused(
                f"{used.path} gives {used.has_twice!r} twice, and only one can be kept. Nothing was written.",
                code="json_invalid",
                hint="Take one out, then try again.",
            )
        read = read_file(path)
        before = read[0] if read else None
        old: dict[str, Any] = copy.deepcopy(dict(used.values)) if used is not None else {}
        values = copy.deepcopy(old)
        lines = []
        for (kind, key), value in wanted.items():
            dotted = f"hosts.{self.sources.honcho_host(self.provider)}.{key}" if kind == "host" else key
            keys = (
                ["hosts", self.sources.honcho_host(self.provider), *key.split(".")]
                if kind == "host"
                else key.split(".")
            )
            if _put(values, keys, value):
                lines.append(f"{dotted} taken out" if value is None else f"{dotted}: {self._shown(key, value)}")
        if own is None and used is not None and used.values:
            lines.insert(0, f"a copy of {self.sources.short(used.path)}, which this file then stands before")
        if values == old and before is not None:
            return None
        return FileWrite(path, before, (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode(), tuple(lines))

    def _notes(self) -> list[str]:
        found = []
        after = {**self.current, **self.wanted}
        if self.provider.name == "mem0" and self.given.get("mode") == "platform" and after.get("host"):
            found.append(
                "host is set, so memories go to that server and not to the service (--set host= takes it out)."
            )
        if self.provider.name == "byterover":
            found += [missing.words for missing in Judge(self.sources, self.provider).judged().missing]
        return found


def _put(values: dict[str, Any], keys: list[str], value: object) -> bool:
    """Set a value inside a mapping, or take it out; whether anything changed."""
    inner = values
    for key in keys[:-1]:
        if value is None and not isinstance(inner.get(key), dict):
            return False
        if not isinstance(inner.get(key), dict):
            inner[key] = {}
        inner = inner[key]
    if value is None:
        return inner.pop(keys[-1], None) is not None
    changed = keys[-1] not in inner or inner[keys[-1]] != value or type(inner[keys[-1]]) is not type(value)
    inner[keys[-1]] = value
    return changed
