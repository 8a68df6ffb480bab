"""Files of ours in which history is kept: what was found in the database, and what the stores were seen to hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hermes_tui.disk import append_line, read_file
from hermes_tui.errors import Unreadable
from hermes_tui.history.index import Index
from hermes_tui.history.replay import Sight
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.view import StoreView

MOST_SEEN = 5_000
"""So many versions of the stores are kept in mind."""


class Cache:
    """What history knows of one home; the files may be deleted, and are made anew from what the agent still has."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "history"
        self.path = self.folder / "snapshots.jsonl"
        self.seen_path = self.folder / "seen.jsonl"
        self._last_seen: dict[str, list[str]] = {}

    def load(self) -> Index:
        """Everything that was found so far; lines that are not whole are passed over."""
        index = Index()
        for line in _lines(self.path):
            try:
                index.take(line)
            except (KeyError, TypeError, ValueError):
                continue
        return index

    def add(self, line: dict[str, Any]) -> None:
        """Keep something that was found; where the disk refuses, it is found again the next time."""
        if line:
            _append(self.path, line)

    def note(self, views: Iterable[StoreView], now: float) -> None:
        """Keep what the stores hold now, if it is something else than the last time."""
        if not self._last_seen:
            self._last_seen = {sight_store: list(sight.entries) for sight_store, sight in self._seen()}
        for view in views:
            if view.state not in ("ok", "drift", "bom", "missing") or self._last_seen.get(view.store) == view.texts:
                continue
            # The file says when it was written, which may be long ago.
            at = now if view.mtime is None else min(now, view.mtime)
            _append(self.seen_path, {"at": at, "store": view.store, "entries": view.texts})
            self._last_seen[view.store] = view.texts

    def sights(self, store: StoreName) -> list[Sight]:
        """What a store was seen to hold."""
        return [sight for of, sight in self._seen() if of == store]

    def _seen(self) -> Iterator[tuple[StoreName, Sight]]:
        for line in list(_lines(self.seen_path))[-MOST_SEEN:]:
            try:
                store, at, entries = line["store"], float(line["at"]), tuple(map(str, line["entries"]))
            except (KeyError, TypeError, ValueError):
                continue
            if store in STORES:
                yield store, Sight(at, at, entries, "seen")


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
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value
