"""What a step of setting up writes: whole files, and keys of config.yaml."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.config.keys import Value as Setting
from hermes_tui.home import HermesHome


@dataclass(frozen=True, slots=True)
class FileWrite:
    """A file that is written whole."""

    path: Path
    before: bytes | None
    """What is there now; None for no file."""
    after: bytes
    lines: tuple[str, ...]
    """What changes in it, for a person; secrets masked."""


@dataclass(frozen=True, slots=True)
class SettingWrite:
    """A key of config.yaml that is set, or taken out for None."""

    key: str
    value: Setting | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that setting up a provider, or switching it off, would write."""

    home: HermesHome
    provider: str
    """Which is active afterwards; empty for none."""
    files: tuple[FileWrite, ...] = ()
    settings: tuple[SettingWrite, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know before they agree."""

    @property
    def changes_nothing(self) -> bool:
        """Whether everything is so already."""
        return not self.files and not self.settings

    @property
    def lines(self) -> tuple[tuple[Path, tuple[str, ...]], ...]:
        """What changes in each file, for a person; secrets masked."""
        found = [(write.path, write.lines) for write in self.files]
        if self.settings:
            words = tuple(_setting_line(each) for each in self.settings)
            found.append((self.home.config_path, words))
        return tuple(found)


def _setting_line(write: SettingWrite) -> str:
    return f"{write.key} taken out" if write.value is None else f"{write.key}: {json.dumps(write.value)}"
