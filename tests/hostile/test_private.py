"""What is made is for its owner only, and no key is where others, or a reader of logs and reports, could see it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from hermes_tui import clipboard, crash
from hermes_tui.cli.main import cli
from hermes_tui.drafts import keep_draft
from hermes_tui.external_editor import edit_text
from hermes_tui.home import data_dir
from hermes_tui.pager import page
from hermes_tui.sitting import Sitting
from hermes_tui.views import Views
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.pending.conftest import put as put
from tests.pending.skill_home import add_skill
from tests.providers.fact_world import make_facts
from tests.sessions.world import World

KEY = "sk-proj-Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2"
PACKAGE = Path(__file__).parents[2] / "hermes_tui"


@pytest.fixture
def open_to_all() -> Iterator[None]:
    """A umask that takes nothing away, as some containers have it."""
    before = os.umask(0)
    yield
    os.umask(before)


def _work(run: Run, home: Path, put: Any, out: Path) -> None:
    """A day's work: everything that writes, with a key given where keys are given."""
    world = World(home / "state.db", "0.22")
    for id in ("20260101_100000_aaaaaa", "20260102_100000_bbbbbb"):
        world.session(id, f"the key is {KEY}", "yes", ended_at=1.79e9)
        (home / "sessions" / f"session_{id}.json").write_text("{}")
    world.close()
    make_facts(home / "memory_store.db", [("a fact", "general", 0.5)]).close()
    put("a.json", {"action": "add", "target": "memory", "content": "from the queue"})
    put("b.json", {"action": "add", "target": "memory", "content": "not wanted"})
    put(
        "c.json",
        {"action": "write_file", "name": "demo", "file_path": "references/new.md", "file_content": "x"},
        queue="skills",
    )
    secret = out / "secret"
    secret.write_text(KEY)
    for words in (
        "memory add one", "memory add two --store user", "memory replace --match one three",
        "memory move --store user --match two", "memory undo",
        "memory redo", "memory normalize", "pending approve a c", "pending reject b", "pending undo", "pending gate on",
        "settings set memory.memory_char_limit 3000", "settings undo",
        f"providers setup mem0 --yes --secret-file {secret}",
        "providers undo --yes", f"providers setup honcho --yes --secret-file {secret}", "providers off --yes",
        "providers setup holographic --yes", "providers memories delete 1 --yes", "providers memories undo --yes",
        "sessions rename 20260101_100000_aaaaaa named", "sessions pin 20260101_100000_aaaaaa",
        f"sessions export --all --output {out}/export.jsonl",
        f"sessions export --all --output {out}/pages --format html",
        "sessions delete 20260102_100000_bbbbbb --yes", "sessions undo", "sessions vacuum --yes",
        "sessions delete 20260102_100000_bbbbbb --yes", f"sessions import {out}/export.jsonl --yes", "history log",
        f"demo {out}/demo",
    ):  # fmt: skip
        ran = run(*words.split())
        assert ran.code == 0, (words, ran.err, ran.out)
    Views(home, "sessions").save("mine", {"query": "x"})
    Sitting(home, kept=True).keep("memory", {"memory": {"row": 1}})
    keep_draft(home, "half a thought")
    crash.keep_report(ValueError(KEY))
    clipboard.copy("copied", environ={}, data_dir=data_dir(home))


@pytest.mark.usefixtures("open_to_all")
def test_nothing_that_is_made_can_be_read_or_written_by_others(
    run: Run, hermes_home: Path, isolated_machine: Path, put: Any, tmp_path: Path
) -> None:
    """On a machine with several people, each could read what the agent knows about the others."""
    (hermes_home / "sessions").mkdir()
    add_skill(hermes_home, "demo")
    out = tmp_path / "out"
    out.mkdir(mode=0o700)
    before = set(isolated_machine.rglob("*"))
    _work(run, hermes_home, put, out)
    # What an agent made stays as it made it, and what comes back into its folders is as open as they are.
    theirs = ("pending", "sessions", "skills", "state.db", "state.db-wal", "state.db-shm", "memory_store.db")
    found = {*isolated_machine.rglob("*"), *out.rglob("*")} - before - {out / "secret"}
    wrong = {
        str(path): oct(path.stat().st_mode)
        for path in found
        if not any(path.is_relative_to(hermes_home / name) for name in theirs)
        and out / "demo" not in path.parents  # inside, the modes are an agent's
        and stat.S_IMODE(path.stat().st_mode) & 0o077
    }
    assert wrong == {}
    folder = data_dir(hermes_home)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sum(path.is_file() for path in folder.rglob("*")) >= 10


@pytest.mark.usefixtures("open_to_all")
def test_what_other_programs_are_lent_is_for_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an entry is in the editor, or a message in the pager, others could read it in /tmp."""
    log, script = tmp_path / "log", tmp_path / "tool"
    script.write_text(f'#!/bin/sh\nstat -c %a "$1" "$(dirname "$1")" >> {log}\n')
    script.chmod(0o755)
    monkeypatch.setattr("hermes_tui.pager._wait_for_enter", lambda: None)
    edit_text("private", {"EDITOR": str(script)})
    page("private", {"PAGER": str(script)})
    assert log.read_text().split() == ["600", "700"] * 2


@pytest.mark.usefixtures("open_to_all")
def test_the_folders_of_the_very_first_file_are_for_their_owner(tmp_path: Path) -> None:
    """What is copied first, before anything else was kept, would lie below folders that others may change."""
    clipboard.copy("copied", environ={}, data_dir=tmp_path / "state" / "app" / "home")
    made = sorted((tmp_path / "state").rglob("*"))
    assert [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "state", *made)] == [0o700, 0o700, 0o700, 0o600]


def test_no_key_is_in_what_we_keep_or_say(run: Run, hermes_home: Path, put: Any, tmp_path: Path) -> None:
    """A report of a crash, or the list of what was done, is sent to strangers."""
    (hermes_home / "sessions").mkdir()
    add_skill(hermes_home, "demo")
    _work(run, hermes_home, put, tmp_path)
    reports = "".join(path.read_text() for path in crash.reports())
    assert "ValueError" in reports
    assert KEY not in reports
    kept = {
        path.name for path in data_dir(hermes_home).rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    }
    assert kept <= {"provider_setup.json"}, "only what undo of a setup needs holds a key"
    for words in ("info", "doctor", "providers status", "settings list", "memory log", "sessions list", "history log"):
        ran = run(*words.split())
        assert KEY not in ran.out + ran.err, words


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            assert inner is not None
            yield from _commands(inner, (*path, name))


@pytest.mark.usefixtures("hermes_home")
def test_no_command_takes_a_key_as_an_argument(run: Run) -> None:
    """`ps` would show it to everybody on the machine, and the shell would write it into its history."""
    found = list(_commands(cli))
    assert len(found) > 40
    for path, command in found:
        for parameter in (each for each in command.params if isinstance(each, click.Option)):
            named = {word for option in parameter.opts for word in re.split(r"[^a-z]+", option.lower())}
            if named & {"key", "token", "secret", "password", "api"}:
                assert "file" in named, (path, parameter.opts)
    ran = run("providers", "setup", "mem0", "--yes", "--set", f"api_key={KEY}")
    assert ran.code in (1, 2)
    assert KEY not in ran.out + ran.err


DANGEROUS = re.compile(
    r"shell=|os\.(system|popen)|pickle|marshal|yaml\.(load|unsafe)|(?<![.\w])(eval|exec)\(|basicConfig|FileHandler|proctitle"
)


def test_no_program_is_started_through_a_shell_no_text_is_run_and_nothing_is_logged() -> None:
    """A title with `$(…)` in it would be run; a log or the title of the process would tell what is on the screen."""
    found = {
        f"{file.name}: {hit[0]}"
        for file in PACKAGE.rglob("*.py")
        for hit in DANGEROUS.finditer(file.read_text("utf-8"))
    }
    assert found == set()
