"""Secrets in files of a home: settings, logs, what sessions and repairs have left; and files that others may read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hermes_tui.disk import open_regular
from hermes_tui.home import HermesHome
from hermes_tui.secrets_found.allowance import Allowance
from hermes_tui.secrets_found.found import Found, Place, secrets_in
from hermes_tui.yaml_file import read_yaml

PIECE_BYTES = 1_000_000
"""So much of a file is searched at once."""
OVERLAP_BYTES = 20_000
"""A line that a piece ends in goes on for no longer than this, or it is cut there."""
SMALL_BYTES = 1 << 20
"""A larger file of settings is none."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file with secrets whose mode lets others read it."""

    path: Path
    mode: int
    sheltered: bool
    """Whether a folder above it keeps others out all the same."""


def in_config(home: HermesHome) -> Iterator[Found]:
    """Those in config.yaml, and in the copies that the agent has made of one it could not read."""
    told: set[tuple[int, str]] = set()
    for found in (*_in_whole(home.config_path, "config", home.config_path.name), *_in_values(home.config_path)):
        if (found.line, found.shown) not in told:
            told.add((found.line, found.shown))
            yield found
    for path in sorted(home.path.glob("config.yaml.*bak*")):
        yield from _in_whole(path, "backup", path.name)
    for path in sorted(home.memories.glob("*.bak.*")):
        yield from _in_whole(path, "backup", f"memories/{path.name}")


def in_logs(home: HermesHome, allowance: Allowance) -> Iterator[Found]:
    """Those in the agent's logs, the newest file first."""
    yield from _in_many(_newest(home.logs, "*.log*"), "log", allowance)


def in_session_files(home: HermesHome, allowance: Allowance) -> Iterator[Found]:
    """Those in the files that sessions have left beside the database, the newest first."""
    paths = [path for path in _newest(home.path / "sessions", "*") if path.suffix in (".json", ".jsonl")]
    yield from _in_many(paths, "session file", allowance)


def open_files(home: HermesHome) -> Iterator[OpenFile]:
    """Files that are meant to hold secrets, or do, and that others may read."""
    sheltered = not _may_enter(home.path)
    names = [home.path / ".env", *sorted(home.path.glob(".env.*")), home.config_path]
    names += [*sorted(home.path.glob("*.json")), *sorted(home.path.glob("*/config.json"))]
    names += sorted(home.path.glob("state-snapshots/*/.env"))
    for path in names:
        try:
            status = path.stat()
        except OSError:
            continue
        if not stat.S_ISREG(status.st_mode) or not status.st_mode & OTHERS or not status.st_size:
            continue
        if path.name.startswith(".env") or any(secrets_in(_small(path))):
            yield OpenFile(path, stat.S_IMODE(status.st_mode), sheltered)


def _may_enter(folder: Path) -> bool:
    """Whether others may enter a folder and all above it."""
    try:
        real = folder.resolve()
        return all(each.stat().st_mode & (stat.S_IXGRP | stat.S_IXOTH) for each in (real, *real.parents))
    except OSError:
        return True


def _in_whole(path: Path, place: Place, name: str) -> Iterator[Found]:
    text = _small(path)
    for hit in secrets_in(text):
        line = text.count("\n", 0, hit.start) + 1
        yield Found(place, f"line {line} of {name}", hit.shown, hit.kind, hit.name, str(path), line=line)


def _in_values(path: Path) -> Iterator[Found]:
    """Those in the settings as they are read: in `{api_key: …}` no line begins with the name."""
    text = _small(path)
    for name, value in _leaves(read_yaml(path).mapping):
        for hit in secrets_in(f"{name}: {value}"):
            line = text.count("\n", 0, max(0, text.find(value))) + 1
            yield Found("config", f"line {line} of {path.name}", hit.shown, hit.kind, name, str(path), line=line)


def _leaves(mapping: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Every text with the name before it; what several names share by an anchor is met once."""
    met: set[int] = set()
    waiting: list[tuple[str, object]] = [("", mapping)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Mapping | list) and id(value) not in met:
            met.add(id(value))
            inner = value.items() if isinstance(value, Mapping) else ((name, each) for each in value)
            waiting += reversed([(str(key), each) for key, each in inner])


def _small(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with open_regular(path) as stream:
            return stream.read(SMALL_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _newest(folder: Path, pattern: str) -> list[Path]:
    def written(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return 0.0

    try:
        return sorted((path for path in folder.glob(pattern) if path.is_file()), key=written, reverse=True)
    except OSError:
        return []


def _in_many(paths: list[Path], place: Place, allowance: Allowance) -> Iterator[Found]:
    total = sum(_size(path) for path in paths)
    done = 0
    for path in paths:
        if allowance.spent:
            break
        try:
            with open_regular(path) as stream:
                size = os.fstat(stream.fileno()).st_size
                for hit, read in _in_stream(stream, path, place, size, allowance):
                    if hit is not None:
                        yield hit
                    allowance.tell(done + read, max(total, 1))
                done += stream.tell()
        except OSError as error:
            allowance.left.append(f"{path} cannot be read: {error.strerror}.")
    if done < total:
        allowance.left.append(f"{_mega(done)} of {_mega(total)} of {paths[0].parent} were looked through.")


def _in_stream(
    stream: BinaryIO, path: Path, place: Place, size: int, allowance: Allowance
) -> Iterator[tuple[Found | None, int]]:
    """The secrets of one file, piece by piece at the ends of lines, and how much is read."""
    line, told = 1, set[tuple[str, str]]()
    while stream.tell() < size and not allowance.spent:
        data = stream.read(PIECE_BYTES) + stream.readline(OVERLAP_BYTES)
        text = data.decode("utf-8", "replace")
        for hit in secrets_in(text):
            key = hit.name, hit.shown
            if key in told and hit.shown != "***":
                continue  # a key that is logged with each request is told where it is met first
            told.add(key)
            at = line + text.count("\n", 0, hit.start)
            yield Found(place, f"line {at:,} of {path}", hit.shown, hit.kind, hit.name, str(path), at), stream.tell()
        line += data.count(b"\n")
        yield None, stream.tell()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _mega(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
