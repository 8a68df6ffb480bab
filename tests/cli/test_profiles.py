"""Listing the profiles of a root."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def work(hermes_home: Path) -> Path:
    """A profile called work."""
    path = hermes_home / "profiles" / "work"
    path.mkdir(parents=True)
    (path / "config.yaml").write_text("{}")
    (path / "profile.yaml").write_text("description: The day [b]job[/b]\n")
    return path


def test_profiles_are_listed_with_the_active_one(run: Run, hermes_home: Path, work: Path) -> None:
    """Name, home, description, and which one the hermes command opens."""
    (hermes_home / "active_profile").write_text("work\n")
    shown = run("profiles", "list", "--json")
    assert shown.code == 0
    assert shown.json["root"] == str(hermes_home)
    assert [(row["name"], row["active"], row["path"]) for row in shown.json["profiles"]] == [
        ("default", False, str(hermes_home)),
        ("work", True, str(work)),
    ]
    assert shown.json["profiles"][1]["description"] == "The day [b]job[/b]"
    plain = run("profiles", "list").out
    assert "The day [b]job[/b]" in plain
    assert plain.splitlines()[1].split()[:2] == ["work", "active"]


def test_broken_marker_does_not_hide_the_list(run: Run, hermes_home: Path, work: Path) -> None:
    """The list is what one needs when the active profile is gone."""
    (hermes_home / "active_profile").write_text("gone\n")
    shown = run("profiles", "list", "--json")
    assert [row["active"] for row in shown.json["profiles"]] == [False, False]
    assert work.is_dir()


def test_home_inside_profiles_leads_to_its_root(run: Run, hermes_home: Path, work: Path) -> None:
    """Asked from within a profile, the list is that of the whole root."""
    assert run("profiles", "list", "--home", work, "--json").json["root"] == str(hermes_home)


def test_profile_option_opens_that_profile(run: Run, work: Path) -> None:
    """--profile reaches every command."""
    assert run("info", "--profile", "work", "--json").json["home"] == str(work)
    assert run("--profile", "work", "memory", "list", "--json").json["home"] == str(work)


def test_two_profiles_are_compared(run: Run, hermes_home: Path, work: Path) -> None:
    """Nobody could say what one agent knows that the other does not."""
    (work / "memories").mkdir()
    (hermes_home / "memories" / "MEMORY.md").write_text("tea\n§\ndeploys go out on friday\n§\nonly here")
    (work / "memories" / "MEMORY.md").write_text("deploys go out on monday\n§\ntea")
    store = run("profiles", "compare", "default", "work", "--json").json["stores"][0]
    assert [(pair["a"], pair["b"]) for pair in store["both"]] == [(1, 2)]
    assert [(pair["a"], pair["b"]) for pair in store["near"]] == [(2, 1)]
    assert [entry["text"] for entry in store["only_a"]] == ["only here"]
    lines = run("profiles", "compare", "default", "work").out.splitlines()
    assert lines[0] == "MEMORY.md: 1 in both, 1 nearly the same, 1 only in default, 0 only in work"
    assert [line.split() for line in lines[1:4]] == [
        ["=", "1", "2", "tea"],
        ["~", "2", "1", "deploys", "go", "out", "on", "[-friday-]{+monday+}"],
        ["<", "3", "only", "here"],
    ]
    assert lines[-1] == "USER.md: no entry in either"
    (work / "memories" / "MEMORY.md").write_bytes(b"\xff")
    closed = run("profiles", "compare", "default", "work", "--json")
    assert (closed.code, closed.json["error"]["code"]) == (3, "invalid_utf8")
    assert run("profiles", "compare", "default", "gone").code == 1


def test_an_entry_is_copied_and_moved_to_another_profile(run: Run, hermes_home: Path, work: Path) -> None:
    """A person would need two editors, and an agent could write meanwhile."""
    (hermes_home / "memories" / "MEMORY.md").write_text("tea\n§\ncoffee")
    copied = run("memory", "copy", "--match", "tea", "--to-profile", "work")
    assert (copied.code, copied.out, copied.err) == (0, "", "Copied to MEMORY.md of work.\n")
    moved = run("memory", "move", "--index", "2", "--to-profile", "work", "--to", "user", "--json").json
    assert (moved["changed"], moved["stores"][0]["entries"][0]["text"]) == (True, "tea")
    assert moved["to_profile"]["name"] == "work"
    assert moved["to_profile"]["stores"][0]["entries"][0]["text"] == "coffee"
    assert (work / "memories" / "MEMORY.md").read_text() == "tea"
    assert run("memory", "undo").err == "Undone: move to work in MEMORY.md.\n"
    assert (hermes_home / "memories" / "MEMORY.md").read_text() == "tea\n§\ncoffee"
    assert (work / "memories" / "USER.md").read_text() == "coffee"
    assert run("--profile", "work", "memory", "undo").err == "Undone: move from default in USER.md.\n- coffee\n"
    assert (work / "memories" / "USER.md").read_text() == ""
    assert run("memory", "copy", "--index", "1").code == 2
    assert run("memory", "copy", "--index", "1", "--to-profile", "default").code == 1
    assert run("--read-only", "memory", "copy", "--index", "1", "--to-profile", "work").code == 1
