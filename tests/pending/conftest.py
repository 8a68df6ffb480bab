"""A home with a queue, and the review of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.config import load_config
from hermes_tui.home import resolve_home
from hermes_tui.pending.review import Review


@pytest.fixture
def open_review(hermes_home: Path) -> Callable[..., Review]:
    """Opens the review as a process of its own would; limits go into config.yaml first."""

    def open_(*, memory_limit: int = 2200, user_limit: int = 1375, extra: str = "") -> Review:
        (hermes_home / "config.yaml").write_text(
            f"memory:\n  memory_char_limit: {memory_limit}\n  user_char_limit: {user_limit}\n{extra}"
        )
        home = resolve_home()
        return Review(home, load_config(home))

    return open_


@pytest.fixture
def review(open_review: Callable[..., Review]) -> Review:
    """The review of an empty queue."""
    return open_review()


@pytest.fixture
def put(hermes_home: Path) -> Callable[..., Path]:
    """Puts a file into the memory queue as an agent, or something worse, would."""

    def put_(
        name: str, payload: object = None, *, raw: bytes | None = None, queue: str = "memory", **more: Any
    ) -> Path:
        folder = hermes_home / "pending" / queue
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        if raw is None:
            action = payload.get("action", "") if isinstance(payload, dict) else ""
            body = {
                "id": path.stem,
                "subsystem": queue,
                "action": action,
                "summary": "a summary",
                "origin": "foreground",
                "created_at": 1_700_000_000.5,
                "payload": payload,
                **more,
            }
            raw = json.dumps(body, indent=2).encode()
        path.write_bytes(raw)
        return path

    return put_


@pytest.fixture
def memory_file(hermes_home: Path) -> Path:
    """Where MEMORY.md is, or will be."""
    return hermes_home / "memories" / "MEMORY.md"
