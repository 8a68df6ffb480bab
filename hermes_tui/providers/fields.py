"""One setting of an external memory provider: where it stands, what it may be, and how it is shown."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from hermes_tui.errors import Refused
from hermes_tui.exchange import is_local

SourceKind = Literal["env", "json", "host", "yaml"]
FieldKind = Literal["text", "url", "flag", "number", "whole", "choice"]

ON_WORDS = frozenset({"true", "1", "yes", "y", "on"})
OFF_WORDS = frozenset({"false", "0", "no", "n", "off"})


@dataclass(frozen=True, slots=True)
class Source:
    """One place in which the agent looks for a setting."""

    kind: SourceKind
    """A variable, a key of the provider's JSON file, one of its block for this profile, or a key of config.yaml."""
    key: str
    """The variable's name, or the dotted key."""


def env(key: str) -> Source:
    """A variable of the environment, which `.env` sets."""
    return Source("env", key)


def json_key(key: str) -> Source:
    """A key of the provider's own JSON file."""
    return Source("json", key)


def host_key(key: str) -> Source:
    """A key of the block that honcho.json has for a profile."""
    return Source("host", key)


def yaml_key(key: str) -> Source:
    """A key of config.yaml."""
    return Source("yaml", key)


@dataclass(frozen=True, slots=True)
class Field:
    """One setting of a provider."""

    name: str
    """What it is called here: `providers setup NAME --set name=value`."""
    about: str
    """A sentence."""
    sources: tuple[Source, ...]
    """Where the agent looks, in its order; the first that has a value counts."""
    written: int = 0
    """Which of them a value goes to when none has one yet."""
    kind: FieldKind = "text"
    choices: tuple[str, ...] = ()
    default: str = ""
    secret: bool = False
    get_at: str = ""
    """The page on which a key is to be had."""
    modes: tuple[str, ...] = ()
    """The modes in which it counts; empty for all."""
    asked: bool = False
    """Whether setting up asks for it though it is not required."""
    listed: bool = True
    """Whether the status shows it when nothing sets it."""

    @property
    def home_source(self) -> Source:
        """Where a new value is written."""
        return self.sources[self.written]

    def counts_in(self, mode: str) -> bool:
        """Whether the setting matters in a mode."""
        return not self.modes or mode in self.modes


def checked(field: Field, value: str) -> str:
    """A value that a person gave, in the form in which it is written.

    Raises:
        Refused: it is not a value of this setting.
    """
    text = value.strip()
    wrong = ""
    if field.kind == "flag":
        if text.lower() not in ON_WORDS | OFF_WORDS:
            wrong = "Write true or false."
        text = "true" if text.lower() in ON_WORDS else "false"
    elif field.kind in ("number", "whole"):
        wrong = "" if number(text, whole=field.kind == "whole") is not None else "Write a number."
    elif field.kind == "choice" and text not in field.choices:
        wrong = f"Write one of {', '.join(field.choices)}."
    elif field.kind == "url" and not _is_url(text):
        wrong = "Write an address such as http://localhost:8000."
    if any(char < " " or char == "\x7f" for char in text):
        wrong = "It holds a line break or another control character."
    if wrong:
        shown = "The value" if field.secret else f"{text[:60]!r}"
        raise Refused(f"{shown} is no value of {field.name}.", code="bad_value", hint=wrong)
    return text


def number(value: object, *, whole: bool) -> int | float | None:
    """A number that stands in a file as one or as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return int(value) if whole else float(value)
    except (ValueError, OverflowError):
        return None


def typed(field: Field, value: str) -> bool | int | float | str:
    """A checked value as JSON and YAML have it."""
    if field.kind == "flag":
        return value == "true"
    if field.kind in ("number", "whole"):
        found = number(value, whole=field.kind == "whole")
        if isinstance(found, float) and found.is_integer() and "." not in value:
            return int(found)
        return value if found is None else found
    return value


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(char.isspace() for char in text)
    except ValueError:
        return False


def is_here(url: str) -> bool:
    """Whether an address is one of this machine."""
    return is_local(_host(url))


def is_near(url: str) -> bool:
    """Whether an address is one of a private network: another machine, but not the internet."""
    try:
        address = ipaddress.ip_address(_host(url))
    except ValueError:
        return False
    return address.is_private and not is_here(url)


def is_private(url: str) -> bool:
    """Whether an address is one of this machine or of a private network."""
    return is_here(url) or is_near(url)


def without_password(url: str) -> str:
    """An address as it may be shown: a name and password in it left out."""
    return re.sub(r"(?<=//)[^/?#@]*@", "***@", url)


def _host(url: str) -> str:
    bare = url.strip()
    if bare in ("::1", "[::1]"):
        return "::1"
    try:
        return (urlsplit(bare if "://" in bare else f"//{bare}").hostname or "").lower()
    except ValueError:
        return ""
