"""Files of ours in which history is kept: what was found in the database, and what the stores were seen to hold."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hermes_tui.disk import append_line, read_file, replace_file
from hermes_tui.errors import Unreadable
from hermes_tui.history.events import Sight
from hermes_tui.history.index import Index
from hermes_tui.history.kept import UNREADABLE, kept_from, packed, unpacked
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.view import StoreView

MOST_SEEN = 5_000
"""So many versions of the stores are kept in mind."""
FOLDED_BYTES = 200_000
"""After so many bytes of lines since the last time, everything is folded up anew."""
FINISHED_SECONDS = 300.0
"""As long as only sessions come, what is made of them is kept this often."""
ENDING_BYTES = 4_096
"""By so much before some place in the lines it is told that they are the same."""
READ_BY_US = ("ok", "drift", "bom", "missing")
"""States of a store in which it is known what it holds."""
ABSENT_SECONDS = 3_600.0
"""A file that is there again within this time, with the same entries, was only out of sight."""


def is_known(view: StoreView) -> bool:
    """Whether a reading of a store tells what it holds: not where its folder is not there, or it cannot be read."""
    return view.state in READ_BY_US and not view.away


class Cache:
    """What history knows of one home; the files may be deleted, and are made anew from what the agent still has.

    Args:
        data_dir: our own data about the home.
        kept: whether anything is written; what is not is found again the next time.
    """

    def __init__(self, data_dir: Path, *, kept: bool = True) -> None:
        self._kept = kept
        self.folder = data_dir / "history"
        self.path = self.folder / "snapshots.jsonl"
        self.seen_path = self.folder / "seen.jsonl"
        self.folded_path = self.folder / "snapshots.kept"
        self.finished_path = self.folder / "finished.kept"
        self._last_seen: dict[str, tuple[str, ...]] | None = None
        self._size: int | None = 0
        """Bytes of the lines that are taken in; None when somebody else has added some."""
        self._folded = 0
        """Bytes of the lines that are folded up."""
        self._ending = b""
        """The last of the lines that are taken in."""
        self._sights: list[tuple[StoreName, Sight]] = []
        """Those that are in the lines read so far."""
        self._seen_through = 0
        """How many bytes these lines are."""
        self._seen_ending = _ending(b"", 0)
        self._finished = "", 0.0
        """Of what was kept finished, and when."""

    def load(self) -> Index:
        """Everything that was found so far; lines that are not whole are passed over."""
        data = _data(self.path)
        index, self._folded = self._unfolded(data)
        for line in _lines(data[self._folded :]):
            try:
                index.take(line)
            except UNREADABLE:
                continue
        self._size, self._ending = len(data), data[-ENDING_BYTES:]
        return index

    def add(self, line: dict[str, Any]) -> None:
        """Keep something that was found; where the disk refuses, it is found again the next time."""
        if not line:
            return
        data = self._append(self.path, line)
        if self._size is not None:
            self._size += len(data)
            self._ending = (self._ending + data)[-ENDING_BYTES:]
            if data == b"" or _size(self.path) != self._size:
                self._size = None  # another process writes as well, or a line was torn: what is there is not all ours

    # The same in a form that is read in a moment

    def fold(self, index: Index) -> None:
        """Fold everything up, if much has been added since the last time."""
        if self._size is None or self._size - self._folded <= FOLDED_BYTES:
            return
        if self._write(self.folded_path, index.fold(), {}):
            self._folded = self._size

    def finish(self, parts: Mapping[str, Any], stamp: str) -> None:
        """Keep what was made of it; not as long as there is so little that it is made in a moment."""
        due = stamp != self._finished[0] or time.monotonic() - self._finished[1] > FINISHED_SECONDS
        if due and self._size is not None and self._size > FOLDED_BYTES:
            self._write(self.finished_path, parts, {"stamp": stamp})
            self._finished = stamp, time.monotonic()

    def finished(self, stamp: str) -> dict[str, bytes]:
        """What was made of it the last time, if that was made of the same; empty if not.

        There may be more in the cache since then: as with all that is shown while history is read.
        """
        try:
            head, parts = unpacked(_data(self.finished_path))
            through, ending = int(head["through"]), head["ending"]
        except UNREADABLE:
            return {}
        if head.get("stamp") != stamp or self._size is None or not 0 < through <= self._size:
            return {}
        same = _ending(_data(self.path), through) if through < self._size else zlib.crc32(self._ending)
        return parts if same == ending else {}

    def _unfolded(self, data: bytes) -> tuple[Index, int]:
        """The index that was folded up, and how many bytes of lines are in it."""
        try:
            head, parts = unpacked(_data(self.folded_path))
            through = int(head["through"])
            if 0 < through <= len(data) and head["ending"] == _ending(data, through):
                return Index.of(kept_from(parts)), through
        except UNREADABLE:
            pass
        return Index(), 0

    def _write(self, path: Path, parts: Mapping[str, Any], about: Mapping[str, Any]) -> bool:
        if not self._kept:
            return False
        place = {"through": self._size, "ending": zlib.crc32(self._ending)}
        try:
            replace_file(path, packed(parts, {**about, **place}), follow=False)
        except Unreadable:
            return False
        return True

    def _append(self, path: Path, line: dict[str, Any]) -> bytes:
        """Add a line; what was added, empty where the disk refused or nothing is written."""
        data = json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        try:
            if self._kept:
                append_line(path, data, durable=False)
                return data + b"\n"
        except Unreadable:
            pass
        return b""

    def note(self, views: Iterable[StoreView], now: float) -> None:
        """Keep what the stores hold now, if it is something else than the last time."""
        if not self._kept:
            return
        if self._last_seen is None:
            self._last_seen = {store: sight.entries for store, sight in self._seen()}
        for view in views:
            if not is_known(view) or self._last_seen.get(view.store) == tuple(view.texts):
                continue
            line = {"at": written_at(view, now), "seen": now, "store": view.store, "entries": view.texts}
            if view.state == "missing":
                line["absent"] = True
            self._append(self.seen_path, line)
            self._last_seen[view.store] = tuple(view.texts)

    def sights(self, store: StoreName) -> list[Sight]:
        """What a store was seen to hold."""
        return lasting(sight for of, sight in self._seen() if of == store)

    def _seen(self) -> list[tuple[StoreName, Sight]]:
        """All sights; a line that was read once is not read again, for they are asked for after every write."""
        data = _data(self.seen_path)
        through = self._seen_through
        if through > len(data) or _ending(data, through) != self._seen_ending:
            self._sights, through = [], 0
        whole = data.rfind(b"\n") + 1
        if whole > through:
            self._sights += self._sights_in(data[through:whole])
            del self._sights[:-MOST_SEEN]
        self._seen_through, self._seen_ending = max(through, whole), _ending(data, max(through, whole))
        return [*self._sights, *self._sights_in(data[self._seen_through :])]

    def _sights_in(self, data: bytes) -> Iterator[tuple[StoreName, Sight]]:
        # Most entries are those of the sight before: the same string, not one more for each.
        known = {text: text for _, sight in self._sights[-2:] for text in sight.entries}
        for line in _lines(data):
            try:
                store, at, entries = line["store"], float(line["at"]), tuple(map(str, line["entries"]))
                seen = float(line.get("seen", at))
                absent = line.get("absent") is True
            except UNREADABLE:
                continue
            if store in STORES:
                held = tuple(known.setdefault(text, text) for text in entries)
                yield store, Sight(min(at, seen), seen, held, "seen", absent=absent)


def lasting(sights: Iterable[Sight]) -> list[Sight]:
    """Sights without those of no file, where it soon was back with the entries that it had."""
    kept: list[Sight] = []
    for sight in sights:
        back = len(kept) > 1 and kept[-1].absent and kept[-2].entries == sight.entries
        if back and sight.at - kept[-1].until <= ABSENT_SECONDS:
            kept.pop()
        kept.append(sight)
    return kept


def written_at(view: StoreView, now: float) -> float:
    """When a store's file was written the last time, as the system says; now if it cannot have been then."""
    if view.mtime is None:
        return now
    try:
        # A file that was brought back has an old time of writing, but not of its last change of any kind.
        status = view.target.stat()
    except OSError:
        return now
    at = max(status.st_mtime, status.st_ctime)
    return at if status.st_mtime == view.mtime and at <= now else now


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _ending(data: bytes, end: int) -> int:
    """By what the lines before some place are told apart from others."""
    return zlib.crc32(data[max(0, end - ENDING_BYTES) : end])


def _data(path: Path) -> bytes:
    try:
        found = read_file(path)
    except Unreadable:
        return b""
    return found[0] if found else b""


def _lines(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.split(b"\n"):
        try:
            value = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
