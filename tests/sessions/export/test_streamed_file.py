"""Files that are written piece by piece: whole or not there."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from hermes_tui import disk, streaming
from hermes_tui.errors import Refused, Unreadable
from hermes_tui.streaming import streamed_file


def test_the_file_has_its_name_only_when_all_is_written(tmp_path: Path) -> None:
    """Half a file would be taken for a whole one."""
    path = tmp_path / "x.txt"
    with streamed_file(path) as file:
        file.write("one\ntwo \udcb2\n")
        assert not path.exists()
        assert [part.name for part in tmp_path.iterdir()] == [".x.txt.part"]
    assert path.read_bytes() == b"one\ntwo \\udcb2\n"
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ZeroDivisionError), streamed_file(path, overwrite=True) as file:
        file.write(f"half{1 // 0}")
    assert path.read_bytes().startswith(b"one")
    with streamed_file(path, overwrite=True) as file:
        file.write("new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_stands_there_is_not_replaced(tmp_path: Path) -> None:
    """Work would be lost, or a folder."""
    path, folder, link = tmp_path / "x", tmp_path / "folder", tmp_path / "link"
    path.write_text("mine")
    folder.mkdir()
    link.symlink_to(path)
    for taken, overwrite in ((path, False), (folder, False), (folder, True), (link, False)):
        with pytest.raises(Refused), streamed_file(taken, overwrite=overwrite) as file:
            file.write("theirs")
    assert path.read_text() == "mine"
    with streamed_file(link, overwrite=True) as file:
        file.write("new")
    assert (link.is_symlink(), path.read_text()) == (True, "new")
    with pytest.raises(Unreadable), streamed_file(tmp_path / "no" / "x"):
        pass
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "link", "x"]


def test_two_who_write_the_same_file_do_not_mix(tmp_path: Path) -> None:
    """Each would have half of the other."""
    path = tmp_path / "x"
    with ExitStack() as late:
        late.enter_context(pytest.raises(Refused))
        late.enter_context(streamed_file(path)).write("late")
        with streamed_file(path) as early:
            early.write("early")
            assert len(list(tmp_path.iterdir())) == 2
    assert path.read_text() == "early"
    assert list(tmp_path.iterdir()) == [path]


def test_it_is_locked_until_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another who writes the same file would remove it for a leftover in between."""
    real = streaming._put

    def put(temp: Path, target: Path, *, overwrite: bool) -> None:
        disk.clear_temp(temp)
        real(temp, target, overwrite=overwrite)

    monkeypatch.setattr(streaming, "_put", put)
    with streamed_file(tmp_path / "x") as file:
        file.write("whole")
    assert (tmp_path / "x").read_text() == "whole"


def test_a_file_system_without_second_names_or_locks_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing could be exported to a stick."""

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr("hermes_tui.disk.fcntl.flock", refuse)
    with streamed_file(tmp_path / "x") as file:
        file.write("whole")
    with pytest.raises(Refused), streamed_file(tmp_path / "y") as file:
        (tmp_path / "y").write_text("mine")
    assert (tmp_path / "x").read_text() == "whole"
    assert (tmp_path / "y").read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x", "y"]


def test_a_long_name_is_no_trouble(tmp_path: Path) -> None:
    """A name that the disk takes would be refused for that of its temp file."""
    for path in (tmp_path / ("x" * 255), tmp_path / ("漢" * 85)):
        with streamed_file(path) as file:
            file.write("x")
        assert path.read_text() == "x"
