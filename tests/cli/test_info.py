"""What `info` and `doctor` say, and that they only look."""

from __future__ import annotations

import fcntl
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, tree
from tests.sessions.world import World


def checks(shown: dict[str, Any], word: str) -> list[str]:
    """The messages of all checks with this word."""
    return [row["message"] for row in shown["checks"] if row["status"] == word]


def test_info_names_paths_rule_settings_and_versions(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """Everything a bug report needs is in one place."""
    (hermes_home / "config.yaml").write_text("memory: {write_approval: 1, memory_char_limit: 50}\n")
    shown = run("info", "--json").json
    assert (shown["home"], shown["profile"], shown["chosen_by"], shown["exists"]) == (
        str(hermes_home),
        "default",
        "default",
        True,
    )
    assert shown["config"]["state"] == "ok"
    values = {row["key"]: (row["value"], row["origin"]) for row in shown["config"]["values"]}
    assert values["memory.memory_char_limit"] == (50, "user")
    assert values["memory.write_approval"] == (False, "user")
    assert values["memory.user_char_limit"] == (1375, "default")
    assert "OFF" in shown["config"]["notes"][0]["message"]
    assert [row["state"] for row in shown["stores"]] == ["ok", "missing"]
    assert shown["stores"][0]["usage"]["chars"] == len(memory_file.read_text())
    assert {"hermes-tui", "python", "textual", "click"} <= set(shown["versions"])
    assert str(memory_file) in run("info").out


def test_info_without_a_home_says_where_it_looked(run: Run, tmp_path: Path) -> None:
    """Nothing there is an answer, too."""
    shown = run("info", "--home", tmp_path / "none", "--json")
    assert (shown.code, shown.json["exists"], shown.json["chosen_by"]) == (0, False, "--home")
    assert "does not exist" in run("info", "--home", tmp_path / "none").out


def test_healthy_home_gets_a_clean_bill(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """On a home as the agent leaves it, doctor has no complaints."""
    hermes_home.chmod(0o700)
    memory_file.chmod(0o600)
    shown = run("doctor", "--json")
    assert shown.code == 0
    assert shown.json["ok"] is True
    assert checks(shown.json, "problem") == []
    assert checks(shown.json, "warn") == []
    assert {"home", "folder", "config", "memory", "user", "leftovers", "pending", "our data", "locale"} <= {
        row["id"] for row in shown.json["checks"]
    }


def test_doctor_finds_what_is_wrong_and_says_what_to_do(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """Gate traps, blocked and repeated entries, drift backups, temp files and open modes are all named."""
    memory_file.write_text("keys in ~/.ssh\n§\nsame\n§\nsame")
    memory_file.chmod(0o644)
    (hermes_home / "config.yaml").write_text("memory: {write_approval: 1}\n")
    (hermes_home / "memories" / ".mem_abc.tmp").write_text("")
    (hermes_home / "memories" / "MEMORY.md.bak.1790000000").write_text("")
    (hermes_home / "memories" / "USER.md").mkdir()
    shown = run("doctor", "--json")
    assert shown.code == 1
    assert shown.json["ok"] is False
    assert shown.json["error"]["code"] == "problems"
    warned = " ".join(checks(shown.json, "warn"))
    for words in ("gate is OFF", "ssh_access", "repeats entry 2", "temp file", "backup", "0644"):
        assert words in warned
    assert any("USER.md" in message for message in checks(shown.json, "problem"))
    assert all(row["hint"] for row in shown.json["checks"] if row["status"] == "problem")
    plain = run("doctor")
    assert plain.code == 1
    assert "problem" in plain.out
    assert "→ chmod 600" in plain.out


def test_doctor_reports_a_config_that_does_not_parse(run: Run, hermes_home: Path) -> None:
    """The place in the file and the open gate are in the report."""
    (hermes_home / "config.yaml").write_text("a: [\n")
    shown = run("doctor", "--json").json
    assert any("line 2, column 1" in message for message in checks(shown, "problem"))
    assert any("write approval is OFF" in message for message in checks(shown, "warn"))


def test_doctor_sees_a_lock_that_is_held(run: Run, memory_file: Path) -> None:
    """While an agent writes, doctor says so and does not wait."""
    with memory_file.with_name("MEMORY.md.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        started = time.monotonic()
        shown = run("doctor", "--json").json
    assert time.monotonic() - started < 2
    assert any("MEMORY.md.lock is held" in message for message in checks(shown, "warn"))


def test_doctor_reports_a_missing_home(run: Run, tmp_path: Path) -> None:
    """No home is a problem, and the terminal is looked at all the same."""
    shown = run("doctor", "--home", tmp_path / "none", "--json")
    assert shown.code == 1
    assert next(row["id"] for row in shown.json["checks"]) == "home"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("words", [["info"], ["doctor"], ["profiles", "list"], ["memory", "list"], ["memory", "scan"]])
def test_looking_changes_nothing(
    run: Run, memory_file: Path, isolated_machine: Path, hermes_home: Path, words: list[str]
) -> None:
    """No lock file, no directory, no journal: a look leaves no trace."""
    memory_file.write_text("odd\n\n§\n\nspacing")
    (hermes_home / "config.yaml").write_text("a: [\n")
    before = tree(isolated_machine)
    run(*words)
    run(*words, "--json")
    assert tree(isolated_machine) == before


def test_doctor_notices_sessions_that_lie_in_damaged_pages(run: Run, hermes_home: Path) -> None:
    """A database that lists nearly everything is not called healthy."""
    world = World(hermes_home / "state.db", "no index")
    for number in range(80):
        world.session(f"s{number:02}", "hi", title=f"title {number:02} " + "x" * 300)
    world.run("VACUUM")
    world.close()
    data = bytearray(world.path.read_bytes())
    row = data.find(b"s40cli")
    assert row > 0
    spoiled = row // 4096 * 4096
    data[spoiled : spoiled + 4096] = bytes([0xAA]) * 4096
    world.path.write_bytes(data)
    found = [check["message"] for check in run("doctor", "--json").json["checks"] if check["status"] == "problem"]
    assert any("sessions cannot be read" in message for message in found)
    listed = run("sessions", "list", "--limit", "100", "--json").json
    assert 40 < len(listed["sessions"]) < 80


def test_info_names_every_setting_of_ours_with_what_made_it_so(
    run: Run, hermes_home: Path, isolated_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody could tell which of four places decides."""
    assert hermes_home.is_dir()
    file = isolated_machine / ".config" / "hermes-tui" / "settings.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("screen: pending\nkeys: {memory.add: [x, f9], memory.edti: e}\nmouse: maybe\n")
    monkeypatch.setenv("HERMES_TUI_REDUCED_MOTION", "1")
    shown = run("--theme", "hermes-light", "info", "--json").json["settings"]
    assert shown["path"] == str(file)
    values = {row["key"]: (row["value"], row["origin"]) for row in shown["values"]}
    assert values == {
        "theme": ("hermes-light", "--theme"),
        "screen": ("pending", "settings.yaml"),
        "reduced_motion": (True, "HERMES_TUI_REDUCED_MOTION"),
        "read_only": (False, "default"),
        "mouse": (True, "default"),
        "keys": ({"memory.add": ["x", "f9"], "memory.edti": ["e"]}, "settings.yaml"),
    }
    mouse, keys = shown["problems"]
    assert "line 3: mouse is 'maybe'" in mouse
    assert "line 2: there is no action 'memory.edti' (did you mean memory.edit?)" in keys
    text = run("info").out
    assert "screen: pending  (settings.yaml)" in text
    assert mouse in text
    warned = checks(run("doctor", "--json").json, "warn")
    assert {mouse, keys} <= set(warned)


def test_read_only_in_the_settings_holds_for_commands_too(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wants nothing changed would have it changed by a script."""
    monkeypatch.setenv("HERMES_TUI_READ_ONLY", "true")
    before = memory_file.read_bytes()
    shown = run("memory", "add", "more")
    assert shown.code == 1
    assert memory_file.read_bytes() == before
    assert run("memory", "add", "more", "--read-only").err == shown.err
    monkeypatch.setenv("HERMES_TUI_READ_ONLY", "perhaps")
    assert "HERMES_TUI_READ_ONLY is 'perhaps'" in run("memory", "add", "more").err
