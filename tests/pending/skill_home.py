"""Skills on disk for tests: a home with a few, records for them, and changes carried out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hermes_tui.home import HermesHome
from hermes_tui.memory.journal import OtherFile
from hermes_tui.pending.records import PendingRecord, parse_record
from hermes_tui.pending.skills import SkillPreview, external_dirs, preview_skill


def skill_text(name: str, body: str = "# Steps\n\nRun the tests.\n", description: str = "What it is for.") -> str:
    """A SKILL.md that every agent takes."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


def add_skill(home: Path, place: str, text: str | None = None, files: dict[str, bytes] | None = None) -> Path:
    """A skill folder; `place` is relative to the home's skills folder, or absolute."""
    folder = home / "skills" / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_bytes((skill_text(folder.name) if text is None else text).encode())
    for name, data in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def record_of(payload: object) -> PendingRecord:
    """The record that a file of the queue with this payload would be."""
    body = {"id": "00c0ffee", "subsystem": "skills", "payload": payload}
    return parse_record("skills", Path("/queue/00c0ffee.json"), json.dumps(body).encode(), 0.0)


def preview(home: Path, **payload: Any) -> SkillPreview:
    """What approving a record with this payload would do in a home."""
    hermes_home = HermesHome(home, "default", "--home")
    return preview_skill(hermes_home, external_dirs(hermes_home), record_of(payload))


def carry_out(changes: Sequence[OtherFile], emptied: Sequence[Path] = ()) -> None:
    """Make the changes, as whoever applies them does."""
    for change in changes:
        path = Path(change.path)
        assert (path.read_bytes() if path.exists() else None) == change.before
        if change.after is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(change.after)
            path.chmod(change.mode)
    for folder in emptied:
        if not any(folder.iterdir()):
            folder.rmdir()


def taken_back(changes: Sequence[OtherFile]) -> list[OtherFile]:
    """The changes that undo these."""
    return [replace(change, before=change.after, after=change.before) for change in reversed(changes)]


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
