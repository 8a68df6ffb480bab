"""`hermes-tui sessions export`: what it writes and where, what it says, and what it leaves alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from hermes_tui.cli.main import LazyGroup
from hermes_tui.cli.sessions_export import export
from tests.cli.conftest import Ran, Run, tree
from tests.sessions.world import World

ROOT = Path(__file__).parents[2]
SECRET = "sk-proj-abcdefghijklmnop1234567890"
KEYS = ["ok", "files", "format", "conversations", "messages", "masked", "bytes", "unreadable", "gone", "lossless"]


@pytest.fixture
def home(hermes_home: Path) -> Iterator[World]:
    """A home's database with conversations of every kind."""
    made = World(hermes_home / "state.db")
    made.session("20260101_100000_aaaaaa", "how do I rotate logs?", "With logrotate.", title="Rotating logs")
    made.session("20260102_100000_bbbbbb", "a docker question", "Use docker.", source="telegram")
    made.session("20260103_100000_cccccc", "first half", "yes", title="Halves", end_reason="compression", ended_at=1.0)
    made.session("20260104_100000_dddddd", "second half", "ok", parent_session_id="20260103_100000_cccccc")
    made.session("20260105_100000_eeeeee", "nightly docker", "done", source="cron")
    made.session("20260107_100000_111111", "old docker", "ok", archived=1, title="Old things")
    made.session("20260108_100000_222222")
    made.session("20260109_100000_333333", f"my key is {SECRET}", "Noted.", title="Keys: a/b?")
    yield made
    made.close()


class Alone(LazyGroup):
    """A group with this one command."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002 - click's signature
        """The command."""
        return export


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the command with these words, in a folder of its own."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def run_words(*words: str | Path, stdin: str | bytes = b"") -> Ran:
        result = CliRunner().invoke(Alone("hermes-tui"), ["export", *map(str, words)], input=stdin)
        out, err = result.stdout_bytes.decode("utf-8"), (result.stderr_bytes or b"").decode("utf-8")
        return Ran(result.exit_code, out, err)

    return run_words


def here() -> list[str]:
    """The files in the current folder."""
    return sorted(path.name for path in Path().iterdir())


@pytest.mark.usefixtures("home")
def test_a_conversation_becomes_a_file_in_the_current_folder(run: Run) -> None:
    """A person would have to know about folders and formats first."""
    ran = run("Keys: a/b?")
    assert ran.code == 0
    assert ran.out == "Keys-a-b-20260109_100000_333333.md\n"
    assert here() == [ran.out.strip()]
    assert ran.err.startswith("1 conversation exported with 2 messages, 1 file, ")
    assert "1 secret masked; --reveal leaves them as they are." in ran.err
    text = Path(ran.out.strip()).read_text()
    assert "# Keys: a/b?" in text
    assert SECRET not in text
    again = run("20260109", "--reveal")
    assert again.code == 1
    assert "is there already" in again.err
    assert "--force" in again.err
    assert Path(here()[0]).read_text() == text
    forced = run("20260109", "--reveal", "--force")
    assert forced.code == 0
    assert SECRET in Path(here()[0]).read_text()
    assert "masked" not in forced.err


@pytest.mark.usefixtures("home")
def test_the_json_says_what_was_written(run: Run) -> None:
    """A script would have to look for the files."""
    ran = run("Halves", "Rotating logs", "-o", "out", "--json")
    assert ran.code == 0
    assert list(ran.json) == KEYS
    assert ran.json["files"] == [
        f"out{os.sep}Halves-20260104_100000_dddddd.md",
        f"out{os.sep}Rotating-logs-20260101_100000_aaaaaa.md",
    ]
    assert (ran.json["conversations"], ran.json["messages"], ran.json["masked"]) == (2, 6, 0)
    assert ran.json["bytes"] == sum(Path(file).stat().st_size for file in ran.json["files"])
    assert not ran.err


@pytest.mark.usefixtures("home")
def test_the_place_and_the_format_are_as_a_person_means_them(run: Run) -> None:
    """An ending that says html would be a folder of Markdown."""
    assert run("Halves", "-o", "a.html").code == 0
    assert Path("a.html").read_text().startswith("<!DOCTYPE html>")
    assert run("Halves", "Keys: a/b?", "-o", "b.txt").code == 0
    assert Path("b.txt").read_text().count("\nsession ") == 2
    assert run("Halves", "-o", "c.odd").code == 0
    assert Path("c.odd").is_dir()
    assert run("Halves", "-o", "d.odd", "--together", "--format", "txt").code == 0
    assert Path("d.odd").read_text().startswith("Halves\n")
    assert run("Halves", "-o", "e/", "--format", "md").code == 0
    assert [path.suffix for path in Path("e").iterdir()] == [".md"]
    assert run("Halves", "Old things", "--together", "--format", "html").out == "conversations.html\n"
    wrong = run("Halves", "-o", "e", "--together")
    assert (wrong.code, "is a folder" in wrong.err) == (2, True)
    assert run("Halves", "-o", "no/such/x.md").code == 3
    assert not Path("no").exists()


@pytest.mark.usefixtures("home")
def test_stdout_takes_the_conversations_and_nothing_else(run: Run) -> None:
    """A pipe would get the talk too."""
    ran = run("Halves", "-o", "-", "--format", "jsonl", "--reveal")
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["id"] for line in lines] == ["20260103_100000_cccccc", "20260104_100000_dddddd"]
    assert "1 conversation exported with 4 messages" in ran.err
    assert "not lossless" not in ran.err
    assert here() == []
    assert run("Halves", "-o", "-").out.startswith("---\nsession_id:")
    assert run("Halves", "-o", "-", "--json").code == 2


@pytest.mark.usefixtures("home")
def test_masked_lines_of_json_say_that_they_lose_something(run: Run) -> None:
    """Somebody would delete the original and keep a copy full of holes."""
    masked = run("Keys: a/b?", "--format", "jsonl")
    assert "Masked JSONL is not lossless; with --reveal it is." in masked.err
    assert SECRET not in Path(here()[0]).read_text()
    said = run("Keys: a/b?", "--format", "jsonl", "--force", "--reveal", "--json").json
    assert (said["lossless"], said["masked"]) == (True, 0)
    assert SECRET in Path(here()[0]).read_text()
    assert run("Keys: a/b?", "-o", "x.jsonl", "--json").json["lossless"] is False


@pytest.mark.usefixtures("home")
def test_filters_export_what_they_show(run: Run) -> None:
    """The whole database would be written in the place of what was chosen."""

    def exported(*words: str) -> list[str]:
        shape = run(*words, "--dry-run", "--json").json
        assert shape["conversations"] == len(shape["exported"]) == len(shape["files"])
        return [row["id"][-6:] for row in shape["exported"]]

    assert exported("--source", "telegram") == ["bbbbbb"]
    assert exported("--source", "cron") == ["eeeeee"]
    assert exported("--archived", "only") == ["111111"]
    assert exported("--archived") == ["333333", "111111", "dddddd", "bbbbbb", "aaaaaa"]
    assert set(exported("--hidden")) == {"333333", "dddddd", "bbbbbb", "aaaaaa", "eeeeee", "222222"}
    assert len(exported("--all")) == 7
    assert exported("--title", "HALV") == ["dddddd"]
    assert exported("--query", "docker") == ["111111", "bbbbbb"]
    assert exported("--query", "docker", "--archived", "no") == ["bbbbbb"]
    assert exported("--query", "docker source:telegram") == ["bbbbbb"]
    assert exported("--query", "docker", "--all") == ["111111", "eeeeee", "bbbbbb"]
    assert exported("--query", "docker", "--source", "cron") == ["eeeeee"]
    assert "Read as: any of the words." in run("--query", "rotate nowhere", "--dry-run").err
    assert exported("--after", "2020") == ["333333", "dddddd", "bbbbbb", "aaaaaa"]
    assert here() == []
    nothing = run("--before", "2020", "--json")
    assert (nothing.code, nothing.json["error"]["code"]) == (1, "nothing_matches")
    ran = run("--source", "telegram")
    assert [name.lower() for name in here()] == ["a-docker-question-20260102_100000_bbbbbb.md"]
    assert ran.err.startswith("1 conversation exported")


@pytest.mark.usefixtures("home")
def test_what_is_left_out_is_said(run: Run) -> None:
    """Archived conversations would be missing without a word."""
    ran = run("--after", "2020", "-o", "x.md")
    assert "Left out: 1 archived, 1 scheduled, 1 empty (--hidden, --archived, --all)." in ran.err
    assert "Left out" not in run("--source", "telegram", "-o", "y.md").err


@pytest.mark.usefixtures("home")
def test_a_dry_run_writes_nothing_and_counts_what_would_be(run: Run, hermes_home: Path) -> None:
    """Nobody would know what they are about to get."""
    run("Halves")
    before = tree(hermes_home)
    ran = run("Halves", "Keys: a/b?", "--dry-run")
    assert ran.code == 0
    assert "20260104_100000_dddddd       4  Halves  Halves-20260104_100000_dddddd.md" in ran.out
    assert f"2 conversations with 6 messages would be written to .{os.sep}." in ran.out
    assert "1 file of them there already (--force)." in ran.out
    shape = run("Halves", "--dry-run", "--json", "--only-prompts").json
    assert (shape["dry_run"], shape["messages"], shape["exists"]) == (True, 2, ["Halves-20260104_100000_dddddd.md"])
    assert len(here()) == 1
    assert tree(hermes_home) == before


@pytest.mark.usefixtures("home")
def test_parts_prompts_and_everything_can_be_chosen(run: Run, home: World) -> None:
    """The options would have no effect."""
    home.say("20260104_100000_dddddd", "I take this back", active=0)
    assert "first half" not in run("20260104", "-o", "-", "--single").out
    prompts = run("Halves", "-o", "-", "--only-prompts", "--format", "text").out
    assert "first half" in prompts
    assert "Hermes" not in prompts
    assert "take this back" not in run("Halves", "-o", "-").out
    assert "take this back" in run("Halves", "-o", "-", "--everything").out


@pytest.mark.usefixtures("home")
def test_wrong_words_and_unknown_sessions_are_said(run: Run) -> None:
    """A script would take nothing for success."""
    assert run().code == 2
    assert run("Halves", "--all").code == 2
    assert run("Halves", "--format", "pdf").code == 2
    assert run("Halves", "-o", "").code == 2
    assert run("--after", "someday").code == 2
    unknown = run("nowhere", "--json")
    assert (unknown.code, unknown.json["error"]["code"]) == (1, "no_such_session")
    assert run("2026010").code == 1
    assert here() == []


def test_a_home_without_sessions_is_said(run: Run, hermes_home: Path) -> None:
    """A traceback says nothing."""
    assert run("--all").code == 1
    (hermes_home / "state.db").write_bytes(b"not a database at all" * 100)
    assert run("--all").code == 3
    assert here() == []


@pytest.mark.usefixtures("home")
def test_exporting_changes_nothing_in_the_home(run: Run, hermes_home: Path) -> None:
    """The agent's files would be touched by looking."""
    before = tree(hermes_home)
    for form in ("jsonl", "md", "html", "txt"):
        assert run("--all", "-o", f"all.{form}").code == 0
    assert tree(hermes_home) == before


PROGRAM = """
import sys
from tests.cli.test_sessions_export import Alone
print("ready", file=sys.stderr, flush=True)
Alone("hermes-tui").main(["export", *sys.argv[1:]])
"""


def started(folder: Path, *words: str, **options: Any) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words], cwd=folder, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, **options,
    )  # fmt: skip


def many(home: World) -> None:
    """A conversation that takes a while."""
    home.connection.execute("BEGIN")
    home.session("long", *["text " * 100] * 20_000, title="Long")
    home.connection.execute("COMMIT")


def test_ctrl_c_stops_it_and_leaves_no_file(home: World, tmp_path: Path) -> None:
    """A person would have to wait, or clean up."""
    many(home)
    process = started(tmp_path, "long", "-o", "x.html")
    assert process.stderr is not None
    process.stderr.readline()
    deadline = time.monotonic() + 20
    while not (tmp_path / ".x.html.part").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"nothing was left half written" in said
    assert b"Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == []


def test_whoever_stops_reading_hears_no_complaint(home: World, tmp_path: Path) -> None:
    """`| head` would end in a traceback."""
    many(home)
    process = started(tmp_path, "long", "-o", "-", stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"---\n"
    process.stdout.close()
    said = process.stderr.read()
    assert process.wait(20) == 0
    assert said == b"ready\n"
