"""The one connection that writes: what it does not do, and what it says when it cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.home import data_dir
from hermes_tui.sessions.upkeep import keeper as keeping
from hermes_tui.sessions.upkeep import undoing
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.writer import Writer, write_failure
from tests.sessions.upkeep.conftest import MakeHome, check, dump
from tests.sessions.world import SHAPES, Shape, World

ROOT = Path(__file__).parents[3]


def schema(path: Path) -> list[Any]:
    """Everything that is not rows."""
    connection = apsw.Connection(str(path))
    found = [connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()]
    for pragma in ("journal_mode", "user_version", "application_id", "page_size", "auto_vacuum", "encoding"):
        found.append(connection.execute(f"PRAGMA {pragma}").fetchall())
    connection.close()
    return found


def everything(keeper: Keeper) -> list[Callable[[], object]]:
    """Every change there is, one after the other."""
    return [
        lambda: keeper.rename("a", "New"),
        lambda: keeper.undo(),
        lambda: keeper.entitle({"b": "Made up"}),
        lambda: keeper.archive(["a", "b"], True),
        lambda: keeper.delete(keeper.plan(["a"])),
        lambda: keeper.undo(),
    ]


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "0.13"])
@pytest.mark.parametrize("wal", [False, True])
def test_nothing_but_rows_is_changed(make_home: MakeHome, keeper: Keeper, shape: Shape, wal: bool) -> None:
    """The agent would find a database that it does not know, or be held up while its log is moved."""
    world = make_home(shape, wal=wal)
    world.session("a", "hello", title="Old")
    world.session("b", "hi")
    before = schema(world.path)
    names = {path.name for path in world.path.parent.iterdir()}
    for change in everything(keeper):
        change()
    assert schema(world.path) == before
    assert {path.name for path in world.path.parent.iterdir()} == names
    check(world.path)


def test_the_log_of_an_agent_is_never_moved_into_the_file(make_home: MakeHome, keeper: Keeper) -> None:
    """Whoever moves it holds everybody up, and SQLites of old may lose what is in it."""
    world = make_home("0.22", wal=True)
    world.run("PRAGMA wal_autocheckpoint = 0")
    for number in range(100):
        world.session(f"s{number:03}", "hello " * 200, "there")
    file = world.path.read_bytes()
    log = world.path.with_name("state.db-wal")
    size = log.stat().st_size
    assert size > 4_200_000, "the agent's own connection would have moved it at 1,000 pages"
    keeper.delete(keeper.plan([f"s{number:03}" for number in range(20)]))
    keeper.undo()
    keeper.rename("s000", "New")
    assert world.path.read_bytes() == file
    assert log.stat().st_size > size


def test_a_log_that_a_killed_agent_left_stays_until_the_agent_comes_back(make_home: MakeHome, keeper: Keeper) -> None:
    """The last connection to close moves the log into the file, unless it is told not to."""
    world = make_home("0.19", wal=True)
    world.session("a", "hello")
    world.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    world.close()
    log = world.path.with_name("state.db-wal")
    size, file = log.stat().st_size, world.path.read_bytes()
    assert size > 0
    keeper.rename("a", "New")
    assert log.stat().st_size > size
    assert world.path.read_bytes() == file


def test_a_database_is_never_made(hermes_home: Path, keeper: Keeper) -> None:
    """A home would get sessions that no agent made."""
    for change in everything(keeper):
        with pytest.raises((NotFound, Refused)):
            change()
    assert not (hermes_home / "state.db").exists()
    (hermes_home / "state.db").touch()
    with pytest.raises(NotFound):
        keeper.rename("a", "New")
    assert (hermes_home / "state.db").stat().st_size == 0


@contextmanager
def held(path: Path, begin: str) -> Iterator[None]:
    """Another process keeps the database locked."""
    code = (
        "import sqlite3, sys; base = sqlite3.connect(sys.argv[1], isolation_level=None); base.execute(sys.argv[2]);"
        " print('held', flush=True); sys.stdin.read(); base.execute('ROLLBACK')"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path), begin], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as holder:  # fmt: skip
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        yield
        assert holder.stdin is not None
        holder.stdin.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits for a fifth of a second only."""

    def writer(path: Path, **_: float) -> Writer:
        return Writer(path, patience=0.2)

    monkeypatch.setattr(keeping, "Writer", writer)
    monkeypatch.setattr(undoing, "Writer", writer)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_locked_database_is_said_to_be_locked_within_the_time(
    make_home: MakeHome, keeper: Keeper, wal: bool, begin: str
) -> None:
    """The person would wait for ever, or be told that it was done."""
    world = make_home("0.19", wal=wal)
    world.session("a", "hello", title="Old")
    keeper.archive(["a"], True)
    plan = keeper.plan(["a"])
    before = dump(world.path)
    world.close()
    with held(world.path, begin):
        changes: tuple[Callable[[], object], ...] = (
            lambda: keeper.rename("a", "New"),
            lambda: keeper.archive(["a"], False),
            lambda: keeper.delete(plan),
            lambda: keeper.undo(),
        )
        for change in changes:
            began = time.monotonic()
            with pytest.raises(Unreadable) as failed:
                change()
            assert failed.value.code == "sessions_locked"
            assert failed.value.hint
            assert time.monotonic() - began < (6 if begin == "BEGIN EXCLUSIVE" and not wal else 2)
    assert dump(world.path) == before
    assert [step.kind for step in keeper.undoable()] == ["archive"], "what was not done is no step"
    keeper.undo()


def test_a_change_waits_for_its_turn(make_home: MakeHome, keeper: Keeper) -> None:
    """An agent that writes for a moment would make every change fail."""
    world = make_home()
    world.session("a", "hello")
    world.close()
    code = (
        "import sqlite3, sys, time; base = sqlite3.connect(sys.argv[1], isolation_level=None);"
        " base.execute('BEGIN IMMEDIATE'); print('held', flush=True); time.sleep(0.4); base.execute('COMMIT')"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(world.path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert keeper.rename("a", "New").done == ("a",)


def test_a_file_that_takes_the_place_of_the_open_one_is_noticed(make_home: MakeHome) -> None:
    """The change would go into a file that nobody reads any more."""
    world = make_home()
    world.session("a", "hello")
    with Writer(world.path) as writer:
        other = world.path.with_name("other.db")
        other.write_bytes(world.path.read_bytes())
        other.replace(world.path)
        with pytest.raises(Refused) as refused, writer.transaction():
            writer.execute("UPDATE sessions SET title = 'New'")
        assert refused.value.code == "sessions_replaced"
        world.path.unlink()
        with pytest.raises(NotFound), writer.transaction():
            pass


def test_a_change_that_fails_in_the_middle_is_taken_back(make_home: MakeHome) -> None:
    """Half of a conversation would be gone."""
    world = make_home("0.22")
    world.session("a", "hello", "there")
    before = dump(world.path)
    with Writer(world.path) as writer:
        with pytest.raises(KeyboardInterrupt):
            stopped(writer)
        assert dump(world.path) == before
        with pytest.raises(Refused) as refused:
            without_messages(writer)
        assert (refused.value.code, "FOREIGN KEY" in refused.value.message) == ("constraint", True)
        assert dump(world.path) == before
        with writer.transaction():
            writer.execute("DELETE FROM messages")
            assert writer.changes == 2
    assert world.rows("SELECT count(*) FROM messages") == [(0,)]
    check(world.path)


def stopped(writer: Writer) -> None:
    """A change that somebody stops."""
    with writer.transaction():
        writer.execute("DELETE FROM messages")
        raise KeyboardInterrupt


def without_messages(writer: Writer) -> None:
    """A change that leaves messages without their session."""
    with writer.transaction():
        writer.execute("DELETE FROM messages WHERE id = 1")
        writer.execute("DELETE FROM sessions")


def as_somebody_else(code: str, home: Path, limit: int = 0) -> str:
    """Run some lines as a user who is not root, with no file of theirs longer than `limit`; what was printed."""
    run = subprocess.run(
        [sys.executable, "-c", f"{PRELUDE}\n{code}", str(home), str(limit)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


PRELUDE = """
import os, resource, signal, sys
import encodings.idna, gzip, hashlib, json, platformdirs.unix, tempfile, unicodedata, urllib.parse
from pathlib import Path
from hermes_tui.errors import HermesTuiError
from hermes_tui.home import HermesHome
from hermes_tui.sessions import dates, query, titles
from hermes_tui.sessions.titles import derive_title
from hermes_tui.sessions.export import lossless
from hermes_tui.sessions.upkeep import importing
from hermes_tui.sessions.upkeep.keeper import Keeper
derive_title("Everything is loaded while we still may: 2026")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if limit := int(sys.argv[2]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
keeper = Keeper(HermesHome(Path(sys.argv[1]), "default", "default"))
def say(change):
    try:
        print(change().message)
    except HermesTuiError as error:
        print(error.code, "|", error.message, "|", error.hint)
"""


@pytest.fixture
def open_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A home, and a data directory, that somebody else can reach too."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        monkeypatch.setenv("HERMES_TUI_STATE_DIR", str(folder / "state"))
        monkeypatch.setenv("HOME", name)
        (folder / "home").mkdir()
        for path in (folder, folder / "home"):
            path.chmod(0o777)
        world = World(folder / "home" / "state.db", "0.22", age="new")
        world.session("a", "hello", title="Old")
        yield world
        world.close()


@pytest.mark.parametrize("what", ["the file", "the folder"])
def test_what_must_not_be_written_says_so(open_home: World, what: str) -> None:
    """It would be taken for a damaged database."""
    world = open_home
    world.path.chmod(0o444 if what == "the file" else 0o666)
    world.path.parent.chmod(0o555 if what == "the folder" else 0o777)
    before = dump(world.path)
    said = as_somebody_else("say(lambda: keeper.rename('a', 'New')); say(lambda: keeper.delete(keeper.plan(['a'])))",
                            world.path.parent)  # fmt: skip
    first, second = said.splitlines()
    assert first == second
    assert first.startswith(f"sessions_readonly | {world.path} cannot be written; nothing was changed. | ")
    assert str(world.path.parent) in first
    world.path.parent.chmod(0o777)
    assert dump(world.path) == before


def test_a_disk_that_is_mounted_read_only_is_named(open_home: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads it would change rights that are as they should be."""
    there = os.statvfs(open_home.path)
    monkeypatch.setattr(os, "statvfs", lambda _path: SimpleNamespace(f_flag=there.f_flag | os.ST_RDONLY))
    error = write_failure(open_home.path, apsw.ReadOnlyError("attempt to write a readonly database"))
    assert error.code == "read_only_disk"
    assert str(open_home.path) in error.message
    assert "mounted read-only" in error.hint


@pytest.mark.parametrize("limit", [2_000, 30_000, 60_000])
def test_a_full_disk_leaves_everything_as_it_was(open_home: World, limit: int) -> None:
    """Rows would be gone whose copy was never written whole."""
    import random

    rng = random.Random(5)
    world = open_home
    for number in range(30):
        world.session(f"s{number:02}", " ".join(f"{rng.random()}" for _ in range(100)))
    world.path.chmod(0o666)
    before = dump(world.path)
    code = "say(lambda: keeper.delete(keeper.plan(['a'] + [f's{n:02}' for n in range(30)])))"
    said = as_somebody_else(code, world.path.parent, limit)
    assert said.startswith(("write_failed", "disk_full", "sessions_")), said
    assert "Traceback" not in said
    world.path.chmod(0o666)
    check(world.path)
    said = as_somebody_else("say(lambda: keeper.undo()) if keeper.undoable() else None", world.path.parent)
    assert dump(world.path) == before, said


def test_no_room_for_the_copy_is_said_and_leaves_nothing(
    make_home: MakeHome, keeper: Keeper, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a copy would lie about, or a step that cannot be taken back."""
    import errno

    from hermes_tui.sessions.upkeep import copies

    world = make_home("0.22")
    for number in range(5):
        world.session(f"s{number}", "hello")
    before = dump(world.path)

    class Full:
        """A disk that takes nothing more."""

        def __getattr__(self, name: str) -> Any:
            return getattr(os, name)

        def fsync(self, _handle: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    plan = keeper.plan([f"s{number}" for number in range(5)])
    with monkeypatch.context() as patched:
        patched.setattr(copies, "os", Full())
        with pytest.raises(Unreadable) as failed:
            keeper.delete(plan)
    assert failed.value.code == "disk_full"
    assert dump(world.path) == before
    kept = [path for path in (data_dir(hermes_home) / "sessions").rglob("*") if path.stat().st_size and path.is_file()]
    assert [path.name for path in kept] == ["steps.jsonl"]


def test_the_space_of_what_went_is_given_back_only_when_it_is_asked_for(make_home: MakeHome, keeper: Keeper) -> None:
    """A prune would hold the agent up for minutes; or space never come back."""
    world = make_home("0.22")
    for number in range(40):
        world.session(f"s{number}", "word " * 4000)
    world.session("stays", "a zebra", title="Stays")
    size = world.path.stat().st_size
    keeper.delete(keeper.plan([f"s{number}" for number in range(40)]))
    assert world.path.stat().st_size == size
    before = dump(world.path)
    world.close()
    change = keeper.vacuum()
    assert world.path.stat().st_size < size / 5
    assert "went back to the disk" in change.message
    assert dump(world.path) == before
    check(world.path)
    keeper.undo()
    check(world.path)


def test_vacuum_in_wal_leaves_a_small_log(make_home: MakeHome, keeper: Keeper) -> None:
    """The space would move from the file to its log."""
    world = make_home("0.19", wal=True)
    for number in range(40):
        world.session(f"s{number}", "word " * 4000)
    keeper.delete(keeper.plan([f"s{number}" for number in range(40)]))
    world.close()
    keeper.vacuum()
    log = world.path.with_name("state.db-wal")
    assert world.path.stat().st_size < 500_000
    assert not log.exists() or log.stat().st_size == 0
    check(world.path)


@pytest.mark.usefixtures("impatient")
def test_vacuum_while_an_agent_writes_says_what_to_do(make_home: MakeHome, keeper: Keeper) -> None:
    """It would wait for ever."""
    world = make_home()
    world.session("a", "hello")
    world.close()
    with held(world.path, "BEGIN IMMEDIATE"), pytest.raises(Unreadable) as failed:
        keeper.vacuum()
    assert (failed.value.code, failed.value.hint) == (
        "sessions_locked",
        "Stop the agents of this home, then try again.",
    )


def test_vacuum_without_room_is_refused_before_it_begins(
    make_home: MakeHome, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk in the middle of it helps nobody."""
    make_home().session("a", "hello")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: type("Usage", (), {"free": 1000})())
    with pytest.raises(Refused) as refused:
        keeper.vacuum()
    assert refused.value.code == "disk_full"


def test_what_is_no_database_of_sessions_is_not_written(hermes_home: Path, keeper: Keeper) -> None:
    """Somebody's file would be spoiled."""
    path = hermes_home / "state.db"
    for data in (os.urandom(8192), b"SQLite format 3\x00" + b"\x00" * 4080, b"x"):
        path.write_bytes(data)
        for change in everything(keeper)[:5]:
            with pytest.raises(HermesTuiError):
                change()
        assert path.read_bytes() == data
    path.unlink()
    apsw.Connection(str(path)).execute("CREATE TABLE other (id)").connection.close()
    data = path.read_bytes()
    for change in everything(keeper)[:5]:
        with pytest.raises(HermesTuiError):
            change()
    assert path.read_bytes() == data
