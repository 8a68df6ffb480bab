"""Every test runs on a machine of its own: no real home, no real state directory, a fixed locale and zone."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import time
from pathlib import Path

import pytest
from hypothesis import settings

# How long one input takes says more about the machine than about the code.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")

_KEPT = {"PATH", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "CI", "SYSTEMROOT", "PYTEST_XDIST_WORKER"}
_NUMBERS = itertools.count()

# In the background of a shell, or under nohup, they are ignored, and by every program that a test starts as well.
for _number, _usual in (
    ("SIGINT", signal.default_int_handler),
    ("SIGHUP", signal.SIG_DFL),
    ("SIGQUIT", signal.SIG_DFL),
):
    if hasattr(signal, _number) and signal.getsignal(getattr(signal, _number)) is signal.SIG_IGN:
        signal.signal(getattr(signal, _number), _usual)


def pytest_collection_finish() -> None:
    """Thousands of collected tests are no garbage, and apps make little: to look for it takes a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_sessionfinish() -> None:
    """Nor is what is left at the end, where pytest would look through all of it five times."""
    gc.freeze()


@pytest.fixture(autouse=True)
def isolated_machine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with nothing of the developer's in it; returns the directory that serves as `~`."""
    # Not mktemp of the factory: it looks through all directories made before, at every test.
    user_home = tmp_path_factory.getbasetemp() / f"user{next(_NUMBERS)}"
    user_home.mkdir()
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith(("COV", "PYTEST_", "TEXTUAL_SNAPSHOT_")):
            monkeypatch.delenv(name)
    for name, folder in {
        "HOME": ".",
        "XDG_STATE_HOME": ".local/state",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_CACHE_HOME": ".cache",
    }.items():
        monkeypatch.setenv(name, str((user_home / folder).resolve()))
    monkeypatch.setenv("HERMES_MANAGED_DIR", str(user_home / "managed"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    return user_home


@pytest.fixture
def hermes_home(isolated_machine: Path) -> Path:
    """An empty but existing Hermes home at its default place."""
    home = isolated_machine / ".hermes"
    (home / "memories").mkdir(parents=True, mode=0o700)
    return home
