"""Which directory is the home: the same one the `hermes` command would open."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.home import HermesHome, data_dir, list_profiles, resolve_home


@pytest.fixture
def root(isolated_machine: Path) -> Path:
    """A root at the default place with the profiles work and personal."""
    root = isolated_machine / ".hermes"
    for name in ("work", "personal"):
        (root / "profiles" / name).mkdir(parents=True)
        (root / "profiles" / name / "config.yaml").write_text("{}")
    return root


def env(user: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(user), **more}


def test_without_anything_the_default_home_is_named_but_not_created(isolated_machine: Path) -> None:
    """Looking for a home on a fresh machine leaves it fresh."""
    home = resolve_home(environ=env(isolated_machine))
    assert home == HermesHome(isolated_machine / ".hermes", "default", "default")
    assert not home.exists
    assert not (isolated_machine / ".hermes").exists()


def test_blank_hermes_home_counts_as_unset(isolated_machine: Path) -> None:
    """An empty export in a shell profile must not move the home to the current directory."""
    home = resolve_home(environ=env(isolated_machine, HERMES_HOME="  \t"))
    assert home.chosen_by == "default"


def test_hermes_home_is_stripped(isolated_machine: Path, tmp_path: Path) -> None:
    """A trailing blank in the variable is not part of the directory's name."""
    home = resolve_home(environ=env(isolated_machine, HERMES_HOME=f"  {tmp_path} "))
    assert (home.path, home.chosen_by) == (tmp_path, "HERMES_HOME")


def test_tilde_and_variables_in_hermes_home_are_expanded_and_noted(isolated_machine: Path) -> None:
    """The newer agents open ~/other; the older take it literally, and the person is told."""
    for text in ("~/other", "$HOME/other", "${HOME}/other"):
        home = resolve_home(environ=env(isolated_machine, HERMES_HOME=text))
        assert home.path == isolated_machine / "other"
        assert "0.19 takes it literally" in home.note
    assert resolve_home(environ=env(isolated_machine, HERMES_HOME="$NOPE/x")).path == Path.cwd() / "$NOPE/x"


def test_relative_hermes_home_is_made_absolute_and_noted(isolated_machine: Path) -> None:
    """A relative home is the one thing that changes with the directory you stand in."""
    home = resolve_home(environ=env(isolated_machine, HERMES_HOME="some/dir"))
    assert home.path == Path.cwd() / "some/dir"
    assert "relative" in home.note


def test_home_flag_beats_every_other_rule(root: Path, isolated_machine: Path, tmp_path: Path) -> None:
    """--home DIR is that directory, whatever the environment and the marker say."""
    (root / "active_profile").write_text("work\n")
    environ = env(isolated_machine, HERMES_HOME=str(root / "profiles" / "personal"))
    home = resolve_home(home=str(tmp_path), profile="personal", environ=environ)
    assert (home.path, home.profile, home.chosen_by) == (tmp_path, "default", "--home")
    assert resolve_home(home="~/x", environ=environ).path == isolated_machine / "x"
    assert resolve_home(home=str(root / "profiles" / "work"), environ=environ).profile == "work"
    assert resolve_home(home=str(root / "logs"), environ=environ).profile == "custom"


def test_blank_home_flag_is_refused(isolated_machine: Path) -> None:
    """--home "$UNSET" must not fall through to another home."""
    with pytest.raises(NotFound) as caught:
        resolve_home(home="", environ=env(isolated_machine))
    assert caught.value.code == "no_home"


def test_profile_flag_beats_hermes_home_and_the_marker(root: Path, isolated_machine: Path) -> None:
    """-p personal opens personal even when the marker and the variable say work."""
    (root / "active_profile").write_text("work\n")
    environ = env(isolated_machine, HERMES_HOME=str(root / "profiles" / "work"))
    home = resolve_home(profile="personal", environ=environ)
    assert (home.path, home.profile, home.chosen_by) == (
        root / "profiles" / "personal",
        "personal",
        "--profile",
    )
    assert resolve_home(profile=" PERSONAL ", environ=environ).profile == "personal"
    assert resolve_home(profile="default", environ=environ).path == root
    assert home.root == root


def test_marker_picks_the_profile(root: Path, isolated_machine: Path) -> None:
    """The profile chosen with `hermes profile use` is the one shown."""
    for text in ("work\n", "  Work \n", "work"):
        (root / "active_profile").write_text(text)
        home = resolve_home(environ=env(isolated_machine))
        assert (home.path, home.profile, home.chosen_by) == (root / "profiles" / "work", "work", "active profile")


def test_a_marker_that_cannot_be_read_is_said_and_not_guessed_at(root: Path, isolated_machine: Path) -> None:
    """Reads and writes would silently go to the default profile."""
    marker = root / "active_profile"
    marker.write_bytes(b"w\xffork\n")
    for _ in range(4):
        with pytest.raises(Unreadable) as caught:
            resolve_home(environ=env(isolated_machine))
        assert (caught.value.code, str(marker) in caught.value.message) == ("marker_unreadable", True)
        if marker.is_fifo():
            break
        if marker.is_symlink():
            marker.unlink()
            os.mkfifo(marker)
        elif marker.is_dir():
            marker.rmdir()
            marker.symlink_to(root / "nowhere")
        else:
            marker.unlink()
            marker.mkdir()


@pytest.mark.parametrize("marker", [b"default\n", b"DEFAULT", b"", b"  \n"])
def test_blank_and_default_markers_mean_the_root(root: Path, isolated_machine: Path, marker: bytes) -> None:
    """Nothing but a real name in the marker moves the home."""
    (root / "active_profile").write_bytes(marker)
    assert resolve_home(environ=env(isolated_machine)) == HermesHome(root, "default", "default")


def test_marker_that_names_a_missing_profile_is_an_error_with_a_way_out(root: Path, isolated_machine: Path) -> None:
    """Better to say that the profile is gone than to show another profile's memory."""
    (root / "active_profile").write_text("gone\n")
    with pytest.raises(NotFound) as caught:
        resolve_home(environ=env(isolated_machine))
    assert caught.value.code == "no_profile"
    assert "'gone'" in caught.value.message
    assert "hermes profile use default" in caught.value.hint


@pytest.mark.parametrize("marker", ["../x\n", "work\nother\n", "test\n", "a" * 65, "[red]x"])
def test_marker_that_holds_no_profile_name_is_an_error(root: Path, isolated_machine: Path, marker: str) -> None:
    """A marker cannot lead out of the profiles directory."""
    (root / "active_profile").write_text(marker)
    with pytest.raises(NotFound) as caught:
        resolve_home(environ=env(isolated_machine))
    assert caught.value.code == "bad_profile_name"


def test_unknown_profile_flag_names_the_profiles_there_are(root: Path, isolated_machine: Path) -> None:
    """A typo in --profile is answered with the names to choose from."""
    with pytest.raises(NotFound) as caught:
        resolve_home(profile="wrok", environ=env(isolated_machine))
    assert caught.value.code == "no_profile"
    assert "default, personal, work" in caught.value.hint
    assert str(root) in caught.value.message
    for name in ("Bad Name!", "test", "../work", "sudo", ""):
        with pytest.raises(NotFound) as caught:
            resolve_home(profile=name, environ=env(isolated_machine))
        assert caught.value.code == "bad_profile_name"


def test_hermes_home_inside_profiles_is_taken_as_it_is(root: Path, isolated_machine: Path) -> None:
    """A profile's own directory in the variable is final: the marker is not read."""
    (root / "active_profile").write_text("work\n")
    environ = env(isolated_machine, HERMES_HOME=str(root / "profiles" / "personal"))
    home = resolve_home(environ=environ)
    assert (home.path.name, home.profile, home.chosen_by) == ("personal", "personal", "HERMES_HOME")


def test_hermes_home_that_names_a_root_lets_its_marker_pick(tmp_path: Path, isolated_machine: Path) -> None:
    """`HERMES_HOME=/data hermes` opens /data/profiles/work when /data/active_profile says work."""
    (tmp_path / "profiles" / "work").mkdir(parents=True)
    environ = env(isolated_machine, HERMES_HOME=str(tmp_path))
    assert resolve_home(environ=environ) == HermesHome(tmp_path, "default", "HERMES_HOME")
    (tmp_path / "active_profile").write_text("work\n")
    home = resolve_home(environ=environ)
    assert (home.path, home.chosen_by) == (tmp_path / "profiles" / "work", "active profile")
    assert "HERMES_HOME names" in home.note


def test_marker_of_the_default_root_does_not_reach_another_root(
    root: Path, tmp_path: Path, isolated_machine: Path
) -> None:
    """HERMES_HOME wins over the active profile of ~/.hermes."""
    (root / "active_profile").write_text("work\n")
    home = resolve_home(environ=env(isolated_machine, HERMES_HOME=str(tmp_path)))
    assert (home.path, home.chosen_by) == (tmp_path, "HERMES_HOME")


def test_supervised_child_ignores_the_marker_and_says_so(root: Path, isolated_machine: Path) -> None:
    """Under the container's supervisor the root is used even if a profile is active."""
    (root / "active_profile").write_text("work\n")
    for value in ("1", "0"):
        home = resolve_home(environ=env(isolated_machine, HERMES_S6_SUPERVISED_CHILD=value))
        assert home.path == root
        assert "HERMES_S6_SUPERVISED_CHILD" in home.note
    home = resolve_home(environ=env(isolated_machine, HERMES_S6_SUPERVISED_CHILD=""))
    assert home.profile == "work"


def test_windows_default_is_under_localappdata(isolated_machine: Path) -> None:
    """On Windows the agent keeps its home in the local application data, not in ~/.hermes."""
    environ = env(isolated_machine, LOCALAPPDATA=" /c/Users/me/AppData/Local ")
    assert resolve_home(environ=environ, platform="win32").path == Path("/c/Users/me/AppData/Local/hermes")
    home = resolve_home(environ={"USERPROFILE": "/c/Users/me"}, platform="win32")
    assert home.path == Path("/c/Users/me/AppData/Local/hermes")


def test_paths_inside_the_home(root: Path) -> None:
    """Everything in the home has one spelling of its path."""
    home = HermesHome(root, "default", "default")
    assert home.memories == root / "memories"
    assert home.config_path == root / "config.yaml"
    assert home.pending("skills") == root / "pending" / "skills"
    assert home.state_db == root / "state.db"
    assert home.logs == root / "logs"
    assert home.root == root


def test_profiles_are_listed_with_the_active_one_and_their_descriptions(root: Path) -> None:
    """The list shows default first, what each profile is for, and which one is active."""
    (root / "active_profile").write_text("work\n")
    (root / "profiles" / "work" / "profile.yaml").write_text("description: Day\n  job\ndescription_auto: true\n")
    (root / "profiles" / "personal" / "profile.yaml").write_text("description: [\n")
    for stray in ("Not A Profile", "test", ".deleted"):
        (root / "profiles" / stray).mkdir()
    (root / "profiles" / "file").write_text("")
    (root / "profiles" / "ghost").mkdir()
    found = list_profiles(root)
    assert [(p.name, p.active, p.description) for p in found] == [
        ("default", False, ""),
        ("ghost", False, ""),
        ("personal", False, ""),
        ("work", True, "Day job"),
    ]
    assert found[0].path == root
    assert "do not count" in found[1].note
    assert found[3].note == ""


def test_deleted_profile_that_left_its_directory_is_told_apart(root: Path, isolated_machine: Path) -> None:
    """A directory that survived `hermes profile delete` is shown as a leftover."""
    (root / "profiles" / ".deleted").mkdir()
    (root / "profiles" / ".deleted" / "work").write_text("deleted\n")
    assert "was deleted" in resolve_home(profile="work", environ=env(isolated_machine)).note


def test_profiles_of_a_missing_root_are_the_default_alone(tmp_path: Path) -> None:
    """No directory, no error."""
    assert [profile.name for profile in list_profiles(tmp_path / "nowhere")] == ["default"]


def test_data_directory_lies_outside_the_home_and_is_not_made(isolated_machine: Path, hermes_home: Path) -> None:
    """Our journal never appears among the agent's files, and asking for its place creates nothing."""
    path = data_dir(hermes_home)
    assert path.is_relative_to(isolated_machine / ".local" / "state" / "hermes-tui" / "homes")
    assert not path.exists()
    moved = data_dir(hermes_home, {"HERMES_TUI_STATE_DIR": "/elsewhere"})
    assert moved == Path("/elsewhere/homes") / path.name


def test_data_directory_is_the_same_through_a_link_and_differs_between_homes(hermes_home: Path, tmp_path: Path) -> None:
    """Undo works whichever name the home was opened by, and never reaches another home."""
    link = tmp_path / "link"
    link.symlink_to(hermes_home)
    assert data_dir(link) == data_dir(hermes_home)
    assert data_dir(hermes_home / "profiles" / "a") != data_dir(hermes_home / "profiles" / "b")
    assert data_dir(tmp_path / "a b") != data_dir(tmp_path / "a-b")
    assert data_dir(tmp_path / "\udcff[x]").name.isascii()


def test_home_that_cannot_be_reached_does_not_exist(tmp_path: Path) -> None:
    """A closed directory is reported, not a crash."""
    closed = tmp_path / "closed"
    closed.mkdir()
    inside = HermesHome(closed / "home", "default", "--home")
    closed.chmod(0)
    try:
        assert not inside.exists
    finally:
        closed.chmod(stat.S_IRWXU)
    assert not HermesHome(Path(os.devnull), "default", "--home").exists
