"""What a person wants of an export, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Format = Literal["jsonl", "markdown", "html", "text"]

ENDINGS: dict[Format, str] = {"jsonl": ".jsonl", "markdown": ".md", "html": ".html", "text": ".txt"}
"""How the name of a file ends."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How conversations are written."""

    format: Format
    masked: bool = True
    """Whether what looks like a secret is masked; JSONL is lossless only when nothing is."""
    prompts_only: bool = False
    """Only what the person said."""
    whole: bool = True
    """All parts of a conversation, each message once; otherwise only the very session."""
    everything: bool = False
    """Also what was taken back, notices, thinking, and the output of tools in full; JSONL has all of it anyway."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    paths: tuple[Path, ...]
    """The files; none when it was written elsewhere."""
    conversations: int
    messages: int
    masked: int
    """Secrets that were masked."""
    bytes: int
    lost: int = 0
    """Messages that lie in damaged pages of the database and could not be read."""
    gone: tuple[str, ...] = ()
    """Ids of sessions that were deleted before their turn came."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A conversation that would be written."""

    id: str
    """Of its newest part."""
    title: str
    name: str
    """Of its file, if it gets one of its own."""
    messages: int
