"""Files of ours in which history is kept: what was found in the database, and what the stores were seen to hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hermes_tui.disk import append_line, read_file
from hermes_tui.errors import Unreadable
from hermes_tui.history.events import Sight
from hermes_tui.history.index import Index
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.view import StoreView

MOST_SEEN = 5_000
"""So many versions of the stores are kept in mind."""
READ_BY_US = ("ok", "drift", "bom", "missing")
"""States of a store in which it is known what it holds."""


class Cache:
    """What history knows of one home; the files may be deleted, and are made anew from what the agent still has."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "history"
        self.path = self.folder / "snapshots.jsonl"
        self.seen_path = self.folder / "seen.jsonl"
        self._last_seen: dict[str, tuple[str, ...]] | None = None

    def load(self) -> Index:
        """Everything that was found so far; lines that are not whole are passed over."""
        index = Index()
        for line in _lines(self.path):
            try:
                index.take(line)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError):
                continue
        return index

    def add(self, line: dict[str, Any]) -> None:
        """Keep something that was found; where the disk refuses, it is found again the next time."""
        if line:
            _append(self.path, line)

    def note(self, views: Iterable[StoreView], now: float) -> None:
        """Keep what the stores hold now, if it is something else than the last time."""
        if self._last_seen is None:
            self._last_seen = {store: sight.entries for store, sight in self._seen()}
        for view in views:
            if view.state not in READ_BY_US or self._last_seen.get(view.store) == tuple(view.texts):
                continue
            line = {"at": written_at(view, now), "seen": now, "store": view.store, "entries": view.texts}
            _append(self.seen_path, line)
            self._last_seen[view.store] = tuple(view.texts)

    def sights(self, store: StoreName) -> list[Sight]:
        """What a store was seen to hold."""
        return [sight for of, sight in self._seen() if of == store]

    def _seen(self) -> Iterator[tuple[StoreName, Sight]]:
        for line in list(_lines(self.seen_path))[-MOST_SEEN:]:
            try:
                store, at, entries = line["store"], float(line["at"]), tuple(map(str, line["entries"]))
                seen = float(line.get("seen", at))
            except (KeyError, TypeError, ValueError):
                continue
            if store in STORES:
                yield store, Sight(min(at, seen), seen, entries, "seen")


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


def _append(path: Path, line: dict[str, Any]) -> None:
    data = json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    try:
        append_line(path, data, durable=False)
    except Unreadable:
        return


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        found = read_file(path)
    except Unreadable:
        return
    for line in (found[0] if found else b"").split(b"\n"):
        try:
            value = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
