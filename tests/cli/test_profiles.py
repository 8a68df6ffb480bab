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
