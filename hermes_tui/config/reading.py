"""The settings that concern memory and approval: what config.yaml says and what the agent makes of it."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from hermes_tui.disk import read_file
from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import StoreName
from hermes_tui.yaml_file import YamlFile, read_yaml

if TYPE_CHECKING:
    from hermes_tui.variables import Variables

Origin = Literal["user", "managed", "default"]

DEFAULTS: dict[str, bool | int | str] = {
    "memory.memory_enabled": True,
    "memory.user_profile_enabled": True,
    "memory.memory_char_limit": 2200,
    "memory.user_char_limit": 1375,
    "memory.write_approval": False,
    "memory.provider": "",
    "skills.write_approval": False,
    "security.redact_secrets": True,
}
"""Every key this module reads, with the agent's default."""

SYSTEM_MANAGED_DIR = Path("/etc/hermes")
GATE_WORDS = frozenset({"on", "true", "yes", "1", "approve", "enabled"})
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})

_MEMORY_KEYS = (
    "memory_enabled",
    "user_profile_enabled",
    "memory_char_limit",
    "user_char_limit",
    "write_approval",
    "provider",
    "nudge_interval",
    "prefetch_spill_enabled",
)
_SHORT_FLOAT = r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)[eE][-+]?\d{1,3}"
"""A number as only YAML 1.2 writes it."""


class ConfigNote(NamedTuple):
    """Something about one setting that a person should know."""

    key: str
    """The dotted key, or the file's name when the note is about the whole file."""
    value: str
    """What is written in the file."""
    effective: str
    """What the agent makes of it."""
    message: str
    """The sentence for a person."""


class HermesConfig(NamedTuple):
    """The settings of one home as the agent would read them now."""

    path: Path
    state: Literal["ok", "missing", "invalid", "unreadable"] = "ok"
    """missing is fine: the defaults apply. invalid and unreadable mean the agent runs on defaults, too."""
    problem: str = ""
    """One sentence, with line and column where there is one; empty when ok or missing."""
    memory_enabled: bool = True
    user_profile_enabled: bool = True
    memory_char_limit: int = 2200
    user_char_limit: int = 1375
    write_approval: bool = False
    """The gate for memory: on means writes of the agent wait for approval."""
    skills_write_approval: bool = False
    provider: str = ""
    """The external memory provider; empty for none."""
    redact_secrets: bool = True
    notes: tuple[ConfigNote, ...] = ()
    origins: Mapping[str, Origin] = MappingProxyType({})

    def limit(self, store: StoreName) -> int:
        """The size limit of a store in characters."""
        return self.memory_char_limit if store == "memory" else self.user_char_limit

    def enabled(self, store: StoreName) -> bool:
        """Whether the agent reads and writes the store at all."""
        return self.memory_enabled if store == "memory" else self.user_profile_enabled

    def origin(self, key: str) -> Origin:
        """Where the effective value of a dotted key comes from."""
        return self.origins.get(key, "default")


def load_config(home: HermesHome, environ: Mapping[str, str] | None = None) -> HermesConfig:
    """The effective settings of `home`; never raises and never writes."""
    env = os.environ if environ is None else environ
    return Reading(home, env).config()


def managed_dir(env: Mapping[str, str]) -> Path | None:
    """The administrator's directory, when there is one; the variable alone decides where it is set."""
    named = env.get("HERMES_MANAGED_DIR", "").strip()
    path = Path(named) if named else SYSTEM_MANAGED_DIR
    try:
        return path if path.is_dir() else None
    except OSError:
        return None


def pinned(key: str, environ: Mapping[str, str]) -> bool:
    """Whether the administrator's file gives a value for a dotted key, or none for its whole section."""
    folder = managed_dir(environ)
    inner: object = read_yaml(folder / "config.yaml").mapping if folder else {}
    for name in key.split("."):
        if not isinstance(inner, dict):
            return True
        if name not in inner:
            return False
        inner = inner[name]
    return True


class Reading:
    """One pass over the user's and the administrator's file, collecting notes on the way."""

    def __init__(self, home: HermesHome, env: Mapping[str, str]) -> None:
        self.home = home.path
        self.path = home.config_path
        self.user = read_yaml(self.path)
        self.env = env
        self.managed_dir = managed_dir(env)
        self.managed_path = self.managed_dir / "config.yaml" if self.managed_dir else None
        self.managed = read_yaml(self.managed_path) if self.managed_path else YamlFile("missing")
        self.origins: dict[str, Origin] = {}
        self.notes: list[ConfigNote] = []
        self._sections: dict[str, tuple[Mapping[str, object], Mapping[str, object]]] = {}

    def config(self) -> HermesConfig:
        """What the agent makes of both files."""
        gate, skills_gate = self.gate("memory.write_approval"), self.gate("skills.write_approval")
        return HermesConfig(
            path=self.path,
            state=self.user.state,
            problem=self.explain_file(self.path.name, gate),
            memory_enabled=self.flag("memory.memory_enabled"),
            user_profile_enabled=self.flag("memory.user_profile_enabled"),
            memory_char_limit=self.limit("memory.memory_char_limit"),
            user_char_limit=self.limit("memory.user_char_limit"),
            write_approval=gate,
            skills_write_approval=skills_gate,
            provider=self.provider("memory.provider"),
            redact_secrets=self.redaction("security.redact_secrets"),
            notes=self.finished_notes(),
            origins=self.origins,
        )

    def find(self, path: tuple[str, ...]) -> tuple[object, Origin]:
        """What is written for a setting, variables filled in, and who wrote it; None and default when nobody did."""
        origins: tuple[tuple[Origin, object], ...] = (("managed", self.managed.mapping), ("user", self.user.mapping))
        for origin, value in origins:
            for name in path:
                if not isinstance(value, dict) or name not in value:
                    break
                value = value[name]
            else:
                return self._expanded(".".join(path), value), origin
        return None, "default"

    def note(self, key: str, value: object, effective: object, message: str) -> None:
        self.notes.append(ConfigNote(key, _shown(value), _shown(effective), message))

    def raw(self, key: str) -> tuple[object, bool]:
        """The value that wins for `key`, variables filled in, and whether any file gives one."""
        section_name, name = key.split(".")
        section, pinned = self._section(section_name)
        if name in pinned:
            self.origins[key] = "managed"
            value = self._expanded(key, pinned[name])
            where = f"Pinned by your administrator in {self.managed_path}"
            self.note(key, value, value, f"{where}; the user's config.yaml cannot change it.")
            return value, True
        if name in section:
            self.origins[key] = "user"
            return self._expanded(key, section[name]), True
        return DEFAULTS[key], False

    def _section(self, name: str) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """The user's and the administrator's mapping of a section."""
        if name not in self._sections:
            pinned = self.managed.mapping.get(name)
            if pinned is not None and not isinstance(pinned, dict):
                self.note(name, pinned, "defaults", f"{self.managed_path} replaces the whole section {name}.")
                self._sections[name] = ({}, {})
                return self._sections[name]
            section = self.user.mapping.get(name, {})
            if not isinstance(section, dict):
                message = f"The section {name} is empty; the defaults apply."
                if section is not None:
                    message = f"The section {name} holds no settings by name; the defaults apply" + (
                        ", and a 0.19 agent starts without memory." if name == "memory" else "."
                    )
                self.note(name, section, "defaults", message)
                section = {}
            self._sections[name] = (section, pinned or {})
        return self._sections[name]

    @cached_property
    def variables(self) -> Variables:
        """What an agent of this home would find in its environment."""
        from hermes_tui.variables import Variables  # loaded here: few settings refer to variables

        return Variables(self.home, self.env)

    def _expanded(self, key: str, value: object) -> object:
        if not isinstance(value, str) or "${" not in value:
            return value
        filled = self.variables.fill(value)
        if filled.missing:
            message = f"The variable {filled.missing} is not set here or in .env, so its name stays in."
            self.note(key, value, filled.text, message)
        elif filled.newer:
            message = "Filled in by agents of the 0.22 line alone; for 0.19 it is text. Write ${NAME}."
            self.note(key, value, filled.text, message)
        return filled.text

    def _variable(self, name: str) -> str | None:
        """A variable; a file that does not have the name in it is not taken apart, so that the start is not late."""
        folders = [folder for folder in (self.home, self.managed_dir) if folder is not None]
        named = any(_may_set(folder / ".env", name) for folder in folders)
        return (self.variables.environ if named else self.env).get(name)

    def limit(self, key: str) -> int:
        value, given = self.raw(key)
        default = int(DEFAULTS[key])
        if not given:
            return default
        try:
            limit = int(value)  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError):
            self.origins[key] = "default"
            message = f"Not a number; {default:,} applies."
            if isinstance(value, str) and re.fullmatch(_SHORT_FLOAT, value):
                message = f"Text for agents of the 0.19 line, so {default:,} applies; those of 0.22 count {value}."
            self.note(key, value, default, f"{message} Write a plain number.")
            return default
        assert isinstance(limit, int)
        if isinstance(value, str):
            message = "Text, not a number: a session of the agent cannot compare it and fails at every addition."
            self.note(key, value, limit, f"{message} Write it without quotes.")
        elif isinstance(value, bool | float):
            self.note(key, value, limit, f"Counted as {limit:,}. Write a plain number.")
        if limit <= 0:
            self.note(key, value, limit, "No entry fits: every addition is refused.")
        return limit

    def flag(self, key: str) -> bool:
        value, given = self.raw(key)
        if not given or isinstance(value, bool):
            return bool(value)
        if value is None:
            self.note(key, value, True, "Empty counts as on for 0.22 agents, as off for 0.19. Write true or false.")
            return True
        if not isinstance(value, str):
            return bool(value)
        # 0.22 reads a bare y as true and 0.19 takes any text for true, so y is on for both.
        newer = value.strip().lower() in TRUE_WORDS or value.strip().lower() == "y"
        if newer != bool(value):
            message = "Text: off for 0.22 agents, but 0.19 takes any text for on. Write false, without quotes."
            self.note(key, value, newer, message)
        return newer

    def gate(self, key: str) -> bool:
        value, given = self.raw(key)
        self._explain_write_mode(key, given)
        if not given or isinstance(value, bool) or value is None:
            return bool(value)
        if isinstance(value, str):
            word = value.strip().lower()
            if word in GATE_WORDS:
                return True
            message = "Not a word the agent takes for on, so the gate is OFF. Write true."
            if word == "y":
                message = "A bare y is on for 0.22 agents but plain text, so OFF, for 0.19. Write true."
            if word not in {"", "off", "false", "no", "n", "0", "disabled"}:
                self.note(key, value, False, message)
            return False
        if value != 0:
            message = f"{_shown(value)} is not true: the agent reads it as off, so the gate is OFF. Write true."
            self.note(key, value, False, message)
        return False

    def _explain_write_mode(self, key: str, given: bool) -> None:
        section_name = key.split(".")[0]
        mode = self._section(section_name)[0].get("write_mode")
        if mode is None:
            return
        would = isinstance(mode, str) and mode.strip().lower() == "approve"
        message = f"An old key that no supported agent reads; {key} decides"
        if not given:
            message += f", and it is not set. The agent's own migration would write {key}: {_shown(would)}"
        self.note(f"{section_name}.write_mode", mode, "ignored", f"{message}.")

    def provider(self, key: str) -> str:
        value, _ = self.raw(key)
        if isinstance(value, str):
            return value.strip()
        if value is not None:
            self.note(key, value, "", "Not a name; no external provider is used.")
        return ""

    def redaction(self, key: str) -> bool:
        value, given = self.raw(key)
        variable = self._variable("HERMES_REDACT_SECRETS")
        if variable is not None:
            on = variable.lower() in TRUE_WORDS
            self.note(key, value, on, f"The variable HERMES_REDACT_SECRETS={variable!r} decides.")
            return on
        if not given or value is None:
            return True
        on = str(value).lower() in TRUE_WORDS
        if not on and not isinstance(value, bool):
            self.note(key, value, on, "The agent takes this for off: secrets are shown. Write true or false.")
        return on

    def explain_file(self, name: str, gate: bool) -> str:
        """The sentence about a file the agent cannot use; empty when it can."""
        if self.managed.state in ("invalid", "unreadable"):
            message = f"{self.managed_path} cannot be used ({self.managed.problem}); the agent ignores it."
            self.note(str(self.managed_path), "", "ignored", message)
        if self.user.state in ("ok", "missing"):
            return ""
        said = f"does not parse: {self.user.problem}" if self.user.state == "invalid" else self.user.problem
        problem = f"{name} {said}" if self.user.state == "invalid" else said
        if not problem.endswith("."):
            problem += "."
        approval = "stays on (pinned by your administrator)" if gate else "is OFF"
        message = (
            f"The agent runs on its defaults until this is repaired, so write approval {approval}. "
            "An agent that is already running keeps the last good settings."
        )
        if self.user.state == "unreadable":
            message = f"An agent that cannot read it either runs on its defaults, and write approval {approval} then."
        self.note(name, "", "defaults", message)
        return problem

    def finished_notes(self) -> tuple[ConfigNote, ...]:
        """All notes, those about the whole file first."""
        if self.user.duplicate_key:
            message = (
                f"The key {self.user.duplicate_key} is given twice. 0.19 takes the last; "
                "0.22 refuses the file and runs on its defaults, with write approval OFF. Remove one."
            )
            self.notes.insert(0, ConfigNote("config.yaml", self.user.duplicate_key, "", message))
        for key in DEFAULTS:
            if key in self.user.mapping:
                self.note(key, self.user.mapping[key], "ignored", f"Not read: put it under {key.split('.')[0]}:.")
        for name in self._section("memory")[0]:
            close = difflib.get_close_matches(str(name), _MEMORY_KEYS, n=1, cutoff=0.8)
            if close and name not in _MEMORY_KEYS:
                value = self._section("memory")[0][name]
                self.note(f"memory.{name}", value, "ignored", f"No such key; did you mean memory.{close[0]}?")
        return tuple(self.notes)


def _may_set(path: Path, name: str) -> bool:
    try:
        read = read_file(path)
    except Unreadable:
        return False
    return read is not None and (name.encode() in read[0] or b"\0" in read[0])


def _shown(value: object) -> str:
    """A value in YAML's spelling, short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        text = str(value)
        return text if len(text) <= 60 else text[:59] + "…"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else type(value).__name__
