"""Files beside the database: which are about a session, and which are never touched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.sessions.upkeep.session_files import SessionFiles

ID = "20260101_100000_aaaaaa"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a home with files of two sessions and others."""
    made = tmp_path / "sessions"
    (made / "saved").mkdir(parents=True)
    for name in (
        f"{ID}.json",
        f"{ID}.jsonl",
        f"session_{ID}.json",
        f"request_dump_{ID}_20260101_100102_123456.json",
        f"request_dump_{ID}_20250101_100102.json",
        f"request_dump_{ID}_oddly.json",
        f"request_dump_{ID}_b_20260101_100102_123456.json",
        f"{ID}_b.json",
        f"{ID}.json.bak",
        f"{ID}.txt",
        f".{ID}.json",
        f"session_{ID}.jsonl",
        "sessions.json",
        f"saved/{ID}.json",
        "request_dump_.json",
        "request_dump.json",
    ):
        (made / name).write_text(name)
    return made


def names(files: SessionFiles, *ids: str) -> set[str]:
    """The names of the files about some sessions."""
    return {path.name for path in files.of(ids)}


def test_files_about_a_session_are_found_by_their_names(folder: Path, tmp_path: Path) -> None:
    """A transcript with secrets would stay behind, or that of another session go."""
    files = SessionFiles(tmp_path)
    assert names(files, ID) == {
        f"{ID}.json",
        f"{ID}.jsonl",
        f"session_{ID}.json",
        f"request_dump_{ID}_20260101_100102_123456.json",
        f"request_dump_{ID}_20250101_100102.json",
    }
    assert names(files, f"{ID}_b") == {f"{ID}_b.json", f"request_dump_{ID}_b_20260101_100102_123456.json"}
    assert names(files, "20260101", "", "20260101_100000") == set()
    assert names(files, "sessions") == set(), "the gateway keeps its list there"
    assert folder.is_dir()


def test_only_plain_files_right_in_the_folder_are_touched(folder: Path, tmp_path: Path) -> None:
    """A link could lead anywhere."""
    outside = tmp_path / "outside.json"
    outside.write_text("mine")
    (folder / "linked.json").symlink_to(outside)
    (folder / "dangling.json").symlink_to(tmp_path / "nowhere")
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    files = SessionFiles(tmp_path)
    assert names(files, "linked", "dangling", "folder", "pipe", "../outside", "saved/" + ID, "/etc/passwd") == set()
    assert outside.read_text() == "mine"


def test_a_home_without_the_folder_has_no_files(tmp_path: Path) -> None:
    """Most homes have none."""
    files = SessionFiles(tmp_path)
    assert files.of([ID]) == ()
    files.bring_back(tmp_path / "nothing kept")
    assert not (tmp_path / "sessions").exists()


def test_files_are_kept_removed_and_brought_back(folder: Path, tmp_path: Path) -> None:
    """Undo would bring the rows back, and not the files."""
    files = SessionFiles(tmp_path)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    (folder / f"{ID}.json").chmod(0o640)
    paths = files.of([ID])
    files.keep(paths, tmp_path / "kept")
    assert files.remove(paths) == []
    assert names(files, ID) == set()
    assert files.remove(paths) == [], "what is gone already is no failure"
    (folder / f"{ID}.jsonl").write_text("somebody else's by now")
    (folder / f"session_{ID}.json").symlink_to(tmp_path / "elsewhere")
    files.bring_back(tmp_path / "kept")
    assert not (tmp_path / "elsewhere").exists(), "nothing is written through a link"
    (folder / f"session_{ID}.json").unlink()
    files.bring_back(tmp_path / "kept")
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert after == {**before, f"{ID}.jsonl": b"somebody else's by now"}


def test_files_that_come_later_are_found_too(folder: Path, tmp_path: Path) -> None:
    """A dump that the agent wrote a moment ago would stay behind."""
    files = SessionFiles(tmp_path)
    assert names(files, "later") == set()
    (folder / "later.json").touch()
    assert names(files, "later") == {"later.json"}
    assert files.remove(files.of([ID])) == []
    (folder / f"{ID}.jsonl").touch()
    assert names(files, ID, "later") == {"later.json", f"{ID}.jsonl"}


def test_ten_thousand_files_are_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch of a prune would look through all of them."""
    (tmp_path / "sessions").mkdir()
    for number in range(30):
        (tmp_path / "sessions" / f"s{number}.json").touch()
    listed: list[object] = []
    real = os.scandir

    def counted(path: Path) -> Any:
        listed.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", counted)
    files = SessionFiles(tmp_path)
    for number in range(30):
        assert files.remove(files.of([f"s{number}"])) == []
    assert len(listed) == 1
    assert list((tmp_path / "sessions").iterdir()) == []


def test_what_cannot_be_removed_is_given_back(folder: Path, tmp_path: Path) -> None:
    """A file that stays would be said to be gone."""
    files = SessionFiles(tmp_path)
    paths = files.of([ID])
    stubborn = folder / f"{ID}.json"
    stubborn.unlink()
    stubborn.mkdir()
    assert files.remove(paths) == [stubborn]


def test_files_come_back_whatever_a_crash_has_left(folder: Path, tmp_path: Path) -> None:
    """Undo would stop after the rows, for ever."""
    files = SessionFiles(tmp_path)
    files.keep(files.of([ID]), tmp_path / "kept")
    folder.rename(tmp_path / "moved")
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / f".{ID}.json.0123abcd.tui.tmp").write_text("what another crash has left")
    (tmp_path / "kept" / f".{ID}.json.0123abcd.tui.tmp").write_text("half a copy, which a crash has left")
    files.bring_back(tmp_path / "kept")
    assert len(list((tmp_path / "sessions").iterdir())) == 5


def test_files_come_back_although_the_folder_is_gone(folder: Path, tmp_path: Path) -> None:
    """Undo would stop after the rows."""
    files = SessionFiles(tmp_path)
    files.keep(files.of([ID]), tmp_path / "kept")
    folder.rename(tmp_path / "moved")
    files.bring_back(tmp_path / "kept")
    assert len(list((tmp_path / "sessions").iterdir())) == 5
