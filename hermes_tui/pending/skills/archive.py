"""Deleting a skill: its folder moves to skills/.archive, from where the agent's own curator can restore it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hermes_tui.disk import read_file
from hermes_tui.errors import Unreadable
from hermes_tui.pending.skills.actions import text_of
from hermes_tui.pending.skills.draft import Draft
from hermes_tui.pending.skills.refusal import Refusal, blocked, invalid
from hermes_tui.pending.skills.roots import SKILL_FILE, Skill, refuse_links
from hermes_tui.text import plural

PROTECTED = frozenset({"plan"})
"""Built into the agent, which brings it back or misses it."""
MAX_FILES = 2_000
MAX_BYTES = 32 * 1024 * 1024
"""What undo would have to keep of a folder; a larger one is moved by hand."""

ARCHIVED = "Deletes are archived here (skills/.archive); the agent would remove the folder for good."


def delete(draft: Draft, payload: Mapping[str, Any], now: datetime) -> str:
    """A skill that goes: every file of its folder moves into the archive."""
    name = text_of(payload, "name")
    skill = draft.find(name)
    if skill.path == skill.root:
        raise blocked("a skills folder", f"{skill.path} is a skills folder itself; all skills in it would go.")
    names = {name, skill.name, draft.own_name(skill)}
    if names & PROTECTED:
        raise blocked("built in", f"The skill {name!r} is built into the agent and stays. Reject this.")
    if pinned := sorted(names & _pinned(draft)):
        raise blocked(
            "pinned", f"The skill {pinned[0]!r} is pinned. Unpin it (hermes curator unpin {pinned[0]}), or reject this."
        )
    _check_heir(draft, payload, skill, names)
    files, folders = _contents(skill)
    home_root = draft.index.roots[0]
    target = _free_place(home_root, skill.name, now)
    for file in files:
        draft.move(file, target / file.relative_to(skill.path))
    inner = sum(file.name == SKILL_FILE for file in files) - 1
    if inner:
        draft.note(f"{plural(inner, 'other skill', 'other skills')} inside its folder would go with it.")
    category = skill.path.parent
    if category != skill.root and len(list(category.iterdir())) == 1:
        folders.append(category)
    draft.emptied += folders
    draft.note(ARCHIVED)
    if skill.root != home_root:
        draft.note(f"It lies in an external folder, {skill.root}, and moves into this home.")
    place = target.relative_to(home_root).as_posix()
    return f"Moves the skill {skill.place} ({plural(len(files), 'file', 'files')}) to skills/{place}."


def _pinned(draft: Draft) -> set[str]:
    try:
        found = read_file(draft.index.roots[0] / ".usage.json")
        usage = json.loads(found[0].decode("utf-8-sig")) if found else {}
    except (Unreadable, ValueError, RecursionError):
        draft.note(".usage.json cannot be read, so it is not known whether the skill is pinned.")
        return set()
    entries = usage.items() if isinstance(usage, dict) else ()
    return {name for name, entry in entries if isinstance(entry, dict) and entry.get("pinned")}


def _check_heir(draft: Draft, payload: Mapping[str, Any], skill: Skill, names: set[str]) -> None:
    heir = payload.get("absorbed_into")
    if heir is None:
        return
    if not isinstance(heir, str):
        raise invalid("Invalid record: absorbed_into is not text. Reject it.")
    heir = heir.strip()
    if not heir:
        return
    if heir in names:
        raise invalid(f"The skill {heir!r} cannot be absorbed into itself. Reject this.", "absorbs itself")
    try:
        other = draft.find(heir)
    except Refusal as refusal:
        raise Refusal(
            refusal.verdict,
            "heir not found",
            f"It is said to be absorbed into {heir!r}, but: {refusal.reason}",
        ) from refusal
    draft.skills.remove(other)
    if skill.path in (other.path, *other.path.parents):
        raise blocked("absorbs itself", f"{heir!r} lies inside the folder that would go. Reject this.")
    draft.note(f"Said to be absorbed into {heir!r}.")


def _contents(skill: Skill) -> tuple[list[Path], list[Path]]:
    """All files of a skill, and its folders from the deepest up."""
    files: list[Path] = []
    folders: list[Path] = []
    size = 0

    def fail(error: OSError) -> None:
        raise error

    for folder, names, file_names in os.walk(skill.path, onerror=fail):
        folders.append(Path(folder))
        for name in sorted(names + file_names):
            path = Path(folder, name)
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode):
                raise blocked("holds a link", f"{path} is a link, which could lead anywhere. Remove it first.")
            if stat.S_ISREG(status.st_mode):
                files.append(path)
                size += status.st_size
            elif not stat.S_ISDIR(status.st_mode):
                raise blocked("no plain file", f"{path} is neither a file nor a folder. Remove it first.")
        if len(files) > MAX_FILES or size > MAX_BYTES:
            raise blocked(
                "too large", f"{skill.path} is too large for its files to be kept for undo. Move it away by hand."
            )
    return files, folders[::-1]


def _free_place(root: Path, name: str, now: datetime) -> Path:
    """A folder in the archive, named as the curator names it."""
    archive = root / ".archive"
    target = archive / name
    while os.path.lexists(target):
        target = archive / f"{name}-{now:%Y%m%d%H%M%S}"
        now += timedelta(seconds=1)
    refuse_links(root, target)
    return target
