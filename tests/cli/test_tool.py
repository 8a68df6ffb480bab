"""`hermes-tui tool`: JSON in, the agent's own result out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, tree
from tests.sessions.world import World


def call(**arguments: Any) -> str:
    return json.dumps(arguments)


def test_one_call_prints_the_tools_result_and_nothing_else(run: Run, memory_file: Path) -> None:
    """The result has the agent's keys in the agent's order, not an envelope of ours."""
    shown = run("tool", "memory", call(action="add", target="memory", content="Third"))
    assert shown.code == 0
    assert shown.err == ""
    assert list(shown.json) == ["success", "done", "target", "usage", "entry_count", "message", "note"]
    assert shown.json["message"] == "Entry added."
    assert memory_file.read_text().endswith("\n§\nThird")


def test_refused_call_exits_with_1_and_the_result(run: Run, memory_file: Path) -> None:
    """A refusal by the tool is its result; the exit code tells scripts."""
    shown = run("tool", "memory", call(action="add", target="memory", content="x" * 3000))
    assert shown.code == 1
    assert shown.json["success"] is False
    assert shown.json["error"].startswith("Memory at 45/2,200 chars. Adding this entry (3,000 chars)")
    assert len(shown.json["current_entries"]) == 2
    assert memory_file.read_text().endswith("Friday")


def test_arguments_come_from_stdin_as_well(run: Run, memory_file: Path) -> None:
    """Without an argument, or with a dash, the call is read from stdin."""
    assert run("tool", "memory", stdin=call(action="remove", target="memory", old_text="tea")).code == 0
    assert run("tool", "memory", "-", stdin=call(action="add", target="user", content="Ann")).code == 0
    assert memory_file.read_text() == "Deploys go out on Friday"
    for wrong in ("", "{", "[]", '"x"'):
        assert run("tool", "memory", stdin=wrong).code == 2


def test_dialects_differ_where_the_agents_do(run: Run, memory_file: Path) -> None:
    """0.19 takes a call without a target for memory; 0.22 refuses it, and knows patch."""
    without_target = call(action="add", content="Third")
    assert run("tool", "memory", without_target, "--dialect", "0.22").code == 1
    assert run("tool", "memory", without_target, "--dialect", "0.19").code == 0
    patch = call(action="patch", target="memory", old_text="Friday", content="Monday")
    assert run("tool", "memory", patch, "--dialect", "0.19").code == 1
    shown = run("tool", "memory", patch)
    assert shown.json["patched_entry_before"] == "Deploys go out on Friday"
    assert list(shown.json)[-1] == "note"
    assert "Monday" in memory_file.read_text()


def test_stdin_answers_line_by_line_while_it_is_open(memory_file: Path) -> None:
    """An agent keeps the process and gets each answer before it sends the next call."""
    with subprocess.Popen(
        [sys.executable, "-m", "hermes_tui", "tool", "memory", "--stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(line: bytes) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        assert ask(call(action="add", target="memory", content="Third").encode())["success"] is True
        assert "Third" in memory_file.read_text()
        assert list(ask(b"{not json")) == ["error", "success"]
        assert ask(b"[1]")["success"] is False
        assert ask(b"\xff\xfe")["success"] is False
        assert ask(b"[" * 100_000)["success"] is False
        assert ask(b'\n{"action": "add", "target": "memory", "content": "\\ud800"}')["success"] is False
        assert ask(call(action="remove", target="memory", old_text="Third").encode())["success"] is True
        process.stdin.close()
        assert process.wait(timeout=10) == 0


def test_gate_stages_and_can_be_switched_between_calls(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """With write approval on, the write waits in the queue and the file stays as it is."""
    before = memory_file.read_bytes()
    (hermes_home / "config.yaml").write_text("memory: {write_approval: true}\n")
    shown = run("tool", "memory", call(action="add", target="memory", content="Third"))
    assert shown.code == 0
    assert shown.json["staged"] is True
    assert memory_file.read_bytes() == before
    [record] = (hermes_home / "pending" / "memory").iterdir()
    assert record.stem == shown.json["pending_id"]
    assert json.loads(record.read_text())["payload"]["content"] == "Third"
    assert run("count").out == "1\n"
    (hermes_home / "config.yaml").write_text("memory: {write_approval: 1}\n")
    assert "staged" not in run("tool", "memory", call(action="add", target="memory", content="Third")).json


@pytest.mark.parametrize("gate", ["true", "false"])
def test_read_only_tool_writes_nothing(
    run: Run, memory_file: Path, hermes_home: Path, isolated_machine: Path, gate: str
) -> None:
    """Neither the file nor the queue is touched."""
    (hermes_home / "config.yaml").write_text(f"memory: {{write_approval: {gate}}}\n")
    before = tree(isolated_machine)
    shown = run("tool", "memory", "--read-only", call(action="add", target="memory", content="Third"))
    assert (shown.code, shown.json["success"]) == (1, False)
    assert tree(isolated_machine) == before
    assert memory_file.exists()


def test_a_config_that_does_not_parse_lets_no_write_past_an_unknown_gate(
    run: Run, memory_file: Path, hermes_home: Path
) -> None:
    """A typo in config.yaml would switch the approval off that it asks for."""
    before = memory_file.read_bytes()
    (hermes_home / "config.yaml").write_text("memory: {write_approval: true}\na: [\n")
    shown = run("tool", "memory", call(action="add", target="memory", content="Third"))
    assert (shown.code, shown.json["success"]) == (1, False)
    assert "line 3, column 1" in shown.json["error"]
    assert memory_file.read_bytes() == before


def test_an_empty_line_begins_a_new_turn(run: Run, hermes_home: Path) -> None:
    """After four failures the agent would be told to stop for ever."""
    (hermes_home / "config.yaml").write_text("memory: {memory_char_limit: 5}\n")
    line = call(action="add", target="memory", content="far too long") + "\n"
    shown = run("tool", "memory", "--stdin", stdin=line * 4 + "\n" + line)
    errors = [json.loads(answer)["error"] for answer in shown.out.splitlines()]
    assert errors[3].startswith("Memory consolidation failed 4 times")
    assert errors[4].startswith("Memory at")


@pytest.fixture
def past(hermes_home: Path) -> None:
    """Two past sessions, one of them of another profile."""
    other = hermes_home / "profiles" / "work"
    other.mkdir(parents=True)
    for path, id, text in ((other, "w1", "blue at work"), (hermes_home, "h1", "blue at home")):
        made = World(path / "state.db")
        made.session(id, text, "fine", title=f"Talk {id}")
        made.close()


@pytest.mark.usefixtures("past")
def test_session_search_answers_in_each_mode_and_nothing_else(run: Run) -> None:
    """An agent that calls it would not understand what it gets."""
    keys = {
        '{"query": "blue"}': ["success", "mode", "query", "detail", "results", "count", "sessions_searched"],
        '{"session_id": "h1"}': ["success", "mode", "session_id", "link", "session_meta", "message_count", "truncated"],
        '{"session_id": "h1", "around_message_id": 1}': ["success", "mode", "session_id", "around_message_id"],
        "{}": ["success", "mode", "results", "count", "message"],
    }
    modes = []
    for arguments, first in keys.items():
        shown = run("tool", "session_search", arguments)
        assert (shown.code, shown.err) == (0, "")
        assert list(shown.json)[: len(first)] == first
        modes.append(shown.json["mode"])
    assert modes == ["discover", "read", "scroll", "browse"]
    older = run("tool", "session_search", '{"query": "blue"}', "--dialect", "0.19").json
    assert list(older) == ["success", "mode", "query", "results", "count", "sessions_searched"]
    assert older["results"][0]["snippet"] == ">>>blue<<< at home"


@pytest.mark.usefixtures("past")
def test_session_search_refuses_in_the_agents_form(run: Run) -> None:
    """A wrong id would be taken for a session without messages."""
    for arguments in (
        call(session_id="nope"),
        call(session_id="h1", around_message_id=99),
        call(session_id="h1", around_message_id="x"),
        call(profile="nope"),
        call(query="blue", after="never"),
    ):
        shown = run("tool", "session_search", arguments)
        assert shown.code == 1
        assert list(shown.json) == ["error", "success"]
    for wrong in ("", "{", "[]"):
        assert run("tool", "session_search", stdin=wrong).code == 2
    assert run("tool", "session_search", "{}", "--stdin").code == 2


@pytest.mark.usefixtures("past")
def test_session_search_reaches_other_profiles(run: Run) -> None:
    """A link to a session of another profile would lead nowhere."""
    for arguments in (call(session_id="@session:work/w1"), call(session_id="w1", profile="work")):
        shown = run("tool", "session_search", arguments).json
        assert shown["messages"][0]["content"] == "blue at work"
        assert shown["link"] == "@session:work/w1"
    assert run("tool", "session_search", call(session_id="w1")).code == 1


@pytest.mark.usefixtures("past")
def test_session_search_answers_line_by_line(run: Run) -> None:
    """One bad call would end the process for all that follow."""
    lines = ['{"query": "blue"}', "{not json", "[1]", "", '{"profile": "nope"}', '{"session_id": "h1"}']
    shown = run("tool", "session_search", "--stdin", stdin="\n".join(lines))
    assert [json.loads(line)["success"] for line in shown.out.splitlines()] == [True, False, False, False, True]
