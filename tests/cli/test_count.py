"""Counting what waits, for a shell prompt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run, tree


def test_count_prints_the_total_and_json_both_kinds(run: Run, hermes_home: Path) -> None:
    """A prompt shows one number; a script gets all three."""
    assert run("count").out == "0\n"
    for folder, names in {"memory": ["a.json", "b.json"], "skills": ["c.json"]}.items():
        (hermes_home / "pending" / folder).mkdir(parents=True)
        for name in names:
            (hermes_home / "pending" / folder / name).write_text("not even JSON")
    (hermes_home / "pending" / "memory" / "d.json.tmp").write_text("")
    (hermes_home / "pending" / "memory" / "folder.json").mkdir()
    assert run("count").out == "4\n"  # what is listed as broken is counted, a write going on is not
    assert run("count", "--json").json == {"ok": True, "memory": 3, "skills": 1, "total": 4}


def test_queue_that_cannot_be_looked_into_is_not_an_empty_one(
    run: Run, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed folder is exit 3 with its name, not a zero."""
    closed = hermes_home / "pending" / "skills"
    closed.mkdir(parents=True)
    allowed = os.access
    # The one who runs this may be root, to whom nothing is closed.
    monkeypatch.setattr(os, "access", lambda path, mode: path != closed and allowed(path, mode))
    shown = run("count", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (3, "unreadable")
    assert str(closed) in shown.err


def test_counting_leaves_no_trace(run: Run, isolated_machine: Path, hermes_home: Path) -> None:
    """A prompt that counts every few seconds writes nothing."""
    before = tree(isolated_machine)
    run("count")
    assert tree(isolated_machine) == before
    assert hermes_home.is_dir()
