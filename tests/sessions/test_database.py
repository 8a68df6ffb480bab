"""Reading state.db leaves no trace and says what is wrong."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Unreadable
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.listing import SessionIndex
from tests.sessions.world import SHAPES, Shape, World

Make = Callable[..., World]


def read_all(path: Path) -> tuple[str, ...]:
    """The ids that the list shows."""
    base = Database(path, patience=0.2)
    try:
        index = SessionIndex(base)
        index.load()
        return tuple(brief.id for brief in index.briefs)
    finally:
        base.close()


@pytest.mark.parametrize("wal", [True, False])
def test_looking_leaves_the_folder_as_it_was(make_world: Make, tmp_path: Path, wal: bool) -> None:
    """No file appears beside the database, whatever its journal, and not a byte of it changes."""
    world = make_world(wal=wal)
    world.session("s", "hi")
    world.close()
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    assert read_all(world.path) == ("s",)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == before


def test_a_linked_database_is_read_where_it_lies(make_world: Make, tmp_path: Path) -> None:
    """A state.db in a synced folder behind a link shows what was written last, also while it is open."""
    world = make_world(wal=True)
    world.session("s", "hi")
    link = tmp_path / "home" / "state.db"
    link.parent.mkdir()
    link.symlink_to(world.path)
    assert read_all(link) == ("s",)
    world.close()
    assert read_all(link) == ("s",)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["home", "state.db", "state.db"]


def test_a_folder_that_cannot_be_written_can_be_read(make_world: Make, tmp_path: Path) -> None:
    """A copy on a read-only disk opens like any other."""
    world = make_world(wal=True)
    world.session("s", "hi")
    world.close()
    tmp_path.chmod(0o555)
    try:
        assert read_all(world.path) == ("s",)
    finally:
        tmp_path.chmod(0o755)


def test_a_log_that_cannot_be_read_where_it_lies_is_told_with_a_way_on(make_world: Make) -> None:
    """A copy on a read-only disk, with what was not yet in the file, would be called broken for no reason."""
    world = make_world(wal=True)
    world.session("s", "hi")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        for file in ("state.db", "state.db-wal"):
            shutil.copy(world.path.with_name(file), folder / file)
            (folder / file).chmod(0o444)
        folder.chmod(0o555)
        root = os.geteuid() == 0
        try:
            if root:
                os.seteuid(65534)
            with pytest.raises(Unreadable, match="only where files can be made in its folder") as caught:
                read_all(folder / "state.db")
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)
        assert sorted(path.name for path in folder.iterdir()) == ["state.db", "state.db-wal"]
    assert "Copy both files, state.db and state.db-wal" in caught.value.hint


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_database_lacks_is_known(make_world: Make, shape: Shape) -> None:
    """The agents' layouts are told apart by what is there, not by their version."""
    world = make_world(shape)
    world.session("s", "hi")
    features = Database(world.path).features()
    assert features.words == {"0.22": "external", "no index": ""}.get(shape, "inline")
    assert features.trigram == (shape != "no index")
    assert features.trigram_partial == (shape == "0.22")
    assert any("plain scan" in sentence for sentence in features.missing) == (shape == "no index")
    assert any("undone" in sentence for sentence in features.missing) == (shape == "0.13")


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing there": (lambda path: path.unlink(), "no_sessions"),
    "no bytes": (lambda path: path.write_bytes(b""), "no_sessions"),
    "a folder": (lambda path: _instead(path, path.mkdir), "sessions_unreadable"),
    "random bytes": (lambda path: path.write_bytes(os.urandom(4096)), "sessions_corrupt"),
    "a text": (lambda path: path.write_text("hello" * 500), "sessions_corrupt"),
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:5000]), "sessions_corrupt"),
    "a page of zeros": (lambda path: _zero(path, 4096, 4096), "sessions_corrupt"),
    "another database": (lambda path: _other(path), "sessions_foreign"),
    "a dangling link": (lambda path: _instead(path, lambda: path.symlink_to("nowhere")), "sessions_unreadable"),
}


def _instead(path: Path, make: Callable[[], object]) -> None:
    path.unlink()
    make()


def _zero(path: Path, at: int, count: int) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + count] = bytes(count)
    path.write_bytes(data)


def _other(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (a)")
    connection.close()


@pytest.mark.parametrize("harm", list(BROKEN))
def test_what_is_broken_is_a_sentence_and_not_an_empty_list(make_world: Make, harm: str) -> None:
    """Every kind of damage names the file; none is taken for "no sessions yet"."""
    world = make_world()
    for number in range(40):
        world.session(f"s{number}", "hi " * 50)
    world.close()
    do, code = BROKEN[harm]
    do(world.path)
    with pytest.raises(HermesTuiError) as caught:
        read_all(world.path)
    assert caught.value.code == code
    assert str(world.path) in caught.value.message


def test_a_locked_database_is_said_to_be_locked(make_world: Make) -> None:
    """Somebody who keeps the database to himself is not a damaged file."""
    world = make_world()
    world.session("s", "hi")
    base = Database(world.path, patience=0.2)
    assert base.rows("SELECT count(*) FROM sessions") == [(1,)]
    with elsewhere(world, "c.execute('BEGIN EXCLUSIVE'); print(1, flush=True); time.sleep(60)") as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        began = time.monotonic()
        with pytest.raises(Unreadable) as caught:
            base.rows("SELECT count(*) FROM sessions")
        assert caught.value.code == "sessions_locked"
        assert time.monotonic() - began < 2
    assert base.rows("SELECT count(*) FROM sessions") == [(1,)]


def test_a_file_in_the_place_of_the_one_that_was_open_is_read(make_world: Make, tmp_path: Path) -> None:
    """A restored backup shows at once, and a file that has gone is said to be gone."""
    world = make_world()
    world.session("old", "hi")
    base = Database(world.path)
    assert base.rows("SELECT id FROM sessions") == [("old",)]
    before = base.version()
    other = World(tmp_path / "other.db")
    other.session("new", "hi")
    other.close()
    (tmp_path / "other.db").replace(world.path)
    assert base.rows("SELECT id FROM sessions") == [("new",)]
    assert base.version() != before
    world.path.unlink()
    with pytest.raises(NotFound):
        base.rows("SELECT id FROM sessions")


@pytest.mark.parametrize("wal", [True, False])
def test_every_commit_gives_another_version(make_world: Make, wal: bool) -> None:
    """Whoever asks ten times a second misses nothing, also when the agent opens the database meanwhile."""
    world = make_world(wal=wal)
    world.session("s", "hi")
    world.close()
    base = Database(world.path)
    seen = [base.version()]
    assert base.version() == seen[0]
    again = sqlite3.connect(world.path, isolation_level=None)
    for number in range(3):
        again.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'x', 1)")
        seen.append(base.version())
        assert base.rows("SELECT count(*) FROM messages") == [(number + 2,)]
    again.close()
    assert len(set(map(repr, seen))) == 4


WRITE = """
failed = 0
for _ in range(60):
    try:
        c.execute("BEGIN IMMEDIATE")
        c.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'x', 1)")
        c.execute("COMMIT")
    except sqlite3.OperationalError:
        failed += 1
    time.sleep(0.005)
print(failed)
"""


def test_a_writer_is_never_kept_waiting(make_world: Make) -> None:
    """Reading without pause does not cost the agent a single commit in the strictest journal mode."""
    world = make_world()
    world.session("s", *["a word about zebra"] * 200)
    readings = 0
    with elsewhere(world, WRITE) as writer:
        while writer.poll() is None:
            assert read_all(world.path) == ("s",)
            readings += 1
        assert writer.stdout is not None
        assert writer.stdout.read().strip() == "0"
    assert readings > 10


def test_a_write_that_was_cut_off_is_said_to_be_the_agents_business(make_world: Make) -> None:
    """After a crash in the middle of a commit nothing half written is shown, and it is said what helps."""
    world = make_world()
    world.session("s", *["a word about zebra"] * 200)
    crash = """
c.execute("PRAGMA cache_spill = 1"); c.execute("PRAGMA cache_size = 1")
c.execute("BEGIN IMMEDIATE")
c.execute("UPDATE messages SET content = content || hex(randomblob(3000))")
import os, signal; os.kill(os.getpid(), signal.SIGKILL)
"""
    with elsewhere(world, crash) as writer:
        writer.wait()
    assert world.path.with_name("state.db-journal").exists()
    with pytest.raises(Unreadable) as caught:
        read_all(world.path)
    assert caught.value.code == "sessions_unfinished"
    assert world.path.with_name("state.db-journal").exists()


@contextmanager
def elsewhere(world: World, code: str) -> Iterator[subprocess.Popen[str]]:
    """Another process with a connection `c` to the database: locks do not hold within one process."""
    world.close()
    start = "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0.5)\n"
    command = [sys.executable, "-c", start + code, str(world.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_an_empty_file_beside_a_journal_is_not_even_opened(make_world: Make, tmp_path: Path) -> None:
    """SQLite deletes the journal of an empty database; what it holds may be all that is left."""
    world = make_world(wal=True)
    world.session("s", "hi")
    journal = (tmp_path / "state.db-wal").read_bytes()
    (tmp_path / "other").mkdir()
    path = tmp_path / "other" / "state.db"
    path.write_bytes(b"")
    path.with_name("state.db-wal").write_bytes(journal)
    with pytest.raises(NotFound):
        read_all(path)
    assert path.with_name("state.db-wal").read_bytes() == journal


def test_a_file_that_comes_back_is_read_again(make_world: Make, tmp_path: Path) -> None:
    """A database that was away for a moment is no reason to start the program anew."""
    world = make_world()
    world.session("s", "hi")
    world.close()
    kept = tmp_path / "kept.db"
    base = Database(world.path)
    for _ in range(3):
        world.path.rename(kept)
        for _again in range(2):
            with pytest.raises(NotFound):
                base.rows("SELECT id FROM sessions")
            base.interrupt()
        kept.rename(world.path)
        assert base.rows("SELECT id FROM sessions") == [("s",)]


def test_a_reading_that_comes_too_late_is_told_to_stop(make_world: Make) -> None:
    """A thread that still reads for a screen that was left would report a damaged file."""
    world = make_world()
    world.session("s", "hi")
    base = Database(world.path)
    assert base.opened
    base.close()
    base.close()
    base.interrupt()
    assert not base.opened
    with pytest.raises(Interrupted):
        base.rows("SELECT id FROM sessions")


def test_a_file_that_is_emptied_is_said_to_be_empty(make_world: Make) -> None:
    """The words are those that somebody reads who opens it anew, and it is read again when it has something."""
    world = make_world()
    world.session("s", "hi")
    world.close()
    base = Database(world.path)
    assert base.rows("SELECT id FROM sessions") == [("s",)]
    whole = world.path.read_bytes()
    world.path.write_bytes(b"")
    with pytest.raises(NotFound, match="is empty"):
        base.rows("SELECT id FROM sessions")
    world.path.write_bytes(whole)
    assert base.rows("SELECT id FROM sessions") == [("s",)]


def test_text_that_is_not_utf8_is_shown_with_its_bad_bytes_marked(make_world: Make) -> None:
    """One damaged message does not take the list or its neighbours down."""
    world = make_world()
    world.session("s", "good")
    world.run(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', CAST(x'636166e9' AS TEXT), 1)"
    )
    world.run("UPDATE sessions SET title = CAST(x'e9' AS TEXT)")
    base = Database(world.path)
    assert base.rows("SELECT content, id, x'ff', NULL FROM messages ORDER BY id DESC") == [
        ("caf\ufffd", 2, b"\xff", None),
        ("good", 1, b"\xff", None),
    ]
    assert read_all(world.path) == ("s",)


def test_a_question_that_fails_leaves_no_files_either(make_world: Make, tmp_path: Path) -> None:
    """A broken index in a database that nobody has open is no reason to make files beside it."""
    world = make_world(wal=True)
    world.session("s", "hi")
    world.close()
    base = Database(world.path)
    with pytest.raises(Unreadable):
        base.rows("SELECT nothing FROM nowhere")
    base.close()
    assert [path.name for path in tmp_path.iterdir()] == ["state.db"]


def test_a_long_reading_can_be_stopped(make_world: Make) -> None:
    """Leaving a search does not wait for it."""
    world = make_world()
    base = Database(world.path)
    timer = threading.Timer(0.2, base.interrupt)
    timer.start()
    began = time.monotonic()
    with pytest.raises(Interrupted):
        base.rows("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e10) SELECT max(x) FROM n")
    assert time.monotonic() - began < 3
