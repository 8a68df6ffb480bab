"""What of a home is watched: the directories, the names in them, and what they look like right now."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import FILE_NAMES

READ_BYTES = 65_536
"""How much of a small file is compared when its time stamps cannot be relied on."""

POLLED_FILE_SYSTEMS = re.compile(
    r"9p|drvfs|nfs\d?|cifs|smb3?|smbfs|fuse(\.(?!fuse-overlayfs).*)?|virtiofs|vboxsf|prl_fs|afs|ceph"
)
"""File systems on which a change made elsewhere raises no event here."""

Topic = Literal["memory", "user", "config", "pending", "sessions", "home", "shape"]
"""What a change is about; `shape` means that a directory on the way came or went."""
Signature = tuple[object, ...]
Plan = dict[str, dict[str, set[Topic]]]
"""Real directory → name in it → what a change of that name is about."""

RECORDS = "*.json"
"""The name in a plan that stands for every pending record."""


def topics_of(plan: Plan, paths: Iterable[str]) -> set[Topic]:
    """What changes at `paths` are about."""
    topics: set[Topic] = set()
    for path in paths:
        if path in plan:
            topics.add("shape")
        folder, name = os.path.split(path)
        names = plan.get(folder, {})
        topics |= names.get(name, set())
        if is_record(name):
            topics |= names.get(RECORDS, set())
    return topics


def is_record(name: str) -> bool:
    """Whether a file of that name under `pending/` is a record, not a lock, a backup or half-written."""
    return name.endswith(".json") and not name.startswith(".")


def make_plan(home: HermesHome) -> Plan:
    """The directories to watch, and the names that matter in each.

    A directory that does not exist is waited for in the nearest one above it that does.
    """
    plan: Plan = {}

    def add(path: Path, topic: Topic) -> None:
        folder, name = path.parent, path.name
        while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112 - never raises
            folder, name, topic = folder.parent, folder.name, "shape"
        plan.setdefault(os.path.realpath(folder), {}).setdefault(name, set()).add(topic)

    for topic, path in _files(home):
        for hop in _hops(path):
            add(hop, topic)
    pending = home.path / "pending"
    for folder in (home.memories, pending, pending / "memory", pending / "skills"):
        for hop in _hops(folder):
            add(hop, "shape")
    if os.path.islink(home.path):  # noqa: PTH114 - never raises
        for hop in _hops(home.path):
            add(hop, "shape")
    for folder in (pending / "memory", pending / "skills"):
        add(folder / RECORDS, "pending")
    return plan


def _files(home: HermesHome) -> Iterator[tuple[Topic, Path]]:
    """The single files that matter, with what they are about."""
    yield "memory", home.memories / FILE_NAMES["memory"]
    yield "user", home.memories / FILE_NAMES["user"]
    yield "config", home.config_path
    yield "config", home.path / ".env"  # settings refer to it
    yield "sessions", home.state_db
    # SQLite keeps the log beside the real file.
    yield "sessions", Path(f"{os.path.realpath(home.state_db)}-wal")


def _hops(path: Path) -> Iterator[Path]:
    """`path`, and where it leads, link by link."""
    for _ in range(40):
        yield path
        try:
            path = path.parent / os.readlink(path)  # noqa: PTH115 - keeps the link's own words
        except OSError:
            return


def identity(plan: Plan) -> Signature:
    """`plan` with the directories themselves, so that one remade under its old name differs."""
    return tuple((folder, *sorted(names), *_signature(folder)[:2]) for folder, names in sorted(plan.items()))


def look(home: HermesHome, *, contents: bool = False) -> dict[Topic, Signature]:
    """A signature of everything that is watched, by what it is about.

    `contents` also reads the small files: over a network, or with time stamps of two seconds, a
    change may leave everything else as it was.
    """
    seen: dict[Topic, Signature] = {"home": (home.exists,)}
    for topic, path in _files(home):
        read = contents and topic != "sessions"
        seen[topic] = (*seen.get(topic, ()), *_signature(path, contents=read))
    records: list[object] = []
    for subsystem in ("memory", "skills"):
        folder = home.path / "pending" / subsystem
        try:
            names = sorted(filter(is_record, os.listdir(folder)))  # noqa: PTH208 - names are all that is needed
        except OSError as error:
            names = []
            records.append(error.errno)
        records += [(subsystem, name, *_signature(folder / name)) for name in names]
    seen["pending"] = tuple(records)
    return seen


def _signature(path: Path | str, *, contents: bool = False) -> Signature:
    """What tells one state of a file from another: device, inode, size, times; or why it cannot be seen."""
    try:
        info = os.stat(path)  # noqa: PTH116 - strings and paths alike
    except (OSError, ValueError) as error:
        return (None, getattr(error, "errno", None), 0)
    signature: Signature = (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
    if contents and stat.S_ISREG(info.st_mode):
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - strings and paths alike
                signature += (file.read(READ_BYTES),)
        except OSError as error:
            signature += (error.errno,)
    return signature


def vanished(before: dict[Topic, Signature], now: dict[Topic, Signature]) -> bool:
    """Whether something a person was looking at is gone or empty, perhaps only for a moment."""
    files: tuple[Topic, ...] = ("memory", "user", "config")
    return (before["home"][0] is True and now["home"][0] is False) or any(
        bool(before[topic][2]) and not now[topic][2] for topic in files
    )


def polled_file_system(home: HermesHome, mounts: str | None = None) -> tuple[str, str] | None:
    """The first directory of `home` whose file system reports no foreign changes, and its kind.

    `mounts` is the text of /proc/self/mountinfo, read when not given.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
        except OSError:
            return None
    table = _mount_table(mounts)
    for folder in make_plan(home):
        kind = _kind_of(folder, table)
        if POLLED_FILE_SYSTEMS.fullmatch(kind):
            return folder, kind
    return None


def _mount_table(mounts: str) -> dict[str, str]:
    """Mount point → file system; of several on one point the last is the one that shows."""
    table: dict[str, str] = {}
    for line in mounts.splitlines():
        before, dash, after = line.partition(" - ")
        fields = before.split(" ")
        if dash and len(fields) > 4:
            point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), fields[4])
            table[point] = after.split(" ")[0]
    return table


def _kind_of(folder: str, table: dict[str, str]) -> str:
    """The file system `folder` is on."""
    path = Path(folder)
    return next((table[str(part)] for part in (path, *path.parents) if str(part) in table), "")
