"""How well a message matches, worked out within SQLite from the index alone: no text has to be read."""

from __future__ import annotations

import apsw

NAME = "hermes_tui_score"
SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""As in BM25: what a second occurrence is worth, and how much long messages are held back."""
USUAL_WORDS = 100.0
"""The length of a usual message."""


def saturated(count: float, length: float, usual: float) -> float:
    """The worth of `count` occurrences in a text of some length, where `usual` is the usual one."""
    return count * (SATURATION + 1) / (count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / usual))


def _score(api: apsw.FTS5ExtensionApi, *_: object) -> float:
    return saturated(api.inst_count, api.column_size(-1), USUAL_WORDS)


def register(connection: apsw.Connection) -> None:
    """Let a connection use the score, for each row of an index that matches."""
    connection.register_fts5_function(NAME, _score)
