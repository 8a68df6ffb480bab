"""The files of skills as they would be, step by step, over those that are on the disk."""

from __future__ import annotations

import stat
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hermes_tui.disk import OWNER_ONLY, read_file, reason
from hermes_tui.errors import Unreadable
from hermes_tui.memory.journal import OtherFile
from hermes_tui.pending.skills.frontmatter import read_frontmatter
from hermes_tui.pending.skills.refusal import blocked, invalid
from hermes_tui.pending.skills.roots import Skill, SkillIndex, find_skill, refuse_links

MAX_FILE_CHARS = 100_000
MAX_FILE_BYTES = 1_048_576


class Draft:
    """What a pending write has done so far, without having done it."""

    def __init__(self, index: SkillIndex) -> None:
        self.index = index
        self.notes: list[str] = []
        self.emptied: list[Path] = []
        """Folders that go once they are empty, the deepest first."""
        self.touched: set[Path] = set()
        """Files that an earlier step of a batch has worked on."""
        self.skills: list[Skill] = []
        """The skills concerned."""
        self._files: dict[Path, OtherFile] = {}

    def note(self, sentence: str) -> None:
        """Keep a sentence that a person should read before deciding; once is enough."""
        if sentence and sentence not in self.notes:
            self.notes.append(sentence)

    def find(self, name: str) -> Skill:
        """The skill of a name.

        Raises:
            Refusal: there is none, or more than one.
        """
        skill, note = find_skill(self.index, name, self.own_name)
        self.note(note)
        refuse_links(skill.root, skill.file)
        self.skills.append(skill)
        return skill

    def own_name(self, skill: Skill) -> str:
        """The name in a skill's frontmatter; empty where there is none."""
        change = self._files.get(skill.file)
        if change is not None:
            return read_frontmatter((change.after or b"").decode("utf-8", "replace")).name
        try:
            status = skill.file.stat()
            return _name_in(skill.file, status.st_mtime_ns, status.st_size)
        except (OSError, Unreadable):
            return ""

    def add_skill(self, skill: Skill) -> None:
        """Let later steps find a skill that this one makes."""
        self.index = replace(self.index, skills=(*self.index.skills, skill))
        self.skills.append(skill)

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file as they would be now; None where there would be none.

        Raises:
            Unreadable: something is there that cannot be read.
        """
        if path in self._files:
            return self._files[path].after
        found = read_file(path)
        return None if found is None else found[0]

    def text(self, path: Path, what: str) -> str | None:
        """The text of a file as the agent reads it, every line end a newline; None where there is none.

        Raises:
            Refusal: it is not UTF-8.
        """
        data = self.read(path)
        if data is None:
            return None
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise invalid(
                f"{what} is not UTF-8 (at byte {error.start:,}), so nothing can be replaced in it.", "not text"
            ) from error
        if "\r" in text:
            self.note(f"All line ends of {what} become plain newlines, as the agent does it.")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def put(self, skill: Skill, path: Path, content: str, what: str) -> None:
        """Have a file hold this text.

        Raises:
            Refusal: it is too large, cannot be UTF-8, or a link or a folder stands in the way.
        """
        data = encoded(content, what)
        refuse_links(skill.root, path)
        for other, change in self._files.items():
            if change.after is not None and (other in path.parents or path in other.parents):
                raise blocked("file in the way", f"{what} and {other.name} cannot both be there.")
        before, mode = self._on_disk(path)
        if path in self._files:
            before, mode = self._files[path].before, self._files[path].mode
        if self.read(path) == data:
            self.note(f"Nothing changes: {what} holds exactly this already.")
        self._files[path] = OtherFile(str(path), before, data, mode)
        self.touched.add(path)

    def drop(self, skill: Skill, path: Path) -> None:
        """Have a file go.

        Raises:
            Refusal: a link or a folder stands in the way.
        """
        refuse_links(skill.root, path)
        before, mode = self._on_disk(path)
        if path in self._files:
            before, mode = self._files[path].before, self._files[path].mode
        self._files[path] = OtherFile(str(path), before, None, mode)
        self.touched.add(path)

    def move(self, old: Path, new: Path) -> None:
        """Have a file lie somewhere else, with its mode.

        Raises:
            Unreadable: it cannot be read.
        """
        found = read_file(old)
        if found is not None:
            data, status = found
            mode = stat.S_IMODE(status.st_mode)
            self._files[new] = OtherFile(str(new), None, data, mode)
            self._files[old] = OtherFile(str(old), data, None, mode)

    def changes(self) -> tuple[OtherFile, ...]:
        """What is different from the disk: what comes first, what goes last, so that nothing is ever nowhere."""
        changed = [change for change in self._files.values() if change.before != change.after]
        return tuple(sorted(changed, key=lambda change: change.after is None))

    def listing(self, folder: Path) -> set[str] | None:
        """Names in a folder as they would be; None where there is no folder."""
        names: set[str] | None
        try:
            names = {path.name for path in folder.iterdir()}
        except FileNotFoundError:
            names = None
        except OSError as error:
            raise blocked("file in the way", f"{folder} cannot be listed ({reason(error)}).") from error
        for path, change in self._files.items():
            if folder in path.parents:
                first = path.relative_to(folder).parts[0]
                if change.after is not None:
                    names = (names or set()) | {first}
                elif path.parent == folder and names:
                    names.discard(first)
        return names

    def _on_disk(self, path: Path) -> tuple[bytes | None, int]:
        found = read_file(path)
        return (None, OWNER_ONLY) if found is None else (found[0], stat.S_IMODE(found[1].st_mode))


@lru_cache(maxsize=4096)
def _name_in(path: Path, _mtime: int, _size: int) -> str:
    """The name in a SKILL.md; kept, since a name that is no folder's has every skill looked at."""
    found = read_file(path)
    return read_frontmatter(found[0].decode("utf-8", "replace")).name if found else ""


def encoded(content: str, what: str) -> bytes:
    """The bytes of a text that the agent would take.

    Raises:
        Refusal: it is too large or holds half a character.
    """
    try:
        data = content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise invalid(f"{what} would hold half a character (at {error.start + 1:,}), which no file can.") from error
    if len(content) > MAX_FILE_CHARS or len(data) > MAX_FILE_BYTES:
        raise invalid(
            f"{what} would be {len(content):,} characters long; {MAX_FILE_CHARS:,} are allowed. "
            "Split it into files under references/.",
            "too large",
        )
    return data
