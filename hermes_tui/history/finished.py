"""The pasts of both stores as they were made the last time, so that the next start need not make them before it shows.

They are shown as long as history is read, like all that is not complete, and then made again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hermes_tui import __version__
from hermes_tui.history.changes import Change, State
from hermes_tui.history.events import Sight
from hermes_tui.history.gaps import Gap
from hermes_tui.history.kept import UNREADABLE
from hermes_tui.history.replay import Past
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.journal import JournalRecord
from hermes_tui.memory.view import StoreView

RULES = 6
"""Another number when the same things make another past."""


def stamp_of(
    views: Sequence[StoreView], records: Sequence[JournalRecord], seen: Mapping[StoreName, list[Sight]]
) -> str:
    """What pasts depend on beside the cache: the stores as they are, our journal, and what they were seen to hold.

    Args:
        views: the stores.
        records: of the journal.
        seen: what they were seen to hold.
    """
    now = {view.store: tuple(view.texts) for view in views}
    said = [
        [RULES, __version__],
        [
            [view.store, view.state, view.away, view.texts, view.mtime, view.usage.limit, _stat(view.target)]
            for view in views
        ],
        [[record.id, record.state, record.at] for record in records],
        [
            [[each.at, each.until] for each in sights if each.entries != now.get(store)]
            for store, sights in seen.items()
        ],
    ]
    return blake2b(json.dumps(said).encode("ascii"), digest_size=16).hexdigest()


def _stat(path: Path) -> list[int]:
    try:
        status = path.stat()
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def parts_of(pasts: Mapping[StoreName, Past]) -> dict[str, Any]:
    """Pasts as parts that can be written."""
    numbers: dict[str, int] = {}

    def number(text: str) -> int:
        return numbers.setdefault(text, len(numbers))

    rows = {
        store: [
            [
                [
                    *(each.kind, number(each.before), number(each.after), each.since, each.until, each.by),
                    *(each.certainty, each.session_id, each.message_id, each.record_id, each.partial),
                    *(each.after_partial, each.likely_edit, each.back),
                    *(each.about, each.taken_back, each.profile),
                ]
                for each in past.changes
            ],
            [[each.at, [*map(number, each.entries)], each.certain] for each in past.states],
            [*past.stale],
            [[*gap] for gap in past.gaps],
        ]
        for store, past in pasts.items()
    }
    return {"pasts": rows, "texts": [*numbers]}


def pasts_from(parts: Mapping[str, bytes]) -> dict[StoreName, Past] | None:
    """The pasts of such parts; None when they are none of ours."""
    try:
        texts, rows = json.loads(parts["texts"]), json.loads(parts["pasts"])
        return {store: _past(store, texts, *rows[store]) for store in STORES}
    except UNREADABLE:
        return None


def _past(
    store: StoreName, texts: Sequence[str], changes: list[Any], states: list[Any], stale: list[str], gaps: list[Any]
) -> Past:
    return Past(
        changes=tuple(Change(store, kind, texts[old], texts[new], *rest) for kind, old, new, *rest in changes),
        states=tuple(State(at, tuple(map(texts.__getitem__, those)), certain) for at, those, certain in states),
        stale=frozenset(stale),
        gaps=tuple(Gap(*gap) for gap in gaps),
    )
