"""`hermes-tui sessions import`: what would come, what comes, and how it is taken out again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run, tree
from tests.sessions.world import World

MESSAGES = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]


@pytest.fixture
def world(hermes_home: Path) -> Iterator[World]:
    """A home with one session."""
    made = World(hermes_home / "state.db", "0.22")
    made.session("there", "here first", title="Sea")
    yield made
    made.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a session that is there, one that is new, and one whose title is taken."""
    return write(
        tmp_path / "some.jsonl",
        {"id": "there", "messages": MESSAGES},
        {"id": "new", "title": "A \x1b[31mred\nword", "messages": MESSAGES},
        {"id": "again", "title": "Sea", "parent_session_id": "gone", "messages": MESSAGES[:1]},
    )


def write(path: Path, *lines: Any) -> Path:
    """A file with these sessions, one a line."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def import_from(run: Run, *words: str | Path, stdin: bytes = b"") -> Ran:
    """Run the command."""
    return run("sessions", "import", *words, stdin=stdin)


def ids(world: World) -> list[str]:
    """The sessions that are there."""
    return sorted(row[0] for row in world.rows("SELECT id FROM sessions"))


def test_a_rehearsal_shows_what_would_come_and_changes_nothing(run: Run, world: World, file: Path) -> None:
    """A person would find out afterwards."""
    before = tree(world.path.parent)
    ran = import_from(run, file, "--dry-run")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"{file}: 2 sessions with 3 messages, 1 is there already.",
        "  new  A ␛[31mred␊word",
        "  again  Sea",
        "  “Sea” is taken: it comes as “Sea #2”.",
        "  1 session stands alone: the one before is neither here nor in the file.",
    ]
    assert tree(world.path.parent) == before


def test_what_comes_is_said_and_can_be_taken_out_again(run: Run, world: World, file: Path) -> None:
    """An import by mistake would stay for ever."""
    ran = import_from(run, file, "--yes")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "Imported 2 sessions with 3 messages. 1 was there already.",
        "“Sea” is “Sea #2” here.",
    ]
    assert "undo" in ran.err
    assert ids(world) == ["again", "new", "there"]
    assert run("sessions", "undo", "--yes").code == 0
    assert ids(world) == ["there"]


def test_the_answer_is_one_object(run: Run, world: World, file: Path) -> None:
    """A script would have to read sentences."""
    for words, dry_run in ((("--dry-run",), True), (("--yes",), False)):
        ran = import_from(run, file, *words, "--json")
        assert ran.json == {
            "ok": True,
            "dry_run": dry_run,
            "imported": 2,
            "skipped": 1,
            "messages": 3,
            "files": [
                {
                    "file": str(file),
                    "sessions": 3,
                    "imported": ["new", "again"],
                    "skipped": ["there"],
                    "retitled": [{"id": "again", "title": "Sea", "new_title": "Sea #2"}],
                    "detached": 1,
                    "messages": 3,
                    "masked": 0,
                }
            ],
        }
    assert ids(world) == ["again", "new", "there"]


def test_nothing_comes_before_somebody_agrees(run: Run, world: World, file: Path) -> None:
    """A script without --yes would change the home."""
    ran = import_from(run, file)
    assert ran.code == 1
    assert "2 sessions with 3 messages" in ran.err
    assert "--yes" in ran.err
    assert ids(world) == ["there"]


def test_a_file_of_what_is_there_needs_no_question(run: Run, world: World, tmp_path: Path) -> None:
    """There is nothing to agree to."""
    ran = import_from(run, write(tmp_path / "a.jsonl", {"id": "there"}))
    assert (ran.code, ran.out) == (0, "Imported 0 sessions with 0 messages. 1 was there already.\n")
    assert world.rows("SELECT count(*) FROM messages") == [(1,)]


def test_several_files_come_together_also_from_stdin(run: Run, world: World, tmp_path: Path) -> None:
    """A pipe from another computer is the shortest way."""
    one = write(tmp_path / "one.jsonl", {"id": "1"})
    piped = gzip.compress(json.dumps([{"id": "2", "messages": MESSAGES}]).encode())
    ran = import_from(run, one, "-", "--yes", stdin=piped)
    assert ran.code == 0
    assert ids(world) == ["1", "2", "there"]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b'{"id": "x", "title": 5}\n', 1, "Line 1, session x: title is no text"),
        (b"hello", 1, "cannot be imported"),
        (b"", 1, "no session"),
        (None, 1, "no file"),
    ],
)
def test_a_wrong_file_keeps_out_the_good_ones_beside_it(
    run: Run, world: World, tmp_path: Path, content: bytes | None, code: int, said: str
) -> None:
    """Half of what was named would be there."""
    good, bad = write(tmp_path / "good.jsonl", {"id": "1"}), tmp_path / "bad.jsonl"
    if content is not None:
        bad.write_bytes(content)
    ran = import_from(run, good, bad, "--yes", "--json")
    assert ran.code == code
    assert said in ran.err
    assert ran.json["ok"] is False
    assert ids(world) == ["there"]


def test_a_folder_is_no_file(run: Run, world: World, tmp_path: Path) -> None:
    """A trace would be shown."""
    assert import_from(run, tmp_path, "--yes").code == 3
    assert ids(world) == ["there"]


def test_nothing_comes_into_a_home_that_is_only_read(run: Run, world: World, file: Path) -> None:
    """--read-only would be a wish."""
    assert import_from(run, file, "--yes", "--read-only").code == 1
    assert ids(world) == ["there"]


def test_stdin_is_read_once_and_files_have_to_be_named(run: Run, world: World) -> None:
    """The second one would be empty."""
    assert import_from(run, "-", "-").code == 2
    assert import_from(run).code == 2
    assert ids(world) == ["there"]


def test_a_long_session_is_announced(run: Run, world: World, tmp_path: Path) -> None:
    """An agent at work would hang without a word."""
    message = {"role": "user", "content": "x"}
    ran = import_from(run, write(tmp_path / "a.jsonl", {"id": "long", "messages": [message] * 8_001}), "--dry-run")
    assert "8,001 messages: an agent at work waits while it comes in, about 2 s." in ran.out
    assert ids(world) == ["there"]
