"""Kills a process of ours while it deletes, prunes, brings back or imports, and looks at what is left.

Run by test_crash.py with the home and the number of kills; prints one line per kill.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from hermes_tui.errors import Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.sessions.export.lossless import write_session
from hermes_tui.sessions.upkeep import erasing, writer
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.pruning import Pruned
from hermes_tui.sessions.upkeep.writer import Writer
from tests.sessions.upkeep.conftest import check, dump, look
from tests.sessions.world import Shape, World

SESSIONS = 300
BATCH = 20
BATCH_SECONDS = 0.02
"""About what one takes."""
PICTURE = [{"type": "text", "text": "a picture of an otter"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
Dump = dict[str, list[tuple[Any, ...]]]


def make(path: Path, shape: Shape, *, wal: bool, sessions: int) -> None:
    """A database with conversations, subagents, pictures, usage, prompts and files."""
    path.parent.mkdir(parents=True)
    (path.parent / "sessions").mkdir()
    world = World(path, shape, wal=wal, age="new")
    world.run("BEGIN")
    for number in range(sessions):
        id = f"s{number:03}"
        parent = f"s{number - 1:03}" if number % 5 == 4 else None
        config = f'{{"_delegate_from": "{parent}"}}' if parent else None
        world.session(id, f"an otter {number}", "hello", title=f"Title {number}", parent_session_id=parent,
                      model_config=config, ended_at=1.0)  # fmt: skip
        world.say(id, PICTURE if number % 7 == 0 else "plain otter", role="tool", tool_name="t")
        world.use(id)
        if number % 10 == 0:
            (path.parent / "sessions" / f"{id}.json").write_text(id)
    world.run("COMMIT")
    world.close()


def whole(path: Path, before: Dump) -> int:
    """How many sessions are there; each of them must have just what it had, and the others nothing."""
    now = dump(path)
    there = {row[1] for row in now["sessions"]}
    columns = {table: names(path, table) for table in now}
    for table in ("messages", "session_model_usage"):
        at = columns[table].index("session_id") * 2 + 1
        assert now[table] == [row for row in before[table] if row[at] in there], f"half a session: {table}"
    parent = columns["sessions"].index("parent_session_id") * 2
    for was in before["sessions"]:
        if was[1] in there:
            rest = [row for row in now["sessions"] if row[1] == was[1]]
            kept = was[:parent] + was[parent + 2 :]
            assert [row[:parent] + row[parent + 2 :] for row in rest] == [kept], f"{was[1]} is not as it was"
    return len(there)


def names(path: Path, table: str) -> list[str]:
    """The columns of a table."""
    connection = look(path)
    found = [str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    connection.close()
    return found


def files(home: HermesHome) -> dict[str, bytes]:
    """The files beside the database."""
    return {path.name: path.read_bytes() for path in (home.path / "sessions").iterdir()}


def killed(work: Callable[[], object], commits: int, seconds: float) -> tuple[bool, int]:
    """Do this in a process of its own, and kill it so long after so many commits, however slow the machine is.

    Returns: whether it had to be killed, and how many commits there were.
    """
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(here)
            commit = Writer._commit

            def told(self: Writer) -> None:
                commit(self)
                os.write(there, b".")

            Writer._commit = told  # type: ignore[method-assign]
            work()
            os._exit(0)
        finally:
            os._exit(1)
    os.close(there)
    done = 0
    while done < commits and os.read(here, 1):
        done += 1
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while os.read(here, 1):
        done += 1
    os.close(here)
    assert os.WIFSIGNALED(status) or status == 0, "the work failed by itself"
    return os.WIFSIGNALED(status), done


def undo_all(keeper: Keeper) -> int:
    """Take back whatever there is."""
    undone = 0
    while keeper.undoable():
        try:
            keeper.undo()
        except Refused as refused:
            if refused.code != "nothing_to_undo":
                raise
            break  # what was left had been cut off before anything was done
        undone += 1
    assert not keeper.undoable()
    return undone


class Run:
    """One home that is killed again and again."""

    def __init__(self, folder: Path, shape: Shape, *, wal: bool, rng: random.Random) -> None:
        self.rng = rng
        self.home = HermesHome(folder / "home", "default", "default")
        self.empty = HermesHome(folder / "empty", "default", "default")
        make(self.home.state_db, shape, wal=wal, sessions=SESSIONS)
        make(self.empty.state_db, shape, wal=wal, sessions=0)
        self.before, self.files = dump(self.home.state_db), files(self.home)
        self.nothing = dump(self.empty.state_db)
        self.ids = [f"s{number:03}" for number in range(SESSIONS)]
        self.export = folder / "export.jsonl"
        with self.export.open("w", encoding="utf-8") as file:
            from hermes_tui.sessions.database import Database

            with Database(self.home.state_db) as base:
                for id in self.ids:
                    write_session(base, id, file.write)
        self.commits = dict.fromkeys(("delete", "prune", "undo", "import"), 5)
        self.undone = 0

    def kill_one(self, kind: str) -> str:
        """Kill it at a random moment; everything must be whole, and come back."""
        home = self.empty if kind == "import" else self.home
        keeper = Keeper(home)
        before = self.before
        if kind == "undo":
            keeper.delete(keeper.plan(self.ids))
        work = {
            "delete": lambda: Keeper(home).delete(Keeper(home).plan(self.ids)),
            "prune": lambda: Keeper(home).delete(Keeper(home).plan_prune(Pruned(older_than_days=1))),
            "undo": lambda: Keeper(home).undo(),
            "import": lambda: Keeper(home).import_file(self.export),
        }[kind]
        hit, done = killed(work, self.rng.randint(0, self.commits[kind]), self.rng.uniform(0.0, BATCH_SECONDS))
        self.commits[kind] = max(self.commits[kind], done + 1) if hit else done
        connection = apsw.Connection(str(home.state_db))
        connection.execute("PRAGMA integrity_check").fetchall()
        connection.close()
        check(home.state_db)
        if kind == "import":
            left = self._imported(keeper)
        else:
            left = whole(home.state_db, before)
            self.undone += undo_all(keeper)
            assert dump(home.state_db) == before, "undo did not lead back"
            now = files(home)
            assert now == self.files, f"other files came back: {sorted(now.keys() ^ self.files.keys())}"
        check(home.state_db)
        with keeper.steps.alone():
            pass  # whatever comes next clears what is left
        copies = data_dir(home.path) / "sessions" / "copies"
        assert not copies.is_dir() or not list(copies.iterdir()), "a copy is left that nobody needs"
        part = hit and 0 < left < SESSIONS
        return f"ok {kind} hit={int(hit)} part={int(part)} left={left}"

    def _imported(self, keeper: Keeper) -> int:
        """What an import that was killed has left: whole sessions; it goes on, and can be taken back."""
        path = self.empty.state_db
        connection = look(path)
        counts = connection.execute("SELECT session_id, count(*) FROM messages GROUP BY 1").fetchall()
        left = len(connection.execute("SELECT id FROM sessions").fetchall())
        connection.close()
        assert [count for _, count in counts] == [3] * left, "half a session was imported"
        if self.rng.random() < 0.5:
            done = keeper.import_file(self.export)
            assert len(done.imported) + len(done.skipped) == SESSIONS
            check(path)
        self.undone += undo_all(keeper)
        now = dump(path)
        assert {table: now[table] for table in ("sessions", "messages")} == {"sessions": [], "messages": []}
        return left


def main() -> None:
    """Kill as often as asked, in each way of keeping a database."""
    path, kills = Path(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]))
    writer.REST_SECONDS = writer.OTHERS_REST_SECONDS = 0.002
    erasing.BATCH_SESSIONS = BATCH
    runs = [Run(path / "wal", "0.19", wal=True, rng=rng), Run(path / "delete", "0.22", wal=False, rng=rng)]
    for number in range(kills):
        kind = ("delete", "undo", "import", "prune")[number // 2 % 4]
        print(runs[number % 2].kill_one(kind), flush=True)
    print(f"undone={sum(run.undone for run in runs)}", flush=True)


main()
