"""`hermes-tui sessions rename|archive|pin|delete|prune|undo|vacuum`: what they do, say, and leave alone."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.home import data_dir
from hermes_tui.sessions.upkeep import keeper as keeping
from hermes_tui.sessions.upkeep import undoing
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.writer import Writer
from tests.cli.conftest import Ran, Run, tree
from tests.nasty import NASTY
from tests.sessions.upkeep.conftest import check, dump, home_of
from tests.sessions.world import NOW, World

CHANGE_KEYS = {"ok", "message", "done", "failed", "step"}
PLAN_KEYS = {
    *("conversations", "delegates", "surfacing", "messages", "bytes", "files", "left_alone", "missing", "slow"),
}
DOOMED_KEYS = {
    *("id", "lineage", "delegates", "title", "messages", "bytes", "last_active", "in_use", "pinned"),
}
DAY = 86_400.0


@pytest.fixture
def world(hermes_home: Path) -> Iterator[World]:
    """A home with a conversation of two parts, its subagent and branch, and some others."""
    made = World(hermes_home / "state.db", "0.22", age="new")
    made.session("20260101_100000_aaaaaa", "an otter", "yes", title="Otters", end_reason="compression", ended_at=1.0)
    made.session("20260102_100000_bbbbbb", "more otters", parent_session_id="20260101_100000_aaaaaa")
    made.session("20260103_100000_cccccc", "task", source="subagent", parent_session_id="20260102_100000_bbbbbb",
                 model_config='{"_delegate_from": "20260102_100000_bbbbbb"}')  # fmt: skip
    made.session("20260104_100000_dddddd", "off", title="Off", parent_session_id="20260101_100000_aaaaaa",
                 model_config='{"_branched_from": "20260101_100000_aaaaaa"}')  # fmt: skip
    made.session("20260105_100000_eeeeee", "a zebra", title="Zebras", source="telegram")
    made.session("20260106_100000_ffffff", title="Empty", archived=1)
    yield made
    made.close()


def there(world: World) -> set[str]:
    """The last letters of the sessions that are there."""
    return {row[0][-6:] for row in world.rows("SELECT id FROM sessions")}


def title(world: World, ending: str) -> Any:
    """The title of a session."""
    return world.rows("SELECT title FROM sessions WHERE id LIKE ?", (f"%{ending}",))[0][0]


def failed(shown: Ran, code: str, exit_code: int = 1) -> dict[str, Any]:
    """The error of a command that did not do it; also said on stderr."""
    assert (shown.code, shown.json["ok"]) == (exit_code, False)
    error: dict[str, Any] = shown.json["error"]
    assert error["code"] == code
    assert error["message"] in shown.err
    return error


def test_rename_gives_and_takes_titles(run: Run, world: World) -> None:
    """A title could only be given on the screen."""
    shown = run("sessions", "rename", "20260105", "Big", "striped", "horses", "--json")
    assert shown.code == 0
    assert set(shown.json) == CHANGE_KEYS | {"id", "title"}
    assert (shown.json["id"], shown.json["title"]) == ("20260105_100000_eeeeee", "Big striped horses")
    assert (shown.json["done"], shown.json["failed"]) == (["20260105_100000_eeeeee"], [])
    assert shown.json["step"]
    assert run("sessions", "rename", "Big striped horses", "--clear").out == "The title is cleared.\n"
    assert title(world, "eeeeee") is None
    plain = run("sessions", "rename", "20260105", "a\u200bb")
    assert (plain.out, plain.err) == ("Renamed to “ab”.\n", "Taken out: U+200B ZERO WIDTH SPACE.\n")
    assert run("sessions", "rename", "ab", "  ").out == "The title is cleared.\n"
    assert title(world, "eeeeee") is None


def test_rename_says_what_is_in_the_way(run: Run, world: World) -> None:
    """A script could not tell a taken title from one that is too long."""
    for more in ([], ["--dry-run"]):
        error = failed(run("sessions", "rename", "20260105", "Otters", "--json", *more), "title_taken")
        assert (error["holder"], error["offer"]) == ("20260101_100000_aaaaaa", "Otters #2")
        failed(run("sessions", "rename", "20260105", "x" * 101, "--json", *more), "title_too_long")
    failed(run("sessions", "rename", "nobody", "Title", "--json"), "no_such_session")
    assert run("sessions", "rename", "20260105").code == 2
    assert run("sessions", "rename").code == 2
    assert title(world, "eeeeee") == "Zebras"


def test_archive_puts_away_and_brings_back(run: Run, world: World) -> None:
    """The archive could only be reached on the screen."""
    shown = run("sessions", "archive", "Otters", "20260105", "--json")
    assert (shown.code, set(shown.json)) == (0, CHANGE_KEYS)
    assert shown.json["message"] == "Archived 2 conversations."
    archived = "SELECT substr(id, -6) FROM sessions WHERE archived = 1 ORDER BY id"
    assert [row[0] for row in world.rows(archived)] == ["aaaaaa", "bbbbbb", "eeeeee", "ffffff"]
    assert run("sessions", "archive", "--restore", "20260105").out == "Taken out of the archive: 1 conversation.\n"
    assert run("sessions", "undo").code == run("sessions", "undo").code == 0
    assert [row[0] for row in world.rows(archived)] == ["ffffff"]


def test_archive_takes_what_filters_match(run: Run, world: World) -> None:
    """Old conversations would have to be named one by one."""
    dry = run("sessions", "archive", "--source", "telegram", "--dry-run", "--json")
    assert dry.json == {"ok": True, "dry_run": True, "ids": ["20260105_100000_eeeeee"]}
    failed(run("sessions", "archive", "--source", "telegram", "--json"), "not_confirmed")
    assert run("sessions", "archive", "--source", "telegram", "--yes").out == "Archived 1 conversation.\n"
    failed(run("sessions", "archive", "--source", "telegram", "--yes", "--json"), "nothing_matches")
    back = run("sessions", "archive", "--restore", "--title", "e", "--yes", "--json")
    assert len(back.json["done"]) == 2
    assert world.rows("SELECT count(*) FROM sessions WHERE archived") == [(0,)]
    assert run("sessions", "archive").code == 2
    assert run("sessions", "archive", "20260105", "--source", "telegram").code == 2


def test_pin_keeps_and_lets_go(run: Run, world: World) -> None:
    """What must not be pruned could only be said on the screen."""
    assert run("sessions", "pin", "Zebras").out == "Pinned 1 conversation.\n"
    assert run("sessions", "pin", "Zebras", "--dry-run", "--json").json["ids"] == ["20260105_100000_eeeeee"]
    plan = run("sessions", "prune", "--source", "telegram", "--dry-run", "--json")
    assert (plan.code, plan.json["error"]["code"]) == (1, "nothing_matches")
    assert plan.json["plan"]["left_alone"][0]["reason"] == "It is pinned."
    assert run("sessions", "prune", "--source", "telegram", "--pinned-too", "--dry-run").code == 0
    assert run("sessions", "pin", "--remove", "Zebras").code == 0
    assert world.rows("SELECT count(*) FROM sessions WHERE pinned") == [(0,)]
    assert run("sessions", "pin").code == 2


def test_pin_on_an_older_agent_says_that_it_cannot(run: Run, hermes_home: Path) -> None:
    """Nothing would happen, and exit code 0."""
    old = World(hermes_home / "state.db", "0.19", age="new")
    old.session("s1", "hello")
    failed(run("sessions", "pin", "s1", "--json"), "not_supported")
    old.close()


def test_delete_shows_what_goes_and_asks(run: Run, world: World) -> None:
    """A whole conversation would be gone by one word."""
    before = dump(world.path)
    asked = run("sessions", "delete", "Otters")
    assert (asked.code, asked.out) == (1, "")
    assert "1 conversation with 4 messages" in asked.err
    assert "1 subagent run is deleted too." in asked.err
    assert "1 branch is kept." in asked.err
    assert "Delete 1 conversation? Nobody is there to ask. Say yes with --yes." in asked.err
    assert dump(world.path) == before
    shown = run("sessions", "delete", "Otters", "--yes", "--json")
    assert shown.code == 0
    assert set(shown.json) == CHANGE_KEYS | {"plan"}
    assert set(shown.json["plan"]) == PLAN_KEYS
    [doomed] = shown.json["plan"]["conversations"]
    assert set(doomed) == DOOMED_KEYS
    assert [id[-6:] for id in doomed["lineage"]] == ["aaaaaa", "bbbbbb"]
    assert [other["id"][-6:] for other in shown.json["plan"]["delegates"]] == ["cccccc"]
    assert [(other["id"][-6:], other["kind"]) for other in shown.json["plan"]["surfacing"]] == [("dddddd", "branch")]
    assert shown.json["done"] == ["20260102_100000_bbbbbb"]
    assert there(world) == {"dddddd", "eeeeee", "ffffff"}
    check(world.path)
    undone = run("sessions", "undo", "--json")
    assert (undone.code, set(undone.json), len(undone.json["done"])) == (0, CHANGE_KEYS, 3)
    assert dump(world.path) == before


def test_delete_takes_one_part_only_when_it_is_told_to(run: Run, world: World) -> None:
    """The other parts would go too."""
    assert run("sessions", "delete", "20260101", "--only-part", "--yes").code == 0
    assert there(world) == {"bbbbbb", "cccccc", "dddddd", "eeeeee", "ffffff"}


def test_delete_of_what_is_not_there_is_an_error(run: Run, world: World) -> None:
    """Exit code 0 would say that it was deleted."""
    failed(run("sessions", "delete", "nobody", "--yes", "--json"), "no_such_session")
    failed(run("sessions", "delete", "Zebras", "nobody", "--yes", "--json"), "no_such_session")
    failed(run("sessions", "delete", "2026", "--yes", "--json"), "ambiguous_session")
    assert run("sessions", "delete").code == 2
    assert len(there(world)) == 6


def test_delete_tells_how_to_take_it_back(run: Run, world: World) -> None:
    """A person would not know that it can be."""
    shown = run("sessions", "delete", "Zebras", "--yes")
    assert shown.out == "Deleted 1 conversation.\n"
    assert "`hermes-tui sessions undo` brings them back" in shown.err
    assert "eeeeee" not in there(world)


def test_prune_takes_what_is_old_and_leaves_the_rest(run: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a word it would take what was used yesterday, or pinned."""
    monkeypatch.setattr("time.time", lambda: NOW)
    world.run("UPDATE messages SET timestamp = ? WHERE session_id LIKE '%eeeeee'", (NOW - 100 * DAY,))
    world.run("UPDATE sessions SET started_at = ? WHERE id LIKE '%eeeeee'", (NOW - 100 * DAY,))
    dry = run("sessions", "prune", "--dry-run", "--json")
    assert (dry.code, dry.json["dry_run"], set(dry.json["plan"])) == (0, True, PLAN_KEYS)
    assert [each["id"][-6:] for each in dry.json["plan"]["conversations"]] == ["eeeeee"]
    assert "a zebra" not in dry.out
    plain = run("sessions", "prune", "--dry-run")
    assert "1 conversation with 1 message" in plain.out
    assert "Zebras" in plain.out
    failed(run("sessions", "prune", "--json"), "not_confirmed")
    assert run("sessions", "prune", "--yes").out == "Deleted 1 conversation.\n"
    assert "eeeeee" not in there(world)
    gone = run("sessions", "prune", "--yes", "--json")
    error = failed(gone, "nothing_matches")
    assert error["message"] == "No conversation matches."
    assert gone.json["dry_run"] is False


@pytest.mark.parametrize(
    ("words", "matched"),
    [
        (["--older-than", "20d"], {"bbbbbb", "dddddd", "eeeeee"}),
        (["--older-than", "90"], set()),
        (["--older-than", "12h"], {"bbbbbb", "dddddd", "eeeeee"}),
        (["--source", "telegram", "--source", "cli", "--title", "otter"], {"bbbbbb"}),
        (["--archived", "only", "--empty"], set()),
        (["--archived", "only", "--max-messages", "0"], {"ffffff"}),
        (["--archived", "--title", "e"], {"bbbbbb", "eeeeee", "ffffff"}),
        (["--min-messages", "3"], {"bbbbbb"}),
        (["--before", "2000"], set()),
        (["--after", "2000", "--title", "zebra"], {"eeeeee"}),
        (["--end-reason", "compression"], set()),
        (["--model", "gpt"], set()),
        (["--cwd", "/nowhere"], set()),
    ],
)
def test_prune_filters(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch, words: list[str], matched: set[str]
) -> None:
    """An option would be taken for another one."""
    monkeypatch.setattr("time.time", lambda: NOW + 10 * DAY)
    world.run("DELETE FROM messages WHERE session_id LIKE '%cccccc'")
    world.run("DELETE FROM sessions WHERE id LIKE '%cccccc'")
    world.run("UPDATE messages SET timestamp = ?", (NOW - 11 * DAY,))
    world.run("UPDATE sessions SET started_at = ?", (NOW - 11 * DAY,))
    shown = run("sessions", "prune", "--dry-run", "--json", *words)
    assert {each["id"][-6:] for each in shown.json["plan"]["conversations"]} == matched
    assert shown.code == (0 if matched else 1)


@pytest.mark.parametrize(
    "words",
    [
        ["prune", "--older-than", "soon"],
        ["prune", "--before", "someday"],
        ["prune", "--archived", "maybe"],
        ["prune", "--min-messages", "-1"],
        ["prune", "extra"],
        ["archive", "--restore"],
        ["undo", "extra"],
        ["vacuum", "extra"],
    ],
)
def test_what_is_typed_wrong_is_said(run: Run, world: World, words: list[str]) -> None:
    """A filter with a typo would match everything."""
    before = dump(world.path)
    shown = run("sessions", *words, "--json", *([] if words[0] == "undo" else ["--yes"]))
    failed(shown, "usage", 2)
    assert dump(world.path) == before


CHANGES = [
    ["rename", "Zebras", "Horses"],
    ["rename", "Zebras", "--clear"],
    ["archive", "Zebras"],
    ["archive", "--source", "telegram", "--yes"],
    ["archive", "--restore", "Empty"],
    ["pin", "Zebras"],
    ["delete", "Otters", "--yes"],
    ["delete", "Otters", "--only-part", "--yes"],
    ["prune", "--older-than", "0", "--yes"],
]
OTHERS = [["undo"], ["undo", "--forget", "all", "--yes"], ["vacuum", "--yes"]]


@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
@pytest.mark.parametrize("json", ["--json", ""])
def test_a_dry_run_writes_nothing(run: Run, world: World, isolated_machine: Path, words: list[str], json: str) -> None:
    """Trying out what would be done would do it, or leave files about."""
    world.close()
    before = tree(isolated_machine)
    shown = run("sessions", *words, "--dry-run", *([json] if json else []))
    assert shown.code == 0
    if json:
        assert shown.json["dry_run"] is True
    assert tree(isolated_machine) == before


@pytest.mark.parametrize("words", [*CHANGES, *OTHERS], ids=" ".join)
def test_read_only_changes_nothing(run: Run, world: World, isolated_machine: Path, words: list[str]) -> None:
    """--read-only would be a word."""
    run("sessions", "rename", "Otters", "Otter")
    run("sessions", "rename", "Otter", "Otters")
    world.close()
    before = tree(isolated_machine)
    failed(run("sessions", *words, "--read-only", "--json"), "read_only")
    assert tree(isolated_machine) == before


ASKING = [
    ["delete", "Otters"],
    ["prune", "--older-than", "0"],
    ["vacuum"],
    ["archive", "--source", "telegram"],
    ["undo", "--forget", "all"],
]


@pytest.mark.parametrize("words", ASKING, ids=" ".join)
def test_nothing_is_done_when_nobody_can_be_asked(run: Run, world: World, words: list[str]) -> None:
    """A script without --yes would delete, or wait for ever."""
    run("sessions", "rename", "Otters", "Otter")
    run("sessions", "rename", "Otter", "Otters")
    before = dump(world.path)
    error = failed(run("sessions", *words, "--json", stdin=b"y\n"), "not_confirmed")
    assert error["hint"] == "Say yes with --yes."
    assert dump(world.path) == before
    assert len(run("sessions", "undo", "--list", "--json").json["steps"]) == 2


@pytest.mark.parametrize(("typed", "code", "gone"), [(b"y\n", 0, True), (b"n\n", 1, False), (b"\n", 1, False),
                                                     (b"\x04", 130, False)])  # fmt: skip
def test_a_person_at_a_terminal_is_asked_and_the_safe_answer_is_no(
    world: World, hermes_home: Path, typed: bytes, code: int, gone: bool
) -> None:
    """Enter would delete."""
    world.close()
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hermes_tui", "--home", str(hermes_home), "sessions", "delete", "Zebras"],
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, typed)
    out, err = process.communicate(timeout=30)
    os.close(ours)
    assert b"Delete 1 conversation? [y/N]" in err
    assert (process.returncode, b"Deleted" in out) == (code, gone)
    world.write_as("new")
    assert ("eeeeee" not in there(world)) is gone


def test_undo_lists_takes_back_and_forgets(run: Run, world: World, hermes_home: Path) -> None:
    """What is kept could not be seen, and would never go."""
    failed(run("sessions", "undo", "--json"), "nothing_to_undo")
    assert run("sessions", "undo", "--list").out == "There is nothing to take back.\n"
    assert run("sessions", "undo", "--list", "--json").json == {"ok": True, "steps": []}
    run("sessions", "rename", "Zebras", "Horses")
    run("sessions", "delete", "Horses", "--yes")
    steps = run("sessions", "undo", "--list", "--json").json["steps"]
    assert [set(step) for step in steps] == [{"id", "at", "kind", "label", "bytes"}] * 2
    assert [(step["kind"], step["bytes"] > 0) for step in steps] == [("rename", False), ("delete", True)]
    listed = run("sessions", "undo", "--list").out.splitlines()
    assert "renaming to “Horses”" in listed[0]
    assert listed[1].endswith("kept")
    failed(run("sessions", "undo", "--forget", "nothing", "--yes", "--json"), "no_such_step")
    forgotten = run("sessions", "undo", "--forget", steps[1]["id"], "--yes", "--json").json
    assert forgotten["forgotten"] == [steps[1]["id"]]
    assert forgotten["bytes"] == steps[1]["bytes"]
    assert not list((data_dir(hermes_home) / "sessions" / "copies").iterdir())
    assert run("sessions", "undo", "--json").json["failed"][0]["reason"] == "It is not there any more."
    assert "eeeeee" not in there(world)


def test_undo_says_what_it_could_not_put_back(run: Run, world: World) -> None:
    """Exit code 0 would say that all is as before."""
    run("sessions", "archive", "Otters", "Zebras")
    world.run("UPDATE sessions SET archived = 5 WHERE id LIKE '%eeeeee'")
    shown = run("sessions", "undo", "--json")
    assert (shown.code, shown.json["ok"], len(shown.json["failed"])) == (1, True, 1)
    assert "20260105_100000_eeeeee: It was changed since, and is left as it is." in run_err(run, world)


def run_err(run: Run, world: World) -> str:
    """What the plain form says on stderr."""
    run("sessions", "archive", "20260105")
    world.run("UPDATE sessions SET archived = 7 WHERE id LIKE '%eeeeee'")
    shown = run("sessions", "undo")
    assert shown.code == 1
    return shown.err


def test_vacuum_gives_space_back(run: Run, world: World) -> None:
    """A database of gigabytes would stay that long for ever."""
    for number in range(30):
        world.session(f"big{number}", "word " * 5000, source="big")
    run("sessions", "prune", "--source", "big", "--yes")
    size = world.path.stat().st_size
    world.close()
    shown = run("sessions", "vacuum", "--yes", "--json")
    assert (shown.code, set(shown.json)) == (0, CHANGE_KEYS)
    assert shown.json["step"] is None
    assert world.path.stat().st_size < size / 2
    check(world.path)


@pytest.mark.parametrize("words", [*CHANGES, *OTHERS[:1], OTHERS[2]], ids=" ".join)
def test_a_home_without_sessions_or_with_a_damaged_file_says_so(run: Run, hermes_home: Path, words: list[str]) -> None:
    """A script could not tell a damaged database from one in which nothing matches."""
    shown = run("sessions", *words, "--json")
    assert shown.code == 1
    assert shown.json["error"]["code"] in ("no_sessions", "nothing_to_undo")
    (hermes_home / "state.db").write_bytes(os.urandom(8192))
    if words != ["undo"]:
        failed(run("sessions", *words, "--json"), "sessions_corrupt", 3)
    assert not (data_dir(hermes_home) / "sessions" / "copies").exists()


@pytest.mark.parametrize("words", [*CHANGES, OTHERS[0], OTHERS[2]], ids=" ".join)
def test_a_database_that_an_agent_holds_is_busy(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A script could not tell that it may try again."""
    run("sessions", "rename", "Otters", "Otter")
    run("sessions", "rename", "Otter", "Otters")

    def impatient(path: Path, **_: float) -> Writer:
        return Writer(path, patience=0.05)

    monkeypatch.setattr(keeping, "Writer", impatient)
    monkeypatch.setattr(undoing, "Writer", impatient)
    before = dump(world.path)
    world.run("BEGIN IMMEDIATE")
    error = failed(run("sessions", *words, "--json"), "sessions_locked", 3)
    assert error["hint"]
    world.run("ROLLBACK")
    assert dump(world.path) == before


def test_names_and_titles_of_any_kind_reach_no_terminal(run: Run, world: World) -> None:
    """A title could clear the screen."""
    for number, text in enumerate(NASTY.values()):
        world.session(f"nasty{number}", text.encode("utf-8", "replace").decode().replace("\0", "") or "-",
                      title=f"{number} {text}".encode("utf-8", "replace").decode().replace("\0", ""))  # fmt: skip
    shown = run("sessions", "prune", "--title", "", "--older-than", "0", "--dry-run")
    assert shown.code == 0
    said = shown.out + shown.err + run("sessions", "delete", *[f"nasty{n}" for n in range(len(NASTY))], "--yes").err
    assert not set(said) & {"\x1b", "\r", "\x9b", "\u202e", "\x07", "\x00"}
    assert run("sessions", "rename", "\udcff", "x").code == 1
    assert run("sessions", "rename", "Zebras", "half \udcff").code == 2
    assert run("sessions", "undo", "--list").code == 0


def test_many_failures_are_a_few_lines(run: Run, world: World, hermes_home: Path) -> None:
    """A thousand lines would hide what matters."""
    for number in range(30):
        world.session(f"s{number:02}", "hello")
    Keeper(home_of(hermes_home)).archive([f"s{number:02}" for number in range(30)], True)
    world.run("UPDATE sessions SET archived = 9 WHERE id LIKE 's%'")
    shown = run("sessions", "undo")
    assert (shown.code, len(shown.err.splitlines())) == (1, 22)
    assert "… and 10 more." in shown.err


def test_progress_is_shown_to_a_person_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log would fill with half lines, or a person wait without a word."""
    from hermes_tui.cli import asking

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(asking, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(asking, "REFRESH_SECONDS", 0.0)
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", stream)
            with asking.ProgressLine("Deleted") as progress:
                progress(1_000, 20_000)
        assert ("Deleted 1,000 of 20,000 (5%) …" in stream.getvalue()) is shown
        assert stream.getvalue().endswith("\x1b[K") is shown
