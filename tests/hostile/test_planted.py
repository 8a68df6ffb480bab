"""Links, pipes, devices, folders, endless files and broken JSON, planted where a file of the agent's or of ours is."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import pytest

from hermes_tui import disk
from hermes_tui.errors import HermesTuiError, Refused, Unreadable
from hermes_tui.home import data_dir
from hermes_tui.pending.records import list_records
from hermes_tui.pending.review import Review
from hermes_tui.settings import config_dir
from hermes_tui.sitting import Sitting
from hermes_tui.ui.themes import load_all
from hermes_tui.views import Views
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.hostile.home import make_hostile_home
from tests.pending.conftest import open_review as open_review
from tests.pending.conftest import put as put
from tests.pending.conftest import review as review
from tests.sessions.world import World

BASE = ("SOUL.md", "memory_store.db", "memories/MEMORY.md", ".env", "config.yaml", "state.db", "active_profile")
"""What everything hangs on: planted one after another."""
BESIDE = (
    "memories/MEMORY.md.lock", "memories/USER.md.lock", "pending/memory/z.json", "pending/skills/z.json",
    "skills/demo/SKILL.md", "skills/.usage.json", "logs/agent.log", "logs/agent.log.1", "honcho.json", "mem0.json",
    "auth.json", "plugins/p/__init__.py", "plugins/p/plugin.yaml", "profiles/work/profile.yaml",
    "profiles/work/config.yaml", "sessions/plain.jsonl",
)  # fmt: skip
OURS = (
    "journal.jsonl", "sitting.json", "views.json", "sessions/steps.jsonl", "provider_setup.json", "config-undo.json",
    "history/snapshots.jsonl", "history/seen.jsonl", "history/snapshots.kept", "history/finished.kept",
)  # fmt: skip
COMMANDS = (
    "memory list", "memory log", "pending list", "sessions list", "history log", "history reviews", "providers status",
    "providers memories list", "settings list", "profiles list", "info", "count", "memory undo", "pending undo",
    "sessions undo", "settings undo", "providers undo --yes", "providers memories undo --yes", "doctor",
)  # fmt: skip
DEEP = b"[" * 200_000
Plant = Callable[[Path], object]


def _endless(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


PLANTS: dict[str, Plant] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
    "loop": lambda path: path.symlink_to(path.name),
    "endless": _endless,
    "deep": lambda path: path.write_bytes(DEEP),
    "number": lambda path: path.write_bytes(b'{"id": ' + b"9" * 100_000 + b"}"),
}


@contextmanager
def patience(seconds: float = 5.0) -> Iterator[None]:
    """Fail instead of waiting for ever."""

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError("it waits for ever")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _plant(plant: Plant, path: Path) -> None:
    with suppress(FileNotFoundError):
        path.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    plant(path)


@pytest.mark.parametrize("kind", list(PLANTS))
def test_nothing_planted_in_a_home_or_among_our_files_holds_a_command_up_or_ends_it(
    run: Run, hermes_home: Path, kind: str
) -> None:
    """One `mkfifo` by the agent, and the app would never start again; one link to /dev/zero, and the memory is full."""
    make_hostile_home(hermes_home)
    for place in BESIDE:
        _plant(PLANTS[kind], hermes_home / place)
    for name in OURS:
        _plant(PLANTS[kind], data_dir(hermes_home) / name)
    _plant(PLANTS[kind], config_dir() / "themes" / "mine.yaml")
    assert 0 in _every_command(run)
    with patience():
        assert Sitting(hermes_home, kept=True).screen == ""
        assert len(load_all().problems) == 1
    for place in BASE:
        _plant(PLANTS[kind], hermes_home / place)
        _every_command(run, COMMANDS[:10])  # `doctor` looks through endless logs for as long as it may


def _every_command(run: Run, commands: Sequence[str] = COMMANDS) -> set[int]:
    codes = set()
    for words in commands:
        with patience():
            ran = run(*words.split())
        assert ran.code in (0, 1, 3), (words, ran.err)
        codes.add(ran.code)
    return codes


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_nothing_is_imported_or_appended_that_has_no_end(run: Run, hermes_home: Path, kind: str) -> None:
    """`sessions import` of a pipe would wait for ever; a line appended to one would be lost without a word."""
    make_hostile_home(hermes_home)
    path = hermes_home / "planted"
    PLANTS[kind](path)
    with patience():
        assert run("sessions", "import", path, "--dry-run").code in (1, 3)
        with pytest.raises(OSError, match=r"regular|directory"):
            disk.open_regular(path)
        with pytest.raises(Unreadable):
            disk.append_line(path, b"a line", durable=False)


def test_a_file_too_large_to_be_one_of_the_agents_is_said_to_be(tmp_path: Path) -> None:
    """A sparse file of a terabyte in the place of MEMORY.md would end the program, or the machine."""
    _endless(tmp_path / "MEMORY.md")
    with pytest.raises(Unreadable, match="larger than 256 MiB"):
        disk.read_file(tmp_path / "MEMORY.md")


def test_a_record_in_our_lists_that_nests_without_end_is_passed_over(run: Run, hermes_home: Path) -> None:
    """One such line, and nothing could be taken back any more."""
    folder = data_dir(hermes_home)
    (folder / "sessions").mkdir(parents=True)
    head = b'{"id":"00000000000000aa","state":"open","at":1.0,"kind":"add","origin":"tui","of":"","files":['
    (folder / "journal.jsonl").write_bytes(head + DEEP + b"}\n")
    (folder / "sessions" / "steps.jsonl").write_bytes(DEEP + b"\n" + b'{"id": "1", "counts": []}\n')
    (folder / "provider_setup.json").write_bytes(DEEP)
    World(hermes_home / "state.db", "0.22").close()
    _every_command(run, ("memory add one", "memory log", "memory undo", "sessions undo", "providers undo --yes"))


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("provider_setup.json", '{"files": [1], "settings": []}', "providers undo --yes"),
        ("provider_setup.json", '{"files": [], "settings": [{"key": 1}]}', "providers undo --yes"),
        (
            "sessions/steps.jsonl",
            '{"id": "a", "at": 1, "kind": "x", "label": "", "counts": {"s": Infinity}}',
            "sessions undo",
        ),
        ("sessions/steps.jsonl", f'{{"id": "a", "at": {"9" * 400}, "kind": "x", "label": ""}}', "sessions undo"),
        (
            "honcho-undo.json",
            '[{"at": 1.5, "key": "recallMode", "before": "x", "after": null, "text": "", "digest": ""}]',
            "providers honcho undo",
        ),
    ],
)
def test_what_we_keep_to_take_changes_back_may_hold_anything(
    run: Run, hermes_home: Path, name: str, text: str, command: str
) -> None:
    """One odd value in it, and undo would end the program."""
    World(hermes_home / "state.db", "0.22").close()
    (hermes_home / "honcho.json").write_text("{}")
    (data_dir(hermes_home) / name).parent.mkdir(parents=True)
    (data_dir(hermes_home) / name).write_text(text)
    _every_command(run, (command,))


def test_a_record_longer_than_any_is_not_read(run: Run, put: Callable[..., Path]) -> None:
    """A queue of a few huge files would be read, held and drawn again at each change."""
    put("a.json", {"action": "add", "target": "memory", "content": "x" * (4 << 20)})
    assert "no record is" in run("pending", "list", "--json").json["records"][0]["reason"]


def test_settings_longer_than_any_are_not_read(run: Run, hermes_home: Path) -> None:
    """The parser takes seconds for each megabyte, at every start."""
    (hermes_home / "config.yaml").write_text("memory:\n  memory_char_limit: 3000\n" + "#" * (2 << 20))
    ran = run("settings", "list")
    assert "larger than" in ran.out + ran.err


@pytest.mark.parametrize("name", ["sitting.json", "views.json"])
def test_a_link_among_our_own_files_leads_no_write_elsewhere(hermes_home: Path, tmp_path: Path, name: str) -> None:
    """Leaving the app would write over ~/.bashrc."""
    victim = tmp_path / "victim"
    victim.write_text("{}")
    folder = data_dir(hermes_home)
    folder.mkdir(parents=True)
    (folder / name).symlink_to(victim)
    Sitting(hermes_home, kept=True).keep("memory", {"memory": {"row": 1}})
    Views(hermes_home, "sessions", kept=True, read_only=False).save("mine", {"query": "x"})
    assert victim.read_text() == "{}"
    assert not (folder / name).is_symlink()
    assert (folder / name).stat().st_mode & 0o777 == 0o600


def test_a_log_of_ours_that_became_a_link_is_not_written_through(tmp_path: Path) -> None:
    """The journal of changes would be appended to any file of the account."""
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    (tmp_path / "journal.jsonl").symlink_to(victim)
    with pytest.raises(HermesTuiError):
        disk.append_line(tmp_path / "journal.jsonl", b"a line", durable=False)
    assert victim.read_text() == "as it was"


def test_a_temp_file_that_was_planted_as_a_link_is_not_written_through(tmp_path: Path) -> None:
    """Whoever guesses the name of a temp file would choose what is written over."""
    victim, target = tmp_path / "victim", tmp_path / "file"
    victim.write_text("as it was")
    (tmp_path / "temp").symlink_to(victim)
    with pytest.raises(Unreadable):
        disk.replace_file(target, b"secret", temp_name="temp")
    assert victim.read_text() == "as it was"
    assert not target.exists()


@pytest.mark.parametrize("plant", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), os.mkdir])
def test_a_lock_that_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, plant: Plant) -> None:
    """Saving would hang, or open a device."""
    plant(tmp_path / "MEMORY.md.lock")
    with patience(), pytest.raises((Refused, Unreadable)), disk.locked(tmp_path / "MEMORY.md.lock"):
        pass


def test_a_lock_that_was_swapped_while_one_waited_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writers would each hold the lock of another file, and both write."""
    path = tmp_path / "MEMORY.md.lock"
    tries: list[int] = []
    real = disk._try_lock

    def swapped(handle: int) -> bool:
        tries.append(handle)
        if len(tries) == 1:
            path.rename(tmp_path / "aside")
            path.touch()
        return real(handle)

    monkeypatch.setattr(disk, "_try_lock", swapped)
    with disk.locked(path):
        assert len(tries) == 2


def test_a_record_that_became_a_link_between_the_look_and_the_decision_stays(
    review: Review, put: Callable[..., Path], hermes_home: Path
) -> None:
    """A link to a file with the same bytes would be approved, and undo would bring back something else."""
    path = put("a0.json", {"action": "add", "target": "memory", "content": "a fact"})
    records = list_records(review.home)
    elsewhere = hermes_home / "elsewhere.json"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert [failure.verdict for failure in review.approve(records).failed] == ["stale"]
    assert path.is_symlink()
    assert not (hermes_home / "memories" / "MEMORY.md").exists()
