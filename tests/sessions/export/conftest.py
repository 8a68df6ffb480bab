"""Exports of small databases, as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.export.export import export_to
from hermes_tui.sessions.export.wish import Exported, Format, Wish
from tests.sessions.world import World

Written = tuple[str, Exported]
ExportText = Callable[..., Written]


@pytest.fixture
def export_text() -> ExportText:
    """Export some sessions of a world; the text, and what is said of it."""

    def run(world: World, *ids: str, form: Format = "markdown", **wish: Any) -> Written:
        pieces: list[str] = []
        with Database(world.path) as base:
            done = export_to(base, ids, pieces.append, replace(Wish(form), **wish))
        return "".join(pieces), done

    return run
