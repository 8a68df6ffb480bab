"""A change on disk is seen, whatever way it was made, and whatever was there before."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import hermes_tui.watch as watch_module
from hermes_tui.home import HermesHome
from hermes_tui.watch import (
    ConfigChanged,
    HomeChanged,
    HomeEvent,
    PendingChanged,
    SessionsChanged,
    StoresChanged,
    WatchProblem,
    watch_home,
)
from hermes_tui.watch_plan import is_record, make_plan, polled_file_system

PATIENCE = 10.0
"""Seconds until an event counts as missed; a quick machine needs a hundredth of one."""

MEMORY = StoresChanged(frozenset({"memory"}))


class Watching:
    """The stream of one home, read one set at a time or until something comes."""

    def __init__(self, path: Path, stop: asyncio.Event, poll: bool | None) -> None:
        self.path = path
        self.stop = stop
        self.stream = watch_home(HermesHome(path, "default", "--home"), stop, poll=poll)
        self.sets: list[frozenset[HomeEvent]] = []

    async def next(self, patience: float = PATIENCE) -> frozenset[HomeEvent]:
        """The next set of events."""
        events = await asyncio.wait_for(anext(self.stream), patience)
        self.sets.append(events)
        return events

    async def until(self, wanted: HomeEvent | Callable[[HomeEvent], bool]) -> HomeEvent:
        """The first event that is `wanted`; fails when it does not come."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for event in await self.next():
                if event == wanted or (callable(wanted) and wanted(event)):
                    return event
        raise AssertionError(f"{wanted} did not come, only {self.sets}")

    async def store(self, name: str = "memory") -> None:
        """Wait until a change of the store is reported."""
        await self.until(lambda event: isinstance(event, StoresChanged) and name in event.stores)

    async def everything_up_to(self, path: Path) -> list[HomeEvent]:
        """All events until a change made now arrives: what was to be reported before has been."""
        path.write_text(f"{time.monotonic_ns()}")
        wanted = ConfigChanged()
        seen: list[HomeEvent] = []
        while wanted not in seen:
            seen += await self.next()
        return [event for event in seen if event != wanted]


@asynccontextmanager
async def watching(path: Path, *, poll: bool | None = False) -> AsyncIterator[Watching]:
    """A stream that has begun: what changes from here on must come."""
    stop = asyncio.Event()
    it = Watching(path, stop, poll)
    await it.next()
    try:
        yield it
    finally:
        stop.set()
        assert [events async for events in it.stream] == []


@pytest.fixture(autouse=True)
def no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the system's events alone to prove themselves: without them a change is found, but late."""
    monkeypatch.setattr(watch_module, "HEARTBEAT_SECONDS", 1_000.0)


@pytest.fixture
def home(hermes_home: Path) -> Path:
    """A home with both stores, a queue, a config and a database."""
    for folder in ("pending/memory", "pending/skills"):
        (hermes_home / folder).mkdir(parents=True)
    for name in ("MEMORY.md", "USER.md"):
        (hermes_home / "memories" / name).write_text("an entry")
    (hermes_home / "config.yaml").write_text("memory: {}")
    (hermes_home / "state.db").write_bytes(b"SQLite format 3\0")
    return hermes_home


def replace(path: Path, text: str) -> None:
    """Write as the agent does: beside, then over it."""
    beside = path.parent / f".mem_{time.monotonic_ns()}.tmp"
    beside.write_text(text)
    beside.replace(path)


class TestStores:
    async def test_three_of_three_atomic_saves_are_seen(self, home: Path) -> None:
        """Only the agent's first write after the start reaches the screen."""
        async with watching(home) as it:
            for number in range(3):
                replace(home / "memories/MEMORY.md", f"entry {number}")
                await it.store()
            replace(home / "memories/USER.md", "name")
            assert await it.until(lambda event: isinstance(event, StoresChanged)) == StoresChanged(frozenset({"user"}))

    async def test_a_write_in_place_is_seen(self, home: Path) -> None:
        """`echo >> MEMORY.md` in a shell does not show."""
        async with watching(home) as it:
            with (home / "memories/MEMORY.md").open("a") as file:
                file.write("\n§\nmore")
            await it.store()

    async def test_a_new_and_a_removed_file_are_seen(self, home: Path) -> None:
        """The first memory of a new home, or a reset, does not show."""
        (home / "memories/MEMORY.md").unlink()
        async with watching(home) as it:
            replace(home / "memories/MEMORY.md", "first")
            await it.store()
            (home / "memories/MEMORY.md").unlink()
            await it.store()

    @pytest.mark.parametrize("way", ["backup", "in place"])
    async def test_an_editors_dance_is_one_report_after_it(self, home: Path, way: str) -> None:
        """ "No memory" flashes by whenever the file is saved in an editor that keeps a backup."""
        path = home / "memories/MEMORY.md"
        save = backup_style_save if way == "backup" else slow_write_in_place
        reports = 0
        async with watching(home) as it:
            for number in range(4):
                dance = asyncio.ensure_future(asyncio.to_thread(save, path, f"edit {number}"))
                assert MEMORY in await it.next()
                on_report = path.read_text() if path.exists() else None
                took = await dance
                reports += 1 + (await it.everything_up_to(home / "config.yaml")).count(MEMORY)
                # On a machine too busy for an editor's pauses the grace is over before the dance is.
                assert on_report == f"edit {number}" or took > watch_module.GRACE_SECONDS
        assert reports <= 6

    async def test_a_file_that_stays_away_is_reported(self, home: Path) -> None:
        """The grace for editors hides a real removal."""
        async with watching(home) as it:
            (home / "memories/MEMORY.md").unlink()
            await it.store()

    async def test_other_peoples_scraps_are_ignored(self, home: Path) -> None:
        """Each lock and temporary file of the agent makes the screen read everything again."""
        async with watching(home) as it:
            for name in ("memories/MEMORY.md.lock", "memories/.mem_x.tmp", "memories/MEMORY.md.bak.1700000000",
                         "memories/.MEMORY.md.swp", "memories/4913", "pending/memory/0a1b2c3d.json.tmp",
                         "pending/memory/0a1b2c3d.json.lock", "pending/skills/.hidden.json",
                         "state.db-shm", "gateway.pid", "logs"):  # fmt: skip
                (home / name).write_text("x")
                (home / name).unlink()
            assert await it.everything_up_to(home / "config.yaml") == []

    async def test_reading_raises_no_event(self, home: Path) -> None:
        """The screen reads the files because it has read the files, for ever."""
        async with watching(home) as it:
            for path in home.rglob("*"):
                if path.is_file():
                    path.read_bytes()
            assert await it.everything_up_to(home / "config.yaml") == []

    async def test_a_change_of_permissions_is_seen(self, home: Path) -> None:
        """`chmod` makes a store readable again, and the screen goes on saying that it is not."""
        async with watching(home) as it:
            (home / "memories/MEMORY.md").chmod(0o400)
            await it.store()


def backup_style_save(path: Path, text: str) -> float:
    """Move away, write anew, remove the old one: what many editors do; returns how long it took."""
    began = time.monotonic()
    old = path.with_name(path.name + "~")
    path.rename(old)
    time.sleep(0.07)
    path.write_text(text)
    took = time.monotonic() - began
    old.unlink()
    return took


def slow_write_in_place(path: Path, text: str) -> float:
    """Open for writing, and take a moment to write; returns how long it took."""
    began = time.monotonic()
    with path.open("w") as file:
        time.sleep(0.07)
        file.write(text)
    return time.monotonic() - began


class TestLinks:
    async def test_the_target_of_a_linked_file_is_watched(self, home: Path, tmp_path: Path) -> None:
        """A memory file kept in a dotfiles repository never updates."""
        target = tmp_path / "dotfiles/memory.md"
        target.parent.mkdir()
        target.write_text("linked")
        link = home / "memories/MEMORY.md"
        link.unlink()
        link.symlink_to(target)
        async with watching(home) as it:
            for number in range(3):
                replace(target, f"entry {number}")
                await it.store()

    async def test_a_chain_of_links_is_watched_at_each_step(self, home: Path, tmp_path: Path) -> None:
        """Pointing the middle link elsewhere goes unnoticed."""
        for name in ("a", "b", "c"):
            (tmp_path / name).mkdir()
        (tmp_path / "b/real").write_text("1")
        (tmp_path / "c/real").write_text("2")
        (tmp_path / "a/middle").symlink_to("../b/real")
        link = home / "memories/USER.md"
        link.unlink()
        link.symlink_to(tmp_path / "a/middle")
        async with watching(home) as it:
            replace(tmp_path / "b/real", "3")
            await it.store("user")
            (tmp_path / "a/new").symlink_to("../c/real")
            (tmp_path / "a/new").replace(tmp_path / "a/middle")
            await it.store("user")
            replace(tmp_path / "c/real", "4")
            await it.store("user")

    async def test_a_link_made_while_watching_is_followed(self, home: Path, tmp_path: Path) -> None:
        """Moving the file to a repository and linking it stops the updates."""
        target = tmp_path / "real.md"
        async with watching(home) as it:
            target.write_text("moved")
            (home / "memories/link").symlink_to(target)
            (home / "memories/link").replace(home / "memories/MEMORY.md")
            await it.store()
            await it.everything_up_to(home / "config.yaml")
            replace(target, "changed there")
            await it.store()

    def test_a_loop_of_links_ends(self, home: Path) -> None:
        """A link to itself hangs the program."""
        link = home / "memories/MEMORY.md"
        link.unlink()
        link.symlink_to("MEMORY.md")
        assert str(home / "memories") in make_plan(HermesHome(home, "default", "--home"))


class TestDirectories:
    async def test_directories_that_appear_later_are_attached(self, hermes_home: Path) -> None:
        """In a new home the first pending write and the first memory are not seen."""
        (hermes_home / "memories").rmdir()
        async with watching(hermes_home) as it:
            (hermes_home / "memories").mkdir()
            replace(hermes_home / "memories/MEMORY.md", "first")
            await it.store()
            (hermes_home / "pending/memory").mkdir(parents=True)
            (hermes_home / "pending/memory/0a1b2c3d.json").write_text("{}")
            await it.until(PendingChanged())
            (hermes_home / "pending/skills").mkdir()
            (hermes_home / "pending/skills/0a1b2c3e.json").write_text("{}")
            await it.until(PendingChanged())
            (hermes_home / "pending/skills/0a1b2c3e.json").unlink()
            await it.until(PendingChanged())

    @pytest.mark.parametrize("pause", [0.0, 0.5])
    async def test_a_directory_made_again_is_watched_again(self, home: Path, pause: float) -> None:
        """After `rm -r pending` the queue stays empty for ever, without an error."""
        async with watching(home) as it:
            shutil.rmtree(home / "pending")
            await asyncio.sleep(pause)
            (home / "pending/memory").mkdir(parents=True)
            (home / "pending/memory/0a1b2c3d.json").write_text("{}")
            await it.until(PendingChanged())
            for number in range(3):
                (home / f"pending/memory/0a1b2c3{number}.json").write_text("{}")
                await it.until(PendingChanged())

    async def test_a_restored_memories_directory_is_watched(self, home: Path) -> None:
        """A backup swapped in by renaming is shown, but nothing the agent writes after it."""
        shutil.copytree(home / "memories", home / "restored")
        (home / "restored/MEMORY.md").write_text("from the backup")
        async with watching(home) as it:
            (home / "memories").rename(home / "old")
            (home / "restored").rename(home / "memories")
            await it.store()
            replace(home / "memories/MEMORY.md", "after")
            await it.store()

    async def test_a_home_that_vanishes_and_returns(self, home: Path) -> None:
        """A home on a drive that was unplugged has to be reopened by hand."""
        away = home.with_name("away")
        async with watching(home) as it:
            home.rename(away)
            await it.until(HomeChanged(False))
            away.rename(home)
            await it.until(HomeChanged(True))
            replace(home / "memories/MEMORY.md", "back")
            await it.store()

    async def test_a_home_is_waited_for_from_far_above(self, tmp_path: Path) -> None:
        """Opened before the agent ever ran, the screen stays empty after it did."""
        path = tmp_path / "not/there/yet/.hermes"
        async with watching(path) as it:
            assert list(tmp_path.iterdir()) == []
            (path / "memories").mkdir(parents=True)
            await it.until(HomeChanged(True))
            replace(path / "memories/MEMORY.md", "born")
            await it.store()

    async def test_a_home_behind_a_link_can_be_switched(self, home: Path, tmp_path: Path) -> None:
        """Pointing the link at another home leaves the old one on the screen."""
        other = tmp_path / "other"
        shutil.copytree(home, other)
        link = tmp_path / "current"
        link.symlink_to(home)
        async with watching(link) as it:
            replace(home / "memories/MEMORY.md", "here")
            await it.store()
            await asyncio.sleep(0.1)  # until all is calm, so that only the link itself can tell
            (tmp_path / "next").symlink_to(other)
            (tmp_path / "next").replace(link)
            await it.store()
            replace(other / "memories/MEMORY.md", "there")
            await it.store()


UNREADABLE = """
import asyncio, os, sys, tempfile
from pathlib import Path
import watchfiles._rust_notify, encodings.idna
from hermes_tui.home import HermesHome
from hermes_tui.watch import PendingChanged, StoresChanged, watch_home

if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)

async def main(home):
    pending = home / "pending/memory"
    for folder in (home / "memories", pending, home / "cache/deep"):
        folder.mkdir(parents=True)
    (home / "cache").chmod(0)
    pending.chmod(0)
    stop = asyncio.Event()
    stream = watch_home(HermesHome(home, "default", "--home"), stop, poll=False)
    assert await anext(stream) == frozenset()
    (home / "memories/MEMORY.md").write_text("x")
    assert await anext(stream) == {StoresChanged(frozenset({"memory"}))}
    pending.chmod(0o700)
    (pending / "0a1b2c3d.json").write_text("{}")
    while PendingChanged() not in await anext(stream):
        pass
    (home / "cache").chmod(0o700)
    stop.set()

with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    asyncio.run(asyncio.wait_for(main(Path(folder)), 20))
print("seen")
"""


class TestUnreadable:
    def test_a_directory_that_may_not_be_read_stops_nothing_else(self) -> None:
        """One directory of another user in the home, and no change is seen any more."""
        done = subprocess.run(
            [sys.executable, "-c", UNREADABLE],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=Path(__file__).parent.parent,
        )
        assert (done.stdout.strip(), done.stderr) == ("seen", "")


class TestOtherFiles:
    async def test_config_queue_and_database_are_told_apart(self, home: Path) -> None:
        """A streamed answer of the agent makes the memory screen read its files."""
        async with watching(home) as it:
            (home / "pending/memory/0a1b2c3d.json").write_text("{}")
            assert set(await it.everything_up_to(home / "config.yaml")) == {PendingChanged()}
            (home / "state.db-wal").write_bytes(b"wal")
            await it.until(SessionsChanged())
            (home / "state.db").write_bytes(b"SQLite format 3\0more")
            await it.until(SessionsChanged())
            assert not any(isinstance(event, StoresChanged) for events in it.sets for event in events)

    async def test_a_busy_database_is_not_reported_at_each_write(self, home: Path) -> None:
        """The list of sessions jumps dozens of times a second while the agent answers."""
        async with watching(home) as it:
            began = time.monotonic()
            for number in range(60):
                (home / "state.db-wal").write_bytes(b"x" * number)
                await asyncio.sleep(0.01)
            await it.until(SessionsChanged())
            await it.everything_up_to(home / "config.yaml")
            reports = sum(SessionsChanged() in events for events in it.sets)
            assert reports <= 1 + (time.monotonic() - began) / watch_module.SESSIONS_SECONDS

    async def test_the_last_write_of_a_busy_database_is_reported(self, home: Path) -> None:
        """The last message of a conversation is missing until something else happens."""
        wal = home / "state.db-wal"
        async with watching(home) as it:
            wal.write_bytes(b"1")
            await it.until(SessionsChanged())
            wal.write_bytes(b"22")
            await it.until(SessionsChanged())

    async def test_a_crowd_of_changes_is_one_set(self, home: Path) -> None:
        """Rejecting forty writes redraws the queue forty times."""
        async with watching(home) as it:
            for number in range(40):
                (home / f"pending/memory/{number:08x}.json").write_text("{}")
            replace(home / "memories/MEMORY.md", "x")
            await it.everything_up_to(home / "config.yaml")
            assert len(it.sets) < 10

    @pytest.mark.parametrize(
        ("name", "record"),
        [("0a1b2c3d.json", True), ("0a1b2c3d.json.tmp", False), ("0a1b2c3d.json.lock", False),
         (".0a1b2c3d_x.tmp", False), ("0a1b2c3d.json.bak.1", False), (".x.json", False)],
    )  # fmt: skip
    def test_records_are_told_by_their_names(self, name: str, record: bool) -> None:
        """A half-written record counts as a pending write."""
        assert is_record(name) is record


class TestHeartbeat:
    async def test_a_change_without_an_event_is_found(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """After the system dropped events the screen is stale until the next change."""
        monkeypatch.setattr(watch_module, "HEARTBEAT_SECONDS", 0.1)
        monkeypatch.setattr(watch_module, "topics_of", lambda *_: set())
        async with watching(home) as it:
            replace(home / "memories/MEMORY.md", "unheard")
            await it.store()


class TestPolling:
    async def test_everything_is_seen_by_looking(self, home: Path) -> None:
        """On a network drive nothing updates."""
        async with watching(home, poll=True) as it:
            [problem] = it.sets[0]
            assert isinstance(problem, WatchProblem)
            assert "0.3 s" in problem.message
            for number in range(3):
                replace(home / "memories/MEMORY.md", f"entry {number}")
                await it.store()
            (home / "pending/memory/0a1b2c3d.json").write_text("{}")
            await it.until(PendingChanged())
            (home / "state.db-wal").write_bytes(b"wal")
            await it.until(SessionsChanged())
            home.rename(home.with_name("away"))
            await it.until(HomeChanged(False))

    async def test_a_change_that_keeps_size_and_times_is_seen(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where time stamps count seconds, the second of two quick edits is lost."""
        path, real = home / "memories/MEMORY.md", os.stat
        coarse = real(path)
        monkeypatch.setattr(os, "stat", lambda at, **how: coarse if at == path else real(at, **how))
        async with watching(home, poll=True) as it:
            path.write_text("AN ENTRY")
            await it.store()

    async def test_the_environment_can_ask_for_it(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """There is no way out on a mount we do not know."""
        monkeypatch.setenv("HERMES_TUI_POLL", "1")
        async with watching(home, poll=None) as it:
            assert [type(event) for event in it.sets[0]] == [WatchProblem]

    @pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE])
    async def test_a_system_out_of_watches_is_polled(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, code: int
    ) -> None:
        """With an editor that watches a million files open, the screen is dead."""

        def refuse(*_: object) -> None:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuse)
        async with watching(home) as it:
            [problem] = it.sets[0]
            assert isinstance(problem, WatchProblem)
            assert os.strerror(code) in problem.message
            replace(home / "memories/MEMORY.md", "still seen")
            await it.store()
            assert sum(isinstance(event, WatchProblem) for events in it.sets for event in events) == 1

    @pytest.mark.parametrize(
        ("kind", "polled"),
        [("9p", True), ("drvfs", True), ("nfs4", True), ("cifs", True), ("fuse.sshfs", True), ("virtiofs", True),
         ("ext4", False), ("btrfs", False), ("tmpfs", False), ("overlay", False), ("fuseblk", False),
         ("fuse.fuse-overlayfs", False)],
    )  # fmt: skip
    def test_file_systems_without_events_are_known(self, home: Path, kind: str, polled: bool) -> None:
        """Under Windows' file systems or over a network nothing updates, and nothing says why."""
        mounts = mount_lines([("/", "ext4"), (str(home), "xfs"), (str(home / "memories"), kind)])
        found = polled_file_system(HermesHome(home, "default", "--home"), mounts)
        assert found == ((str(home / "memories"), kind) if polled else None)

    def test_mount_points_with_spaces_and_mounts_on_mounts(self, tmp_path: Path) -> None:
        """A drive with a space in its name is taken for a local one."""
        path = tmp_path / "my drive/.hermes"
        path.mkdir(parents=True)
        home = HermesHome(path, "default", "--home")
        point = str(path.parent).replace(" ", "\\040")
        assert polled_file_system(home, mount_lines([("/", "ext4"), (point, "cifs")])) == (str(path), "cifs")
        assert polled_file_system(home, mount_lines([("/", "ext4"), (point, "cifs"), (point, "ext4")])) is None


def mount_lines(mounts: Iterable[tuple[str, str]]) -> str:
    """Text in the form of /proc/self/mountinfo."""
    return "".join(
        f"{number} 1 0:{number} / {point} rw,relatime shared:1 - {kind} source rw\n"
        for number, (point, kind) in enumerate(mounts, 20)
    )


class TestStopping:
    @pytest.mark.parametrize("poll", [False, True])
    async def test_it_stops_at_once_and_leaves_nothing_behind(self, home: Path, poll: bool) -> None:
        """Quitting takes seconds, or the program hangs at exit."""
        stop = asyncio.Event()
        stream = watch_home(HermesHome(home, "default", "--home"), stop, poll=poll)
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream, None))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        stop.set()
        assert await asyncio.wait_for(waiting, PATIENCE) is None
        assert time.monotonic() - began < 1
        assert "hermes-tui-watch" not in {thread.name for thread in threading.enumerate()}

    async def test_a_cancelled_reader_ends_the_thread(self, home: Path) -> None:
        """Leaving the screen leaves its watcher running."""
        stop = asyncio.Event()
        stream = watch_home(HermesHome(home, "default", "--home"), stop, poll=False)
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert "hermes-tui-watch" not in {thread.name for thread in threading.enumerate()}

    def test_a_loop_that_closes_first_is_no_trouble(self, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
        """ "Event loop is closed" is the last line on the terminal."""

        async def leave_early() -> None:
            await anext(watch_home(HermesHome(home, "default", "--home"), asyncio.Event(), poll=False))

        asyncio.run(leave_early())
        assert "hermes-tui-watch" not in {thread.name for thread in threading.enumerate()}
        assert capfd.readouterr().err == ""

    async def test_looking_leaves_no_trace(self, hermes_home: Path) -> None:
        """Opening the screen makes directories the agent did not make."""
        before = sorted((str(path), path.stat().st_mtime_ns) for path in [hermes_home, *hermes_home.rglob("*")])
        async with watching(hermes_home):
            await asyncio.sleep(0.05)
        assert before == sorted((str(path), path.stat().st_mtime_ns) for path in [hermes_home, *hermes_home.rglob("*")])

    async def test_a_slow_reader_gets_the_sum(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A screen busy with drawing falls further and further behind."""
        busy, delivered = threading.Event(), threading.Event()

        def run(watcher: watch_module._Watcher, _: bool | None) -> None:
            watcher.deliver(frozenset())
            busy.wait(PATIENCE)
            watcher.deliver(frozenset({MEMORY, HomeChanged(False)}))
            watcher.deliver(frozenset({StoresChanged(frozenset({"user"})), ConfigChanged()}))
            watcher.deliver(frozenset({HomeChanged(True)}))
            delivered.set()
            watcher.quit.wait(PATIENCE)

        monkeypatch.setattr(watch_module._Watcher, "run", run)
        async with watching(home) as it:
            busy.set()
            delivered.wait(PATIENCE)  # the loop stands still meanwhile
            both = StoresChanged(frozenset({"memory", "user"}))
            assert await it.next() == {both, ConfigChanged(), HomeChanged(True)}

    async def test_a_failure_of_the_watcher_reaches_the_reader(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The screen stops updating and nobody says so."""

        def run(*_: object) -> None:
            raise MemoryError("no more")

        monkeypatch.setattr(watch_module._Watcher, "run", run)
        stream = watch_home(HermesHome(home, "default", "--home"), asyncio.Event())
        with pytest.raises(MemoryError, match="no more"):
            await anext(stream)
