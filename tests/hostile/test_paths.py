"""Ids and names that are paths: whatever they say, nothing is read, made or removed outside the folder meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Run, tree
from tests.cli.conftest import run as run
from tests.pending.conftest import put as put
from tests.sessions.world import World

TRICKS = ("../../victim", "..", ".", "/etc/victim", "a/../../victim", "~/victim", "CON", "nul.txt", "x" * 5_000,
          "victim\x00.md", "C:\\victim", "\\\\host\\share", "-rf", "$(touch victim)", "a\nb", ".git", " ")  # fmt: skip


def test_no_id_leads_a_command_out_of_its_folder(run: Run, hermes_home: Path, put: Callable[..., Path]) -> None:
    """`pending reject ../../config.yaml` would remove it; a session called /etc/passwd would be exported over it."""
    (hermes_home / "config.yaml").write_text("{}")
    (hermes_home / "profiles").mkdir()
    (hermes_home.parent / "victim").write_text("as it was")
    put("real.json", {"action": "add", "target": "memory", "content": "fact"})
    World(hermes_home / "state.db", "0.22").close()
    before = tree(hermes_home)
    for trick in TRICKS:
        for words in (
            ["pending", "show"], ["pending", "approve"], ["pending", "reject"], ["sessions", "show"],
            ["sessions", "delete", "--yes"], ["settings", "get"], ["settings", "unset"],
            ["memory", "list", "--profile"],
            ["providers", "setup", "--yes"], ["providers", "memories", "list"], ["providers", "test", "--yes"],
            ["profiles", "compare", "default"],
        ):  # fmt: skip
            ran = run(*words, *([] if words[-1] == "--profile" else ["--"]), trick)
            assert ran.code in (1, 2, 3), (words, trick, ran)
    assert tree(hermes_home) == before
    assert (hermes_home.parent / "victim").read_text() == "as it was"


def test_no_id_or_title_leads_an_export_an_import_or_a_deletion_out_of_its_folder(
    run: Run, hermes_home: Path, tmp_path: Path
) -> None:
    """Exporting everything would write over files elsewhere, and deleting a session remove them."""
    sessions = hermes_home / "sessions"
    sessions.mkdir()
    for victim in (
        hermes_home / "victim.json",
        hermes_home.parent / "victim.jsonl",
        sessions / ".." / "session_victim.json",
    ):
        victim.write_text("as it was")
    world = World(hermes_home / "state.db", "0.22")
    ids = [trick.replace("\x00", "0") for trick in TRICKS if trick.strip()]
    for id in ids:
        world.session(id, "otter", title=f"{id[:50]} {len(id)}", ended_at=1.79e9)
    world.close()
    for ending in ("md", "html", "txt", "jsonl"):
        folder = tmp_path / "out" / ending
        ran = run("sessions", "export", "--all", "--format", ending, "--output", folder)
        assert ran.code == 0, ran.err
        made = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
        assert all(len(path.name.encode()) <= 255 and path.parent.parent == tmp_path / "out" for path in made)
    assert len(made) == 4 * len(ids)
    lines = [path for path in made if path.suffix == ".jsonl"]
    assert run("sessions", "delete", "--yes", "--", *ids).code == 0
    assert run("sessions", "import", "--yes", *lines).code == 0
    assert json.loads(run("sessions", "stats", "--json").out)["ok"]
    assert {path.read_text() for path in hermes_home.glob("*victim.json")} == {"as it was"}
    assert (hermes_home.parent / "victim.jsonl").read_text() == "as it was"
    assert {path.name for path in tmp_path.iterdir()} <= {"out", "user0"}
