"""The export as an operation: files that are whole or not there, in little memory, and a person who can stop it."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from hermes_tui import streaming
from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.export.export import export, export_to, foresee
from hermes_tui.sessions.export.wish import Format, Wish
from tests.sessions.world import World

ROOT = Path(__file__).parents[3]
MANY = 25_000
MOST_MB = 50
"""A process with Python and the database in it has 30 of them before it begins; all the messages would be 150."""


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """Three conversations."""
    made = make_world()
    made.session("s1", "one", "two", title="First")
    made.session("s2", "three", "four", title="Second")
    made.session("s3", "five", title="Third")
    return made


def left(folder: Path) -> list[str]:
    """What is in a folder, besides the database."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("state.db"))


@pytest.mark.parametrize("form", get_args(Format))
def test_each_gets_a_file_of_its_own_or_all_get_one(world: World, tmp_path: Path, form: Format) -> None:
    """A selection could not be taken out, or everything would be."""
    with Database(world.path) as base:
        apart = export(base, ["s1", "s3"], tmp_path / "out" / "here", Wish(form), together=False)
        assert (apart.conversations, apart.messages, len(apart.paths)) == (2, 3, 2)
        assert [path.name.rsplit(".", 1)[0] for path in apart.paths] == ["First-2026-09-10-s1", "Third-2026-09-10-s3"]
        assert "one" in apart.paths[0].read_text()
        assert "five" not in apart.paths[0].read_text()
        one = export(base, ["s3", "s1", "s1"], tmp_path / "all", Wish(form), together=True)
        assert (one.conversations, one.messages, one.paths) == (2, 3, (tmp_path / "all",))
        text = one.paths[0].read_text()
        assert text.index("five") < text.index("two")
        assert one.bytes == one.paths[0].stat().st_size
        assert apart.bytes == sum(path.stat().st_size for path in apart.paths)
        assert foresee(base, ["s1"], Wish(form))[0].name == apart.paths[0].name
        assert [each.messages for each in foresee(base, ["s1", "s3"], Wish(form))] == [2, 1]
    for path in (*apart.paths, *one.paths):
        assert path.stat().st_mode & 0o777 == 0o600
    for folder in (tmp_path / "out", tmp_path / "out" / "here"):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert left(tmp_path) == ["all", "out"]


def test_each_page_counts_the_secrets_of_its_own(world: World, tmp_path: Path) -> None:
    """Pages would claim secrets that stand in others."""
    for id in ("s1", "s3"):
        world.say(id, "the key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789")
    with Database(world.path) as base:
        done = export(base, ["s1", "s2", "s3"], tmp_path / "pages", Wish("html"), together=False)
    said = [re.findall(r"\d+ secrets? masked", path.read_text()) for path in done.paths]
    assert (said, done.masked) == ([["1 secret masked"], [], ["1 secret masked"]], 2)


def test_nothing_is_replaced_unless_it_is_said(world: World, tmp_path: Path) -> None:
    """An export of last year would be gone."""
    taken = tmp_path / "taken.md"
    taken.write_text("mine")
    with Database(world.path) as base:
        with pytest.raises(Refused) as refused:
            export(base, ["s1"], taken, Wish("markdown"), together=True)
        assert (refused.value.code, "--force" in refused.value.hint) == ("exists", True)
        assert taken.read_text() == "mine"
        folder = tmp_path / "folder"
        export(base, ["s2"], folder, Wish("markdown"), together=False)
        told: list[int] = []
        with pytest.raises(Refused):
            export(base, ["s1", "s2", "s3"], folder, Wish("markdown"), together=False,
                   progress=lambda done, _total: told.append(done))  # fmt: skip
        assert len(left(folder)) == 1
        assert set(told) == {0}, "the others were not begun"
        export(base, ["s1"], taken, Wish("markdown"), together=True, overwrite=True)
        assert "# First" in taken.read_text()
        with pytest.raises(Refused):
            export(base, ["s1"], folder, Wish("markdown"), together=True, overwrite=True)
        link = tmp_path / "link.md"
        link.symlink_to(tmp_path / "nowhere")
        with pytest.raises(Refused):
            export(base, ["s1"], link, Wish("markdown"), together=True)
    assert not (tmp_path / "nowhere").exists()
    assert left(tmp_path) == ["folder", "link.md", "taken.md"]


def test_who_was_faster_is_not_replaced_either(world: World, tmp_path: Path) -> None:
    """A file that appears while the export runs would be lost."""
    target = tmp_path / "x.md"

    def appear(done: int, _total: int) -> None:
        if done:
            target.write_text("a")

    with Database(world.path) as base, pytest.raises(Refused) as refused:
        export(base, ["s1"], target, Wish("markdown"), together=True, progress=appear)
    assert refused.value.code == "exists"
    assert target.read_text() == "a"
    assert left(tmp_path) == ["x.md"]


@pytest.mark.parametrize("form", get_args(Format))
def test_a_stop_leaves_nothing(world: World, tmp_path: Path, form: Format) -> None:
    """Half a conversation would be taken for a whole one."""
    for together, target in ((True, tmp_path / "x"), (False, tmp_path / "folder")):
        for after in (0, 3, 6):
            asked = iter(range(after + 1))
            with Database(world.path) as base, pytest.raises(Interrupted):
                export(
                    base, ["s1", "s2", "s3"], target, Wish(form), together=together,
                    stopped=lambda asked=asked: next(asked, None) is None,  # type: ignore[misc]
                )  # fmt: skip
            assert left(tmp_path) == []
    with Database(world.path) as base, pytest.raises(Interrupted):
        export_to(base, ["s1"], lambda _text: None, Wish(form), stopped=lambda: True)


def test_ctrl_c_and_a_full_disk_leave_nothing(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder would be half full, and nobody would know which half."""

    def interrupt(done: int, _total: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with Database(world.path) as base:
        with pytest.raises(KeyboardInterrupt):
            export(base, ["s1", "s2", "s3"], tmp_path / "out", Wish("text"), together=False, progress=interrupt)
        assert left(tmp_path) == []
        for number, code in ((errno.ENOSPC, "disk_full"), (errno.EACCES, "no_permission"), (errno.EIO, "write_failed")):
            monkeypatch.setattr("hermes_tui.disk.os.fsync", _failing(os.fsync, number))
            with pytest.raises(Unreadable) as failed:
                export(base, ["s1", "s2", "s3"], tmp_path / "out", Wish("text"), together=False)
            assert failed.value.code == code
            assert os.strerror(number) in failed.value.message
            assert left(tmp_path) == []
            monkeypatch.undo()


def _failing(real: Callable[[int], None], number: int) -> Callable[[int], None]:
    """An fsync that works once and then fails."""
    once = iter([True])

    def sync(handle: int) -> None:
        if not next(once, False):
            raise OSError(number, os.strerror(number))
        real(handle)

    return sync


def test_a_place_that_is_none_is_said(world: World, tmp_path: Path) -> None:
    """A traceback says nothing."""
    file = tmp_path / "file"
    file.write_text("x")
    with Database(world.path) as base:
        for target, together in ((tmp_path / "no" / "x.md", True), (file / "x.md", True), (file, False)):
            with pytest.raises(HermesTuiError) as failed:
                export(base, ["s1"], target, Wish("markdown"), together=together)
            assert str(target).startswith(str(tmp_path))
            assert "cannot be written" in failed.value.message or failed.value.code == "exists"
    assert left(tmp_path) == ["file"]


def test_what_was_deleted_meanwhile_is_left_out_and_said(world: World, tmp_path: Path) -> None:
    """One conversation that is gone would hold up all the others."""
    with Database(world.path) as base:
        done = export(base, ["s1", "never", "s3"], tmp_path / "x.md", Wish("markdown"), together=True)
        assert (done.conversations, done.gone) == (2, ("never",))
        with pytest.raises(NotFound):
            export(base, ["never"], tmp_path / "y.md", Wish("markdown"), together=True)
    assert left(tmp_path) == ["x.md"]


def test_a_part_file_of_a_killed_export_is_removed_and_one_at_work_is_not(world: World, tmp_path: Path) -> None:
    """Leftovers would pile up; or two exports at once would write into each other."""
    (tmp_path / ".x.md.part").write_text("half")
    with Database(world.path) as base:
        export(base, ["s1"], tmp_path / "x.md", Wish("markdown"), together=True)
        assert left(tmp_path) == ["x.md"]
        with streaming.streamed_file(tmp_path / "y.md") as other:
            other.write("mine")
            seen = left(tmp_path)
            export(base, ["s1"], tmp_path / "y.md", Wish("markdown"), together=True)
            assert set(seen) <= set(left(tmp_path))
            (tmp_path / "y.md").unlink()
    assert (tmp_path / "y.md").read_text() == "mine"
    assert left(tmp_path) == ["x.md", "y.md"]


def test_progress_grows_to_the_end(make_world: Callable[..., World], tmp_path: Path) -> None:
    """A person could not tell an export that works from one that hangs."""
    made = make_world("no index")
    made.connection.execute("BEGIN")
    made.session("a", *["text"] * 1_500, title="A")
    made.session("b", *["text"] * 1_500, title="B")
    made.connection.execute("COMMIT")
    told: list[tuple[int, int]] = []
    for form in get_args(Format):
        told.clear()
        with Database(made.path) as base:
            export(base, ["a", "b"], tmp_path / form, Wish(form), together=True,
                   progress=lambda done, total: told.append((done, total)))  # fmt: skip
        done = [done for done, total in told if total == 3_000]
        assert done == sorted(done)
        assert (done[0], done[-1]) == (0, 3_000)
        assert len(set(done)) >= 5


def test_damaged_places_are_said_in_the_file(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bad page of the database, and nothing of the rest could be saved."""
    from hermes_tui.sessions.message_rows import read_messages

    def read(base: Database, ids: list[int], most_bytes: int) -> object:
        if 2 in ids:
            raise Unreadable("damaged", code="sessions_corrupt")
        return read_messages(base, ids, most_bytes)

    monkeypatch.setattr("hermes_tui.sessions.export.reading.read_messages", read)
    with Database(world.path) as base:
        done = export(base, ["s1"], tmp_path / "x.md", Wish("markdown"), together=True)
    assert (done.messages, done.lost) == (2, 1)
    text = (tmp_path / "x.md").read_text()
    assert "one" in text
    assert "cannot be read" in text


SCRIPT = """
import resource, sys
from pathlib import Path
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.export.export import export
from hermes_tui.sessions.export.wish import Wish
base = Database(Path(sys.argv[1]))
print("ready", flush=True)
export(base, sys.argv[3].split(), Path(sys.argv[2]), Wish(sys.argv[4]), together=sys.argv[5] == "together")
status = Path("/proc/self/status")  # the number that Python has begins with that of the process it was started by
lines = status.read_text().splitlines() if status.exists() else []
peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
print((peaks or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])[0] // 1024)
"""


def started(world: World, target: Path, ids: str, form: str, how: str) -> subprocess.Popen[str]:
    """An export in a process of its own."""
    command = [sys.executable, "-c", SCRIPT, str(world.path), str(target), ids, form, how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_a_long_conversation_takes_little_memory(make_world: Callable[..., World], tmp_path: Path) -> None:
    """An export of years would bring the machine to its knees."""
    made = make_world("no index")
    made.session("s", title="Long")
    call = json.dumps([{"id": "c", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}])
    rows = [
        ("s", role, f"{text} {number}", calls, 1.7e9 + number)
        for number in range(MANY // 2)
        for role, text, calls in (("user", "words and words " * 20, None), ("assistant", "**a** and b " * 20, call))
    ]
    made.connection.execute("BEGIN")
    sql = "INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES (?, ?, ?, ?, ?)"
    made.connection.executemany(sql, rows)
    made.say("s", "[CONTEXT COMPACTION] so every message is compared")
    made.connection.execute("COMMIT")
    runs = {form: started(made, tmp_path / form, "s", form, "together") for form in ("markdown", "html")}
    for form, run in runs.items():
        said, _ = run.communicate(timeout=120)
        assert int(said.split()[-1]) < MOST_MB
        assert (tmp_path / form).stat().st_size > MANY * 300
        (tmp_path / form).unlink()


def test_a_kill_leaves_whole_files_or_none(make_world: Callable[..., World], tmp_path: Path) -> None:
    """Half a file would be taken for an export."""
    made = make_world("no index")
    ids = [made.session(f"s{number}", *["text " * 40] * 150, title=f"T{number}") for number in range(12)]
    with Database(made.path) as base:
        whole = {path.name: path.stat().st_size for path in export(
            base, ids, tmp_path / "whole", Wish("text"), together=False).paths}  # fmt: skip
        size = export(base, ids, tmp_path / "one", Wish("text"), together=True).bytes
    parts = 0
    for round in range(8):
        how, target = ("together", tmp_path / "x.txt") if round % 2 else ("apart", tmp_path / "out")
        run = started(made, target, " ".join(ids), "text", how)
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(0.03 * round)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        if how == "together":
            parts += (tmp_path / ".x.txt.part").exists()
            assert not target.exists() or target.stat().st_size == size
            target.unlink(missing_ok=True)
        elif target.exists():
            for path in list(target.iterdir()):
                if path.name.endswith(".part"):
                    parts += 1
                else:
                    assert path.stat().st_size == whole[path.name]
                    path.unlink()
    assert parts, "no kill came in the middle of a file"
    with Database(made.path) as base:
        export(base, ids, tmp_path / "x.txt", Wish("text"), together=True)
        export(base, ids, tmp_path / "out", Wish("text"), together=False)
    assert [name for name in (*left(tmp_path), *left(tmp_path / "out")) if name.endswith(".part")] == []
