"""The agent's settings on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def config(hermes_home: Path, memory_file: Path) -> Path:  # noqa: ARG001 - the limits are about what it holds
    """A config.yaml with a comment, in a home with some memory."""
    path = hermes_home / "config.yaml"
    path.write_text("memory:\n  memory_char_limit: 2200 # mine\n")
    return path


def test_a_setting_is_listed_shown_changed_and_taken_back(run: Run, config: Path) -> None:
    """One would have to leave for a text editor."""
    shown = run("settings", "get", "memory.memory_char_limit", "--json").json["setting"]
    assert (shown["value"], shown["origin"], shown["default"], shown["type"]) == (2200, "user", 2200, "number")
    changed = run("settings", "set", "memory.memory_char_limit", "3,000", "--json")
    assert changed.json["setting"]["value"] == 3000
    assert changed.json["lines"] == ["-  memory_char_limit: 2200 # mine", "+  memory_char_limit: 3000 # mine"]
    assert run("settings", "undo").out == "memory.memory_char_limit is 2,200 again.\n"
    assert config.read_text() == "memory:\n  memory_char_limit: 2200 # mine\n"
    names = [row["key"] for row in run("settings", "list", "--changed", "--json").json["settings"]]
    assert names == ["memory.memory_char_limit"]
    assert "memory.memory_char_limit" in run("settings", "list", "--group", "memory").out


def test_a_limit_says_what_it_does_to_the_store_before_it_is_set(run: Run, config: Path) -> None:
    """The agent could not remember anything any more, and nobody would know why."""
    tried = run("settings", "set", "memory.memory_char_limit", "20", "--dry-run")
    assert "over by 25" in tried.err
    assert "every addition is refused" in tried.err
    assert "2200" in config.read_text()
    assert "over by 25" in run("settings", "set", "memory.memory_char_limit", "20").err


def test_what_is_wrong_is_refused_with_what_would_be_right(run: Run, config: Path) -> None:
    """It would be written, and read by the agent as something else."""
    before = config.read_bytes()
    for words, code, said in (
        (("set", "memory.write_approval", "maybe"), 1, "true or false"),
        (("set", "memory.write_aproval", "on"), 1, "memory.write_approval"),
        (("get", "nonsense"), 1, "settings list"),
        (("set", "memory.write_approval"), 2, "true or false"),
        (("set", "auxiliary.compression.api_key", "hunter2"), 2, "stdin"),
        (("set", "memory.write_approval", "on", "--read-only"), 1, "read-only"),
        (("list", "--group", "wrong"), 2, "Memory"),
        (("undo",), 1, "No setting"),
    ):
        ran = run("settings", *words)
        assert (ran.code, said in ran.err) == (code, True), (words, ran)
    assert config.read_bytes() == before


def test_a_secret_comes_from_stdin_and_is_shown_by_its_ends(run: Run, config: Path) -> None:
    """It would stand in the history of the shell, or on somebody else's screen."""
    secret = "sk-abcdefghijklmnopqrstuvwxyz"
    assert "  value    not set\n" in run("settings", "get", "auxiliary.compression.api_key").out
    assert run("settings", "get", "auxiliary.compression.api_key", "--json").json["setting"]["value"] == ""
    ran = run("settings", "set", "auxiliary.compression.api_key", "-", "--json", stdin=secret + "\n")
    assert secret in config.read_text()
    assert secret not in ran.out + ran.err
    assert ran.json["setting"]["value"] == "sk-abc...wxyz"
    for words in (("list",), ("get", "auxiliary.compression.api_key"), ("list", "--json")):
        shown = run("settings", *words)
        assert "sk-abc...wxyz" in shown.out
        assert secret not in shown.out + shown.err


def test_a_file_that_does_not_parse_is_said_and_not_written(run: Run, config: Path) -> None:
    """The agent's own command would replace the whole file by one line."""
    config.write_text("memory: [oops\n")
    assert "does not parse" in run("settings", "list").err
    ran = run("settings", "unset", "memory.memory_char_limit")
    assert ran.code == 1
    assert "does not parse" in ran.err
    assert config.read_text() == "memory: [oops\n"


def test_no_secret_is_in_the_lines_that_would_change(run: Run, config: Path) -> None:
    """A dry run would show what the page hides."""
    args = ("settings", "set", "auxiliary.compression.api_key", "-", "--dry-run")
    for secret in ("hunter2passlong123", "correct horse battery", "x1"):
        ran = run(*args, stdin=secret + "\n")
        assert secret not in ran.out + ran.err
    config.write_text(
        "auxiliary: {compression: {api_key: hunter2passw, base_url: 'http://u:hunter2passw@host/', model: a}}\n"
    )
    for words in (("set", "auxiliary.compression.model", "b", "--dry-run"), ("list",), ("list", "--json"),
                  ("get", "auxiliary.compression.base_url")):  # fmt: skip
        ran = run("settings", *words)
        assert "hunter2passw" not in ran.out + ran.err, words


def test_a_file_that_cannot_be_read_is_an_exit_code_of_its_own(run: Run, config: Path) -> None:
    """A script would take the defaults for what is set."""
    config.write_text("memory: [oops\n")
    assert run("settings", "list", "--json").code == 3
    assert run("settings", "get", "memory.provider", "--json").json["state"] == "invalid"
