"""Decisions over skill writes on a real home, taken back and made again."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from hermes_tui.pending.records import list_records
from hermes_tui.pending.review import Review
from tests.pending.skill_home import add_skill, skill_text

Put = Callable[..., Path]


def tree(folder: Path) -> list[tuple[str, bytes | None]]:
    """Everything below a folder, folders included."""
    return sorted(
        (str(path.relative_to(folder)), path.read_bytes() if path.is_file() else None) for path in folder.rglob("*")
    )


def decide(review: Review) -> None:
    """Approve the whole skills queue."""
    decision = review.approve(list_records(review.home, "skills"))
    assert decision.failed == ()


def test_a_deleted_skill_comes_back_whole_and_leaves_no_ghost_in_the_archive(
    review: Review, put: Put, hermes_home: Path
) -> None:
    """The next deletion would go elsewhere, and the agent would restore an empty skeleton."""
    folder = add_skill(hermes_home, "dev/foo", files={"references/a.md": b"a", "scripts/run.sh": b"#!/bin/sh\n"})
    (folder / "scripts" / "run.sh").chmod(0o755)
    for path in (hermes_home / "skills", folder.parent, folder, folder / "references", folder / "scripts"):
        path.chmod(0o755)
    before = tree(hermes_home / "skills")
    put("del.json", {"action": "delete", "name": "foo"}, queue="skills")
    for _ in range(2):
        decide(review)
        assert not folder.exists()
        assert (hermes_home / "skills" / ".archive" / "foo" / "references" / "a.md").read_bytes() == b"a"
        review.undo()
        assert [entry for entry in tree(hermes_home / "skills") if entry[0] != ".archive"] == before
        assert stat.S_IMODE((folder / "scripts").stat().st_mode) == 0o755
        assert stat.S_IMODE((folder / "scripts" / "run.sh").stat().st_mode) == 0o755


def test_a_created_skill_that_is_taken_back_leaves_no_empty_folder(review: Review, put: Put, hermes_home: Path) -> None:
    """An empty skill folder would stand in the way of the next one of that name."""
    (hermes_home / "skills").mkdir()
    put(
        "new.json",
        {"action": "create", "name": "newskill", "category": "dev", "content": skill_text("newskill")},
        queue="skills",
    )
    decide(review)
    assert (hermes_home / "skills" / "dev" / "newskill" / "SKILL.md").exists()
    review.undo()
    assert tree(hermes_home / "skills") == []
    review.redo()
    assert (hermes_home / "skills" / "dev" / "newskill" / "SKILL.md").exists()
