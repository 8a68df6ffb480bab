"""The external memory providers that agents carry: what each is for, what leaves the machine, what it is told."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from hermes_tui.memory.entries import StoreName
from hermes_tui.providers.fields import Field

NOT_MIRRORED = (
    "Edits and approvals made here, `/memory approve`, and edits by hand never reach it; "
    "what is removed or changed in MEMORY.md and USER.md stays there as it was."
)
"""True of every provider: only the agent's own direct writes are passed on."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something without which a provider does not work: one of these settings."""

    any_of: tuple[str, ...]
    """Names of settings."""
    modes: tuple[str, ...] = ()
    """The modes in which it is needed; empty for all."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One external memory provider."""

    name: str
    """As `memory.provider` names it."""
    title: str
    purpose: str
    """What it is for, in a sentence."""
    leaves: str
    """Which data is sent, and when; where to depends on how it is set up."""
    mirrors: str
    """Which of the agent's writes to its own memory are passed on, in a sentence."""
    mirrored: tuple[tuple[str, StoreName], ...]
    """The same as pairs of action and store."""
    fields: tuple[Field, ...]
    needs: tuple[Need, ...]
    file: str
    """Its own JSON file inside the home; empty when it has none."""
    site: str
    """Where to get an account or the program."""
    lines: tuple[str, ...]
    """The agent lines that carry it."""
    package: str = ""
    """The Python package the agent fetches at first use; empty when it needs none."""

    def field(self, name: str) -> Field | None:
        """A setting by its name."""
        return next((field for field in self.fields if field.name == name), None)

    @property
    def mirroring(self) -> str:
        """What it is told and what not."""
        return f"{self.mirrors} {NOT_MIRRORED}"


def catalogue() -> Mapping[str, Provider]:
    """Every provider by name, in alphabetical order."""
    from hermes_tui.providers import catalogue_engines, catalogue_hosted, catalogue_servers  # they need the classes

    parts = (catalogue_engines, catalogue_hosted, catalogue_servers)
    return {provider.name: provider for provider in sorted((p for part in parts for p in part.PROVIDERS), key=_name)}


def _name(provider: Provider) -> str:
    return provider.name


def closest(name: str) -> str:
    """The provider that a mistyped name probably means; empty for none."""
    return next(iter(difflib.get_close_matches(name.strip().lower(), catalogue(), n=1, cutoff=0.6)), "")
