"""What external memory provider is active, which are set up, what is missing, and where their data is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_tui.config import HermesConfig, load_config
from hermes_tui.home import HermesHome
from hermes_tui.providers.catalogue import NOT_MIRRORED, Provider, catalogue, closest
from hermes_tui.providers.status_diverged import Diverged, diverged
from hermes_tui.providers.status_plugins import AgentCode, UserPlugin, agent_code, carries, user_plugins
from hermes_tui.providers.status_rules import Configured, Judge, Missing, Value
from hermes_tui.providers.status_sources import ReadFile, Sources

Installed = Literal["bundled", "plugin", "no", "unknown"]
OTHERS_MAY_READ = 0o077


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """One provider."""

    name: str
    title: str
    active: bool
    """Whether `memory.provider` names it."""
    installed: Installed
    """Whether an agent has it: bundled, as a plugin in the home, not at all, or not to be told."""
    installed_words: str
    configured: Configured
    """unknown where it cannot be told without asking a server or a vault, or without reading a closed file."""
    missing: tuple[Missing, ...]
    """What it needs and has not."""
    values: tuple[Value, ...]
    """Its settings as they count now."""
    files: tuple[ReadFile, ...]
    """The files with its keys and settings."""
    problems: tuple[str, ...]
    place: Literal["local", "remote", "either", "unknown"]
    """Where the data is by the settings of now: on this machine, elsewhere, or both."""
    place_words: str
    purpose: str
    leaves: str
    """Which data leaves the machine, and when; empty when nothing is known."""
    mirroring: str
    """Which of the agent's memory writes it is told, and that it is told none of those made here."""
    diverged: Diverged | None
    """What differs from MEMORY.md and USER.md; None where that cannot be known offline."""

    @property
    def optional(self) -> tuple[Value, ...]:
        """What could be set and is not."""
        needed = {field.name for missing in self.missing for field in missing.fields}
        return tuple(value for value in self.values if not value.given and value.field.name not in needed)


@dataclass(frozen=True, slots=True)
class ProvidersStatus:
    """All providers of one home."""

    home: Path
    active: str
    """What `memory.provider` says; empty for none."""
    origin: str
    """Where it says so: user, managed, or default."""
    builtin: str
    """What is on of the built-in memory, in a sentence."""
    memory_enabled: bool
    user_profile_enabled: bool
    providers: tuple[ProviderStatus, ...]
    """All that are known, by name; also one in the home's own plugins, and one that nobody has."""
    problems: tuple[str, ...]

    def of(self, name: str) -> ProviderStatus | None:
        """One provider."""
        return next((provider for provider in self.providers if provider.name == name), None)


def provider_status(home: HermesHome, environ: Mapping[str, str] | None = None) -> ProvidersStatus:
    """Look at every provider: only files are read; nothing is written, asked or imported. Never raises."""
    env = os.environ if environ is None else environ
    config = load_config(home, env)
    sources = Sources(home, env)
    code = agent_code(home, env)
    plugins = user_plugins(home)
    active = _active(config, sources)
    found = [_status(provider, sources, active, code) for provider in catalogue().values()]
    known = {status.name for status in found}
    found += [_of_plugin(plugin, active) for plugin in plugins if plugin.name not in known]
    if active and active not in {status.name for status in found}:
        found.append(_of_unknown(active, code))
    problems = [config.problem] if config.problem else []
    problems += sources.env_file.problems
    problems += sources.managed_env.problems
    problems += [note.message for note in config.notes if note.key == "memory.provider"]
    return ProvidersStatus(
        home=home.path,
        active=active,
        origin=config.origin("memory.provider"),
        builtin=_builtin(config),
        memory_enabled=config.memory_enabled,
        user_profile_enabled=config.user_profile_enabled,
        providers=tuple(found),
        problems=tuple(dict.fromkeys(problems)),
    )


def _active(config: HermesConfig, sources: Sources) -> str:
    """The name as the agent looks it up: with the spaces around it, which no plugin has."""
    found = sources.yaml("memory.provider")
    return found.value if config.provider and found and isinstance(found.value, str) else config.provider


def _builtin(config: HermesConfig) -> str:
    on = [
        name
        for name, enabled in (("MEMORY.md", config.memory_enabled), ("USER.md", config.user_profile_enabled))
        if enabled
    ]
    if len(on) == 2:
        return "on: MEMORY.md and USER.md, whatever the provider"
    if on:
        off = "USER.md" if on == ["MEMORY.md"] else "MEMORY.md"
        return f"{on[0]} is on, {off} is off"
    return "off: the agent reads and writes neither MEMORY.md nor USER.md"


def _status(provider: Provider, sources: Sources, active_name: str, code: AgentCode | None) -> ProviderStatus:
    judged = Judge(sources, provider, code.site_packages if code else None).judged()
    carried = carries(code, provider.name)
    active = active_name == provider.name
    problems = list(judged.problems)
    files = sources.files(provider)
    problems += [
        f"{file.path} can be read by others (mode {file.mode:04o}); it holds keys." for file in files if exposed(file)
    ]
    if active and carried is False:
        problems.append("The agent on this machine does not carry it, so it runs without an external provider.")
    if active and judged.configured == "no":
        problems.append("It is active but not set up: the agent runs without it, and says nothing.")
    return ProviderStatus(
        name=provider.name,
        title=provider.title,
        active=active,
        installed="unknown" if carried is None else "bundled" if carried else "no",
        installed_words=_installed_words(provider, code, carried),
        configured=judged.configured,
        missing=judged.missing,
        values=judged.values,
        files=files,
        problems=tuple(dict.fromkeys(problems)),
        place=judged.place,
        place_words=judged.place_words,
        purpose=provider.purpose,
        leaves=provider.leaves,
        mirroring=provider.mirroring,
        diverged=diverged(provider, sources.home, active=active),
    )


def exposed(file: ReadFile) -> bool:
    """Whether others than the owner may look into a file."""
    return os.name == "posix" and file.state != "missing" and bool(file.mode & OTHERS_MAY_READ)


def _installed_words(provider: Provider, code: AgentCode | None, carried: bool | None) -> str:
    lines = f"agents of {' and '.join(provider.lines)} carry it"
    if code is None:
        return f"no agent was found on this machine; {lines}"
    fetched = f"; {provider.package} is fetched at first use" if provider.package else ""
    if carried:
        return f"comes with the agent ({code.plugins}){fetched}"
    return f"the agent does not carry it ({code.plugins}); {lines}"


def _of_plugin(plugin: UserPlugin, active: str) -> ProviderStatus:
    words = "It is a plugin of your own home; what it needs only its code knows."
    return ProviderStatus(
        name=plugin.name,
        title=plugin.name,
        active=active == plugin.name,
        installed="plugin",
        installed_words=f"in {plugin.path}",
        configured="unknown",
        missing=(),
        values=(),
        files=(),
        problems=(words,),
        place="unknown",
        place_words="not known",
        purpose=plugin.description or "A plugin of your own home.",
        leaves="",
        mirroring=f"What it is told of the agent's writes only its code knows. {NOT_MIRRORED}",
        diverged=None,
    )


def _of_unknown(name: str, code: AgentCode | None) -> ProviderStatus:
    meant = closest(name)
    hint = f" Did you mean {meant}?" if meant else ""
    carried = carries(code, name) if _is_plain(name) else False
    if carried:
        problem = "The agent carries it, but nothing is known about it here."
    else:
        problem = f"No provider has this name: the agent runs without one, and says nothing.{hint}"
    return ProviderStatus(
        name=name,
        title=name,
        active=True,
        installed="bundled" if carried else "no",
        installed_words="comes with the agent" if carried else "neither with an agent nor in the home's plugins",
        configured="unknown" if carried else "no",
        missing=(),
        values=(),
        files=(),
        problems=(problem,),
        place="unknown",
        place_words="not known",
        purpose="Not known here.",
        leaves="",
        mirroring=NOT_MIRRORED,
        diverged=None,
    )


def _is_plain(name: str) -> bool:
    return "/" not in name and "\\" not in name and "\0" not in name and name not in (".", "..")
