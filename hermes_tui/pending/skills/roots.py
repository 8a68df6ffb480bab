"""Where skills live: the home's folder, then the external ones, and the skill that a name means in them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.home import HermesHome
from hermes_tui.pending.skills.refusal import Refusal, blocked
from hermes_tui.yaml_file import read_yaml

SKILL_FILE = "SKILL.md"
SUPPORT_FOLDERS = ("assets", "references", "scripts", "templates")
"""Folders of a skill that hold its files, never other skills."""
_TOOLS = (".git", ".github", ".venv", "venv", "node_modules", "site-packages", "__pycache__", ".tox", ".nox")
_CACHES = (".pytest_cache", ".mypy_cache", ".ruff_cache")
EXCLUDED = frozenset((*_TOOLS, *_CACHES, ".hub", ".archive", ".locks", ".curator_backups"))
"""Folders that are never looked into."""
MAX_FOLDERS = 50_000
"""A tree with more is not searched to its end."""

_VARIABLE = re.compile(r"\$(?:\{([^}]+)\}|(\w+))")


@dataclass(frozen=True, slots=True)
class Skill:
    """A folder with a SKILL.md."""

    path: Path
    root: Path
    """The skills folder that it lies in."""

    @property
    def name(self) -> str:
        """The folder's name, by which the agent finds it."""
        return self.path.name

    @property
    def file(self) -> Path:
        """Its SKILL.md."""
        return self.path / SKILL_FILE

    @property
    def place(self) -> str:
        """Where it lies in its root: `category/name`."""
        return self.path.relative_to(self.root).as_posix()


@dataclass(frozen=True, slots=True)
class SkillIndex:
    """All skills that the agent can find, as they stood at one moment."""

    roots: tuple[Path, ...]
    """The home's own skills folder, there or not, then the external ones."""
    create_root: Path
    """Where a new skill goes: the home's own folder, or what `skills.create_dir` names."""
    skills: tuple[Skill, ...]
    links: tuple[Path, ...]
    """Links to folders in them, which the agent does not follow."""


def external_dirs(home: HermesHome, environ: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The folders that `skills.external_dirs` in config.yaml names, spelled out; never raises."""
    named = _setting(home, "external_dirs")
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    return tuple(_spelled_out(name, home, environ) for name in names if isinstance(name, str) and name.strip())


def _setting(home: HermesHome, key: str) -> object:
    section = read_yaml(home.config_path).mapping.get("skills")
    return section.get(key) if isinstance(section, dict) else None


def _spelled_out(name: str, home: HermesHome, environ: Mapping[str, str] | None) -> Path:
    env = {"HERMES_HOME": str(home.path), **(os.environ if environ is None else environ)}
    filled = _VARIABLE.sub(lambda match: env.get(match[1] or match[2], match[0]), name.strip())
    if filled == "~" or filled.startswith("~/"):
        filled = env.get("HOME", "~") + filled[1:]
    return home.path / filled


def read_index(home: HermesHome, config_external_dirs: Sequence[Path] = ()) -> SkillIndex:
    """Look for skills in all roots; folders that cannot be entered are passed over."""
    own = home.path / "skills"
    named = _setting(home, "create_dir")
    created = _spelled_out(named, home, None) if isinstance(named, str) and named.strip() else own
    roots: list[Path] = [own]
    seen = {os.path.realpath(own)}
    for folder in (created, *config_external_dirs):
        real = os.path.realpath(folder)
        if real not in seen and (folder == created or folder.is_dir()):
            seen.add(real)
            roots.append(folder)
    skills: list[Skill] = []
    links: list[Path] = []
    for root in roots:
        _search(root, skills, links)
    return SkillIndex(tuple(roots), created, tuple(skills), tuple(links))


def _search(root: Path, skills: list[Skill], links: list[Path]) -> None:
    waiting = [root]
    for _ in range(MAX_FOLDERS):
        if not waiting:
            return
        folder = waiting.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name, reverse=True)
        except OSError:
            continue
        is_skill = any(entry.name == SKILL_FILE and not entry.is_dir() for entry in entries)
        if is_skill:
            skills.append(Skill(folder, root))
        for entry in entries:
            if entry.name in EXCLUDED or (is_skill and entry.name in SUPPORT_FOLDERS):
                continue
            if entry.is_symlink() and entry.is_dir():
                links.append(Path(entry.path))
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))


def find_skill(index: SkillIndex, name: str, own_name: Callable[[Skill], str]) -> tuple[Skill, str]:
    """The skill that a name means, and a note where the two lines of the agent read the name differently.

    Args:
        index: the skills there are.
        name: a folder's name; the 0.22 line also takes `category/name` and the name in a frontmatter.
        own_name: gives the name in a skill's frontmatter.

    Raises:
        Refusal: no skill, or more than one.
    """
    if "/" in name:
        for skill in index.skills:
            if skill.root == index.roots[0] and skill.place == name and skill.path != skill.root:
                return skill, "0.19 agents do not find a skill by category and name."
        raise _not_found(index, name)
    for root in index.roots:
        found = [skill for skill in index.skills if skill.root == root and skill.name == name]
        if len(found) > 1:
            places = " and ".join(skill.place for skill in found[:3])
            raise Refusal(
                "ambiguous",
                f"{len(found)} skills",
                f"{len(found)} skills are called {name!r} ({places}); the agent takes whichever its disk lists first. "
                "Rename one of them, or reject this.",
            )
        if found:
            return found[0], ""
    called = [skill for skill in index.skills if own_name(skill) == name]
    if name and len(called) == 1:
        return called[0], f"0.19 agents do not find {called[0].place} by the name in its frontmatter."
    raise _not_found(index, name)


def _not_found(index: SkillIndex, name: str) -> Refusal:
    for link in index.links:
        if link.name == name:
            return blocked("a link", f"The skill {name!r} is a link ({link}), which agents do not follow. Reject this.")
    shown = name if len(name) <= 64 else name[:63] + "…"
    return Refusal(
        "no_match", "skill not found", f"Skill not found: {shown!r} is in no skills folder of this home. Reject this."
    )


def refuse_links(root: Path, path: Path) -> None:
    """Say no to a path on which anything below the root is a link, or a file where a folder should be.

    Raises:
        Refusal: with what stands in the way.
    """
    for place in _steps(root, path):
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise blocked("cannot be read", f"{place} cannot be looked at ({error}).") from error
        if stat.S_ISLNK(mode):
            raise blocked(
                "a link",
                f"{place} is a link, which could lead out of the skill. Put the file itself there, or reject this.",
            )
        if place != path and not stat.S_ISDIR(mode):
            raise blocked("file in the way", f"{place} is a file where a folder should be. Move it away.")


def _steps(root: Path, path: Path) -> Iterator[Path]:
    place = root
    for part in path.relative_to(root).parts:
        place = place / part
        yield place
