"""Stores on a real home in a temporary directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.home import resolve_home
from hermes_tui.memory.editing import MemoryStore


@pytest.fixture
def open_store(hermes_home: Path) -> Callable[..., MemoryStore]:
    """Opens the home's stores as a process of its own would; limits go into config.yaml first."""

    def open_(*, memory_limit: int = 2200, user_limit: int = 1375, read_only: bool = False) -> MemoryStore:
        config = hermes_home / "config.yaml"
        config.write_text(f"memory:\n  memory_char_limit: {memory_limit}\n  user_char_limit: {user_limit}\n")
        home = resolve_home()
        return MemoryStore(home, load_config(home), read_only=read_only)

    return open_


@pytest.fixture
def store(open_store: Callable[..., MemoryStore]) -> MemoryStore:
    """Both stores, empty, with the usual limits."""
    return open_store()


@pytest.fixture
def memory_file(hermes_home: Path) -> Path:
    """Where MEMORY.md is, or will be."""
    return hermes_home / "memories" / "MEMORY.md"


@pytest.fixture
def user_file(hermes_home: Path) -> Path:
    """Where USER.md is, or will be."""
    return hermes_home / "memories" / "USER.md"
