"""Whether a provider is set up: what an agent makes of its settings, and where its data goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hermes_tui.providers.catalogue import Provider
from hermes_tui.providers.catalogue_engines import EMBEDDED
from hermes_tui.providers.fields import OFF_WORDS, ON_WORDS, Field, number, without_password
from hermes_tui.providers.status_closer import look_closer
from hermes_tui.providers.status_places import Place, place_of
from hermes_tui.providers.status_sources import Sources, leaf
from hermes_tui.redaction import mask
from hermes_tui.redaction.secret import is_masked

Configured = Literal["yes", "no", "unknown"]

HINDSIGHT_SERVER = "http://localhost:8888"
"""Where a Hindsight of one's own is, unless it is said."""
ONLY_WITHOUT_FILE = frozenset({("hindsight", "mode"), ("hindsight", "bank_id"), ("hindsight", "recall_budget")})
"""Settings whose variable counts only while the provider has no file of its own."""
FAIL_OVER_SHAPE = frozenset({"honcho", "hindsight"})
"""Providers that fail over a file that is JSON but holds no settings, and do not go on without it."""
EMPTY_COUNTS = frozenset({"OPENVIKING_API_KEY", "OPENVIKING_ACCOUNT", "OPENVIKING_USER"})
"""Variables that are the value also when they are set to nothing."""


@dataclass(frozen=True, slots=True)
class Value:
    """A setting as it counts now."""

    field: Field
    text: str
    """Raw, also of a secret; empty when nothing sets it and there is no default."""
    origin: str
    """`.env`, a file's name, `the environment`, or `default`."""
    path: Path | None
    raw: object = None
    """As it stands in the file."""

    @property
    def given(self) -> bool:
        """Whether a person set it to something."""
        return self.origin != "default" and bool(self.text.strip())

    @property
    def shown(self) -> str:
        """The value, a secret masked."""
        if self.field.secret and self.text:
            return mask(self.text)
        return without_password(self.text) if self.field.kind == "url" else self.text


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a provider needs and has not."""

    fields: tuple[Field, ...]
    """One of these settings; empty when it is no setting."""
    words: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an agent makes of a provider's settings."""

    mode: str
    values: tuple[Value, ...]
    configured: Configured
    missing: tuple[Missing, ...]
    problems: tuple[str, ...]
    place: Place
    place_words: str


class Judge:
    """Looks at one provider's settings, collecting sentences on the way."""

    def __init__(self, sources: Sources, provider: Provider, site_packages: Path | None = None) -> None:
        self.sources = sources
        self.provider = provider
        self.site_packages = site_packages
        self.problems: list[str] = []
        self.blocked: list[str] = []
        """Why it does not work whatever else is set."""
        self.doubts: list[str] = []
        """What cannot be known from here."""
        self.values = {field.name: self._value(field) for field in provider.fields}
        mode = self.values.get("mode")
        self.mode = ""
        if mode is not None:
            # Any other word counts as the usual mode.
            known = mode.field.choices if provider.name != "hindsight" else (*mode.field.choices, *EMBEDDED)
            self.mode = mode.text if mode.text in known else mode.field.default
        if provider.name == "hindsight" and self.mode == "local_external" and not self.values["api_url"].given:
            self.values["api_url"] = replace(self.values["api_url"], text=HINDSIGHT_SERVER)

    def text(self, name: str) -> str:
        """The value of a setting."""
        return self.values[name].text

    def judged(self) -> Judgement:
        """All that is to be said."""
        self._look_at_file()
        self._look_at_values()
        look_closer(self)
        missing = [Missing((), words) for words in self.blocked] + self._missing()
        configured: Configured = "no" if missing else "yes"
        if self.doubts and not self.blocked:
            configured = "unknown"
        self.problems += self.doubts
        place, words = place_of(self)
        shown = [value for value in self.values.values() if value.field.counts_in(self.mode)]
        return Judgement(
            self.mode, tuple(shown), configured, tuple(missing), tuple(dict.fromkeys(self.problems)), place, words
        )

    def _value(self, field: Field) -> Value:
        for source in field.sources:
            if source.kind == "env" and (self.provider.name, field.name) in ONLY_WITHOUT_FILE and self.has_file():
                continue
            found = self.sources.find(self.provider, source)
            if found is None or (found.value == "" and source.key not in EMPTY_COUNTS):
                continue
            text = _as_text(found.value)
            return Value(field, text, found.origin, found.path, found.value)
        return Value(field, field.default, "default", None)

    def has_file(self) -> bool:
        """Whether the provider's own file is there and used."""
        file = self.sources.json_file(self.provider)
        return file is not None and file.state == "ok"

    def _look_at_file(self) -> None:
        file = self.sources.json_file(self.provider)
        for unused in self.sources.unused.get(self.provider.name, ()):
            used = self.sources.short(file.path) if file and file.state == "ok" else "the environment"
            self.problems.append(f"{unused.problem} The agent passes over it and uses {used}.")
        if file is not None and file.has_twice:
            self.problems.append(f"{file.path} gives {file.has_twice!r} twice; the last one counts.")
        if file is None or not file.problem:
            return
        if file.state == "unreadable":
            self.doubts.append(f"{file.problem} Whether it is set up cannot be told.")
        elif self.provider.name == "openviking" or (file.wrong_shape and self.provider.name in FAIL_OVER_SHAPE):
            if file.state != "missing":
                self.blocked.append(file.problem)
        else:
            self.problems.append(f"{file.problem} The agent goes on without it.")

    def _look_at_values(self) -> None:
        for value in self.values.values():
            if not value.given or not value.field.counts_in(self.mode):
                continue
            field, where = value.field, f"{value.field.name} in {value.origin}"
            if field.kind in ("number", "whole") and number(value.raw, whole=field.kind == "whole") is None:
                words = f"{where} is {value.text[:40]!r}, which is no number"
                if self.provider.name == "holographic":
                    self.blocked.append(f"{words}: the agent cannot start it.")
                else:
                    self.problems.append(f"{words}; the agent takes its default.")
            elif field.kind == "choice" and value.text not in field.choices and value.text != "local":
                said = ", ".join(field.choices)
                self.problems.append(f"{where} is {value.text[:40]!r}; known are {said}.")
            elif field.kind == "flag" and value.text.lower() not in ON_WORDS | OFF_WORDS:
                self.problems.append(f"{where} is {value.text[:40]!r}; write true or false.")
            elif not isinstance(value.raw, str | int | float | bool):
                self.problems.append(f"{where} is no text, so it is not a value of it.")
            if field.secret and is_masked(value.text):
                self.problems.append(f"{where} is a mask or a placeholder ({value.text[:12]}), not a key.")

    def has(self, name: str) -> bool:
        """Whether a setting has a value that can work."""
        value = self.values[name]
        return (
            value.given
            and isinstance(value.raw, str | int | float)
            and not (value.field.secret and is_masked(value.text))
        )

    def _missing(self) -> list[Missing]:
        found = []
        defaults_do = self.provider.name == "openviking" and self.sources.uses_ovcli()
        for need in () if defaults_do else self.provider.needs:
            if need.modes and self.mode not in need.modes:
                continue
            if not any(self.has(name) for name in need.any_of):
                fields = tuple(self.values[name].field for name in need.any_of)
                found.append(Missing(fields, " or ".join(field.name for field in fields)))
        if found and self.sources.env_file.state in ("unreadable", "invalid"):
            self.doubts.append(f"{self.sources.env_file.problems[0]} A key may be in it.")
        if any(field.secret for each in found for field in each.fields):
            vault = _vault(self.sources)
            if vault:
                self.doubts.append(f"Keys may come from {vault}, which is asked only when an agent starts.")
        return found


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    return "a list" if isinstance(value, list) else "a mapping"


def _vault(sources: Sources) -> str:
    """The place outside the home that keys are fetched from; empty for none."""
    section = leaf(sources.config.mapping, "secrets")
    if not isinstance(section, Mapping):
        return ""
    names = [str(name) for name, each in section.items() if isinstance(each, Mapping) and each.get("enabled") is True]
    return ", ".join(names)
